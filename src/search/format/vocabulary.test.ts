import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openVocabulary } from '../../../testing/oracle/vocabulary.ts'
import { openSample, sampleDocument } from '../../../testing/sample-documents.ts'

const letter = fc.constantFrom(...'aabbcé飞ж')
const word = fc.string({ unit: letter, minLength: 1, maxLength: 12 })

/** Opens a packed vocabulary, and MiniSearch's over the same words. */
const openBoth = (texts: readonly string[]) => {
  const { vocabulary } = openSample(texts.map((text, at) => sampleDocument(at + 1, 'n', text)))
  const size = vocabulary.size
  const words = Array.from({ length: size }, (_, number) => vocabulary.read(number))
  return { packed: vocabulary, plain: openVocabulary(words), words }
}

describe('the packed vocabulary equals that of MiniSearch', () => {
  test('words are sorted, each with its length', () => {
    const { packed, words } = openBoth(['csv clean 飞书会议', 'cleaner éclair'])
    expect(words).toEqual(words.toSorted())
    expect(words.map((_, number) => packed.lengthOf(number))).toEqual(
      words.map(({ length }) => length),
    )
  })

  test('the same completions, the last word first', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), word, (texts, start) => {
        const { packed, plain, words } = openBoth(texts)
        const [from, to] = packed.complete(start)
        expect(words.slice(from, to).toReversed()).toEqual(plain.complete(start))
      }),
    )
  })

  test('the same corrections', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 80 }), fc.array(word), (texts, typedWords) => {
        const { packed, plain, words } = openBoth(texts)
        for (const typed of typedWords) {
          const found = packed.correct(typed).map((number) => words[number])
          expect(found.sort()).toEqual(plain.correct(typed).sort())
        }
      }),
      { numRuns: 100 },
    )
  })
})
