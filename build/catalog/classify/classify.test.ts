import { expect, test } from 'vitest'
import { CATEGORIES } from '../../../src/catalog/categories.ts'
import { parseFrontMatter } from '../../../src/catalog/front-matter.ts'
import { CATEGORY_WORDS, classify, readOwnCategory, listStems } from './classify.ts'

test.each([
  ['Coding', 'python-tests', 'Write and debug unit tests for Python code in a repository.'],
  ['Communication', 'reply-drafts', 'Draft replies to email and Slack messages.'],
  ['Data & Analytics', 'warehouse-queries', 'Query a warehouse with SQL and build dashboards.'],
  ['Design', 'poster', 'Create posters with colour, typography and illustration.'],
  ['Planning', 'okr-coach', 'Set OKRs, prioritize a roadmap and write user stories.'],
  ['Productivity', 'spreadsheets', 'Edit Excel spreadsheets and fill PDF forms.'],
  ['Research', 'papers', 'Review the scientific literature on PubMed and arXiv.'],
  ['Security', 'threats', 'Model threats and find vulnerabilities before an attack.'],
  ['Writing', 'blog-editor', 'Edit blog articles for grammar and tone.'],
  ['Communication', '飞书邮箱', '写邮件，回复邮件'],
])('%s <- %s', (category, name, description) => {
  const classified = classify({ name, description })
  expect(classified.category).toBe(category)
  expect(classified.evidence.length).toBeGreaterThan(0)
})

test.each([
  ['Coding', 'release-cutter', 'Bump versions, tag the commit and publish the package.'],
  ['Coding', 'login-page-tests', 'Write Playwright tests in TypeScript for a web application.'],
  ['Communication', 'standup-notes', 'Turn a meeting transcript into minutes for the attendees.'],
  ['Communication', 'support-answers', 'Answer a customer support ticket and notify the team.'],
  ['Data & Analytics', 'ab-reader', 'Judge whether an A/B test moved the conversion metric.'],
  ['Data & Analytics', 'slow-postgres', 'Find the missing index behind a slow PostgreSQL query.'],
  ['Design', 'slide-look', 'Give a slide deck one typeface, one palette and better layout.'],
  ['Design', 'sketch-animation', 'Animate an SVG illustration for a video.'],
  ['Planning', 'launch-plan', 'Plan the launch of a product, its pricing and its milestones.'],
  ['Planning', 'effort', 'Estimate how long a project takes, with a range for each task.'],
  ['Productivity', 'week-menu', 'Plan meals for a family and write the shopping list.'],
  ['Productivity', 'trip-folder', 'Organize the bookings of a trip in one calendar and folder.'],
  ['Research', 'claim-check', 'Fact-check a claim against its sources and weigh the evidence.'],
  ['Research', 'gene-lookup', 'Search protein and gene databases for a disease.'],
  ['Security', 'dependency-risks', 'Find vulnerable packages in the supply chain.'],
  ['Security', 'phish-drill', 'Recognise phishing and respond to an incident.'],
  ['Writing', 'plain-words', 'Rewrite an article in plain words, keeping its tone.'],
  ['Writing', 'translator', 'Translate an essay and proofread the translation.'],
])('%s <- %s', (category, name, description) => {
  expect(classify({ name, description }).category).toBe(category)
})

test('evidence adds up to the score, strongest first; the runner-up has less', () => {
  const { score, evidence, runnerUp, isFallback } = classify({
    name: 'email-plots',
    description: 'Plot the replies of a mailbox. Uses SQL to query them.',
  })
  const weights = evidence.map(({ weight }) => weight)
  expect(weights).toEqual(weights.toSorted((a, b) => b - a))
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(score)
  expect(runnerUp.score).toBeLessThan(score)
  expect(isFallback).toBe(false)
})

test('the body counts only if name and description are inconclusive', () => {
  const body = 'Proofread the essay. '.repeat(9)
  expect(classify({ name: 'helper', description: 'Helps.', body }).category).toBe('Writing')
  expect(classify({ name: 'helper', description: 'Sends email.', body }).category).toBe(
    'Communication',
  )
})

test.each([
  ['nothing', '', ''],
  ['words that say nothing', 'foo', 'Bar baz.'],
  ['a tie', 'email typography', ''],
])('%s -> Coding', (_, name, description) => {
  expect(classify({ name, description })).toMatchObject({ category: 'Coding', isFallback: true })
})

test('a property name of Object.prototype -> no evidence', () => {
  expect(classify({ name: 'constructor', description: '__proto__' }).evidence).toEqual([])
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

test.each([
  ['Searching the Web', ['search', 'web', 'search-web']],
  ['CI/CD', ['ci', 'cd', 'ci-cd']],
  ['an A/B test', ['ab', 'test', 'ab-test']],
  ['', []],
])('%j -> %j', (text, terms) => {
  expect([...listStems(text)].sort()).toEqual(terms.toSorted())
})

test.each([
  ['product', 'production'],
  ['conversation', 'conversion'],
  ['author', 'authorization'],
  ['specification', 'specific'],
  ['customer', 'customize'],
  ['documentation', 'document'],
])('%s and %s are two words', (one, other) => {
  expect(listStems(one)).not.toEqual(listStems(other))
  expect(listStems(`${one}s`)).toEqual(listStems(one))
})
