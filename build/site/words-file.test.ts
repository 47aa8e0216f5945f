import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CATEGORIES } from '../../src/catalog/categories.ts'
import { NO_WORDS, changeWords, readWords as readSkillWords } from '../../src/catalog/word-table.ts'
import { readWords, writeWords } from './words-file.ts'

let path = ''
beforeAll(() => {
  path = join(mkdtempSync(join(tmpdir(), 'skill-registry-words-')), 'words')
})
afterAll(() => rmSync(join(path, '..'), { recursive: true }))

const reader = fc.record({
  id: fc.integer({ min: 1 }),
  name: fc.string({ unit: 'binary', maxLength: 30 }),
  description: fc.string({ unit: 'binary', maxLength: 60 }),
  category: fc.constantFrom(...CATEGORIES),
  isCompared: fc.boolean(),
})

test('a table that was written is read as it was', () => {
  fc.assert(
    fc.property(fc.uniqueArray(reader, { selector: ({ id }) => id }), (readers) => {
      const table = readSkillWords(readers)
      const check = writeWords(path, table)
      expect(readWords(path, check)).toEqual(table)
    }),
  )
})

test('a table that was read goes on as the one that was written', () => {
  const first = { id: 7, name: 'csv', description: 'Cleans tables.', category: 'Coding' } as const
  const second = { id: 3, name: 'tables', description: 'Other words.', category: 'Design' } as const
  const table = changeWords(NO_WORDS, new Set(), [{ ...first, isCompared: true }])
  const check = writeWords(path, table)
  const change = [{ ...second, isCompared: false }]
  expect(changeWords(readWords(path, check), new Set(), change)).toEqual(
    changeWords(table, new Set(), change),
  )
})
