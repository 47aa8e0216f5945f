import { expect, test } from 'vitest'
import { escapeUnseen, renderJson } from './report.ts'

test.each([
  ['a\u001B[31mb', 'a\\u{1B}[31mb'],
  ['a\u009B2Jb', 'a\\u{9B}2Jb'],
  ['a\rb\u0007\u007F', 'a\\u{D}b\\u{7}\\u{7F}'],
  ['a\u202Eb\u200B', 'a\\u{202E}b\\u{200B}'],
  ['a\nb 数据 🚀', 'a\nb 数据 🚀'],
])('%j -> %s', (text, shown) => {
  expect(escapeUnseen(text)).toBe(shown)
})

test('any of them as JSON -> the same value, with invisible characters escaped', () => {
  const value = { a: ['\u001B\u009B\u202E\u{E0041}\uFEFF', 'é🚀'] }
  const json = renderJson(value)
  expect(JSON.parse(json)).toEqual(value)
  expect(json).toBe(escapeUnseen(json))
})
