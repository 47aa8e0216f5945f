import { expect, test } from 'vitest'
import type { SkillVersion } from './history.ts'
import { nameVersion } from './name.ts'
import { planVersions, renderPlan } from './plan.ts'

/** Makes a version of a skill from a digit, with a digest that consists of it. */
const make = (slug: string, digit: string, digest = digit.repeat(64)): SkillVersion => ({
  slug,
  at: 1_780_000_000,
  files: [{ path: 'SKILL.md', oid: digest }],
  digest,
})

type Rules = Parameters<typeof planVersions>[1]

const SKILLS = new Map<string, string | undefined>([['near', undefined]])

const plan = (versions: readonly SkillVersion[], more: Partial<Rules> = {}) =>
  planVersions(versions, { skills: SKILLS, moves: new Map(), advisories: [], keep: 9, ...more })

/** Shows the list of a slug: the first digit of each name, and the reason. */
const show = (rules: ReturnType<typeof plan>, slug = 'near'): string[] =>
  (rules.get(slug) ?? []).map(({ name, reason }) => [name?.[0], reason ?? 'served'].join(' '))

const near = (digits: string): SkillVersion[] => [...digits].map((digit) => make('near', digit))

test('a fault is the reason of one version, and a refusal of the skill of all', () => {
  const nameless = { ...make('near', '9'), digest: undefined, fault: '"x" is a link' }
  const rows = plan([...near('1'), nameless])
  expect(show(rows)).toEqual([' "x" is a link', '1 served'])
  expect(renderPlan(rows).split('\n')).toHaveLength(2)
  const refused = plan(near('12'), { skills: new Map([['near', 'No licence.']]) })
  expect(show(refused)).toEqual(['2 No licence.', '1 No licence.'])
})

test('the files that differ from the version before, also after a move', () => {
  const files = [
    { path: 'SKILL.md', oid: '1' },
    { path: 'run', oid: '2', isExecutable: true as const },
  ]
  const versions = [make('old', '1'), { ...make('near', '2'), files }]
  const [row, first] = plan(versions, { moves: new Map([['old', 'near']]) }).get('near')!
  expect(row!.changes).toEqual({ added: ['run'], changed: ['SKILL.md'], removed: [] })
  expect(first!.changes).toBe(undefined)
})

const advisory = (slug: string, digit: string, more: object = {}) => ({
  id: 'A-1',
  published: '2026-06-29',
  summary: 'It sent files away.',
  affected: [{ slug, versions: [nameVersion(digit.repeat(64))] }],
  ...more,
})

test('an advisory withdraws a version, also by a former slug', () => {
  const versions = [make('old', '1'), ...near('2')]
  const moves = new Map([['old', 'near']])
  const withdrawn = '1 It was withdrawn (A-1): It sent files away.'
  for (const slug of ['old', 'near'])
    expect(show(plan(versions, { moves, advisories: [advisory(slug, '1')] }))).toEqual([
      '2 served',
      withdrawn,
    ])
  const advisories = [advisory('near', '1', { withdrawn: '2026-06-30' })]
  expect(show(plan(versions, { moves, advisories }))).toEqual(['2 served', '1 served'])
})

test('an advisory for a version that its skill has not had -> refused, unless the skill was removed', () => {
  expect(() => plan(near('1'), { advisories: [advisory('near', '2')] })).toThrow(
    /^withdrawn\.json withdraws near@2+, but no skill has had that version from "since" on; correct it$/,
  )
  expect(show(plan(near('1'), { advisories: [advisory('far', '2')] }))).toEqual(['1 served'])
})
