import { expect, test } from 'vitest'
import { findWrapped } from './wrapped.ts'

const TEXT = '# Sort\n\n## Steps\n\n- Read\n- Sort\n\n```bash\nsort a\n```\n\nThe end of it.'

test.each([
  ['a fence of Markdown', `\`\`\`\`markdown\n${TEXT}\n\`\`\`\``],
  ['one that its own fences close', `\`\`\`markdown\n${TEXT}\n\`\`\`\n`],
  ['a prompt', `# S\n\n\`\`\`\`prompt\n${TEXT}\n\`\`\`\``],
  ['below a front matter', `---\nname: sort-all-the-books\n---\n\`\`\`md\n${TEXT}\n\`\`\``],
])('%s around the whole holds the text', (_, text) => {
  const { from = 0, to = 0 } = findWrapped(text) ?? {}
  expect(text.slice(from, to).trim()).toBe(TEXT)
})

test.each([
  ['code', `\`\`\`js\n${TEXT}\n\`\`\``],
  ['a template among words', `${'Words. '.repeat(9)}\n\n\`\`\`md\n# A\n\n- b\n- c\n\`\`\`\n`],
  ['what stands below a section', `## Report\n\n\`\`\`\`md\n${TEXT}\n\`\`\`\``],
  ['one that closes before the end', `\`\`\`md\n# A\n\`\`\`\n\n${TEXT}`],
  ['a tree', '```\na/\n  b\n  c\n```'],
  ['none', TEXT.slice(0, 30)],
])('%s is a sample', (_, text) => {
  expect(findWrapped(text)).toBeUndefined()
})
