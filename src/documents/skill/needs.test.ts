import { expect, test } from 'vitest'
import type { NeedKind, Mention } from '../../catalog/needs/found.ts'
import type { Skill } from '../../catalog/skill.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import { sampleSkill } from '../../../testing/sample-facts.ts'
import { createSkillResolver } from '../prose/links.ts'
import { writeNeeds } from './needs.ts'
import { skillFilePath } from '../paths.ts'

const SKILL = sampleSkill({
  description: 'Turns logs into tables.',
  files: [
    { path: 'SKILL.md', size: 4_200 },
    { path: 'references/a.md', size: 900 },
    { path: 'scripts/run.py', size: 90 },
  ],
})

const mention = (name: string, slug?: string): Mention => ({
  name,
  file: 'SKILL.md',
  line: 1,
  ...(slug === undefined ? {} : { slug }),
})

const write = (
  needs: Partial<Record<NeedKind, readonly string[]>> = {},
  change: Partial<Skill> = {},
  more: Partial<Parameters<typeof writeNeeds>[1]> = {},
): string =>
  String(
    writeNeeds(
      { ...SKILL, needs: sampleNeeds(needs), ...change },
      {
        mentioned: [],
        addressOf: (path) => skillFilePath('far-skill', path),
        ...more,
      },
    ),
  )

test('what a skill brings and needs', () => {
  const needs = {
    missing: ['gone.md'],
    commands: ['jq', 'npm'],
    packages: ['zod (npm)'],
    variables: ['X_API_KEY'],
    hosts: ['jsr.io'],
    servers: ['git-hub'],
    accounts: ['gh auth login'],
    outside: ['~/.shelf'],
  }
  const mentioned = [mention('near', 'near-skill'), mention('far`one')]
  expect(write({ ...needs, tools: ['Read', 'Bash(*)'] }, {}, { mentioned }).split('\n')).toEqual([
    'Always loaded: 8 tokens. Loaded on use: 100.',
    '',
    '- **Referenced but not included**: `gone.md`',
    '- **Files**: [SKILL.md](/skills/far-skill/SKILL.md) (4.1 KiB), [references/a.md](/skills/far-skill/references/a.md) (900 bytes), [scripts/run.py](/skills/far-skill/scripts/run.py) (90 bytes)',
    '- **Commands**: `jq`, `npm`',
    '- **Packages**: `zod (npm)`',
    '- **Environment variables**: `X_API_KEY`',
    '- **Hosts that commands call**: `jsr.io`',
    '- **MCP servers**: `git-hub`',
    '- **Logins and keys**: `gh auth login`',
    '- **Outside of the project**: `~/.shelf`',
    '- **Declared tools**: `Read`, `Bash(*)` (any command)',
    '- **Other skills**: [near](/skills/near-skill), ``far`one`` (not in this registry)',
  ])
})

test('what names nothing shows its files alone', () => {
  expect(write().split('\n').slice(2)).toEqual([expect.stringMatching(/^- \*\*Files\*\*: /)])
})

test.each([
  [400, 'tokens.'],
  [
    800,
    'tokens. Its description takes 10 % of the 8,000 characters that [Claude Code](https://code.claude.com/docs/en/skills) keeps for the descriptions of all skills.',
  ],
])('a description of %i characters -> %s', (length, said) => {
  const description = 'w'.repeat(length)
  const [line = ''] = write({}, { description, files: [], tokens: undefined }).split('\n')
  expect(line.replace(/^Always loaded: [\d,]+ /, '')).toBe(said)
})

test('what only its user starts is in no list', () => {
  const [line] = write({}, { startedBy: 'user', description: 'w'.repeat(800) }).split('\n')
  expect(line).toBe(
    'In your agent’s list of skills: 0 tokens, since only you start it. Loaded on use: 100.',
  )
  expect(write({}, { startedBy: 'agent' })).toContain('Always loaded: 8 tokens.')
})

test.each(['gone', 'withheld'])('of a %s skill nothing is known but name and description', () => {
  expect(write({ commands: ['jq'] }, { files: [], tokens: undefined })).toBe(
    'Always loaded: 8 tokens.',
  )
})

test.each([
  [{ missing: ['x__y&lt;`.md'] }, '``x__y&lt;`.md``'],
  [{ missing: ['a\u202Eb.md'] }, '`a[U+202E]b.md`'],
  [{ servers: ['a\n# b\u2028c'] }, '`a # b c`'],
])('hostile names %j -> shown as %s', (needs, shown) => {
  const section = write(needs)
  expect(section).toContain(shown)
  expect(
    section
      .split('\n')
      .slice(2)
      .every((line) => line.startsWith('- ')),
  ).toBe(true)
})

test('names of files and of skills stay on their line, whatever they hold', () => {
  const files = [{ path: 'scripts/a\u2028b](c) .py', size: 3 }]
  const mentioned = [mention('N\n# [e]', 'near')]
  const section = write({}, { files }, { mentioned })
  expect(section).toContain('[scripts/a b\\]\\(c) .py](</skills/far-skill/scripts/')
  expect(section).toContain('[N # \\[e\\]](/skills/near)')
})

test('a long list is cut, and says how much there is', () => {
  const commands = Array.from({ length: 30 }, (_, at) => `tool${at}`)
  expect(write({ commands })).toMatch(/^- \*\*Commands\*\*: `tool0`, .*`tool19` and 10 more$/m)
  const needs = { ...sampleNeeds({ commands }), more: { commands: 50 } }
  expect(write({}, { needs })).toMatch(/`tool19` and 60 more$/m)
})

test.each([
  ['https://github.com/a/b/tree/v1/a%20b', 'https://github.com/a/b/blob/v1/a%20b/x%231.md'],
  ['https://gitlab.com/a/g/b/-/tree/v1/s', 'https://gitlab.com/a/g/b/-/blob/v1/s/x%231.md'],
  ['https://git.example/a/b/tree/v1/s', undefined],
  ['https://github.com/a/b', undefined],
])('a link to a file that only %s has leads to %s', (url, address) => {
  const source = { kind: 'upstream', url, status: 'alive', checked: '2026-01-03' } as const
  expect(createSkillResolver({ ...SKILL, source })('x%231.md')).toBe(address)
})
