import { expect, test } from 'vitest'
import { writeFixture } from '../testing/fixture.ts'
import { readFilePage } from './file-page.ts'
import { openSite } from './site.ts'
import { createStore } from './store.ts'

const NAME = 'public/skills/csv-clean/many.txt'

const readLines = async (count: number) => {
  const files: Record<string, unknown> = { ...writeFixture(), [NAME]: '\n'.repeat(count) }
  const site = await openSite(createStore((name) => files[name] as never))
  return readFilePage({ slug: 'csv-clean', path: 'many.txt' }, site)
}

test('a file of 5,000 lines is shown', async () => {
  expect(await readLines(5_000)).toMatchObject({ status: 200, document: { kind: 'file' } })
})

test('a file with more lines gets a page that links to the raw file', async () => {
  const page = await readLines(5_001)
  expect(page).toMatchObject({ status: 404, document: { heading: 'File not shown' } })
  const lead = JSON.stringify(page?.document.lead)
  expect(lead).toContain('more than 5,000 lines')
  expect(lead).toContain('/skills/csv-clean/many.txt')
})

const NOTES = 'public/skills/csv-clean/notes.txt'

const readNotes = async (views?: unknown) => {
  const kept = views === undefined ? {} : { 'private/views/csv-clean.json': JSON.stringify(views) }
  const files: Record<string, unknown> = { ...writeFixture(), [NOTES]: 'one\n', ...kept }
  const site = await openSite(createStore((name) => files[name] as never))
  return readFilePage({ slug: 'csv-clean', path: 'notes.txt' }, site)
}

const viewOf = (page: Awaited<ReturnType<typeof readNotes>>) =>
  page?.document.sections.at(-1)?.source?.view

test('a page shows the prepared view of its file, and is complete without one', async () => {
  const view = { html: '<p>one</p>' }
  expect(viewOf(await readNotes({ 'notes.txt': view }))).toEqual(view)
  expect(viewOf(await readNotes({ 'other.txt': view }))).toBeUndefined()
  expect(viewOf(await readNotes())).toBeUndefined()
})

test('malformed views are ignored', async () => {
  await expect(readNotes({ 'notes.txt': { html: 1 } })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  })
})
