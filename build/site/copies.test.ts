import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Skill } from '../../src/catalog/skill.ts'
import type { Retired } from '../../src/catalog/schema.ts'
import { encodeSketch, findCopies } from './copies.ts'

interface Given extends Partial<Pick<Skill, 'name' | 'slug' | 'visibility' | 'copyOf'>> {
  text: string
}

/** Finds the copies among skills with the ids 1, 2 and so on, with the slugs `s1`, `s2` and so on. */
const findAmong = (given: readonly Given[], retired: readonly Retired[] = []) =>
  findCopies(
    given.map(({ text, name = 'same', ...more }, at) => ({
      skill: { id: at + 1, slug: `s${at + 1}`, visibility: 'own', ...more },
      sketch: encodeSketch({ name, description: '' }, text),
    })),
    retired,
  )

const find = (...given: Given[]) => findAmong(given)

const wordsOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`)

const LONG = wordsOf('word', 200).join(' ')

const drift = (by: number): string =>
  LONG.split(' ')
    .map((word, at) => (at < by * 25 ? `${word}x` : word))
    .join(' ')

test.each<[string, Partial<Given>[], object]>([
  ['the lowest id', [{}, {}, {}], { 2: 1, 3: 1 }],
  ['the lowest id that is listed', [{ visibility: 'gone' }, {}, {}], { 3: 2 }],
  ['named by the record of a copy', [{ copyOf: 's3' }, {}, {}], { 1: 3, 2: 3 }],
  ['named by a former slug', [{}, { copyOf: 'old' }, {}], { 2: 3, 1: 3 }],
  ['named, with another text', [{}, { text: 'Other.', copyOf: 's1' }], { 2: 1 }],
  ['named, but gone', [{ visibility: 'gone' }, { copyOf: 's1' }, {}], {}],
  ['none: the record says that it is not a copy', [{}, { copyOf: false }, {}], { 3: 1 }],
  ['none: the first is not a copy', [{ copyOf: false }, {}], { 2: 1 }],
])('the original of a family: %s', (_, given, copies) => {
  const skills = given.map((one) => ({ text: LONG, ...one }))
  expect(findAmong(skills, [{ id: 3, slug: 'old', movedTo: 's3' }])).toEqual(copies)
})

test('every copy is compared with the original, so that families do not drift from copy to copy', () => {
  const texts = [0, 1, 2, 3].map((by) => ({ text: drift(by) }))
  expect(find(...texts)).toEqual({ 2: 1, 4: 3 })
})

test.each<[string, Given, Given, boolean]>([
  [
    'only punctuation, case and blanks differ',
    { text: LONG },
    { text: `# ${LONG.toUpperCase().replaceAll(' ', ' *\n* ')}` },
    true,
  ],
  ['another text', { text: LONG }, { text: wordsOf('other', 200).join(' ') }, false],
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
])('copies: %s -> %s', (_, a, b, isCopy) => {
  expect(find(a, b)).toEqual(isCopy ? { 2: 1 } : {})
})

test('of many texts with one name, a text is compared with the first hundred', () => {
  const texts = Array.from({ length: 101 }, (_, at) => wordsOf(`of${at}-`, 100).join(' '))
  const [first, last] = [texts[0]!, texts[100]!].map((text) => `${text} one more`)
  expect(find(...[...texts, first!, last!].map((text) => ({ text })))).toEqual({ 102: 1 })
})

/** Makes a pseudo-random text without repeated words from a seed. */
const randomWords = (seed: number, count: number): string[] => {
  let state = Math.imul(seed, 0x9e3779b1)
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return `w${(state >>> 8) % 2_000}`
  })
}

/** Replaces each word with the given chance. */
const replaceSome = (words: readonly string[], seed: number, chance: number): string[] => {
  const dice = randomWords(seed, words.length)
  return words.map((word, at) => (Number(dice[at]!.slice(1)) < chance * 2_000 ? `${word}x` : word))
}

test.each([
  ['one word in forty replaced', 1 / 40, { 2: 1 }],
  ['one word in eight replaced', 1 / 8, {}],
])('any long text, of which a sketch is kept, with %s', (_, chance, copies) => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 400, max: 3_000 }), (seed, length) => {
      const words = randomWords(seed, length)
      const edited = replaceSome(words, seed + 1, chance)
      expect(find({ text: words.join(' ') }, { text: edited.join(' ') })).toEqual(copies)
    }),
  )
})

test('any short text with one word in twenty replaced, added or removed is a copy', () => {
  const edits = fc.array(
    fc.record({ at: fc.nat(), kind: fc.constantFrom('replace', 'insert', 'delete') }),
    { minLength: 1, maxLength: 40 },
  )
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 60, max: 200 }), edits, (seed, length, wanted) => {
      const words = randomWords(seed, length)
      const edited = [...words]
      for (const { at, kind } of wanted.slice(0, Math.floor(length / 20))) {
        const place = at % edited.length
        const fresh = kind === 'delete' ? [] : [`fresh${at}`]
        edited.splice(place, kind === 'insert' ? 0 : 1, ...fresh)
      }
      expect(find({ text: words.join(' ') }, { text: edited.join(' ') })).toEqual({ 2: 1 })
    }),
  )
})
