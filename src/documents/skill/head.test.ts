import { expect, test } from 'vitest'
import { sampleSkill } from '../../../testing/sample-facts.ts'
import type { Skill } from '../../catalog/skill.ts'
import { summarize } from '../../catalog/text.ts'
import { readUse, writeHead } from './head.ts'

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
    'Sorts words. Not for names. Never use it for prose. Never apply.',
    '',
    'names. Never use it for prose.',
    true,
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

const write = (change: Partial<Skill>) =>
  writeHead(sampleSkill(change), { origin: 'https://r.example', isCounted: true }, undefined)

test('the head folds the whole description only if it says more', () => {
  const description = 'Turns logs into tables. Reads logs.'
  const { below } = write({ description })
  expect(String(below.markdown)).toMatch(/^The whole description, by which agents decide:\n\n> /)
  const whole = write({ description: 'Turns logs into tables.' })
  expect(String(whole.below.markdown)).toMatch(/^by /)
  expect(whole.lead.html.html).toBe('<span id="activation">Turns logs into tables.</span>')
})

const from = sampleSkill().source as Extract<Skill['source'], { kind: 'upstream' }>

test.each<[Partial<Skill>, RegExp]>([
  [{ source: { ...from, committed: '2025-12-31' } }, /\), commit of 2025-12-31 · /],
  [{ source: { ...from, committed: '2025-12-31', status: 'gone' } }, /\), gone · /],
  [{ statesLicence: true }, / · MIT · /],
])('the line of facts of %j has %s', (change, words) => {
  expect(String(write(change).below.markdown)).toMatch(words)
})
