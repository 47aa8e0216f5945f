import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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

const listMoves = (rows: readonly Retired[]): string[] =>
  resolveMoves(rows, SKILLS).map(({ slug, id, to }) => `${slug} ${id} -> ${to.slug} ${to.id}`)

const listLostMoves = (rows: readonly Retired[]): string[] =>
  findLostMoves(rows, SKILLS).map(renderProblem)

describe('a retired skill', () => {
  test.each<[string, Retired[], string[]]>([
    [
      'that was renamed leads to itself',
      [{ id: 1, slug: 'uno', movedTo: 'one' }],
      ['uno 1 -> one 1'],
    ],
    [
      'leads to the end of a chain, in any order of rows',
      [
        { id: 9, slug: 'c', movedTo: 'two' },
        { id: 9, slug: 'a', movedTo: 'b' },
        { id: 9, slug: 'b', movedTo: 'c' },
      ],
      ['c 9 -> two 2', 'a 9 -> two 2', 'b 9 -> two 2'],
    ],
    [
      'that was moved and then retired leads nowhere',
      [
        { id: 9, slug: 'a', movedTo: 'b' },
        { id: 9, slug: 'b' },
      ],
      [],
    ],
    [
      'that still exists, as after an interrupted move, leads nowhere',
      [
        { id: 1, slug: 'one', movedTo: 'not-yet' },
        { id: 2, slug: 'two', movedTo: 'deux' },
        { id: 2, slug: 'deux', movedTo: 'two' },
      ],
      ['deux 2 -> two 2'],
    ],
  ])('%s', (_, rows, leads) => {
    expect(listMoves(rows)).toEqual(leads)
    expect(listLostMoves(rows)).toEqual([])
  })

  test.each<[string, Retired[], string[]]>([
    [
      'a circle',
      [
        { id: 8, slug: 'a', movedTo: 'b' },
        { id: 9, slug: 'b', movedTo: 'a' },
      ],
      [
        'retired.json: 0.movedTo: "b" — leads in a circle: a -> b -> a; the last must name a skill',
        'retired.json: 1.movedTo: "a" — leads in a circle: b -> a -> b; the last must name a skill',
      ],
    ],
    [
      'a slug that never existed',
      [{ id: 8, slug: 'a', movedTo: 'nobody' }],
      [
        'retired.json: 0.movedTo: "nobody" — leads to "nobody", which no skill has or had; name a skill, or remove movedTo',
      ],
    ],
  ])('that leads to %s is a problem', (_, rows, problems) => {
    expect(listLostMoves(rows)).toEqual(problems)
    expect(listMoves(rows)).toEqual([])
  })
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

describe('copies', () => {
  test('a copy has an original only if both are listed', () => {
    expect(findOriginal({ id: 2, visibility: 'indexable' }, { 2: 1 }, find)).toEqual(SHOWN[0])
    expect(findOriginal({ id: 2, visibility: 'indexable' }, { 2: 3 }, find)).toBeUndefined()
    expect(findOriginal({ id: 3, visibility: 'gone' }, { 3: 1 }, find)).toBeUndefined()
    expect(findOriginal({ id: 2, visibility: 'indexable' }, { 2: 8 }, find)).toBeUndefined()
    expect(findOriginal({ id: 1, visibility: 'own' }, { 2: 1 }, find)).toBeUndefined()
  })

  test('comparisons show listed skills that are not copies', () => {
    expect(comparableIds({})).toEqual([1, 2])
    expect(comparableIds({ 2: 1 })).toEqual([1])
    expect(comparableIds({ 2: 3 })).toEqual([1, 2])
  })

  test('copies are grouped by original and sorted by id', () => {
    expect([...groupCopies({ 12: 1, 3: 1, 4: 2 })]).toEqual([
      [1, [3, 12]],
      [2, [4]],
    ])
  })
})
