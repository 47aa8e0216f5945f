import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packIndex, toIndexEntry } from '../../src/search/packed/pack.ts'
import { sampleDocument } from '../../testing/sample-documents.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { INDEX_NAME } from './outputs.ts'
import { listChangedDocuments, makeIndex } from './search-index.ts'

const [CSV, PLOT, LETTER] = [
  sampleDocument(1, 'csv', 'Cleans tables.'),
  sampleDocument(2, 'plot', 'Draws charts.'),
  sampleDocument(3, 'letter', 'Writes letters.'),
]

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'skill-registry-index-'))
  mkdirSync(join(folder, 'private'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const keep = (bytes: Uint8Array | undefined): void =>
  bytes
    ? writeFileSync(join(folder, INDEX_NAME), bytes)
    : rmSync(join(folder, INDEX_NAME), { force: true })

const damage = (bytes: Uint8Array): Uint8Array =>
  bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte))

describe('the index of a site is that of its skills, whatever the last one was', () => {
  const before = [CSV, PLOT]
  const after = [CSV, LETTER]
  const changed = [
    { before: PLOT, after: undefined },
    { before: undefined, after: LETTER },
  ]
  const many = Array.from({ length: 300 }, (_, at) => sampleDocument(at + 1, `skill ${at}`))
  const cases = [
    { title: 'the last one is whole', last: packIndex(before.map(toIndexEntry)), changed, after },
    { title: 'the last one is gone', last: undefined, changed, after },
    {
      title: 'the last one is damaged',
      last: damage(packIndex(before.map(toIndexEntry))),
      changed,
      after,
    },
    {
      title: 'the last one is of other skills',
      last: packIndex([CSV].map(toIndexEntry)),
      changed,
      after,
    },
    {
      title: 'what changed is not known',
      last: packIndex(before.map(toIndexEntry)),
      changed: undefined,
      after,
    },
    {
      title: 'many skills changed',
      last: packIndex([]),
      changed: many.map((one) => ({ before: undefined, after: one })),
      after: many,
    },
  ]
  test.each(cases)('$title', ({ last, changed: told, after: documents }) => {
    keep(last)
    const made = makeIndex({
      folder,
      changed: told,
      listDocuments: () => documents,
      readDocument: (id) => documents.find(({ listed }) => listed.id === id)!,
    })
    expect(made).toEqual(packIndex(documents.map(toIndexEntry)))
  })
})

const refuse = (): never => {
  throw new Error('asked for')
}

test('few skills changed in a whole index -> the others are not asked for', () => {
  keep(packIndex([CSV, PLOT].map(toIndexEntry)))
  const after = sampleDocument(2, 'plot', 'Draws charts and maps.')
  const changed = [{ before: PLOT, after }]
  const made = makeIndex({ folder, changed, listDocuments: refuse, readDocument: refuse })
  expect(made).toEqual(packIndex([CSV, after].map(toIndexEntry)))
})

describe('a change that the index does not tell is none of it', () => {
  const facts: SkillFacts = {
    ...CSV.listed,
    updated: '2026-01-01',
    difficulty: 'Beginner',
    safety: 'No findings',
    source: { kind: 'own' },
    visibility: 'own',
  }
  const gone: SkillFacts = { ...facts, visibility: 'gone' }
  const cases: [string, SkillFacts | undefined, SkillFacts | undefined, number][] = [
    ['another day', facts, { ...facts, updated: '2026-02-02' }, 0],
    ['another name', facts, { ...facts, name: 'tsv' }, 1],
    ['one view more', facts, { ...facts, views: 1 }, 1],
    ['it is gone', facts, gone, 1],
    ['it was gone, and is retouched', gone, { ...gone, name: 'tsv' }, 0],
    ['it came', undefined, facts, 1],
    ['it came and is gone already', undefined, gone, 0],
  ]
  test.each(cases)('%s', (_, before, after, count) => {
    expect(listChangedDocuments([{ before, after }], 'https://registry.example')).toHaveLength(
      count,
    )
  })
})
