import { expect, test } from 'vitest'
import {
  CONTROL_CHARACTERS,
  HIDDEN_CHARACTERS,
  LONE_SURROGATES,
  hasHidden,
  isOrdinaryText,
} from './characters.ts'

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

const isOdd = (code: number): boolean => {
  const text = String.fromCharCode(code)
  return (
    hasHidden(`a${text}b`) ||
    LONE_SURROGATES.test(text) ||
    (CONTROL_CHARACTERS.test(text) && text !== '\t' && text !== '\n')
  )
}

test('a text that one look finds ordinary holds nothing hidden, no surrogate and no other control', () => {
  const ordinary: number[] = []
  for (let code = 0; code <= 0xffff; code += 1) {
    if (isOrdinaryText(String.fromCharCode(code))) ordinary.push(code)
  }
  expect(ordinary.filter(isOdd)).toEqual([])
  expect(['\t', '\n', 'a', 'é', '→', '漢'].every(isOrdinaryText)).toBe(true)
})
