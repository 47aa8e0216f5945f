import { expect, test } from 'vitest'
import type { SkillVersion } from './history.ts'
import { planVersions } from './plan.ts'

/** Makes a version from the digest of its files. */
const version = (digest: string, at: number): SkillVersion => ({
  slug: 'near',
  at,
  tree: `tree ${digest}`,
  key: `key ${digest}`,
  record: undefined,
  id: 1,
  digest,
})

const plan = (...digests: readonly string[]) => {
  const versions = digests.map((digest, at) => version(digest, 1_780_000_000 + at))
  const keeping = { keep: 9, days: 0 }
  return planVersions(versions, new Map([['near', { id: 1 }]]), keeping, '2026-06-30')
}

const NAME = 'aaaaaaaaaaaa'
const [FIRST, SECOND] = [`${NAME}1`, `${NAME}2`]

test('a current version whose name belongs to an earlier version -> refused', () => {
  expect(() => plan(FIRST, SECOND)).toThrow(
    /^skills\/near: its name would be a{12}, which an earlier version has; change one of its files/,
  )
})

test('two earlier versions with one name -> the first keeps it, and the second has a reason instead', () => {
  const rows = plan(FIRST, SECOND, 'bbbbbbbbbbbb3').get('near')!
  expect(rows.map(({ name, reason }) => [name, reason])).toEqual([
    ['bbbbbbbbbbbb', undefined],
    [undefined, `its name would be ${NAME}, which an earlier version has`],
    [NAME, undefined],
  ])
})

test('a revert to the first version adds no row', () => {
  expect(
    plan(FIRST, 'bbbbbbbbbbbb3', FIRST)
      .get('near')!
      .map(({ name }) => name),
  ).toEqual([NAME, 'bbbbbbbbbbbb'])
})

/** The removal of a folder. */
const endOf = (slug: string): SkillVersion =>
  Object.assign(version('', 1_780_000_000), { slug, tree: '', key: '', digest: undefined })

/** Versions of a skill that moves from slug to slug and gets a new text each time. */
const moveThrough = (slugs: readonly string[]): SkillVersion[] =>
  slugs.flatMap((slug, at) => {
    const made = Object.assign(version(`${at + 1}`.repeat(13), 1_780_000_000), { slug })
    const last = slugs[at - 1]
    return last === undefined ? [made] : [endOf(last), made]
  })

test.each([
  ['moved twice', ['a', 'b', 'c'], 'c', ['b@222222222222 moved c', 'b@111111111111 moved c']],
  ['moved, and back', ['a', 'b', 'a'], 'a', ['b@222222222222 moved a', 'b@111111111111 moved a']],
  ['moved, then removed', ['a', 'b'], '', ['b@222222222222 retired', 'b@111111111111 retired']],
])('a skill %s: its earlier versions stay in the list of the old slug', (_, slugs, now, rows) => {
  const versions = moveThrough(slugs)
  if (now === '') versions.push(endOf('b'))
  const skills = new Map(now === '' ? [] : [[now, { id: 1 }] as const])
  const listed = planVersions(versions, skills, { keep: 9, days: 0 }, '2026-06-30').get('b')!
  const shown = listed.map(({ name, standing, to }) => [`b@${name}`, standing, to ?? []].flat())
  expect(shown.map((row) => row.join(' '))).toEqual(rows)
})

const make = (slug: string, id: number, digit: string): SkillVersion =>
  Object.assign(version(digit.repeat(13), 1_780_000_000), { slug, id })

test('a slug that passes to another skill in one commit keeps the versions that it listed', () => {
  const versions = [make('ash', 2, '1'), make('birch', 1, '2'), endOf('ash'), make('cedar', 2, '3')]
  versions.push(make('cedar', 1, '4'), endOf('birch'), make('elm', 2, '5'))
  const skills = new Map(Object.entries({ cedar: { id: 1 }, elm: { id: 2 } }))
  const listed = planVersions(versions, skills, { keep: 9, days: 0 }, '2026-06-30').get('cedar')!
  const shown = listed.map(({ name, standing, to }) => [name?.[0], standing, to])
  expect(shown).toEqual([
    ['4', 'served', undefined],
    ['3', 'served', undefined],
    ['2', 'served', undefined],
    ['1', 'moved', 'elm'],
  ])
})
