import { expect, test } from 'vitest'
import { HIDDEN_CHARACTERS, hasHidden } from './characters.ts'

test('every character is hidden by the quick look or seen by both', () => {
  const differing: number[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const text = `a${String.fromCodePoint(code)}b`
    if (hasHidden(text) !== HIDDEN_CHARACTERS.test(text)) differing.push(code)
  }
  expect(differing).toEqual([])
})

test('a joiner is hidden in a word and not in an emoji', () => {
  expect(hasHidden('a\u200Db')).toBe(true)
  expect(hasHidden('👩\u200D💻')).toBe(false)
})
