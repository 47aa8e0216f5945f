import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listSkillFiles } from '../../src/catalog/skill-folder.ts'
import { skillMd, writeFiles } from '../../src/catalog/testing/content.ts'
import { printMarks } from './marks.ts'
import { openColumns, writeColumns } from './row-columns.ts'
import type { ColumnRow } from './row-columns.ts'
import { sampleColumnRow } from './sample-rows.ts'
import type { BuildState, SkillRow } from './state.ts'
import { beginLooking } from './suspects.ts'

const SLUGS = Array.from({ length: 9 }, (_, at) => `skill-${at}`)

let content = ''
beforeAll(() => {
  content = mkdtempSync(join(tmpdir(), 'skill-registry-suspects-'))
  writeFiles(
    content,
    Object.fromEntries(SLUGS.map((slug) => [`skills/${slug}/SKILL.md`, skillMd(slug)])),
  )
})
afterAll(() => rmSync(content, { recursive: true, force: true }))

const folderOf = (slug: string): string => join(content, 'skills', slug)

type Last = Pick<BuildState, 'columns' | 'rows'>

const remember = (slugs: readonly string[]): Last => {
  const written = slugs.map((slug): ColumnRow => {
    const signature = printMarks(
      listSkillFiles(folderOf(slug), slug).fingerprints,
      Date.now() + 10_000,
    )
    return { ...sampleColumnRow(slug), signature }
  })
  const { head, parts } = writeColumns([{ rows: written }], undefined)
  const bytes = Buffer.concat(parts)
  const shared = Buffer.from(new SharedArrayBuffer(bytes.length))
  bytes.copy(shared)
  const rows = new Map(written.map((row) => [row.slug, row as unknown as SkillRow]))
  return { columns: openColumns(shared, 0, head), rows }
}

/** In this thread alone, and with others that have a share each. */
describe.each([
  ['one thread', 1],
  ['three threads', 3],
  ['more threads than skills', 99],
])('%s', (_, workers) => {
  const find = (last: Last | undefined): Promise<string[]> =>
    beginLooking(content, last, workers, 1)(SLUGS)

  test('nothing is known -> all', async () => expect(await find(undefined)).toEqual(SLUGS))

  test('nothing changed -> none', async () => expect(await find(remember(SLUGS))).toEqual([]))

  test('some changed and one is new -> these, in order', async () => {
    const last = remember(SLUGS.filter((slug) => slug !== 'skill-5'))
    writeFileSync(join(folderOf('skill-8'), 'SKILL.md'), 'Other.')
    utimesSync(join(folderOf('skill-2'), 'SKILL.md'), 1e9, 1e9 + workers)
    writeFileSync(join(folderOf('skill-0'), `more-${workers}.md`), 'New.')
    expect(await find(last)).toEqual(['skill-0', 'skill-2', 'skill-5', 'skill-8'])
  })
  test('another text of the same length, whose time was set back -> it', async () => {
    const path = join(folderOf('skill-3'), 'SKILL.md')
    utimesSync(path, 1e9, 1e9)
    const last = remember(SLUGS)
    writeFileSync(path, readFileSync(path, 'utf8').toUpperCase())
    utimesSync(path, 1e9, 1e9)
    expect(await find(last)).toEqual(['skill-3'])
  })
})
