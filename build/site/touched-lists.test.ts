import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CATEGORIES } from '../../src/catalog/categories.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { planSitePages } from '../../src/documents/all-documents.ts'
import { createSite } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import { listTouchedLists } from './touched-lists.ts'

const FRAME = { site: { name: 'R', tagline: '', description: '' }, posts: [], pages: [] }
const API = {
  openapi: '3.1.0',
  info: { title: 'R', version: '1', description: '' },
  paths: {},
} as never

/** Three pages of the listing, which some changes make two or four. */
const SKILLS = 3 * 48

const factsArbitrary = (id: number): fc.Arbitrary<SkillFacts> =>
  fc.record({
    id: fc.constant(id),
    slug: fc.constant(`skill-${id}`),
    name: fc.constantFrom('b', 'A', 'c', '😀', 'ü'),
    author: fc.constantFrom('ann', 'Ann', 'bob'),
    category: fc.constantFrom(...CATEGORIES.slice(0, 3)),
    description: fc.constant('Text.'),
    views: fc.nat(2),
    installs: fc.nat(3),
    updated: fc.constant('2026-01-01'),
    difficulty: fc.constant('Beginner' as const),
    safety: fc.constant('No findings' as const),
    source: fc.constant({ kind: 'own' as const }),
    visibility: fc.constantFrom('own' as const, 'own' as const, 'gone' as const),
  })

const ALL = fc.tuple(...Array.from({ length: SKILLS }, (_, at) => factsArbitrary(at + 1)))

/** What becomes of some skills: another, or none; and who comes. */
const EDITS = fc.record({
  changed: fc.array(
    fc.nat(SKILLS - 1).chain((at) => fc.tuple(fc.constant(at), fc.option(factsArbitrary(at + 1)))),
    { maxLength: 4 },
  ),
  came: fc.array(factsArbitrary(SKILLS + 1), { maxLength: 1 }),
})

const listShown = (site: Site): Map<string, string> =>
  new Map(
    [...planSitePages(site, API)].flatMap(({ path, shows }) =>
      shows ? [[path, JSON.stringify(shows)] as const] : [],
    ),
  )

const listRows = (count: number): SkillFacts[] =>
  Array.from({ length: count }, (_, at) => ({
    ...OWN_FACTS,
    id: at + 1,
    slug: `skill-${at + 1}`,
    author: at % 2 ? 'ann' : 'bob',
    installs: count - at,
  }))

describe('lists that show other skills since some changed', () => {
  test('all of them are named', () => {
    fc.assert(
      fc.property(ALL, EDITS, (before, { changed, came }) => {
        const edits = new Map(changed)
        const after = [
          ...before.flatMap((one, at) => {
            const next = edits.has(at) ? edits.get(at) : one
            return next ? [next] : []
          }),
          ...came,
        ]
        const told = [
          ...[...edits].map(([at, next]) => ({ before: before[at], after: next ?? undefined })),
          ...came.map((one) => ({ before: undefined, after: one })),
        ]
        const site = createSite(FRAME, after, 'https://r.example')
        const touched = listTouchedLists(site, told)
        const were = listShown(createSite(FRAME, before, 'https://r.example'))
        const others = [...listShown(site)].filter(
          ([path, shown]) => were.has(path) && were.get(path) !== shown,
        )
        expect(others.map(([path]) => path).filter((path) => !touched.has(path))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('a skill more than the last page had room for -> every page, each says of how many', () => {
    const after = listRows(SKILLS + 1).at(-1)!
    const site = createSite(FRAME, listRows(SKILLS + 1), 'https://r.example')
    const pages = [...listTouchedLists(site, [{ before: undefined, after }])]
    expect(pages.filter((path) => path.startsWith('/skills')).sort()).toEqual([
      '/skills',
      '/skills/page/2',
      '/skills/page/3',
      '/skills/page/4',
    ])
  })

  test('a skill that keeps its place -> its page, its category and its author, and no others', () => {
    const rows = listRows(SKILLS)
    const after = { ...rows[60]!, description: 'Other.' }
    const site = createSite(FRAME, rows.with(60, after), 'https://r.example')
    const touched = listTouchedLists(site, [{ before: rows[60], after }])
    expect([...touched].sort()).toEqual(['/authors/bob', '/categories/coding', '/skills/page/2'])
  })
})

const OWN_FACTS: Omit<SkillFacts, 'id' | 'slug' | 'author' | 'installs'> = {
  name: 'one',
  category: 'Coding',
  description: 'Text.',
  views: 0,
  updated: '2026-01-01',
  difficulty: 'Beginner',
  safety: 'No findings',
  source: { kind: 'own' },
  visibility: 'own',
}
