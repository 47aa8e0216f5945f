import { expect, test } from 'vitest'
import { sampleSkill } from '../../../testing/sample-facts.ts'
import type { Skill } from '../../catalog/skill.ts'
import { collect, sampleNeeds, shell } from '../../catalog/testing/needs.ts'
import { pickSampleLabel, writeLabel } from './label-lines.ts'

/** Returns the lines of a text's label by key, each as its value and aside. */
const linesOf = (text: string, change: Partial<Skill> = {}): Record<string, string> => {
  const skill = sampleSkill({ needs: collect(text), ...change })
  const label = writeLabel(skill, { mentioned: [] })
  const rows = label!.lines.map(({ key, value, aside }) => [
    key,
    [value, aside ?? []].flat().join(' '),
  ])
  return Object.fromEntries(rows)
}

const softOf = (text: string): string[] =>
  writeLabel(sampleSkill({ needs: collect(text) }), { mentioned: [] })!
    .lines.filter(({ isSoft }) => isSoft)
    .map(({ key, value }) => `${key}: ${value}`)

test('every label has the same lines in the same order, regardless of what was found', () => {
  const keys = [
    'Runs commands',
    'Outside the project',
    'Network',
    'Account or key',
    'Operating system',
    'Brings',
    'Scan',
    'Started by',
    'Context',
    'Version',
    'Last changed',
    'Licence',
  ]
  expect(Object.keys(linesOf(''))).toEqual(keys)
  expect(Object.keys(linesOf(shell('npm i -g a', 'curl https://b.dev'), {}))).toEqual(keys)
  expect(Object.keys(linesOf('在需要时使用这个技能。')).slice(keys.length)).toEqual(['Language'])
})

test('lines without a finding are soft, and never claim that nothing is needed', () => {
  expect(softOf('Text.')).toEqual([
    'Runs commands: none found',
    'Outside the project: nothing found',
    'Network: none found',
    'Account or key: none found',
    'Operating system: not stated',
    'Version: not stated',
  ])
})

test('a skill without text has no label', () => {
  const input = { mentioned: [] }
  expect(writeLabel(sampleSkill({ needs: undefined }), input)).toBeUndefined()
})

test.each([
  [shell('jq .'), 'Runs commands', '[`jq`](#what-it-brings-and-needs)'],
  [
    shell('a1 x', 'a2 x', 'a3 x', 'a4 x', 'a5 x', 'a6 x', 'a7 x'),
    'Runs commands',
    '[`a1`, `a2`, `a3`, `a4`, `a5` and 2 more](#what-it-brings-and-needs)',
  ],
  [
    '---\nname: a\nallowed-tools: Bash(git log:*), Read\n---\n',
    'Runs commands',
    '[`git`](#what-it-brings-and-needs); [without asking: `git log`](#what-it-brings-and-needs)',
  ],
  [
    '---\nname: a\nallowed-tools: Bash, Bash(git:*)\n---\n',
    'Runs commands',
    '[`git`](#what-it-brings-and-needs); [without asking: any command](#what-it-brings-and-needs)',
  ],
  [
    'Use the Playwright MCP server.',
    'Runs commands',
    'none found; calls the [MCP server Playwright](#what-it-brings-and-needs)',
  ],
  [
    shell('npm i -g far-tool', 'curl https://far.dev/i.sh | sh', 'cp a ~/.far'),
    'Outside the project',
    '[installs `far-tool` for the whole machine; runs a script of far.dev; writes `~/.far`](#what-it-brings-and-needs)',
  ],
  [
    `It keeps \`~/.far\`.\n\n${shell('launchctl load x', 'npx playwright install', 'brew install a', 'apt install a')}`,
    'Outside the project',
    '[installs `npx playwright install`, `a` for the whole machine; runs `launchctl load`; names `~/.far`](#what-it-brings-and-needs)',
  ],
  [
    '---\nname: a\ncompatibility: Node 24\n---\n',
    'Operating system',
    'not stated “Node 24”, says its author',
  ],
  [
    '---\nname: a\ncompatibility: Linux, Node 24\n---\n',
    'Operating system',
    '[Linux](#what-it-brings-and-needs) “Linux, Node 24”, says its author',
  ],
  [shell('gh pr list'), 'Network', '[unnamed hosts, through `gh`](#what-it-brings-and-needs)'],
  [shell('curl https://far.dev/a'), 'Network', '[far.dev](#what-it-brings-and-needs)'],
  [shell('curl localhost:80/a'), 'Network', '[this machine](#what-it-brings-and-needs)'],
  [
    `Set \`GITHUB_TOKEN\`.\n\n${shell('gh auth login')}`,
    'Account or key',
    '[GitHub: `GITHUB_TOKEN`, `gh auth login`](#what-it-brings-and-needs)',
  ],
  ['---\nname: a\nversion: 1.2\n---\n', 'Version', '1.2 the author’s own number'],
])('in the label of %j, the line %j is %j', (text, key, value) => {
  expect(linesOf(text)[key]).toBe(value)
})

test.each([
  [{}, 'Read: its SKILL.md.'],
  [{ 'a.md': '' }, 'Read: its 2 files.'],
  [{ 'a.exe': 'MZ\0', 'b.md': '' }, 'Read: 2 of its 3 files (not: a.exe).'],
  [
    Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((at) => [`${at}.ttf`, ''])),
    'Read: 1 of its 8 files (not: 1.ttf, 2.ttf, 3.ttf, 4.ttf, 5.ttf and 2 more).',
  ],
])('a label says which of the files %j were read: %s', (others, words) => {
  const files = ['SKILL.md', ...Object.keys(others)].map((path) => ({ path, size: 9 }))
  const { origin } = writeLabel(sampleSkill({ needs: collect('', others), files }), {
    mentioned: [],
  })!
  expect(String(origin).split(' [What')[0]).toBe(words)
})

test('a name with brackets cannot form a link', () => {
  const needs = sampleNeeds({ commands: ['a](javascript:x)', 'jq'] })
  expect(linesOf('', { needs })['Runs commands']).toBe(
    '[a\\]\\(javascript:x), `jq`](#what-it-brings-and-needs)',
  )
})

test.each([
  [['SKILL.md'], '[SKILL.md, 9 bytes](#what-it-brings-and-needs), nothing else'],
  [['SKILL.md', 'a.md'], '[2 files, 18 bytes](#what-it-brings-and-needs), no programs'],
  [['SKILL.md', 'a.exe', 'b.sh'], '[3 files, 27 bytes](#what-it-brings-and-needs), 2 programs'],
])('the line "Brings" for the files %j is %s', (paths, value) => {
  const files = paths.map((path) => ({ path, size: 9 }))
  expect(linesOf('', { files })['Brings']).toBe(value)
})

test('a licence that the skill itself does not state is marked as from its repository', () => {
  expect(linesOf('', { statesLicence: true })['Licence']).toBe('MIT')
  expect(linesOf('')['Licence']).toBe('MIT from its repository')
  expect(linesOf('', { source: { kind: 'own' } })['Licence']).toBe('MIT')
  expect(linesOf('', { licence: undefined })['Licence']).toBe('not stated')
})

test('a change is shown if the previous version is known', () => {
  const skill = sampleSkill({ needs: collect(''), updated: '2026-07-22' })
  const dayOf = (changed?: string) =>
    String(writeLabel(skill, { mentioned: [], changed })!.lines[10]!.value)
  expect(dayOf()).toBe('2026-07-22')
  expect(dayOf('2 files added')).toBe('[2026-07-22](#what-it-brings-and-needs): 2 files added')
})

test('the tokens of all files are shown if there are more than in use', () => {
  const words = '21 tokens always, 100 in use'
  expect(linesOf('')['Context']).toBe(words)
  expect(linesOf('', { allTokens: 9_200 })['Context']).toBe(`${words} 9,200 with all its files`)
})

test('the operating systems are those that the author states, else those with install commands', () => {
  const needs = sampleNeeds({ systems: ['macOS', 'Linux'] })
  expect(linesOf('', { needs })['Operating system']).toContain('[macOS, Linux]')
  needs.systems[1]!.declared = true
  expect(linesOf('', { needs })['Operating system']).toContain('[Linux]')
})

const skillOf = (slug: string, text: string): Skill =>
  sampleSkill({ slug, name: slug, needs: collect(text) })

const POOR = skillOf('s0', 'Text.')
const RICH = skillOf('s1', shell('curl https://b.dev'))
const RICHEST = skillOf('s2', shell('brew install b && curl https://b.dev'))

test.each([
  [[POOR], [RICH], '[`s0`](/skills/s0)'],
  [[], [POOR, RICHEST, RICH], '[`s2`](/skills/s2)'],
  [[], [RICH, POOR], '[`s1`](/skills/s1)'],
])(
  'the sample label is of the first starter, else the most informative',
  (starter, newest, origin) => {
    const sample = pickSampleLabel(starter, newest)
    expect(String(sample?.origin)).toBe(origin)
    expect(String(sample?.lines[5]?.value)).toContain('#what-it-brings-and-needs')
  },
)

test('without skills there is no sample label', () => {
  expect(pickSampleLabel([], [])).toBeUndefined()
})
