import { describe, expect, test } from 'vitest'
import { LISTING_DESCRIPTION, truncateAtWord } from './listing.ts'

describe('a description in a listing', () => {
  test.each([
    ['short', 'As it is.', 20, 'As it is.'],
    ['cut at a word', 'one two three', 9, 'one two…'],
    ['cut where a word ends', 'one two three', 8, 'one two…'],
    ['no comma before the ellipsis', 'one two, three', 10, 'one two…'],
    ['a word longer than the room', 'abcdefghij', 5, 'abcd…'],
    ['a script without blanks', `Use: ${'字'.repeat(20)}`, 15, `Use: ${'字'.repeat(9)}…`],
    ['characters, not code units', '🙂🙂🙂🙂', 3, '🙂🙂…'],
  ])('%s', (_, text, limit, expected) => {
    expect(truncateAtWord(text, limit)).toBe(expected)
  })

  test('is never longer than the limit', () => {
    expect([...truncateAtWord('word '.repeat(99), LISTING_DESCRIPTION)].length).toBeLessThanOrEqual(
      240,
    )
  })
})
