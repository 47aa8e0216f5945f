import { expect, test } from 'vitest'
import { sampleSkill } from '../../testing/sample-facts.ts'
import { collect } from '../../src/catalog/testing/needs.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import { listMentions, relateByName } from './derive.ts'

const make = (slug: string, name: string, url: string, more: Partial<Skill> = {}): Skill =>
  sampleSkill({
    slug,
    name,
    source: { kind: 'upstream', url, status: 'alive', checked: '2026-01-03', seen: '2026-01-03' },
    ...more,
  })

const HERE = 'https://github.com/ann/skills/tree/main/skills/'
const skills = [
  make('pdf', 'pdf', 'https://github.com/bob/tools/tree/main/pdf'),
  make('ann-pdf', 'pdf', `${HERE}pdf`),
  make('film-sort', 'film-sort', 'https://github.com/bob/tools/tree/main/film-sort'),
  make('far-sort', 'far-sort', 'https://github.com/eve/tools/tree/main/x', { author: 'eve' }),
  make('ann-books', 'sort-books', `${HERE}sort-books`),
  make('lost', 'lost', `${HERE}lost`, { visibility: 'gone' }),
]
const indexBySlug = (all: readonly Skill[]) => new Map(all.map((skill) => [skill.slug, { skill }]))

test.each<[string, (readonly [string, string?])[]]>([
  ['the `pdf` skill', [['pdf', 'ann-pdf']]],
  ['the `film-sort` skill', [['film-sort', 'film-sort']]],
  ['the `far-sort` skill', [['far-sort']]],
  ['the `no-such` skill', [['no-such']]],
  ['prefer `sort-books`, not `film-sort` or `no-such`', [['sort-books', 'ann-books']]],
  ['the `lost` skill, the `own-skill` skill', []],
])('%j names %j', (text, expected) => {
  const skill = make('own', 'own-skill', `${HERE}own`, { needs: collect(text) })
  const named = listMentions([...skills, skill], indexBySlug([...skills, skill])).get(skill.id)!
  expect(named.map((one) => [one.name, one.slug].filter(Boolean))).toEqual(expected)
})

const row = (id: number, slug: string, text: string): Skill =>
  make(slug, slug, `${HERE}${slug}`, { id, needs: collect(text) })

/** The relations by name among skills. */
const relate = (all: readonly Skill[]) =>
  relateByName(listMentions(all, indexBySlug(all)), indexBySlug(all))

test('a mention relates both skills; mutual mentions come first', () => {
  const related = relate([
    row(1, 'sort-books', 'Text.'),
    row(2, 'sort-films', 'See the `sort-books` skill and the `sort-songs` skill.'),
    row(3, 'sort-songs', 'See the `sort-films` skill.'),
  ])
  expect(Object.fromEntries(related)).toEqual({ 1: [2], 2: [3, 1], 3: [2] })
})

test('a skill that more than eight others mention is not related to them', () => {
  const users = Array.from({ length: 9 }, (_, at) =>
    row(at + 2, `use-${at}`, 'Use the `base` skill.'),
  )
  const base = row(1, 'base', 'Text.')
  const few = relate([base, ...users.slice(1)])
  expect([few.get(1)?.length, few.get(3)]).toEqual([8, [1]])
  const many = relate([base, ...users])
  expect([many.get(1), many.get(2)]).toEqual([[], []])
})
