import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StringTable, decodeUnits, encodeUnits, writeStrings } from './bytes.ts'

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abcé飞'), maxLength: 5 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 5 })
    .map((units) => String.fromCharCode(...units)),
)

const open = (words: readonly string[]) => {
  const sorted = [...new Set(words)].sort()
  const { bytes, blocks } = writeStrings(sorted)
  return { sorted, table: new StringTable(bytes, blocks, sorted.length) }
}

describe('texts as bytes', () => {
  test('any text is read as it was written, and bytes compare as texts do', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const [written, other] = [encodeUnits(a), encodeUnits(b)]
        expect(decodeUnits(written, 0, written.length)).toBe(a)
        expect(Math.sign(Buffer.compare(written, other))).toBe(a < b ? -1 : a > b ? 1 : 0)
      }),
    )
  })
})

describe('a table of texts', () => {
  test('finds every text, and no other', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), fc.array(word), (words, others) => {
        const { sorted, table } = open(words)
        sorted.forEach((text, number) => {
          expect(table.find(text)).toBe(number)
          expect(table.read(number)).toBe(text)
        })
        for (const other of others) expect(table.find(other)).toBe(sorted.indexOf(other))
      }),
    )
  })

  test('finds all texts with a beginning', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), word, (words, start) => {
        const { sorted, table } = open(words)
        const [from, to] = table.findPrefix(start)
        expect(sorted.slice(from, to)).toEqual(sorted.filter((text) => text.startsWith(start)))
      }),
    )
  })

  test('a text of more than 255 bytes is refused', () => {
    expect(() => writeStrings(['飞'.repeat(86)])).toThrow(RangeError)
  })
})
