import { describe, expect, test } from 'vitest'
import { sampleDocument } from '../../testing/sample-documents.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { listChangedDocuments } from './search-index.ts'

const CSV = sampleDocument(1, 'csv', 'Cleans tables.')

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
