import { expect, test } from 'vitest'
import { parseFrontMatter } from '../../../src/catalog/front-matter.ts'
import { readOwnCategory } from './classify.ts'

test.each([
  ['category: Writing', 'Writing'],
  ['category: " data & analytics "', 'Data & Analytics'],
  ['category: data-and-analytics', 'Data & Analytics'],
  ['metadata:\n  category: security', 'Security'],
  ['category: Design\nmetadata:\n  category: Coding', 'Design'],
  ['metadata: &m\n  category: Planning\nother: *m', 'Planning'],
  ['category: DevOps', undefined],
  ['category: [Writing]', undefined],
  ['category: {Writing: Design}', undefined],
  ['metadata: category', undefined],
  ['metadata:\n  nested:\n    category: Coding', undefined],
  ['"metadata.category": Research', 'Research'],
  ['tags: [Writing]', undefined],
])('%j -> %s', (lines, category) => {
  const front = parseFrontMatter(`---\nname: a\ndescription: b\n${lines}\n---\n`)
  expect(front).toMatchObject({ name: 'a', description: 'b' })
  expect(readOwnCategory(front)).toBe(category)
})
