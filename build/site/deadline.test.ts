import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { ContentError, renderProblem } from '../../src/catalog/problems.ts'
import { OWN_RECORD, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { removeFolders } from '../../testing/sample-folders.ts'
import type { BuildSettings } from './settings.ts'
import { TestSite } from './testing/test-site.ts'

/** A text for which marked takes longer than its limit of 2 s. */
const SLOW = '_a'.repeat(200_000)

/** Each of these code spans is parsed as a shell line: 20 files like this take 10 s. */
const COMMANDS = '`npm i x` '.repeat(25_000)

/** Milliseconds: less than slow skills take, but more than a small skill takes on a busy machine. */
const LIMIT = 2_000

const LATE =
  'takes longer than 2 s to read — simplify its SKILL.md and the files beside it, or retire it'

afterAll(removeFolders)

/** Creates a catalog; returns functions that write files into it and build it. */
const openCatalog = () => {
  const site = new TestSite()
  const build = (more: Partial<BuildSettings> = {}) => site.build(more)
  /** Runs a build; returns the problems that make it fail. */
  const refuse = (more: Partial<BuildSettings> = {}): Promise<string[]> =>
    build(more).then(
      () => ['built'],
      (error: unknown) => {
        if (error instanceof ContentError) return error.problems.map(renderProblem)
        throw error
      },
    )
  const addSkill = (slug: string, id: number, body?: string): void =>
    site.write({
      [`skills/${slug}/skill.json`]: { ...OWN_RECORD, id },
      [`skills/${slug}/SKILL.md`]: skillMd(slug, body),
    })
  const served = (): string => realpathSync(site.path(''))
  return { site, content: site.content, build, refuse, addSkill, served }
}

test('skills that take too long, in threads -> all are named, and the served site stays', async () => {
  const { site, content, build, refuse, addSkill, served } = openCatalog()
  await build()
  const before = served()
  for (let at = 1; at <= 300; at += 1) addSkill(`other-${at}`, 100 + at)
  for (const [at, slug] of ['slow', 'tardy'].entries()) {
    addSkill(slug, 50 + at)
    const files = Array.from({ length: 20 }, (_, file) => [`a${file}.md`, COMMANDS] as const)
    writeFiles(join(content, 'skills', slug), Object.fromEntries(files))
  }
  site.write({ 'skills/wrong/skill.json': { ...OWN_RECORD, id: 52, author: '' } })
  expect(await refuse({ workers: 2, limit: LIMIT })).toEqual([
    `skills/slow: ${LATE}`,
    `skills/tardy: ${LATE}`,
    expect.stringMatching(/^skills\/wrong\/skill.json: author/),
  ])
  expect(served()).toBe(before)
})

test('a page that takes too long to make -> its skill is named, and the served site stays', async () => {
  const { site, build, refuse, addSkill, served } = openCatalog()
  addSkill('long', 50, 'Words *of* a `text`.\n\n'.repeat(1_000))
  const count = (views: number): void =>
    site.write({ 'counters.json': { 50: { views, installs: 0 } } })
  count(1)
  // A build prints files again that changed just before it, because the file system's clock is coarse.
  await pause(30)
  await build()
  const before = served()
  count(2)
  expect(await refuse({ limit: 1 })).toEqual([
    'skills/long: takes longer than 0.001 s to read — simplify its SKILL.md and the files beside it, or retire it',
  ])
  expect(served()).toBe(before)
  expect(readdirSync(join(site.root, 'dist/generations'))).toHaveLength(1)
  await build()
  expect(served()).not.toBe(before)
})

test('a SKILL.md that takes too long to read as Markdown -> code, remembered until its files change', async () => {
  const { site, build, addSkill } = openCatalog()
  const count = async (views: number): Promise<string[]> => {
    site.write({ 'counters.json': { 50: { views, installs: 0 } } })
    await pause(30)
    // On a busy machine, the whole skill could take longer than the usual limit of 5 s.
    return (await build({ limit: 60_000 })).warnings.map(renderProblem)
  }
  const isCode = (): boolean =>
    site.read('public/skills/slow.html').includes('<pre tabindex="0" data-language="markdown">')
  const warning = expect.stringContaining(
    'skills/slow/SKILL.md: takes longer than 2 s to read, so it is shown as code',
  )
  addSkill('slow', 50, SLOW)
  expect([await count(10), isCode()]).toEqual([[warning], true])

  expect([await count(20), isCode()]).toEqual([[warning], true])

  addSkill('slow', 50, 'Fast.')
  expect([await count(30), isCode()]).toEqual([[], false])
})

test('named pipes in a catalog -> reported, and the build does not wait for them', async () => {
  const { content, refuse, addSkill } = openCatalog()
  addSkill('pipe', 50)
  rmSync(join(content, 'skills/pipe/skill.json'))
  mkdirSync(join(content, 'blog'))
  const paths = ['skills/pipe/skill.json', 'skills/near/notes.md', 'retired.json', 'blog/a.md']
  for (const path of paths) execFileSync('mkfifo', [join(content, path)])
  expect(await refuse()).toEqual([
    'retired.json: cannot be read: it is not a file — correct it',
    'blog/a.md: cannot be read: it is not a file — correct it',
    'skills/near/notes.md: neither a file nor a folder — remove it',
    'skills/pipe/skill.json: cannot be read: it is not a file — correct it',
  ])
})
