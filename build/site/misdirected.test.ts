import { spawnSync } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SITE, SMALL_CONTENT, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { buildSite } from './build.ts'
import { describeFailure } from './command.ts'
import { createProgress } from '../machine/progress.ts'
import { PROJECT_ROOT } from './settings.ts'
import type { BuildSettings } from './settings.ts'

const ORIGIN = 'https://registry.example'

let root = ''
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'skill-registry-misdirected-')))
  mkdirSync(join(root, 'content'))
  writeFiles(join(root, 'content'), SMALL_CONTENT)
  writeFileSync(join(root, 'file'), '')
  symlinkSync('content', join(root, 'link'))
  symlinkSync('nowhere', join(root, 'dangling'))
  await buildSite(settingsOf(), quiet)
})
afterAll(() => rmSync(root, { recursive: true }))

const quiet = createProgress({ write: () => true })

const settingsOf = (output = 'dist', content = 'content'): BuildSettings => ({
  contentFolder: join(root, content),
  outputFolder: join(root, output),
  siteUrl: ORIGIN,
})

/** Runs a build; returns its error message if it fails. */
const run = (settings: BuildSettings): Promise<string | undefined> =>
  buildSite(settings, quiet).then(
    () => undefined,
    (error: unknown) => describeFailure(error),
  )

const build = (...places: string[]): Promise<string | undefined> => run(settingsOf(...places))

/** Runs the build command after a shell command. */
const runAfter = (first: string, output: string) => {
  const { status, stderr } = spawnSync(
    'sh',
    [
      '-c',
      `${first} && exec "$0" "$1"`,
      process.execPath,
      join(PROJECT_ROOT, 'build/site/main.ts'),
    ],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        OUT_DIR: output,
        CONTENT_DIR: join(root, 'content'),
        SITE_URL: ORIGIN,
      },
    },
  )
  return { status, message: stderr.replace(/^.*: (?:\d+ )?done in .*\n/gm, '') }
}

const listFiles = (folder: string): [string, string][] =>
  globSync('**/*', { cwd: join(root, folder) })
    .filter((name) => statSync(join(root, folder, name)).isFile())
    .sort()
    .map((name) => [name, readFileSync(join(root, folder, name), 'latin1')])

let before: [string, string][]
beforeEach(() => {
  before = [...listFiles('content'), ...listFiles('dist/current')]
})

describe('a build that cannot write its output -> reports the value, the place and the remedy', () => {
  test.each([
    ['file', 'content', /^\S+\/file: the path is already taken; move what is there or choose/],
    ['file/a/b', 'content', /^\S+\/file: the path is already taken; move what is there or choose/],
    [
      'dangling',
      'content',
      /^\S+\/dangling: the path is already taken; move what is there or choose/,
    ],
    [
      'content',
      'content',
      /^OUT_DIR="\S+\/content" is inside CONTENT_DIR="\S+\/content"; set it to/,
    ],
    ['content/a/b', 'content', /^OUT_DIR="\S+" is inside CONTENT_DIR="\S+"; set it to/],
    ['link/dist', 'content', /^OUT_DIR="\S+\/link\/dist" is inside CONTENT_DIR="\S+"; set it to/],
    ['content', 'link', /^OUT_DIR="\S+" is inside CONTENT_DIR="\S+\/link"; set it to/],
    ['dist', 'dist/public', /^CONTENT_DIR="\S+" is inside OUT_DIR\/generations, .*; move it out/],
    [
      'dist',
      'dist/generations/a',
      /^CONTENT_DIR="\S+" is inside OUT_DIR\/generations, .*; move it/,
    ],
    ['dist', 'dist/state', /^CONTENT_DIR="\S+" is inside OUT_DIR\/state, .*; move it out/],
  ])('OUT_DIR=%s CONTENT_DIR=%s', async (output, content, message) => {
    expect(await build(output, content)).toMatch(message)
    expect([...listFiles('content'), ...listFiles('dist/current')]).toEqual(before)
    expect(readdirSync(root).sort()).toEqual(['content', 'dangling', 'dist', 'file', 'link'])
  })
})

test('OUT_DIR where no folder can be created -> reported, not retried forever', () => {
  const message = expect.stringMatching(
    /^\/proc\/nothing: cannot create the output folder; set OUT_DIR/,
  )
  expect(runAfter('true', '/proc/nothing/dist')).toEqual({ status: 1, message })
})

test('file too large -> reported, the old site is unchanged, and the next build is complete', async () => {
  const large = { 'skills/near/SKILL.md': skillMd('near', 'Much text. '.repeat(20_000)) }
  writeFiles(join(root, 'content'), large)
  const message = expect.stringMatching(
    /^\S+\/dist: the file exceeds the size limit .* raise the limit.*\n$/,
  )
  expect(runAfter('ulimit -f 128', join(root, 'dist'))).toEqual({ status: 1, message })
  const served = before.slice(-listFiles('dist/current').length)
  expect(listFiles('dist/current')).toEqual(served)
  expect(readdirSync(join(root, 'dist')).filter((name) => name.startsWith('build.lock'))).toEqual(
    [],
  )
  expect(await build()).toBe(undefined)
  expect(readFileSync(join(root, 'dist/public/skills/near.md'), 'utf8')).toContain('Much text.')
})

describe('the saved state is damaged', () => {
  const STATE = join('dist', 'state')
  const change = (sql: string): void => {
    using database = new DatabaseSync(join(root, STATE, 'state.db'))
    database.exec(sql)
  }
  const INVALID_JSON = `'{'`
  const REPORTED = /^The output: the state of the last build is damaged; .* --clean\) \([^\n]*\)$/

  test.each([
    ['its lock', REPORTED, () => writeFileSync(join(root, STATE, 'build.lock'), 'x'.repeat(5_000))],
    [
      'its lock, cut short',
      REPORTED,
      () => writeFileSync(join(root, STATE, 'build.lock'), 'hello'),
    ],
    ['a missing table', REPORTED, () => change('DROP TABLE skill')],
    [
      'a skill',
      REPORTED,
      () => change(`UPDATE skill SET skill = ${INVALID_JSON}, fingerprint = ''`),
    ],
    [
      'an output',
      REPORTED,
      () => change(`UPDATE output SET details = ${INVALID_JSON}; UPDATE skill SET digest = ''`),
    ],
    ['its record', undefined, () => change(`UPDATE build SET record = ${INVALID_JSON}`)],
    [
      'the whole file',
      undefined,
      () => writeFileSync(join(root, STATE, 'state.db'), 'x'.repeat(50_000)),
    ],
  ] as const)('%s -> reported or rebuilt, and --clean builds', async (name, reported, damage) => {
    expect(await run({ ...settingsOf(), isClean: true })).toBe(undefined)
    damage()
    writeFiles(join(root, 'content'), {
      'skills/near/SKILL.md': skillMd('near', name),
    })
    const failure = await build()
    if (reported) expect(failure).toMatch(reported)
    else expect(failure).toBe(undefined)
    expect(await run({ ...settingsOf(), isClean: true })).toBe(undefined)
    expect(await build()).toBe(undefined)
  })
})

describe('a build without SITE_URL', () => {
  const { siteUrl: _, ...withoutAddress } = settingsOf()
  const places = () => ({ ...withoutAddress, contentFolder: join(root, 'content') })
  const builds = (settings: Partial<BuildSettings>) =>
    run({ ...places(), outputFolder: join(root, 'addressed'), ...settings })

  test.each([
    [
      'over a site with an address -> refused',
      {},
      /^The served site has the address https:\/\/registry\.example, but neither SITE_URL nor "origin" in site\.json is set: run SITE_URL=https:\/\/registry\.example npm run build, or build with --clean/,
    ],
    ['with PORT -> refused', { port: 4500 }, /^The served site has the address/],
    ['of a static site -> refused', { isStatic: true }, /^The served site has the address/],
    ['of npm start -> built', { isTrial: true }, undefined],
    ['with --clean -> built', { isClean: true }, undefined],
  ])('%s', async (_name, settings, message) => {
    expect(await builds({ siteUrl: ORIGIN })).toBe(undefined)
    const failure = await builds(settings)
    if (message) expect(failure).toMatch(message)
    else expect(failure).toBe(undefined)
    expect(readFileSync(join(root, 'addressed/private/site.json'), 'utf8')).toContain(
      message ? ORIGIN : 'http://localhost:4321',
    )
  })

  test('over a site of localhost, or of another SITE_URL -> built', async () => {
    expect(await builds({ siteUrl: 'http://localhost:8080', isClean: true })).toBe(undefined)
    expect(await builds({})).toBe(undefined)
    expect(await builds({ siteUrl: 'https://other.example' })).toBe(undefined)
  })

  test('after origin went from site.json -> refused', async () => {
    const site = { ...SITE, origin: 'https://named.example' }
    writeFiles(join(root, 'content'), { 'site.json': site })
    expect(await builds({})).toBe(undefined)
    writeFiles(join(root, 'content'), { 'site.json': SITE })
    expect(await builds({})).toMatch(/^The served site has the address https:\/\/named\.example/)
  })

  test('over a served site whose files were changed by hand -> built', async () => {
    expect(await builds({ siteUrl: ORIGIN })).toBe(undefined)
    writeFileSync(join(root, 'addressed/current/private/site.json'), '{')
    expect(await builds({})).toBe(undefined)
  })
})

test('content inside OUT_DIR but outside the build’s own folders -> built', async () => {
  expect(await build('.')).toBe(undefined)
})
