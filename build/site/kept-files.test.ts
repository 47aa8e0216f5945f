import { expect, test } from 'vitest'
import type { Run } from './edition.ts'
import { listKeptFiles } from './kept-files.ts'
import { DOWNLOADS_NAME, INDEX_NAME } from './outputs.ts'

const SITEMAP = 'public/sitemap.xml'

const PAGES = { '/': ['key', '2026-01-01', true] } as never

const runOf = (frame: string): Run =>
  ({
    inputs: { frameKey: 'frame' },
    last: { head: { frame, pages: PAGES, others: [SITEMAP, INDEX_NAME] }, rows: new Map() },
    changes: { changed: [], removed: [], rows: new Map() },
  }) as never

test.each([
  ['nothing changed', 'frame', [INDEX_NAME, SITEMAP, DOWNLOADS_NAME]],
  ['a post is another', 'other', [INDEX_NAME, DOWNLOADS_NAME]],
])('%s -> those files are kept that tell nothing of it', (_, frame, kept) => {
  expect([...listKeptFiles(runOf(frame), [], PAGES, true)]).toEqual(kept)
})
