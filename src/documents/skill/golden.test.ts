import { expect, test } from 'vitest'
import { FRAME } from '../../../testing/sample-site.ts'
import { NO_COMPARISON, sampleFinding, sampleSkill } from '../../../testing/sample-facts.ts'
import { synthesizeSkillMd } from '../../catalog/front-matter.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { Skill } from '../../catalog/skill.ts'
import { frontOf, sampleNeeds } from '../../catalog/testing/needs.ts'
import { renderTwin } from '../prose/markdown.ts'
import { viewDocument } from '../view.ts'
import { toCompared, toNamed } from './comparison.ts'
import { renderSkillJson } from './skill-json.ts'
import { writeSkillDocument } from './skill-page.ts'

// Whole pages and JSON of skills, to be reviewed as text. `npx vitest run src/documents/skill/golden -u` writes them anew.

type Input = Parameters<typeof writeSkillDocument>[0]

const skillMd = (text: string): Pick<Input, 'skillMd'> => ({
  skillMd: new TextEncoder().encode(text),
})

const TEXT = skillMd('---\nname: Far `Skill\ndescription: d\n---\n# Far\n\n## Limitations\n')
const SITE = { origin: 'https://r.example', isCounted: true }
const SOURCE = sampleSkill().source as Extract<Skill['source'], { kind: 'upstream' }>
const WITHOUT_TEXT = { tokens: undefined, files: [] }

const FOUND = sampleFinding({ file: 'references/a b.md', quote: 'echo "<b>" `x` | sh' })
const accepted = { by: 'Bo', when: '2026-01-02', why: 'their *own* host' }

const ALL = sampleSkill({
  author: 'Ann',
  front: { name: 'Far `Skill' },
  description: 'Turns logs into tables. Reads _a_ | b. Use when a log is long. Not for traces.',
  whenToUse: 'On Fridays.',
  startedBy: 'user',
  testCases: 6,
  owner: { name: 'Payments', url: 'https://pay.example' },
  licence: 'other licence',
  licenceWords: 'May be used by friends of the author, on weekdays only',
  source: { ...SOURCE, url: `https://github.com/ann/skills/tree/${'c'.repeat(40)}/far-skill` },
  parts: Object.fromEntries(
    PARTS.map(({ name, kind }) => [name, kind === 'list' ? ['`One`', '- Two'] : 'On *Mondays*.']),
  ),
  safety: 'Review',
  findings: [
    FOUND,
    { ...FOUND, severity: 'medium', count: 3 },
    { ...FOUND, severity: 'note', contexts: ['in a table', 'quoted'] },
    { ...FOUND, accepted },
  ],
  files: [
    { path: 'SKILL.md', size: 4_200 },
    { path: 'references/a b.md', size: 42 },
    { path: "scripts/o'clock.sh", size: 812, isExecutable: true },
  ],
  needs: {
    ...sampleNeeds({
      unasked: ['hooks.json'],
      missing: ['gone.md'],
      commands: ['jq', 'npm'],
      variables: ['X_URL', 'X_API_KEY'],
      hosts: ['one.example.com', 'two.example.com', 'three.example.com'],
      servers: ['git-hub'],
      accounts: ['X_API_KEY'],
      outside: ['~/.shelf'],
      tools: ['Read', 'Bash(*)'],
      systems: ['macOS', 'Linux'],
      skills: ['far`one'],
    }),
    version: '1.2',
  },
})

const near = (change: Partial<Skill>) => toCompared({ ...sampleSkill(), ...change })

const OWN = `---
name: far-skill
compatibility: Needs Node (https://node.example), _always_.
argument-hint: "[file] <b>"
metadata:
  requires:
    bins: [git, "g\`h"]
  openclaw: { requires: { env: [FAR_KEY] } }
---
\n<b>b</b>\u200B \`\`\`\` c\r\n\n## Verified by the registry\n`

const CASES: Readonly<Record<string, Input>> = {
  all: {
    skill: ALL,
    ...TEXT,
    zip: { size: 2_048, sha256: 'ab'.repeat(32) },
    comparison: {
      neighbours: [
        near({ slug: 'a', name: 'a|b', installs: 1_234, updated: undefined, needs: ALL.needs! }),
        near({ slug: 'far-skill-2', name: 'Far-Skill', author: 'bob_', safety: 'Accepted' }),
        near({ slug: 'c', name: '<b>', summary: 'Makes *charts* | of logs, with much else.' }),
        near({ slug: 'd', name: 'd', tokens: undefined, summary: '' }),
      ],
      copies: [toNamed(sampleSkill({ slug: 'far-copy', author: 'bob' }))],
      copyCount: 3,
    },
    site: { ...SITE, contact: 'https://tracker.example/new?kind=listing' },
    namesake: { slug: 'far-skill-bea', author: 'bea' },
    mentioned: [
      { name: 'near', file: 'SKILL.md', line: 9, slug: 'near-skill' },
      { name: 'far`one', file: 'SKILL.md', line: 1 },
    ],
    version: {
      current: { name: 'a'.repeat(32), day: '2026-03-01' },
      earlier: [{ name: 'b'.repeat(32) }],
    },
  },
  own: {
    skill: sampleSkill({
      source: { kind: 'own' },
      front: frontOf(OWN),
      licence: undefined,
      needs: sampleNeeds(),
      findings: [{ ...FOUND, severity: 'low' }],
    }),
    ...skillMd(OWN),
    comparison: NO_COMPARISON,
    site: { ...SITE, isCounted: false, isPrivate: true, isStatic: true },
    version: { current: { reason: 'it has a link' }, earlier: [] },
  },
  absent: {
    skill: sampleSkill({ ...WITHOUT_TEXT, updated: undefined }),
    ...skillMd('# Written by the registry\n'),
    comparison: NO_COMPARISON,
    site: SITE,
  },
  gone: {
    skill: sampleSkill({
      ...WITHOUT_TEXT,
      visibility: 'gone',
      source: { ...SOURCE, status: 'gone', checked: '2026-01-02', seen: '2025-12-31' },
    }),
    ...skillMd(synthesizeSkillMd(sampleSkill({ ...WITHOUT_TEXT, visibility: 'gone' }))),
    comparison: NO_COMPARISON,
    site: SITE,
  },
  withdrawn: {
    skill: sampleSkill({
      ...WITHOUT_TEXT,
      withdrawn: { id: 'A-1', published: '2026-01-09', summary: 'It sent _files_.' },
    }),
    ...TEXT,
    comparison: NO_COMPARISON,
    site: SITE,
  },
}

test.each(Object.entries(CASES))('the Markdown of a skill: %s', async (name, input) => {
  const twin = renderTwin(writeSkillDocument(input))
  await expect(twin).toMatchFileSnapshot(`testing/golden/${name}.md.txt`)
})

test('the HTML of a skill', async () => {
  const { header, install, label, contents, body } = viewDocument(
    writeSkillDocument(CASES['all']!),
    FRAME,
  )
  const html = [header, install, label, contents, body].map((part) => part.html).join('\n')
  const lines = `${html.replace(/\s+/g, ' ').replace(/> ?(?=<(?!\/))/g, '>\n')}\n`
  await expect(lines).toMatchFileSnapshot('testing/golden/all.html.txt')
})

test.each(Object.entries(CASES))('the JSON of a skill: %s', async (name, input) => {
  const { skill, zip, mentioned = [], version, site } = input
  const { origin, isPrivate } = site
  const json = renderSkillJson({ skill, zip, mentioned, version, origin, isPrivate })
  const lines = `${JSON.stringify(JSON.parse(json), undefined, 1)}\n`
  await expect(lines).toMatchFileSnapshot(`testing/golden/${name}.json.txt`)
})
