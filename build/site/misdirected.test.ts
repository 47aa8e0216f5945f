import { spawnSync } from 'node:child_process'
import {
  existsSync,
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
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SMALL_CONTENT, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { buildSite } from './build.ts'
import { describeFailure } from './command.ts'
import { OutputError } from './folders.ts'
import { createProgress } from './progress.ts'
import { PROJECT_ROOT } from './settings.ts'
import type { BuildSettings } from './settings.ts'
import { openScratch } from './templates.ts'

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

/** Runs a build and gives what it tells where it fails. */
const build = (...places: string[]): Promise<string | undefined> =>
  buildSite(settingsOf(...places), quiet).then(
    () => undefined,
    (error: unknown) => describeFailure(error),
  )

/** Runs the command after another one of the shell. */
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
      timeout: 60_000,
    },
  )
  return { status, told: stderr.replace(/^.*: (?:\d+ )?done in .*\n/gm, '') }
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

describe('a build that may not be written where it should -> says what, where and what to do', () => {
  test.each([
    ['file', 'content', /^\S+\/file: something else stands there; move it or set OUT_DIR/],
    ['file/a/b', 'content', /^\S+\/file: something else stands there; move it or set OUT_DIR/],
    ['dangling', 'content', /^\S+\/dangling: something else stands there; move it or set OUT_DIR/],
    ['content', 'content', /^OUT_DIR="\S+\/content" lies in CONTENT_DIR="\S+\/content"; set it to/],
    ['content/a/b', 'content', /^OUT_DIR="\S+" lies in CONTENT_DIR="\S+"; set it to/],
    ['link/dist', 'content', /^OUT_DIR="\S+\/link\/dist" lies in CONTENT_DIR="\S+"; set it to/],
    ['content', 'link', /^OUT_DIR="\S+" lies in CONTENT_DIR="\S+\/link"; set it to/],
    ['dist', 'dist/public', /^CONTENT_DIR="\S+" lies in OUT_DIR\/generations, .*; move it out/],
    ['dist', 'dist/generations/a', /^CONTENT_DIR="\S+" lies in OUT_DIR\/generations, .*; move it/],
    ['dist', 'dist/state', /^CONTENT_DIR="\S+" lies in OUT_DIR\/state, .*; move it out/],
  ])('OUT_DIR=%s CONTENT_DIR=%s', async (output, content, message) => {
    expect(await build(output, content)).toMatch(message)
    expect([...listFiles('content'), ...listFiles('dist/current')]).toEqual(before)
    expect(readdirSync(root).sort()).toEqual(['content', 'dangling', 'dist', 'file', 'link'])
  })
})

test('OUT_DIR where no folder can be made -> told, not tried for ever', () => {
  const told = expect.stringMatching(/^\/proc\/nothing: no folder can be made there; set OUT_DIR/)
  expect(runAfter('true', '/proc/nothing/dist')).toEqual({ status: 1, told })
})

test('no room for a file -> told, the old site as it was, and the next build is whole', async () => {
  const large = { 'skills/near/SKILL.md': skillMd('near', 'Much text. '.repeat(20_000)) }
  writeFiles(join(root, 'content'), large)
  const told = expect.stringMatching(/^\S+\/dist: a file would be larger .* raise the limit.*\n$/)
  expect(runAfter('ulimit -f 128', join(root, 'dist'))).toEqual({ status: 1, told })
  const served = before.slice(-listFiles('dist/current').length)
  expect(listFiles('dist/current')).toEqual(served)
  expect(readdirSync(join(root, 'dist')).filter((name) => name.startsWith('build.lock'))).toEqual(
    [],
  )
  expect(await build()).toBe(undefined)
  expect(readFileSync(join(root, 'dist/public/skills/near.md'), 'utf8')).toContain('Much text.')
})

test('beside content that lies in OUT_DIR, where no build writes -> built', async () => {
  expect(await build('.')).toBe(undefined)
})

test('links and locks that a killed build left -> gone with the next one, others stay', async () => {
  const left = ['current', 'public', 'private'].flatMap((name) => [`${name}.new`, `${name}.7`])
  const kept = ['current.old', 'notes.7']
  for (const name of [...left, 'build.lock', ...kept]) writeFileSync(join(root, 'dist', name), '')
  expect(await build()).toBe(undefined)
  const names = readdirSync(join(root, 'dist'))
  expect(names.filter((name) => name.includes('.')).sort()).toEqual(kept.sort())
})

test('a rendering that a killed build left -> gone with the next one that prints', async () => {
  const cache = join(PROJECT_ROOT, 'node_modules/.cache')
  const left = join(cache, 'registry-left')
  mkdirSync(join(left, 'server'), { recursive: true })
  writeFileSync(join(left, '.lock'), '')
  expect(await build('fresh')).toBe(undefined)
  expect(existsSync(left)).toBe(false)
})

test('no place to render layouts in -> told, with when it is needed', () => {
  const place = join(root, 'file/.cache')
  expect(() => openScratch(place)).toThrow(OutputError)
  expect(() => openScratch(place)).toThrow(/\/file: layouts are rendered there, once for .*; build/)
})
