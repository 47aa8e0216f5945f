import { expect, test } from 'vitest'
import { CATEGORIES } from '../../../src/catalog/categories.ts'
import { parseFrontMatter } from '../../../src/catalog/front-matter.ts'
import { CATEGORY_WORDS, classify, readStatedCategory } from './classify.ts'

test.each([
  ['Communication', '飞书邮箱', '写邮件，回复邮件'],
  ['Coding', 'release-cutter', 'Bump versions, tag the commit and publish the package.'],
  ['Communication', 'standup-notes', 'Turn a meeting transcript into minutes for the attendees.'],
  ['Data & Analytics', 'ab-reader', 'Judge whether an A/B test moved the conversion metric.'],
  ['Design', 'slide-look', 'Give a slide deck one typeface, one palette and better layout.'],
  ['Planning', 'launch-plan', 'Plan the launch of a product, its pricing and its milestones.'],
  ['Productivity', 'week-menu', 'Plan meals for a family and write the shopping list.'],
  ['Research', 'claim-check', 'Fact-check a claim against its sources and weigh the evidence.'],
  ['Security', 'dependency-risks', 'Find vulnerable packages in the supply chain.'],
  ['Writing', 'plain-words', 'Rewrite an article in plain words, keeping its tone.'],
])('%s <- %s', (category, name, description) => {
  expect(classify({ name, description })).toBe(category)
})

test('the body counts only if name and description are inconclusive', () => {
  const body = 'Proofread the essay. '.repeat(9)
  expect(classify({ name: 'helper', description: 'Helps.', body })).toBe('Writing')
  expect(classify({ name: 'helper', description: 'Sends email.', body })).toBe('Communication')
})

test.each([
  ['nothing', '', ''],
  ['words without meaning', 'foo', 'Bar baz.'],
  ['a tie', 'email typography', ''],
  ['a property name of Object.prototype', 'constructor', '__proto__'],
])('%s -> Coding', (_, name, description) => {
  expect(classify({ name, description })).toBe('Coding')
})

test('no word is listed twice in a category', () => {
  for (const category of CATEGORIES) {
    const words = CATEGORY_WORDS.filter((entry) => entry.category === category)
    expect(words.length).toBeGreaterThan(50)
    expect(words.length).toBe(new Set(words.map(({ word }) => word)).size)
  }
})

test.each([
  ['category: Writing', 'Writing'],
  ['category: " data & analytics "', 'Data & Analytics'],
  ['category: data-and-analytics', 'Data & Analytics'],
  ['metadata:\n  category: security', 'Security'],
  ['category: Design\nmetadata:\n  category: Coding', 'Design'],
  ['metadata: &m\n  category: Planning\nother: *m', 'Planning'],
  ['category: DevOps', undefined],
  ['category: [Writing]', 'Writing'],
  ['category: {Writing: Design}', undefined],
  ['metadata: category', undefined],
  ['metadata:\n  nested:\n    category: Coding', undefined],
  ['"metadata.category": Research', 'Research'],
  ['tags: [Writing]', undefined],
])('%j -> %s', (lines, category) => {
  const front = parseFrontMatter(`---\nname: a\ndescription: b\n${lines}\n---\n`)
  expect(front).toMatchObject({ name: 'a', description: 'b' })
  expect(readStatedCategory(front)).toBe(category)
})
