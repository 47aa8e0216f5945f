import { expect, test } from 'vitest'
import { NO_COMPARISON, sampleFinding, sampleSkill } from '../../../testing/sample-facts.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import type { Skill } from '../../catalog/skill.ts'
import { writeNotice } from './notice.ts'

const ORIGINAL = { slug: 'one', name: 'O*ne' }
const COPIES = [{ slug: 'far-copy', name: 'far-skill', author: 'bob' }]

const write = (change: Partial<Skill>, more: Partial<Parameters<typeof writeNotice>[1]> = {}) =>
  writeNotice(sampleSkill(change), {
    site: { origin: 'https://r.example', isCounted: false },
    addressOf: (path) => `/files/${path}`,
    original: undefined,
    comparison: NO_COMPARISON,
    ...more,
  })

const source = { ...sampleSkill().source, status: 'gone', checked: '2026-01-02' } as Skill['source']

/** Reasons for a notice, the most important first. */
const REASONS: readonly [Partial<Skill>, RegExp][] = [
  [
    { withdrawn: { id: 'A-1', published: '2026-01-09', summary: 'It sent _files_.' } },
    /^\*\*Withdrawn on 2026-01-09\*\* \(.*\): It sent \\_files\\_\. If you have it, remove it\./,
  ],
  [{ source }, /^\*\*Its source is gone\.\*\* It was missing on 2026-01-02;/],
  [{ tokens: undefined }, /^\*\*The registry has no copy of its text\.\*\*/],
  [
    { safety: 'Review', findings: [sampleFinding()] },
    /^\*\*Review: 1 finding\.\*\* Read these lines before/,
  ],
  [
    { needs: sampleNeeds({ missing: ['a.md', 'b.md'] }) },
    /^\*\*Not whole\.\*\* Its text names what is not in the copy: see Missing in the label\.$/,
  ],
  [
    { deprecated: { since: '2026-01-05', reason: 'Old', use: 'new-one' } },
    /^\*\*Deprecated since 2026-01-05\.\*\* Old\. Use \[new-one\]\(\/skills\/new-one\) instead\.$/,
  ],
]

test.each(REASONS.map(([, words], at) => [words, at] as const))('the notice is %s', (words, at) => {
  const change = Object.assign({}, ...REASONS.slice(at).map(([one]) => one))
  expect(String(write(change, { original: ORIGINAL })?.markdown)).toMatch(words)
})

test('a copy names its original, and an original its copies', () => {
  const comparison = { neighbours: [], copies: COPIES, copyCount: 3 }
  expect(String(write({}, { original: ORIGINAL, comparison })?.markdown)).toMatch(
    /^\*\*A copy of\*\* \[O\\\*ne\]\(\/skills\/one\)\./,
  )
  expect(String(write({}, { comparison })?.markdown)).toBe(
    'Copies: [far-copy](/skills/far-copy) by bob and 2 more.',
  )
  expect(write({})).toBeUndefined()
})
