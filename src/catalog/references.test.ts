import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  findLostMoves,
  resolveMoves,
  findOriginal,
  groupCopies,
  isComparable,
} from './references.ts'
import { renderProblem } from './problems.ts'
import type { Retired } from './schema.ts'

const SKILLS = [
  { id: 1, slug: 'one' },
  { id: 2, slug: 'two' },
]

/** Reads rows such as "9 a -> b": id, slug and, if it moved, the new slug. */
const readRows = (lines: string): Retired[] =>
  lines.split(', ').map((line) => {
    const [id, slug = '', , movedTo] = line.split(' ')
    return { id: Number(id), slug, movedTo }
  })

const LEADS = 'retired.json: '
const CIRCLE = 'the last must name a skill'

test.each([
  ['1 uno -> one', 'uno 1 -> one 1'],
  ['9 c -> two, 9 a -> b, 9 b -> c', 'c 9 -> two 2', 'a 9 -> two 2', 'b 9 -> two 2'],
  ['9 a -> b, 9 b'],
  // Skills that still exist, as after an interrupted move.
  ['1 one -> not-yet, 2 two -> deux, 2 deux -> two', 'deux 2 -> two 2'],
  [
    '8 a -> b, 9 b -> a',
    `${LEADS}0.movedTo: "b" — leads in a circle: a -> b -> a; ${CIRCLE}`,
    `${LEADS}1.movedTo: "a" — leads in a circle: b -> a -> b; ${CIRCLE}`,
  ],
  [
    '8 a -> nobody',
    `${LEADS}0.movedTo: "nobody" — leads to "nobody", which no skill has or had; name a skill, or remove movedTo`,
  ],
])('the retired skills %s', (lines, ...expected) => {
  const rows = readRows(lines)
  const moves = resolveMoves(rows, SKILLS).map(
    ({ slug, id, to }) => `${slug} ${id} -> ${to.slug} ${to.id}`,
  )
  expect([...moves, ...findLostMoves(rows, SKILLS).map(renderProblem)]).toEqual(expected)
})

test('any chain of moves ends at a skill or a retired skill, or is a problem', () => {
  const slug = fc.constantFrom('one', 'two', 'a', 'b', 'c', 'd', 'e')
  const movedTo = fc.option(slug, { nil: undefined })
  const rows = fc.uniqueArray(fc.record({ id: fc.integer({ min: 3, max: 9 }), slug, movedTo }), {
    selector: (row) => row.slug,
  })
  const known = new Map(SKILLS.map((skill) => [skill.slug, skill.id]))
  fc.assert(
    fc.property(rows, (given) => {
      const retired = given.filter((row) => !known.has(row.slug))
      const moves = resolveMoves(retired, SKILLS)
      expect(moves.every(({ to }) => known.get(to.slug) === to.id)).toBe(true)
      const resolved = new Set(moves.map((move) => move.slug))
      const lost = findLostMoves(retired, SKILLS)
      const moved = retired.filter((row) => row.movedTo !== undefined)
      expect(moves.length + lost.length).toBeLessThanOrEqual(moved.length)
      for (const { slug: from } of moved.filter((row) => known.has(row.movedTo ?? ''))) {
        expect(resolved.has(from)).toBe(true)
      }
    }),
  )
})

const SHOWN = [
  { id: 1, visibility: 'own' },
  { id: 2, visibility: 'indexable' },
  { id: 3, visibility: 'gone' },
] as const
const find = (id: number) => SHOWN.find((skill) => skill.id === id)

const comparableIds = (copies: Record<string, number>) =>
  SHOWN.filter((skill) => isComparable(skill, copies, find)).map(({ id }) => id)

test.each([
  [2, 1, 1],
  [2, 3, undefined],
  [3, 1, undefined],
  [2, 8, undefined],
])('if %i is a copy of %i, its original is %s: both must be listed', (id, of, original) => {
  expect(findOriginal(find(id)!, { [id]: of }, find)?.id).toBe(original)
})

test('comparisons show listed skills that are not copies', () => {
  expect(comparableIds({})).toEqual([1, 2])
  expect(comparableIds({ 2: 1 })).toEqual([1])
  expect(comparableIds({ 2: 3 })).toEqual([1, 2])
})

test('copies are grouped by original and sorted by id', () => {
  const groups = [...groupCopies({ 12: 1, 3: 1, 4: 2 })]
  expect(groups).toEqual([
    [1, [3, 12]],
    [2, [4]],
  ])
})
