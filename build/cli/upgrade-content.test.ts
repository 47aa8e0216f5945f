import { afterEach, expect, test } from 'vitest'
import { makeSampleFolder, readSampleTree, removeFolders } from '../../testing/sample-folders.ts'
import { upgradeContent } from './upgrade-content.ts'

afterEach(removeFolders)

test('a content folder of version 1.0.0 -> without the files that nothing reads, once', () => {
  const kept = { 'counters.json': '{"1": {"views": 1, "installs": 0}}' }
  const content = makeSampleFolder({ ...kept, 'counters.state.json': '{"day": "2026-11-22"}' })
  expect(upgradeContent(content)).toEqual([
    `Removed ${content}/counters.state.json, which nothing reads any more.`,
  ])
  expect(readSampleTree(content)).toEqual(kept)
  expect(upgradeContent(content)).toEqual([])
})
