import { expect, test } from 'vitest'
import { FRAME } from '../../../testing/sample-site.ts'
import type { SkillFacts } from '../../catalog/skill.ts'
import { renderTwin } from '../prose/markdown.ts'
import { pickTraits, planStats } from './stats.ts'
import type { SkillTraits } from './stats.ts'
import { viewDocument } from '../view.ts'
import { sampleFacts } from '../../../testing/sample-facts.ts'

const source = (status: 'alive' | 'copied' | 'gone'): SkillFacts['source'] => ({
  kind: 'upstream',
  url: 'https://git.example/a/b',
  status,
  checked: '2026-01-02',
})

const LOW: SkillTraits = { parts: ['activation', 'limitations'], mostSevere: 'low' }
const NONE: SkillTraits = { parts: ['limitations'], mostSevere: 'none' }

const SKILLS = [
  { facts: sampleFacts(1, { updated: '2026-03-04', tokens: 999, licence: 'MIT' }), traits: LOW },
  { facts: sampleFacts(2, { updated: '2026-02-25', tokens: 1_000, licence: 'MIT' }), traits: NONE },
  {
    facts: sampleFacts(3, {
      updated: '2024-01-01',
      category: 'Data & Analytics',
      licence: 'A | <b>',
      tokens: 70_000,
      source: source('copied'),
      visibility: 'indexable',
    }),
    traits: { parts: [], mostSevere: 'high' } as const,
  },
  { facts: sampleFacts(4), traits: NONE },
  { facts: sampleFacts(5, { source: source('gone'), visibility: 'gone' }), traits: LOW },
]

const DOCUMENT = planStats(SKILLS).write()

const barsOf = (id: string): Record<string, number> =>
  Object.fromEntries(
    (DOCUMENT.sections.find((section) => section.id === id)?.figure?.bars ?? [])
      .filter(({ count }) => count > 0)
      .map(({ label, count }) => [label, count]),
  )

test('authors of listed skills are counted once, regardless of case', () => {
  const more = ['Ann', 'bob'].map((author, at) => ({
    facts: sampleFacts(6 + at, { author }),
    traits: NONE,
  }))
  const gone = { facts: { ...SKILLS[4]!.facts, author: 'eve' }, traits: LOW }
  const twin = renderTwin(planStats([...SKILLS, ...more, gone]).write())
  expect(twin).toContain('- Authors: [2](/authors)')
})

test.each([
  ['by-category', { Coding: 3, 'Data & Analytics': 1 }],
  ['by-age', { 'In the last week': 2, 'Before that': 1, 'Not known': 1 }],
  ['by-size', { 'Below 1,000': 1, '1,000 to 1,999': 1, '10,000 or more': 1, 'Text not copied': 1 }],
  ['by-licence', { MIT: 2, 'A | <b>': 1, 'Not stated': 1 }],
  [
    'by-source',
    { 'Written for this registry': 3, 'Copied, not rechecked': 1, 'Gone, no longer listed': 1 },
  ],
  ['by-finding', { High: 1, Note: 1, None: 2 }],
  ['by-part', { Activation: 1, Limitations: 3 }],
])('%s counts every listed skill once, and a gone skill only in by-source', (id, counts) => {
  expect(barsOf(id)).toEqual(counts)
})

test('numbers are named bar charts in HTML and tables in Markdown', () => {
  const { body: page } = viewDocument(DOCUMENT, FRAME)
  const bodies = page.html.match(/<svg\s[^]*?<\/svg>/g) ?? []
  expect(bodies).toHaveLength(7)
  for (const body of bodies) {
    expect(body).toMatch(
      /^<svg\s+class="figure"\s+role="img"[^>]*aria-labelledby="([\w-]+) ([\w-]+)"\s*>\s*<title id="\1">[^<]+<\/title>\s*<desc id="\2">[^<]+<\/desc>/,
    )
    expect(body).not.toContain('style')
  }
  expect(bodies[0]).toContain('height="0.5em" data-hue="coding"')
  expect(bodies[3]).toContain('>A | &lt;b&gt;</text>')
  const twin = renderTwin(DOCUMENT)
  expect(twin).toMatch(/\| Category \| Skills \|\n\| --- \| --: \|\n\| Coding \| 3 \|/)
  expect(twin).toContain('Counted back from 2026-03-04')
})

test('a finding that a curator accepted does not count', () => {
  const finding = { severity: 'medium' } as const
  const accepted = { accepted: { by: 'A', when: '2026-01-02', why: 'B' } }
  const note = { severity: 'note' }
  expect(
    pickTraits({ findings: [{ ...finding, ...accepted }, note] } as never, []).mostSevere,
  ).toBe('note')
  expect(pickTraits({ findings: [note, finding] } as never, []).mostSevere).toBe('medium')
})
