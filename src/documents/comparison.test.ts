import { describe, expect, test } from 'vitest'
import type { SkillFacts } from '../catalog/skill.ts'
import { NO_COMPARISON } from '../../testing/sample-facts.ts'
import { toCompared, toNamed, writeComparison } from './comparison.ts'
import type { Comparison } from './comparison.ts'
import { printBlocks } from './print.ts'

const SKILL: SkillFacts = {
  id: 7,
  slug: 'far-skill',
  name: 'far-skill',
  author: 'ann',
  description: 'Turns logs into tables.',
  summary: 'Turns logs into tables.',
  category: 'Coding',
  views: 3,
  installs: 2,
  updated: '2026-01-02',
  difficulty: 'Intermediate',
  safety: 'No findings',
  tokens: 90,
  size: 0,
  hasScripts: false,
  source: { kind: 'own' },
  visibility: 'own',
}

const write = (comparison: Partial<Comparison>, isCounted = true): string[] =>
  printBlocks(writeComparison(SKILL, { ...NO_COMPARISON, ...comparison }, { isCounted })).split(
    '\n',
  )

const compared = (change: Partial<SkillFacts>) => toCompared({ ...SKILL, ...change })
const named = (slug: string, name = slug, author = 'bob') =>
  toNamed({ ...SKILL, slug, name, author })

const HEAD = [
  '| Skill | Installs | Updated | Safety | Difficulty |',
  '| --- | --: | --- | --- | --- |',
  '| **far-skill** (this skill) | 2 | 2026-01-02 | No findings | Intermediate |',
]

describe('the comparison of a skill', () => {
  test('shows itself and its alternatives in five columns, itself first', () => {
    const other = compared({
      slug: 'near',
      name: 'a|b',
      installs: 1_234,
      safety: 'Review',
      summary: 'Makes *charts* | of [logs](x.md), with axes, legends, colours and much more.',
    })
    expect(write({ alternatives: [other] })).toEqual([
      'Beside the skills of the catalog that may serve instead, nearest first, as the words of names, descriptions and headings tell:',
      '',
      ...HEAD,
      '| [a\\|b](/skills/near): Makes charts \\| of logs, with axes, legends | 1200+ | 2026-01-02 | Review | Intermediate |',
    ])
  })

  test('tells what is noted, and what nobody scanned', () => {
    const rows = write({
      alternatives: [
        compared({ slug: 'a', name: 'a', noted: 2 }),
        compared({ slug: 'b', name: 'b', tokens: undefined, noted: undefined }),
        compared({ slug: 'c', name: 'c', safety: 'Review', noted: 2 }),
      ],
    }).filter((line) => line.startsWith('| ['))
    expect(rows.map((row) => row.split(' | ')[3])).toEqual([
      'No findings to review, 2 noted',
      'Not scanned',
      'Review',
    ])
  })

  test('without alternatives is one sentence and its own row', () => {
    expect(write({})).toEqual([
      'No alternative to it was found in the catalog by the words of names, descriptions and headings; one told in other words may be missed.',
      '',
      ...HEAD,
    ])
    expect(write({ together: [named('other')] })[0]).toBe(
      'No alternative to it was found in the catalog by the words of names, descriptions and headings; one told in other words may be missed.',
    )
  })

  test('shows no counters if nobody counts, and says when a day is not known', () => {
    const alternatives = [compared({ slug: 'x', name: 'x', updated: undefined, summary: '' })]
    expect(write({ alternatives }, false).slice(-2)).toEqual([
      '| **far-skill** (this skill) | – | 2026-01-02 | No findings | Intermediate |',
      '| [x](/skills/x) | – | not known | No findings | Intermediate |',
    ])
  })

  test('names below the table the skills that go with it, and its copies', () => {
    const lines = write({
      together: [named('one'), named('two', 't_w_o*')],
      copies: [named('three'), named('four')],
      copyCount: 6,
    })
    expect(lines.slice(-3)).toEqual([
      'Goes with: [one](/skills/one), [t_w_o\\*](/skills/two)',
      '',
      'Copies of it: [three](/skills/three), [four](/skills/four) and 4 more',
    ])
  })

  test('tells skills with the same name apart by their authors', () => {
    const lines = write({
      alternatives: [compared({ slug: 'far-skill-2', name: 'Far-Skill', author: 'bob_' })],
      together: [named('x', 'other')],
      copies: [named('far-skill-3', 'far-skill', 'cleo')],
      copyCount: 1,
    })
    expect(lines[4]).toMatch(/^\| \*\*far-skill\*\* by ann \(this skill\) \|/)
    expect(lines[5]).toMatch(
      /^\| \[Far-Skill\]\(\/skills\/far-skill-2\) by bob\\_: Turns logs into tables \|/,
    )
    expect(lines.slice(-3)).toEqual([
      'Goes with: [other](/skills/x)',
      '',
      'Copies of it: [far-skill](/skills/far-skill-3) by cleo',
    ])
  })
})

test('names with surrounding blanks or line breaks stay in their cells', () => {
  const alternative = compared({ slug: 'a', name: 'far\u2028one ', author: 'bob' })
  const own = { ...SKILL, name: ' far skill ' }
  const written = printBlocks(
    writeComparison(own, { ...NO_COMPARISON, alternatives: [alternative] }, { isCounted: true }),
  )
  expect(written).toContain('| **far skill**')
  expect(written).toContain('| [far one](/skills/a)')
})

test.each([
  ['Turns logs into tables.', 'Turns logs into tables'],
  ['Turns logs into tables. Use when a log is long.', 'Turns logs into tables'],
  [
    'Creates slide decks (PPTX) with charts, speaker notes, animations and brand colours.',
    'Creates slide decks (PPTX) with charts, speaker notes',
  ],
  [
    'Creates decks, with charts and speaker notes and animations and brand colours of all.',
    'Creates decks, with charts and speaker notes and animations…',
  ],
  [
    'Use when adding login to an app: sessions, pages and much else that follows.',
    'adding login to an app: sessions',
  ],
  ['This skill should be used when the user wants to sort mail.', 'sort mail'],
  [
    'When the user wants to plan a launch, or to announce something that is new to all.',
    'plan a launch, or to announce something that is new to all',
  ],
  [
    'Generate or edit images with models (FLUX, Nano Banana 2) for all that is wanted.',
    'Generate or edit images with models',
  ],
  ['整理会议纪要并生成报告。当用户需要整理时使用。', '整理会议纪要并生成报告'],
  ['', ''],
])('the gist of %j is %j', (text, gist) => {
  expect(toCompared({ ...SKILL, summary: text }).gist).toBe(gist)
  expect(gist.length).toBeLessThanOrEqual(60)
})
