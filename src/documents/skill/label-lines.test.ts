import { expect, test } from 'vitest'
import { sampleFinding, sampleSkill } from '../../../testing/sample-facts.ts'
import type { Mention } from '../../catalog/needs/found.ts'
import type { Skill } from '../../catalog/skill.ts'
import { collect, sampleNeeds, shell } from '../../catalog/testing/needs.ts'
import { skillFilePath } from '../paths.ts'
import { pickSampleLabel, writeLabel } from './label-lines.ts'

const addressOf = (path: string, line?: number): string =>
  `${skillFilePath('far-skill', path)}${line === undefined ? '' : `#L${line}`}`

const write = (change: Partial<Skill> = {}, mentioned: readonly Mention[] = []) =>
  writeLabel(sampleSkill({ needs: sampleNeeds(), ...change }), mentioned, addressOf)!

/** Returns the lines of a label by key. Places are written `@1`. */
const linesOf = (...given: Parameters<typeof write>): Record<string, string> =>
  Object.fromEntries(
    String(write(...given).markdown)
      .replace(/ \(\[(?:line\u00A0|[^\]:]*:)(\d+)\]\(<?[^)]*>?\)\)/g, '@$1')
      .split('\n')
      .flatMap((line) => {
        const [, key, words] = /^- ([^:]*): (.*)$/.exec(line) ?? []
        return key === undefined ? [] : [[key, words!] as const]
      }),
  )

const ONE_FILE = [{ path: 'SKILL.md', size: 4_200 }]

test('a label has lines only for what was found, and says what was read', () => {
  expect(linesOf({ files: ONE_FILE })).toEqual({
    Files: '[SKILL.md](/skills/far-skill/SKILL.md) (4.1 KiB)',
    Context: '21 tokens always, 100 in use',
  })
  expect(String(write({ files: ONE_FILE }).markdown)).toMatch(
    /^\*\*At a glance\.\*\*\n\n- [^]*\n\nRead: its SKILL\.md\. \[What this can miss\]\(\/docs\/safety#what-a-label-can-miss\)$/,
  )
  expect(writeLabel(sampleSkill({ needs: undefined }), [], addressOf)).toBeUndefined()
})

test.each([
  [
    shell('npm i -g far-tool', 'curl https://far.dev/i.sh | sh', 'cp a ~/.far'),
    'Outside the project',
    /^runs a program of far\.dev@3, installs `far-tool`@2, writes `~\/\.far`@4$/,
  ],
  [
    shell('brew install far-tool', 'apt install far-tool'),
    'Outside the project',
    /^installs `far-tool`@\d+$/,
  ],
  [shell('cat ~/.far ~/.near'), 'Outside the project', /^names `~\/\.far`@2, names `~\/\.near`@2$/],
  [shell('gh pr list', 'curl jsr.io'), 'Hosts', /^jsr\.io@\d+, GitHub through `gh`@\d+$/],
  [shell('gh pr list', 'curl https://api.github.com'), 'Hosts', /^api\.github\.com@3$/],
  ['Use the Far MCP server.', 'MCP servers', /^Far@1$/],
  [shell('curl localhost:80/a'), 'Hosts', /^this machine@\d+$/],
  ['Set `A_TOKEN`.', 'Keys', /^`A_TOKEN`@1$/],
  [shell('gh auth login'), 'Login', /^GitHub with `gh auth login`@\d+$/],
  [`Set \`A_TOKEN\`.\n\n${shell('gh auth login')}`, 'Keys, login', /`A_TOKEN`@/],
  [
    'Call `AskUserQuestion`; never `runSubagent`.',
    'Clients',
    /^`AskUserQuestion` of Claude Code@1$/,
  ],
  ['---\nname: a\ncompatibility: Linux, _Node_ 24\n---\n', 'Needs', /^“Linux, \\_Node\\_ 24”$/],
  ['在需要时使用这个技能。', 'Language', /^Chinese$/],
])('the label of %j has the line %s: %s', (text, key, words) => {
  expect(linesOf({ needs: collect(text) })[key]).toMatch(words)
})

test.each([
  [
    {
      licence: 'other licence',
      licenceWords: 'May be used by friends of the author, on weekdays only',
    },
    'Licence',
    '“May be used by friends of the author, on weekdays only”',
  ],
  [{ allTokens: 9_200 }, 'Context', '21 tokens always, 100 in use, 9,200 with all its files'],
  [
    { findings: [sampleFinding({ severity: 'low' })] },
    'Notes',
    '[downloads a script and runs it unseen](/docs/safety#pipe-to-shell).@3',
  ],
  [
    { findings: [sampleFinding({ severity: 'low', contexts: ['in a quotation', 'in a table'] })] },
    'Notes',
    '[quotes a text that downloads a script and runs it unseen (in a table)](/docs/safety#pipe-to-shell).@3',
  ],
] as [Partial<Skill>, string, string][])('%j is shown in the line %s', (change, key, words) => {
  expect(linesOf(change)[key]).toBe(words)
})

test('names have their places and registry, and are marked if the front matter requires them', () => {
  const at = { file: 'a/b.md', line: 7 }
  const variables = [
    { name: 'A_URL', ...at, required: true as const },
    { name: 'B_URL', ...at, file: 'near/SKILL.md' },
  ]
  const packages = [{ name: 'zod', ...at, from: 'npm', machineWide: true as const }]
  expect(String(write({ needs: { ...sampleNeeds(), variables, packages } }).markdown)).toMatch(
    /Packages: `zod` npm \(\[b\.md:7\].*\n- Variables: `A_URL` required \(\[b\.md:7\].* `B_URL` \(\[near\/SKILL\.md:7\]/,
  )
})

test('a long list is shortened, with the number of names left out', () => {
  const commands = Array.from({ length: 30 }, (_, at) => `tool${at}`)
  const needs = { ...sampleNeeds({ commands }), more: { commands: 50 } }
  expect(linesOf({ needs })['Commands']).toMatch(/^`tool0`.*`tool19`@1, and 60 more$/)
})

test.each([
  [['a.exe', 'b.md'], '2 of its 3 files (not: a.exe)'],
  [
    ['1.png', '2.png', '3.png', '4.png', '5.png', '6.png', '7.png'],
    '1 of its 8 files (not: 1.png, 2.png, 3.png, 4.png, 5.png and 2 more)',
  ],
])('of the files %j, the label says that it read %s', (others, words) => {
  const needs = collect('', Object.fromEntries(others.map((path) => [path, 'MZ\0'])))
  const files = ['SKILL.md', ...others].map((path) => ({ path, size: 9 }))
  expect(String(write({ needs, files }).markdown)).toContain(`\n\nRead: ${words}. `)
})

const skillOf = (slug: string, text: string): Skill =>
  sampleSkill({ slug, name: slug, needs: collect(text) })

const POOR = skillOf('s0', 'Text.')
const RICH = skillOf('s1', shell('curl https://b.dev'))
const RICHEST = skillOf('s2', shell('brew install b && curl https://b.dev'))

test.each([
  [[POOR], [RICH], 's0'],
  [[], [POOR, RICHEST, RICH], 's2'],
  [[], [RICH, POOR], 's1'],
])('the sample label is of the first starter, else the most telling', (starter, newest, slug) => {
  const sample = pickSampleLabel(starter, newest)
  expect(String(sample?.short.markdown)).toContain(
    `**At a glance.** [\`${slug}\`](/skills/${slug})\n`,
  )
  expect(sample?.short.html.html).not.toContain('<details>')
  expect(sample?.short.html.html.includes(`href="/files/${slug}/SKILL.md/view#L`)).toBe(
    slug !== 's0',
  )
  expect(pickSampleLabel(starter, newest, true)?.short.html.html).not.toContain('/files/')
})

test('also a line of both keys and logins has its note', () => {
  const skill = skillOf('s3', `Set \`A_TOKEN\`.\n\n${shell('gh auth login')}`)
  expect(String(pickSampleLabel([skill], [])?.annotated.markdown)).toMatch(
    /^- Keys, login: .*An account that you need first/m,
  )
})

test('without skills there is no sample label', () => {
  expect(pickSampleLabel([], [])).toBeUndefined()
})
