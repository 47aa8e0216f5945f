import { expect, test } from 'vitest'
import { openSample, sampleDocument } from '../../testing/sample-documents.ts'
import { sampleFacts } from '../../testing/sample-facts.ts'
import { findExamples, extractTask } from './examples.ts'

test.each([
  ['Generate personalized status briefings on demand.', 'generate personalized status briefings'],
  ['Use when you want to write B2B cold emails and sequences.', 'write B2B cold emails'],
  ['When the user wants to write cold emails, or more.', 'write cold emails'],
  ['Draft and review professional emails that match.', 'draft and review professional emails'],
  ['Convert files between formats — PDF to Word.', 'convert files between formats'],
  ['Review code', 'review code'],
  ['Creates and edits documents.', undefined],
  ['Building email features.', undefined],
  ['Optimization of queries.', undefined],
  ['Sort.', undefined],
  ['在需要时使用。', undefined],
])('the task of %j is %s', (summary, task) => {
  expect(extractTask(summary)).toBe(task)
})

const SKILLS = [
  { author: 'ann', category: 'Coding', summary: 'Clean csv files.' },
  { author: 'ann', category: 'Writing', summary: 'Write plain letters.' },
  { author: 'bob', category: 'Coding', summary: 'Review sql queries.' },
  { author: 'cat', category: 'Design', summary: 'Paint big pictures.' },
  { author: 'dan', category: 'Writing', summary: 'Clean csv files and letters.' },
  { author: 'eve', category: 'Research', summary: 'Count quick quokkas.' },
] as const

test('examples are tasks from different authors and categories whose search finds their skill first', () => {
  const listed = SKILLS.map((one, at) => sampleFacts(at + 1, one))
  const documents = listed.map(({ id, slug, summary, category }) =>
    sampleDocument(id, slug, summary, { category }),
  )
  const index = openSample(documents)
  expect(findExamples(listed, undefined, index)).toEqual([
    { q: 'clean csv files', count: 2 },
    { q: 'paint big pictures', count: 1 },
    { q: 'count quick quokkas', count: 1 },
  ])
  expect(findExamples(listed, ['review sql', 'zzzz'], index)).toEqual([
    { q: 'review sql', count: 1 },
    { q: 'zzzz', count: 0 },
  ])
})
