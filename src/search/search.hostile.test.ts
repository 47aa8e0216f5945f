import { beforeAll, describe, expect, test } from 'vitest'
import { askFor, openSample, sampleDocument } from '../../testing/sample-documents.ts'
import type { PackedIndex } from './index.ts'

const spell = (seed: number): string =>
  Array.from({ length: 5 + (seed % 5) }, (_, at) =>
    String.fromCharCode(97 + ((seed * (at + 7) + at * at) % 26)),
  ).join('')

const write = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => spell((from * 31 + at * at) % 6000)).join(' ')

const QUERIES: [string, string][] = [
  ['10 KB of one letter', 'a'.repeat(10_240)],
  ['10 KB of letters', write(3, 2000).replaceAll(' ', '')],
  ['5,000 known words', write(1, 5000)],
  ['5,000 misspelt words', write(1, 5000).replaceAll(' ', 'x ')],
  ['5,000 hyphens', write(1, 5000).replaceAll(' ', '-')],
  ['10 KB of camelCase', 'CamelCase'.repeat(1100)],
  ['10 KB of hyphens', '-'.repeat(10_240)],
  ['10 KB of apostrophes', "'".repeat(10_240)],
  ['10 KB of accents', 'e\u0301'.repeat(5000)],
  ['10 KB of one letter and dots', 'a.'.repeat(5000)],
  ['10 KB of Chinese', '飞书会议纪要'.repeat(600)],
  ['a ligature of 18 letters, 3,000 times', '\ufdfa'.repeat(3000)],
  ['9,000 stop words', 'the and of '.repeat(3000)],
  ['a regular expression', '(a+)+$ [a-z]{1,9999} .*.*.*'],
  ['SQL', "' OR 1=1; DROP TABLE skills;--"],
  ['prototype names', '__proto__ constructor toString hasOwnProperty valueOf'],
  ['lone surrogates', '\ud800 \udfff a\ud800b'],
  ['the prefix of many words', 'co'],
]

describe('hostile queries at 1,000 skills', () => {
  let index: PackedIndex

  beforeAll(() => {
    index = openSample(
      Array.from({ length: 1000 }, (_, at) => sampleDocument(at + 1, spell(at), write(at, 40))),
    )
    index.find(askFor({ q: write(2, 50) }))
  })

  test.each(QUERIES)('%s -> an answer', (_, q) => {
    const { skills, total } = index.find(askFor({ q }))
    expect(skills.length).toBe(Math.min(total, 24))
  })
})
