import { expect, test } from 'vitest'
import { decodeReferences, readMarkdown } from './markdown.ts'

const lines = (line: (at: number) => string, count: number): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

const table = (columns: number, rows: number): string =>
  `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${'|b\n'.repeat(rows)}`

test.each([
  ['3,000 nested quotes', `${'>'.repeat(3_000)} x`, 'is nested too deeply, or becomes too long'],
  ['lists that nest line by line', lines((at) => `${'  '.repeat(at)}- a`, 60), 'is nested too'],
  ['a table of 25 million cells', table(5_000, 5_000), 'has tables of more than 100,000 cells'],
  ['a wide table in a quote', lines(() => `> ${'|'.repeat(500)}`, 300), 'has tables of more than'],
  ['512 KiB and one character', 'a'.repeat(524_289), 'is longer than 524,288 characters'],
  ['400,000 underscores', '_a'.repeat(200_000), 'takes longer than 2 s to read'],
])('%s -> refused', (_, text, fault) => {
  expect(readMarkdown(text)).toMatchObject({ fault: expect.stringContaining(fault) })
})

test.each([
  ['many small tables', `${table(10, 100)}\n\n`.repeat(50)],
  ['blank lines', `a${'\n'.repeat(200_000)}b`],
  ['stars', '*'.repeat(500_000)],
  ['commands with pipes', lines((at) => (at % 9 === 0 ? '' : 'a | b | c'), 5_000)],
])('%s -> parsed', (_, text) => {
  expect(readMarkdown(text)).toHaveProperty('result')
})

test('common character references are decoded once', () => {
  expect(decodeReferences('&lt;&amp;gt;&nbsp;&copy;&quot;')).toBe('<&gt;\u00A0&copy;"')
})
