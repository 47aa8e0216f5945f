import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCopies } from './families.ts'
import type { Member } from './families.ts'

interface Given extends Partial<Member> {
  text: string
}

const find = (...given: Given[]): [copy: number, original: number][] => {
  const plain = { name: 'same', installs: 0, updated: '2026-01-01' }
  const members = given.map((one, at) => Object.assign({ id: at + 1 }, plain, one))
  const texts = new Map(members.map(({ id, text }) => [id, text]))
  return findCopies(
    members,
    ({ id }) => texts.get(id) ?? '',
    () => {},
  ).map(({ id, original }) => [id, original])
}

const wordsOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`)

const LONG = wordsOf('word', 200).join(' ')

describe('the original of a family', () => {
  test.each<[string, Partial<Member>, Partial<Member>, Partial<Member>, [number, number][]]>([
    [
      'most installs',
      {},
      { installs: 5 },
      { installs: 4 },
      [
        [1, 2],
        [3, 2],
      ],
    ],
    [
      'then the oldest',
      {},
      { updated: '2025-01-01' },
      { updated: '2025-06-01' },
      [
        [1, 2],
        [3, 2],
      ],
    ],
    [
      'then the lowest id',
      {},
      {},
      {},
      [
        [2, 1],
        [3, 1],
      ],
    ],
  ])('%s', (_, a, b, c, copies) => {
    const given = [a, b, c].map((one) => Object.assign({ text: LONG }, one))
    expect(find(...given)).toEqual(copies)
  })

  test('every copy is compared with the original, so that families do not drift from copy to copy', () => {
    const words = LONG.split(' ')
    const drift = (by: number): string =>
      words.map((word, at) => (at < by * 25 ? `${word}x` : word)).join(' ')
    const copies = find(
      { text: drift(0) },
      { text: drift(1) },
      { text: drift(2) },
      { text: drift(3) },
    )
    expect(copies).toEqual([
      [2, 1],
      [4, 3],
    ])
  })
})

describe('copies', () => {
  test.each<[string, Given, Given, boolean]>([
    [
      'only punctuation, case and blanks differ',
      { text: LONG },
      { text: `# ${LONG.toUpperCase().replaceAll(' ', ' *\n* ')}` },
      true,
    ],
    ['another text', { text: LONG }, { text: wordsOf('other', 200).join(' ') }, false],
    [
      'half as much text added',
      { text: LONG },
      { text: `${LONG} ${wordsOf('more', 100).join(' ')}` },
      false,
    ],
    ['the same text with another name', { name: 'a', text: LONG }, { name: 'b', text: LONG }, true],
    [
      'slightly different, with another name',
      { name: 'a', text: LONG },
      { name: 'b', text: `${LONG} ${wordsOf('more', 50).join(' ')}` },
      false,
    ],
    [
      'slightly different, with the same name in another spelling',
      { name: 'A Name', text: LONG },
      { name: 'a-name', text: `${LONG} ${wordsOf('more', 50).join(' ')}` },
      true,
    ],
    ['short and equal, the same name', { text: 'Use it.' }, { text: 'use IT' }, true],
    [
      'short and equal, two names',
      { name: 'a', text: 'Use it.' },
      { name: 'b', text: 'Use it.' },
      false,
    ],
    ['empty, two names', { name: 'a', text: '' }, { name: 'b', text: '' }, false],
    [
      'Chinese',
      { text: '写邮件，回复邮件。'.repeat(3) + wordsOf('字', 40).join('') },
      { text: '写邮件、回复邮件；'.repeat(3) + wordsOf('字', 40).join('') },
      true,
    ],
  ])('%s -> %s', (_, a, b, isCopy) => {
    expect(find(a, b)).toEqual(isCopy ? [[2, 1]] : [])
  })
})

/** Makes a pseudo-random text without repeated words from a seed. */
const randomWords = (seed: number, count: number): string[] => {
  let state = Math.imul(seed, 0x9e3779b1)
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return `w${(state >>> 8) % 2_000}`
  })
}

describe('any text', () => {
  test('with one word in twenty replaced, added or removed is a copy', () => {
    const edits = fc.array(
      fc.record({ at: fc.nat(), kind: fc.constantFrom('replace', 'insert', 'delete') }),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 60, max: 800 }), edits, (seed, length, wanted) => {
        const words = randomWords(seed, length)
        const edited = [...words]
        for (const { at, kind } of wanted.slice(0, Math.floor(length / 20))) {
          const place = at % edited.length
          const fresh = kind === 'delete' ? [] : [`fresh${at}`]
          edited.splice(place, kind === 'insert' ? 0 : 1, ...fresh)
        }
        expect(find({ text: words.join(' ') }, { text: edited.join(' ') })).toEqual([[2, 1]])
      }),
    )
  })
})

test('a text of combining marks takes linear time', () => {
  const start = performance.now()
  find({ text: `a${'\u0301\u0316'.repeat(60_000)}` })
  expect(performance.now() - start).toBeLessThan(5_000)
})
