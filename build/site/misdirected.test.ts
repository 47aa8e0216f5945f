import { spawnSync } from 'node:child_process'
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SITE, skillMd } from '../../src/catalog/testing/content.ts'
import { readTree, removeFolders } from '../../testing/sample-folders.ts'
import { buildSite } from './build.ts'
import { describeFailure } from './command.ts'
import { PROJECT_ROOT } from './settings.ts'
import type { BuildSettings } from './settings.ts'
import { QUIET, TestSite } from './testing/test-site.ts'

let site: TestSite
beforeAll(async () => {
  site = new TestSite()
  writeFileSync(join(site.root, 'file'), '')
  symlinkSync('content', join(site.root, 'link'))
  symlinkSync('nowhere', join(site.root, 'dangling'))
  await site.build()
})
afterAll(removeFolders)

const build = (output: string, content = 'content'): Promise<string | undefined> =>
  site.tryBuild({ outputFolder: join(site.root, output), contentFolder: join(site.root, content) })

/** Runs the build command after a shell command. */
const runAfter = (first: string, output: string) => {
  const program = [process.execPath, join(PROJECT_ROOT, 'build/site/main.mjs')]
  const { contentFolder: CONTENT_DIR, siteUrl: SITE_URL } = site.settings()
  const env = { ...process.env, OUT_DIR: output, CONTENT_DIR, SITE_URL }
  const command = ['-c', `${first} && exec "$0" "$1"`, ...program]
  const { status, stderr } = spawnSync('sh', command, { encoding: 'utf8', env })
  return { status, message: stderr.replace(/^.*: (?:\d+ )?done in .*\n/gm, '') }
}

const readAll = () => [readTree(site.content), site.tree()]

let before: ReturnType<typeof readAll>
beforeEach(() => {
  before = readAll()
})

test.each([
  ['file/a/b', 'content', /^\S+\/file: the path is already taken; move what is there or choose/],
  ['dangling', 'content', /^\S+\/dangling: the path is already taken; move what is there/],
  ['link/dist', 'content', /^OUT_DIR="\S+\/link\/dist" is inside CONTENT_DIR="\S+"; set it to/],
  ['content', 'link', /^OUT_DIR="\S+" is inside CONTENT_DIR="\S+\/link"; set it to/],
  ['dist', 'dist/generations/a', /^CONTENT_DIR="\S+" is inside OUT_DIR\/generations, .*; move it/],
  ['dist', 'dist/state', /^CONTENT_DIR="\S+" is inside OUT_DIR\/state, .*; move it out/],
])(
  'a build that cannot write its output -> reports the value, the place and the remedy: OUT_DIR=%s CONTENT_DIR=%s',
  async (output, content, message) => {
    expect(await build(output, content)).toMatch(message)
    expect(readAll()).toEqual(before)
    expect(readdirSync(site.root).sort()).toEqual(['content', 'dangling', 'dist', 'file', 'link'])
  },
)

test('OUT_DIR where no folder can be created -> reported, not retried forever', () => {
  const message = expect.stringMatching(
    /^\/proc\/nothing: cannot create the output folder; set OUT_DIR/,
  )
  expect(runAfter('true', '/proc/nothing/dist')).toEqual({ status: 1, message })
})

test('file too large -> reported, the old site is unchanged, and the next build is complete', async () => {
  site.write({ 'skills/near/SKILL.md': skillMd('near', 'Much text. '.repeat(20_000)) })
  const message = expect.stringMatching(
    /^\S+\/dist: the file exceeds the size limit .* raise the limit.*\n$/,
  )
  expect(runAfter('ulimit -f 128', join(site.root, 'dist'))).toEqual({ status: 1, message })
  expect(site.tree()).toEqual(before[1])
  expect(await site.tryBuild()).toBe(undefined)
  expect(site.read('public/skills/near.md')).toContain('Much text.')
})

const ORIGIN = 'https://registry.example'
const builds = (settings: Partial<BuildSettings>) => {
  const { siteUrl: _, ...places } = site.settings('addressed')
  return buildSite({ ...places, ...settings }, QUIET).then(() => undefined, describeFailure)
}

test('a build without SITE_URL over a site with an address -> refused, but not of npm start or with --clean', async () => {
  expect(await builds({ siteUrl: ORIGIN })).toBe(undefined)
  expect(await builds({})).toMatch(
    /^The served site has the address https:\/\/registry\.example, but neither SITE_URL nor "origin" in site\.json is set: run SITE_URL=https:\/\/registry\.example npm run build, or build with --clean/,
  )
  expect(await builds({ isStatic: true })).toMatch(/^The served site has the address/)
  expect(site.read('private/site.json', 'addressed')).toContain(ORIGIN)
  for (const settings of [{ isTrial: true }, { isClean: true }]) {
    expect(await builds({ siteUrl: ORIGIN })).toBe(undefined)
    expect(await builds(settings)).toBe(undefined)
    expect(site.read('private/site.json', 'addressed')).toContain('http://localhost:4321')
  }
  site.write({ 'site.json': { ...SITE, origin: 'https://named.example' } })
  expect(await builds({})).toBe(undefined)
  site.write({ 'site.json': SITE })
  expect(await builds({})).toMatch(/^The served site has the address https:\/\/named\.example/)
})

test('a build without SITE_URL over a site of localhost, of another SITE_URL, or whose files were changed by hand -> built', async () => {
  expect(await builds({ siteUrl: 'http://localhost:8080', isClean: true })).toBe(undefined)
  expect(await builds({})).toBe(undefined)
  expect(await builds({ siteUrl: 'https://other.example' })).toBe(undefined)
  writeFileSync(site.path('private/site.json', 'addressed'), '{')
  expect(await builds({})).toBe(undefined)
})

test('content inside OUT_DIR but outside the build’s own folders -> built', async () => {
  expect(await build('.')).toBe(undefined)
})
