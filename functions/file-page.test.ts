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

test('one of more lines says so and leads to the raw file', async () => {
  const page = await readLines(5_001)
  expect(page).toMatchObject({ status: 404, document: { heading: 'File not shown' } })
  const lead = JSON.stringify(page?.document.lead)
  expect(lead).toContain('more than 5,000 lines')
  expect(lead).toContain('/skills/csv-clean/many.txt')
})
