import { CATEGORIES } from '../src/catalog/categories.ts'
import { NO_FACTS, sampleDocument } from './sample-documents.ts'
import { WORDS } from './sample-facets.ts'

/** Queries that cost much, or that break a parser, a pattern, SQL or an encoding; each with its name. */
export const HOSTILE_QUERIES: readonly (readonly [string, string])[] = [
  ['10 KB of one letter', 'a'.repeat(10_240)],
  ['5,000 words', Array.from({ length: 5_000 }, (_, at) => `word${at % 997}x`).join(' ')],
  ['5,000 misspelt words', 'kubernets deploi dokcer parqet '.repeat(1_250)],
  ['5,000 words and hyphens', 'csv-clean-'.repeat(2_500)],
  ['10 KB of camelCase', 'CamelCase'.repeat(1_100)],
  ['10 KB of hyphens', '-'.repeat(10_240)],
  ['10 KB of apostrophes', "'".repeat(10_240)],
  ['10 KB of accents', 'e\u0301'.repeat(5_000)],
  ['10 KB of one letter and dots', 'a.'.repeat(5_000)],
  ['10 KB of Chinese', '飞书会议纪要'.repeat(600)],
  ['a ligature of 18 letters, 3,000 times', '\ufdfa'.repeat(3_000)],
  ['9,000 stop words', 'the and of '.repeat(3_000)],
  ['SQL', `'; DROP TABLE skills; -- $1 $$ E'\\'' " \\`],
  ['a pattern', '%_\\% [a-z]+ (a+)+$ .* [a-z]{1,9999}'],
  ['JSON', '{"singles":[]} \\u0000 \\" ]}'],
  ['names of the prototype', '__proto__ constructor toString hasOwnProperty valueOf'],
  ['the last character of Unicode', `co\u{10FFFF} \u{10FFFE}`],
  ['NUL and lone surrogates', 'csv\0clean \ud800 \udfff a\ud800b'],
  ['the prefix of many words', 'co'],
]

/** 1,500 skills with frequent and rare words, namesakes, and an author who has most of them. */
export const CROWD = Array.from({ length: 1_500 }, (_, at) => {
  const words = Array.from({ length: 30 }, (__, place) => (at * 31 + place * place) % 1_009)
  const text = words.map((word) => (word < 40 ? WORDS[word % WORDS.length] : `word${word}x`))
  return sampleDocument(at + 1, `skill-${at % 700}`, text.join(' '), {
    text: `${WORDS[at % WORDS.length]} word7x `.repeat(2),
    installs: at % 5,
    category: CATEGORIES[at % 9] ?? 'Coding',
    author: at % 19 === 0 ? 'few' : 'many',
    facts: { ...NO_FACTS, tokens: at % 3 === 0 ? undefined : 100 },
  })
})
