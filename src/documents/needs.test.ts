import { expect, test } from 'vitest'
import type { Needs } from '../catalog/needs/found.ts'
import type { Skill } from '../catalog/skill.ts'
import { sampleSkill } from '../../testing/sample-facts.ts'
import { writeNeeds } from './needs.ts'
import { skillFilePath } from './paths.ts'

const SKILL = sampleSkill({
  description: 'Turns logs into tables.',
  files: [
    { path: 'SKILL.md', size: 4_200 },
    { path: 'references/a.md', size: 900 },
    { path: 'scripts/run.py', size: 90 },
  ],
})

const NO_NEEDS: Needs = {
  missing: [],
  commands: [],
  packages: [],
  variables: [],
  hosts: [],
  servers: [],
  tools: [],
  skills: [],
}

const write = (
  needs: Partial<Needs> = {},
  change: Partial<Skill> = {},
  more: Partial<Parameters<typeof writeNeeds>[1]> = {},
): string =>
  String(
    writeNeeds(
      { ...SKILL, needs: { ...NO_NEEDS, ...needs }, ...change },
      {
        skillMd: 'Set `X_API_KEY`.\n\n```sh\njq . && npm i zod\n```\n[gone](gone.md)\n',
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
    skills: ['near-skill'],
  }
  const mentioned = [{ slug: 'near-skill', name: 'Near' }]
  expect(write({ ...needs, tools: ['Read', 'Bash(*)'] }, {}, { mentioned }).split('\n')).toEqual([
    'Always loaded: 8 tokens. Loaded on use: 26.',
    '',
    '- **Referenced but not included**: `gone.md`',
    '- **Files**: [SKILL.md](/skills/far-skill/SKILL.md) (4.1 KiB), [references/a.md](/skills/far-skill/references/a.md) (900 bytes), [scripts/run.py](/skills/far-skill/scripts/run.py) (90 bytes)',
    '- **Commands**: `jq`, `npm`',
    '- **Packages**: `zod (npm)`',
    '- **Environment variables**: `X_API_KEY`',
    '- **Hosts that commands call**: `jsr.io`',
    '- **MCP servers**: `git-hub`',
    '- **Declared tools**: `Read`, `Bash(*)` (any command)',
    '- **Other skills**: [Near](/skills/near-skill)',
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
  const [line = ''] = write({}, { description: 'w'.repeat(length), files: [] }).split('\n')
  expect(line.replace(/^Always loaded: [\d,]+ /, '')).toBe(said)
})

test.each(['gone', 'withheld'])('of a %s skill nothing is known but name and description', () => {
  expect(write({ commands: ['jq'] }, { files: [] })).toBe('Always loaded: 8 tokens.')
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
  const mentioned = [{ slug: 'near', name: 'N\n# [e]' }]
  const section = write({}, { files }, { mentioned })
  expect(section).toContain('[scripts/a b\\]\\(c) .py](</skills/far-skill/scripts/')
  expect(section).toContain('[N # \\[e\\]](/skills/near)')
})

test('a long list is cut, and says how much there is', () => {
  const commands = Array.from({ length: 30 }, (_, at) => `tool${at}`)
  expect(write({ commands })).toMatch(/^- \*\*Commands\*\*: `tool0`, .*`tool19` and 10 more$/m)
})
