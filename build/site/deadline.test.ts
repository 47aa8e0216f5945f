import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { renderProblem } from '../../src/catalog/problems.ts'
import { OWN_RECORD, skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { removeFolders } from '../../testing/sample-folders.ts'
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

/** A small catalog, to which skills are added. */
class Catalog extends TestSite {
  add(slug: string, id: number, body?: string): void {
    this.write({
      [`skills/${slug}/skill.json`]: { ...OWN_RECORD, id },
      [`skills/${slug}/SKILL.md`]: skillMd(slug, body),
    })
  }

  count(views: number): void {
    this.write({ 'counters.json': { 50: { views, installs: 0 } } })
  }

  served(): string {
    return realpathSync(this.path(''))
  }
}

test('skills that take too long, in threads -> all are named, and the served site stays', async () => {
  const site = new Catalog()
  await site.build()
  const before = site.served()
  for (let at = 1; at <= 300; at += 1) site.add(`other-${at}`, 100 + at)
  for (const [at, slug] of ['slow', 'tardy'].entries()) {
    site.add(slug, 50 + at)
    const files = Array.from({ length: 20 }, (_, file) => [`a${file}.md`, COMMANDS] as const)
    writeFiles(join(site.content, 'skills', slug), Object.fromEntries(files))
  }
  site.write({ 'skills/wrong/skill.json': { ...OWN_RECORD, id: 52, author: '' } })
  const failure = await site.tryBuild({ workers: 2, limit: LIMIT })
  expect(failure!.split('\n').slice(0, -1)).toEqual([
    `skills/slow: ${LATE}`,
    `skills/tardy: ${LATE}`,
    expect.stringMatching(/^skills\/wrong\/skill.json: author/),
  ])
  expect(site.served()).toBe(before)
})

test('a page that takes too long to make -> its skill is named, and the served site stays', async () => {
  const site = new Catalog()
  site.add('long', 50, 'Words *of* a `text`.\n\n'.repeat(1_000))
  site.count(1)
  // A build prints files again that changed just before it, because the file system's clock is coarse.
  await pause(30)
  await site.build()
  const before = site.served()
  site.count(2)
  expect(await site.tryBuild({ limit: 1 })).toMatch(
    /^skills\/long: takes longer than 0\.001 s to read — simplify its SKILL\.md/,
  )
  expect(site.served()).toBe(before)
  expect(readdirSync(join(site.root, 'dist/generations'))).toHaveLength(1)
  await site.build()
  expect(site.served()).not.toBe(before)
})

test('a SKILL.md that takes too long to read as Markdown -> code, remembered until its files change', async () => {
  const site = new Catalog()
  /** Builds with this text and another counter; returns the warnings, and whether the text is shown as code. */
  const build = async (views: number, text?: string): Promise<unknown[]> => {
    if (text !== undefined) site.add('slow', 50, text)
    site.count(views)
    await pause(30)
    // On a busy machine, the whole skill could take longer than the usual limit of 5 s.
    const { warnings } = await site.build({ limit: 60_000 })
    const page = site.read('public/skills/slow.html')
    return [
      warnings.map(renderProblem),
      page.includes('<pre tabindex="0" data-language="markdown">'),
    ]
  }
  const warning = expect.stringContaining(
    'skills/slow/SKILL.md: takes longer than 2 s to read, so it is shown as code',
  )
  expect(await build(10, SLOW)).toEqual([[warning], true])
  expect(await build(20)).toEqual([[warning], true])
  expect(await build(30, 'Fast.')).toEqual([[], false])
})

test('named pipes in a catalog -> reported, and the build does not wait for them', async () => {
  const site = new Catalog()
  site.add('pipe', 50)
  rmSync(join(site.content, 'skills/pipe/skill.json'))
  mkdirSync(join(site.content, 'blog'))
  const paths = ['skills/pipe/skill.json', 'skills/near/notes.md', 'retired.json', 'blog/a.md']
  for (const path of paths) execFileSync('mkfifo', [join(site.content, path)])
  const failure = await site.tryBuild()
  expect(failure!.split('\n').slice(0, -1)).toEqual([
    'retired.json: cannot be read: it is not a file — correct it',
    'blog/a.md: cannot be read: it is not a file — correct it',
    'skills/near/notes.md: neither a file nor a folder — remove it',
    'skills/pipe/skill.json: cannot be read: it is not a file — correct it',
  ])
})
