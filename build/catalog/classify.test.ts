import { expect, test } from 'vitest'
import { CATEGORIES } from '../../src/catalog/categories.ts'
import { CATEGORY_WORDS } from './category-words.ts'
import { classify } from './classify.ts'

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
  ['nothing', '', ''],
  ['words that say nothing', 'foo', 'Bar baz.'],
  ['a tie', 'email typography', ''],
])('%s -> Coding', (_, name, description) => {
  expect(classify({ name, description }).category).toBe('Coding')
})

test('a name of the prototype -> no evidence', () => {
  expect(classify({ name: 'constructor', description: '__proto__' }).evidence).toEqual([])
})

test('no word is listed twice in a category', () => {
  for (const category of CATEGORIES) {
    const words = Object.values(CATEGORY_WORDS[category]).join(' ').split(/\s+/)
    expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
  }
})
