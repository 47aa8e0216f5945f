import { describe, expect, test } from 'vitest'
import { sampleSkill } from '../../../testing/sample-facts.ts'
import type { Skill } from '../../catalog/skill.ts'
import { summarize } from '../../catalog/text.ts'
import { readUse, writeHead } from './head.ts'
import type { SkillPageSite } from './facts.ts'

test.each([
  ['Sorts words. Use when words are many.', 'words are many.', '', false],
  [
    'Sorts words. Use this skill whenever words are many. Use for lists.',
    'words are many. Use for lists.',
    '',
    false,
  ],
  ['Sorts words. Triggers on “sort”. Counts them, too.', 'Triggers on “sort”.', '', true],
  ['Sorts words. This skill should be used when words are many.', 'words are many.', '', false],
  [
    'Sorts words. Not for names. Never use it for prose.',
    '',
    'names. Never use it for prose.',
    false,
  ],
  ['Sorts words. USE FOR: **many** words.', 'many words.', '', false],
  ['Sorts words. Use for many words.', 'many words.', '', false],
  ['Sorts words. DO NOT USE FOR: names.', '', 'names.', false],
  ['Sorts words. For names use sort-names instead.', '', 'names use sort-names instead.', false],
  ['Use when the user asks to sort words.', 'the user asks to sort words.', '', false],
  ['Use when sorting words.', '', '', false],
  [
    `Sorts. Use when ${'a'.repeat(200)}. Use when ${'b'.repeat(100)}.`,
    `${'a'.repeat(200)}.`,
    '',
    true,
  ],
  ['Use a list to sort words. Uses memory.', '', '', true],
])('%j says when: %j, when not: %j', (description, when, not, saysMore) => {
  expect(readUse(description, summarize(description))).toEqual({ when, not, saysMore })
})

test('sentences that state the use of a skill lose their first words, too', () => {
  const stated = 'Use when words are many. Also names. Not for prose.'
  const { when, not } = readUse('Sorts words.', 'Sorts words.', stated)
  expect([when, not]).toEqual(['words are many. Also names.', 'prose.'])
})

const SITE: SkillPageSite = { origin: 'https://r.example', isCounted: true }

const write = (
  change: Partial<Skill> = {},
  ...more: [site?: Partial<SkillPageSite>, version?: Parameters<typeof writeHead>[2]]
) => {
  const { lead, below, states } = writeHead(sampleSkill(change), { ...SITE, ...more[0] }, more[1])
  const [markdown, html] = [String(below.markdown), below.html.html.replace(/\s+/g, ' ')]
  return { lead, states, markdown, html, byline: markdown.split('\n\n').at(-1)! }
}

describe('the head', () => {
  test('folds the whole description only if it says more', () => {
    const description = 'Turns logs into tables. Reads _a_ | b.'
    const { markdown, html } = write({ description })
    expect(markdown).toMatch(
      /^The whole description, by which agents decide:\n\n> Turns logs into tables\. Reads \\_a\\_ \\\| b\.\n/,
    )
    expect(html).toMatch(/<details id="activation"> <summary>The whole .*>Turns logs into tables/)
    const whole = write({ description: 'Turns logs into tables.' })
    expect(whole.markdown).toMatch(/^by /)
    expect(whole.lead.html.html).toBe('<span id="activation">Turns logs into tables.</span>')
  })

  test('leaves the anchor to the section that the record has', () => {
    expect(write({ parts: { whenToUse: ['Often'] } }).html).not.toContain('id="when-to-use"')
  })
})

describe('the line of facts', () => {
  const from = sampleSkill().source as Extract<Skill['source'], { kind: 'upstream' }>

  test.each([
    [{ source: { ...from, committed: '2025-12-31' } }, /\), commit of 2025-12-31 · /],
    [{ source: { ...from, committed: '2025-12-31', status: 'gone' } }, /\), gone · /],
    [{ updated: undefined }, /last change not known/],
    [{ statesLicence: true }, / · MIT · /],
    [
      { licence: 'other licence', licenceWords: 'Read *only*, or by friends of the author, or so' },
      /“Read \\\*only\\\*, or by friends of the…”/,
    ],
    [
      { owner: { name: 'Payments', url: 'https://pay.example' } },
      /owned by \[Payments\]\(https:\/\/pay\.example\)/,
    ],
    [
      { source: { kind: 'own' } },
      /written for this registry, \[source\]\(\/skills\/far-skill\/SKILL\.md\)/,
    ],
    [{ visibility: 'gone' }, /^by \*\*Ann\*\* /],
  ] as [Partial<Skill>, RegExp][])('of %j has %s', (change, words) => {
    expect(write(change).byline).toMatch(words)
  })

  test('has no counters if the catalog has none, and no licence if none is stated', () => {
    expect(write({ licence: undefined }, { isCounted: false }).byline).toMatch(/ · 100 tokens$/)
  })

  test('links to the versions if there are earlier ones', () => {
    const current = { name: 'a'.repeat(32) }
    expect(write({}, {}, { current, earlier: [] }).byline).toContain('changed 2026-01-02 ·')
    expect(write({}, {}, { current, earlier: [current] }).byline).toContain(
      'changed [2026-01-02](/skills/far-skill@versions',
    )
  })
})
