import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SearchDocument } from '../../src/search/index.ts'
import { packIndex, toIndexEntry } from '../../src/search/packed/pack.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { appendDetails } from './details-file.ts'
import { makeIndexInThread } from './index-thread.ts'
import type { IndexWork } from './index-thread.ts'
import { INDEX_NAME } from './outputs.ts'
import { searchDocument } from './search-documents.ts'

const ORIGIN = 'https://registry.example'

const sampleFacts = (id: number, name: string, description: string): SkillFacts => ({
  id,
  slug: name,
  name,
  author: 'ann',
  category: 'Coding',
  description,
  views: 0,
  installs: 0,
  updated: '2026-01-01',
  difficulty: 'Beginner',
  safety: 'No findings',
  source: { kind: 'own' },
  visibility: 'own',
})

// Both have words of one stem, so that who stays is asked which of them it has.
const CSV = sampleFacts(1, 'csv', 'Cleans tables.')
const PLOT = sampleFacts(2, 'plot', 'Cleaned tables, drawn as charts.')
const LETTER = sampleFacts(3, 'letter', 'Writes letters.')

const toDocument = (facts: SkillFacts): SearchDocument => searchDocument(facts, ORIGIN)

let folder = ''
let places: IndexWork['places']
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skill-registry-index-thread-'))
  mkdirSync(join(folder, 'private'))
  const kept = [CSV, PLOT]
  const lie = appendDetails(
    join(folder, 'details'),
    kept.map((facts) => JSON.stringify({ facts, paths: [] })),
  )
  places = {
    id: Float64Array.from(kept, ({ id }) => id),
    from: Float64Array.from(lie, ({ from }) => from),
    length: Float64Array.from(lie, ({ length }) => length),
    check: Float64Array.from(lie, ({ check }) => check),
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const make = (index: Uint8Array, details = 'details'): Promise<Uint8Array | undefined> => {
  writeFileSync(join(folder, INDEX_NAME), index)
  return makeIndexInThread({
    folder,
    origin: ORIGIN,
    changed: [
      { before: toDocument(PLOT), after: undefined },
      { before: undefined, after: toDocument(LETTER) },
    ],
    details: join(folder, details),
    places,
  })
}

const BEFORE = packIndex([CSV, PLOT].map(toDocument).map(toIndexEntry))

test('an index made in a thread -> as it is packed anew', async () => {
  expect(await make(BEFORE)).toEqual(packIndex([CSV, LETTER].map(toDocument).map(toIndexEntry)))
})

test.each([
  ['the last index is damaged', BEFORE.slice(0, -1), 'details'],
  ['the details are not there', BEFORE, 'gone'],
])('%s -> none, and who asked makes it', async (_, index, details) => {
  expect(await make(index, details)).toBeUndefined()
})
