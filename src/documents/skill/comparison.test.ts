import { describe, expect, test } from 'vitest'
import type { Skill } from '../../catalog/skill.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import { NO_COMPARISON, sampleSkill } from '../../../testing/sample-facts.ts'
import { describeCopies, pickCompared, toCompared, toNamed, writeComparison } from './comparison.ts'
import type { Comparison } from './comparison.ts'

const SKILL = sampleSkill()

const compared = (change: Partial<Skill>) => toCompared({ ...SKILL, ...change })
const named = (slug: string, author = 'bob') => toNamed({ ...SKILL, slug, author })

const write = (
  neighbours: Comparison['neighbours'],
  { isCounted = true, name = SKILL.name } = {},
): string[] =>
  String(
    writeComparison({ ...SKILL, name }, { ...NO_COMPARISON, neighbours }, { isCounted })?.markdown,
  ).split('\n')

describe('the comparison of a skill', () => {
  test('has columns for commands, keys and tokens in which the skills differ', () => {
    const needs = sampleNeeds({ commands: ['jq', 'npm', 'git', 'curl'], accounts: ['A_KEY'] })
    const [header, , own, other] = write([compared({ slug: 'near', name: 'near', needs })])
    expect(header).toMatch(/ \| Difficulty \| Runs \| Keys \|$/)
    expect(own).toMatch(/ \| Intermediate \|  \|  \|$/)
    expect(other).toMatch(/ \| Intermediate \| jq, npm \+2 \| 1 \|$/)
  })

  test('shows no counters if the catalog has none, and says if a day is unknown', () => {
    const neighbours = [compared({ slug: 'x', name: 'x', updated: undefined, summary: '' })]
    expect(write(neighbours, { isCounted: false }).slice(-2)).toEqual([
      '| **far-skill** (this skill) | – | 2026-01-02 | No findings | Intermediate |',
      '| [x](/skills/x) by Ann | – | not known | No findings | Intermediate |',
    ])
  })

  test('strips blanks and line breaks from names', () => {
    const rows = write([compared({ slug: 'a', name: 'far\u2028one ' })], { name: ' far skill ' })
    expect(rows.at(-2)).toMatch(/^\| \*\*far skill\*\* /)
    expect(rows.at(-1)).toMatch(/^\| \[far one\]\(\/skills\/a\)/)
  })
})

test.each([
  ['aaaaab', 'aaaab'],
  ['aabaab', 'aabaa'],
  ['aaaaaa', 'aaaaa'],
  ['ab', 'ab'],
])(
  'of the neighbours by the authors %s, those by %s are compared with one by a',
  (near, picked) => {
    const skills = [...near].map((author) => ({ author }))
    expect(pickCompared(skills, 'a').map(({ author }) => author)).toEqual([...picked])
  },
)

test.each([
  [0, [], 'undefined'],
  [1, ['a'], 'Copies: [a](/skills/a) by bob.'],
  [6, ['a', 'b'], 'Copies: [a](/skills/a) by bob, [b](/skills/b) by bob and 4 more.'],
])('%i copies', (copyCount, slugs, said) => {
  const copies = slugs.map((slug) => named(slug))
  expect(String(describeCopies({ neighbours: [], copies, copyCount })?.markdown)).toBe(said)
})

test.each([
  ['Turns logs into tables.', 'Turns logs into tables'],
  [
    'Use when adding login to an app: sessions, pages and much else that follows.',
    'Adding login to an app: sessions…',
  ],
  ['This skill should be used when the user wants to sort mail.', 'Sort mail'],
  ['', ''],
])('the task of %j is %j', (text, task) => {
  expect(toCompared({ ...SKILL, summary: text }).task).toBe(task)
  expect(task.length).toBeLessThanOrEqual(60)
})
