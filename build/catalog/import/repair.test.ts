import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FrontMatterError, parseFrontMatter } from '../../../src/catalog/front-matter.ts'
import { readFrontMatter } from './repair.ts'

const wrap = (...lines: string[]): string => `---\n${lines.join('\n')}\n---\nBody\n`

test.each<[string, string[], string]>([
  ['an unquoted colon', ['description: Use when: a, b'], 'Use when: a, b'],
  ['Markdown bold', ['description: **Bold** text'], '**Bold** text'],
  ['a leading backtick', ['description: `x` does y'], '`x` does y'],
  ['a leading at sign', ['description: @x does y'], '@x does y'],
  ['text after a closing quote', ['description: "A" and b'], '"A" and b'.slice(1)],
  ['an unclosed quote', ['description: "Sorts words'], 'Sorts words'],
  ['an apostrophe in single quotes', ["description: 'It's good'"], "It's good"],
  ['quotes inside quotes', ['description: "Say "hi" now"'], 'Say "hi" now'],
  ['a colon on the second line', ['description: Sorts', '  words: all'], 'Sorts words: all'],
  ['two lists in one value', ['description: D', 'argument-hint: [a] [b]'], 'D'],
  ['unclosed JSON', ['description: D', 'metadata: {"a": {"b": 1}'], 'D'],
  ['tabs as indentation', ['description: D', 'metadata:', '\tauthor: a'], 'D'],
  ['a line without a colon', ['description: D', 'version: 1', 'stray words'], 'D'],
  ['CRLF', ['description: Use: it\r'], 'Use: it'],
  ['a block scalar', ['description: |', '  One: 1', '  Two', 'x: [a] b'], 'One: 1\nTwo\n'],
])('broken YAML, %s -> name and description, and the fault', (_, lines, description) => {
  const { front, repair } = readFrontMatter(wrap('name: a', ...lines))
  expect(front).toEqual({ name: 'a', description })
  expect(repair).toMatch(/^line \d+: .*the file is unchanged$/)
})

test('valid fields beside a broken field keep their form', () => {
  const { front, repair } = readFrontMatter(
    wrap('name: "a#1" # x', 'description: a: b', 'license: MIT'),
  )
  expect(front).toEqual({ name: 'a#1', description: 'a: b', license: 'MIT' })
  expect(repair).toContain('description read as plain text')
})

test.each([
  ['valid YAML', wrap('name: a', 'description: b')],
  ['a name of digits', wrap('name: 1e3', 'description: 2026-01-01')],
])('%s -> the parser’s result', (_, text) => {
  expect(readFrontMatter(text)).toEqual({ front: parseFrontMatter(text) })
})

test('any text as a description, quoted or not -> read or refused, but no other error', () => {
  const text = fc.string({ unit: 'binary', maxLength: 60 })
  fc.assert(
    fc.property(text, text, (name, description) => {
      const file = wrap(`name: ${name}`, `description: ${description}`)
      try {
        const { front } = readFrontMatter(file)
        for (const value of Object.values(front)) expect(typeof value).toBe('string')
      } catch (error) {
        expect(error).toBeInstanceOf(FrontMatterError)
      }
    }),
    { numRuns: 200 },
  )
})
