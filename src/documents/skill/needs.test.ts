import { expect, test } from 'vitest'
import type { NeedKind, Mention } from '../../catalog/needs/found.ts'
import type { Skill } from '../../catalog/skill.ts'
import { sampleNeeds } from '../../catalog/testing/needs.ts'
import { sampleSkill } from '../../../testing/sample-facts.ts'
import { createSkillResolver } from '../prose/links.ts'
import { listEvidence } from './needs.ts'
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

const list = (
  needs: Partial<Record<NeedKind, readonly string[]>> = {},
  change: Partial<Skill> = {},
  mentioned: readonly Mention[] = [],
) =>
  listEvidence(
    { ...SKILL, needs: sampleNeeds(needs), ...change },
    {
      mentioned,
      addressOf: (path, line) =>
        `${skillFilePath('far-skill', path)}${line === undefined ? '' : `#L${line}`}`,
    },
  )

const write = (...given: Parameters<typeof list>): string[] =>
  list(...given).map(({ label, items }) => [label, ...items].join(' | '))

const AT = '[line\u00A01](/skills/far-skill/SKILL.md#L1)'

test('each name is in the row of its kind, with its place', () => {
  const needs = {
    missing: ['gone.md'],
    commands: ['jq', 'npm'],
    variables: ['X_API_KEY'],
    hosts: ['jsr.io'],
    servers: ['git-hub'],
    accounts: ['gh auth login'],
    outside: ['~/.shelf'],
    tools: ['Read', 'Bash(*)'],
  }
  const mentioned = [mention('near', 'near-skill'), mention('far`one')]
  expect(write(needs, {}, mentioned)).toEqual([
    `Commands | \`jq\` ${AT}, \`npm\` ${AT}`,
    `Variables | \`X_API_KEY\` ${AT}`,
    `Hosts | \`jsr.io\` ${AT}`,
    `MCP servers | \`git-hub\` ${AT}`,
    `Logins and keys | \`gh auth login\` ${AT}`,
    `Outside the project | \`~/.shelf\` ${AT}`,
    `Declared tools | \`Bash(*)\` any command, ${AT} | \`Read\` ${AT}`,
    `Other skills | \`\`far\`one\`\` not in this registry, ${AT} | [near](/skills/near-skill) ${AT}`,
    `Not included | \`gone.md\` ${AT}`,
    'Files | [SKILL.md](/skills/far-skill/SKILL.md) (4.1 KiB) | [references/a.md](/skills/far-skill/references/a.md) (900 bytes) | [scripts/run.py](/skills/far-skill/scripts/run.py) (90 bytes)',
  ])
})

test('names are marked as required, optional or for the whole machine', () => {
  const at = { file: 'references/a.md', line: 7 }
  const needs = {
    ...sampleNeeds(),
    packages: [{ name: 'zod', ...at, from: 'npm', machineWide: true as const }],
    variables: [
      { name: 'A_KEY', ...at, declared: true as const, required: true as const },
      { name: 'B_KEY', ...at, declared: true as const },
    ],
  }
  const place = '[references/a.md, line\u00A07](/skills/far-skill/references/a.md#L7)'
  expect(write({}, { needs }).slice(0, 2)).toEqual([
    `Packages | \`zod\` from npm, for the whole machine, ${place}`,
    `Variables | \`A_KEY\` required, ${place} | \`B_KEY\` optional, ${place}`,
  ])
})

test('a skill without names has only the row of its files', () => {
  expect(list().map(({ label, lead }) => [label, lead])).toEqual([['Files', '3 files, 5.1 KiB']])
})

test.each(['gone', 'withheld'])('a %s skill has no rows', () => {
  expect(write({ commands: ['jq'] }, { files: [], tokens: undefined })).toEqual([])
})

test("the author's test cases are counted", () => {
  expect(write({}, { testCases: 6 })[0]).toBe(
    'Test cases | [6 test cases](/skills/far-skill/evals/evals.json) by its author',
  )
})

test('a licence that the label shortens is shown in full', () => {
  const licenceWords = 'May be used by friends of the author, on weekdays, and never by a robot'
  expect(write({}, { licence: 'other licence', licenceWords })[0]).toBe(
    `Licence | “${licenceWords}”`,
  )
})

test.each([
  [{ missing: ['x__y&lt;`.md'] }, '``x__y&lt;`.md``'],
  [{ missing: ['a\u202Eb.md'] }, '`a[U+202E]b.md`'],
  [{ servers: ['a\n# b\u2028c'] }, '`a # b c`'],
])('hostile names %j are shown as %s', (needs, shown) => {
  const [row = ''] = write(needs)
  expect(row).toContain(shown)
  expect(row).not.toContain('\n')
})

test('names of files and skills cannot break out of their line', () => {
  const files = [{ path: 'scripts/a\u2028b](c) .py', size: 3 }]
  const rows = write({}, { files }, [mention('N\n# [e]', 'near')]).join('\n')
  expect(rows).toContain('[scripts/a b\\]\\(c) .py](</skills/far-skill/scripts/')
  expect(rows).toContain('[N # \\[e\\]](/skills/near)')
})

test('a long list is shortened, with the number of names left out', () => {
  const commands = Array.from({ length: 30 }, (_, at) => `tool${at}`)
  expect(write({ commands })[0]).toMatch(/^Commands \| `tool0` .*`tool19` [^,|]+ \| and 10 more$/)
  const needs = { ...sampleNeeds({ commands }), more: { commands: 50 } }
  expect(write({}, { needs })[0]).toMatch(/ \| and 60 more$/)
})

test.each([
  ['REFERENCE.md', '/skills/far-skill/reference.md'],
  ['refs/X.PNG#a', '/skills/far-skill/Refs/x.png'],
  ['cafe\u0301.md', '/skills/far-skill/caf%C3%A9.md'],
  ['other.md', undefined],
])('a link to %s leads to the file in its spelling: %s', (href, address) => {
  const files = ['reference.md', 'Refs/x.png', 'caf\u00E9.md'].map((path) => ({ path, size: 1 }))
  const resolve = createSkillResolver({ ...SKILL, files, source: { kind: 'own' } })
  expect(resolve(href)).toBe(address)
})

test.each([
  ['https://github.com/a/b/tree/v1/a%20b', 'https://github.com/a/b/blob/v1/a%20b/x%231.md'],
  ['https://gitlab.com/a/g/b/-/tree/v1/s', 'https://gitlab.com/a/g/b/-/blob/v1/s/x%231.md'],
  ['https://git.example/a/b/tree/v1/s', undefined],
  ['https://github.com/a/b', undefined],
])('with the source %s, a link to a file that is only there leads to %s', (url, address) => {
  const source = {
    kind: 'upstream',
    url,
    status: 'alive',
    checked: '2026-01-03',
    seen: '2026-01-03',
  } as const
  expect(createSkillResolver({ ...SKILL, source })('x%231.md')).toBe(address)
})
