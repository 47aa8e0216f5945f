import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { encodeWords } from './nearest.ts'
import { compareSkills } from './neighbours.ts'
import type { SkillRow } from './state.ts'

// The last two have the same hash.
const WORDS = 'table csv plot review commit letter threat budget ch0aryf1 zunq5191'.split(' ')
const CATEGORIES = ['Coding', 'Design'] as const

type Told = Pick<SkillFacts, 'name' | 'description' | 'category' | 'visibility'>

const make = (id: number, told: Partial<Told>): SkillRow => ({
  id,
  slug: `skill-${id}`,
  fingerprint: '',
  filesDigest: '',
  factsDigest: '',
  facts: {
    id,
    slug: `skill-${id}`,
    name: `skill${id}`,
    author: 'ann',
    description: '',
    summary: '',
    category: 'Coding',
    views: 0,
    installs: 0,
    updated: '2026-01-01',
    difficulty: 'Beginner',
    safety: 'No findings',
    source: { kind: 'own' },
    visibility: 'own',
    ...told,
  },
  words: encodeWords({ name: `skill${id}`, description: '', ...told }),
  files: ['SKILL.md'],
  nearest: [],
  pageKey: '',
  zipDigest: '',
  zipSize: 0,
})

const byId = (rows: readonly SkillRow[]) => new Map(rows.map((row) => [row.id, row]))

const nearestOf = (rows: readonly SkillRow[]) =>
  new Map(rows.map(({ id, nearest }) => [id, nearest]))

/** Compares all of some skills, anew. */
const compareAnew = (rows: readonly SkillRow[], copies = {}): string =>
  compareSkills({ skills: byId(rows), copies, changes: undefined }, '').key

/** Compares some skills and then, out of that, what they became; ids say which are other. */
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

const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((some) => some.join(' '))
const told = fc.record({
  name: words,
  description: words,
  category: fc.constantFrom(...CATEGORIES),
  visibility: fc.nat(6).map((one) => (one > 0 ? ('own' as const) : ('gone' as const))),
})

/** How a skill was and is; it came where it was not, and left where it is not. */
const pair = fc.oneof(
  { weight: 5, arbitrary: told.map((one) => ({ before: one, after: one })) },
  { weight: 1, arbitrary: fc.record({ before: fc.option(told), after: fc.option(told) }) },
)

// The first skills of a category fill lists up, so a change among them moves all. Up to 230 skills, since a word of
// more than 200 is no rare one.
const toRows = (some: readonly (Told | null)[], more: number): SkillRow[] => [
  ...Array.from({ length: 12 + more }, (_, at) =>
    make(at < 12 ? at + 1 : at + 1_000, {
      name: 'table',
      description: at < 12 ? 'review' : 'csv',
      category: CATEGORIES[at % 2]!,
    }),
  ),
  ...some.flatMap((one, at) => (one ? [make(100 + at, one)] : [])),
]

test('after any change the neighbours of all are as they are found anew', () =>
  fc.assert(
    fc.property(
      fc.array(pair, { maxLength: 40 }),
      fc.constantFrom(0, 1, 20, 180),
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
      },
    ),
    { numRuns: 300 },
  ))

const some = (count: number): SkillRow[] =>
  Array.from({ length: count }, (_, at) => make(at + 1, { description: `word${at}` }))

describe('what few skills change is looked for among few', () => {
  test('a skill with a word of its own -> nobody else has other neighbours', () => {
    const { moved } = compareTwice(
      some(16),
      [...some(16), make(99, { description: 'other' })],
      [99],
    )
    expect(moved).toEqual([99])
  })

  test('the first of a category leaves, which fills short lists up -> all who had it have another', () => {
    const { found, moved } = compareTwice(some(20), some(20).toSpliced(1, 1), [2])
    expect(found.get(9)).toEqual([1, 3, 4, 5])
    expect(moved).toContain(9)
  })

  test('a word grows rare enough to be looked at -> who has it has other neighbours', () => {
    const rare = Array.from({ length: 12 }, (_, at) => `rare${String(at).padStart(2, '0')}`)
    const catalog = [
      ...Array.from({ length: 6 }, (_, at) => make(at + 1, { name: `plain${at}` })),
      ...rare.map((word, at) => make(at + 50, { description: word })),
      make(20, { description: [...rare, 'aword'].join(' ') }),
      make(40, { description: 'aword' }),
    ]
    const common = [...catalog, make(91, { description: 'aword' })]
    const rarer = compareTwice(structuredClone(common), structuredClone(catalog), [91])
    expect(rarer.found.get(20)).toContain(40)
    const commoner = compareTwice(structuredClone(catalog), structuredClone(common), [91])
    expect(commoner.found.get(20)).not.toContain(40)
    expect(commoner.moved).toContain(20)
  })
})
