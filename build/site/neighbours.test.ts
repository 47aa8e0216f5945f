import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { NO_TRAITS } from '../../src/documents/stats.ts'
import { encodeWords } from './nearest-words.ts'
import { compareSkills } from './neighbours.ts'
import type { SkillRow } from './state.ts'
import { sampleFacts } from '../../testing/sample-facts.ts'

const WORDS = Array.from({ length: 24 }, (_, at) => `word${String.fromCharCode(97 + at)}`)
const CATEGORIES = ['Coding', 'Design'] as const

type Told = Pick<SkillFacts, 'name' | 'author' | 'description' | 'category' | 'visibility'> & {
  text: string
}

const make = (id: number, { text = '', ...told }: Partial<Told>): SkillRow => ({
  id,
  slug: `skill-${id}`,
  fingerprint: '',
  filesDigest: '',
  factsDigest: '',
  facts: sampleFacts(id, { name: `skill${id}`, updated: '2026-01-01', ...told }),
  words: encodeWords(
    {
      name: `skill${id}`,
      description: '',
      ...told,
    },
    text,
  ),
  files: ['SKILL.md'],
  nearest: [],
  mentions: '',
  pageKey: '',
  zipDigest: '',
  zipSize: 0,
  hasFindings: false,
  traits: NO_TRAITS,
})

const byId = (rows: readonly SkillRow[]) => new Map(rows.map((row) => [row.id, row]))

const nearestOf = (rows: readonly SkillRow[]) =>
  new Map(rows.map(({ id, nearest }) => [id, nearest]))

/** Compares all skills from scratch. */
const compareAnew = (rows: readonly SkillRow[], copies = {}): string =>
  compareSkills({ skills: byId(rows), copies, changes: undefined }, '').key

/** Compares skills, then updates that for the changed skills; `ids` names them. */
const compareTwice = (
  before: readonly SkillRow[],
  after: readonly SkillRow[],
  changed: Iterable<number>,
  copies = {},
) => {
  const key = compareAnew(before, copies)
  const [was, is] = [byId(before), byId(after)]
  for (const row of after) row.nearest = was.get(row.id)?.nearest ?? []
  const changes = [...changed].map((id) => ({ before: was.get(id), after: is.get(id) }))
  const { moved } = compareSkills({ skills: is, copies, changes }, key)
  const found = nearestOf(after)
  compareAnew(after, copies)
  return { found, anew: nearestOf(after), moved: moved.map(({ id }) => id).sort((a, b) => a - b) }
}

const word = fc.constantFrom(...WORDS)
const name = fc
  .tuple(fc.constantFrom(...WORDS.slice(0, 4)), fc.constantFrom(...WORDS.slice(2, 7)))
  .map((both) => both.join('-'))
const told = fc.record({
  name,
  author: fc.constantFrom('ann', 'bob', 'cleo'),
  description: fc.array(word, { maxLength: 9 }).map((some) => some.join(' ')),
  category: fc.constantFrom(...CATEGORIES),
  text: fc.array(word, { maxLength: 3 }).map((some) => `# Title\n\n## ${some.join(' ')}\n`),
  visibility: fc.nat(6).map((one) => (one > 0 ? ('own' as const) : ('gone' as const))),
})

/** A skill before and after; null before it was added and after it was removed. */
const pair = fc.oneof(
  { weight: 5, arbitrary: told.map((one) => ({ before: one, after: one })) },
  { weight: 1, arbitrary: fc.record({ before: fc.option(told), after: fc.option(told) }) },
)

// In a catalog this small, words that more than 8 skills have are not rare; the first three are near that. A few more or
// fewer skills cross a power of two.
const toRows = (some: readonly (Told | null)[], more: number): SkillRow[] => [
  ...Array.from({ length: 32 + more }, (_, at) =>
    make(at < 32 ? at + 1 : at + 1_000, {
      name: at % 8 === 0 ? `${WORDS[at % 3]}-lone${at}` : `lone${at}`,
      description: at < 5 ? WORDS.slice(0, 3).join(' ') : `alone${at}`,
      category: CATEGORIES[at % 2]!,
    }),
  ),
  ...some.flatMap((one, at) => (one ? [make(100 + at, one)] : [])),
]

test('after any change, incremental neighbours equal those of a full comparison', () => {
  let rows = 0
  fc.assert(
    fc.property(
      fc.array(pair, { maxLength: 40 }),
      fc.constantFrom(0, 1, 20, 30, 31, 32),
      fc.dictionary(fc.constantFrom('100', '101', '102', '1'), fc.constantFrom(103, 104, 2)),
      (pairs, more, copies) => {
        const [before, after] = [pairs.map((one) => one.before), pairs.map((one) => one.after)]
        const changed = pairs.flatMap((one, at) => (one.before === one.after ? [] : [100 + at]))
        const { found, anew } = compareTwice(
          toRows(before, more),
          toRows(after, more),
          changed,
          copies,
        )
        expect(found).toEqual(anew)
        for (const nearest of anew.values()) rows += nearest.length
      },
    ),
    { numRuns: 300 },
  )
  expect(rows).toBeGreaterThan(300)
})

const some = (count: number): SkillRow[] =>
  Array.from({ length: count }, (_, at) => make(at + 1, { description: `word${at}` }))

/** Two skills that share a word with `count` others. */
const sharing = (count: number): SkillRow[] => [
  ...some(40),
  ...Array.from({ length: count }, (_, at) => make(60 + at, { description: 'shared' })),
  make(90, { name: 'how-one', description: 'shared' }),
  make(91, { name: 'how-two', description: 'shared' }),
]

describe('a small change compares few skills', () => {
  test('a skill with unique words -> no neighbours change', () => {
    const { moved } = compareTwice(
      some(16),
      [...some(16), make(99, { description: 'other' })],
      [99],
    )
    expect(moved).toEqual([])
  })

  test('a word becomes rare or common -> the neighbours of skills with it change', () => {
    // In a catalog this small, a word that 8 skills have is rare.
    const rarer = compareTwice(sharing(7), sharing(6), [66])
    expect(rarer.found.get(90)).toEqual([60, 61, 62, 63, 64])
    const commoner = compareTwice(sharing(6), sharing(7), [66])
    expect(commoner.found.get(90)).toEqual([])
  })
})
