import { expect, test } from 'vitest'
import { CATEGORIES } from '../catalog/categories.ts'
import type { Skill } from '../catalog/skill.ts'
import { NO_COMPARISON } from '../../testing/sample-facts.ts'
import { addressOfLine } from './guest/links.ts'
import { writeNeeds } from './needs.ts'
import { printBlocks } from './print.ts'
import { writeSkillDocument } from './skill-page.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const TREE = `https://github.com/ann/skills/tree/${COMMIT}/skills/far-skill`

const SKILL: Skill = {
  id: 7,
  slug: 'far-skill',
  name: 'far-skill',
  author: 'Ann',
  description: 'Turns logs into tables.',
  summary: 'Turns logs into tables.',
  category: CATEGORIES[2],
  views: 0,
  installs: 0,
  updated: undefined,
  difficulty: 'Beginner',
  difficultySigns: ['short'],
  safety: 'No findings',
  size: 0,
  hasScripts: false,
  findings: [],
  source: { kind: 'upstream', url: TREE, status: 'alive', checked: '2026-01-03' },
  visibility: 'indexable',
  parts: {},
  folder: '/nowhere',
  files: [
    { path: 'SKILL.md', size: 4_200 },
    { path: 'references/a.md', size: 900 },
    { path: 'scripts/run.py', size: 90 },
  ],
}

const FILES = {
  'SKILL.md': 'Set `X_API_KEY`.\n\n```sh\njq . && npm i zod\n```\n[gone](gone.md)\n',
  'references/a.md': 'Text. '.repeat(150),
  'scripts/run.py': '"""Counts the lines."""\n',
}

const write = (
  files: Readonly<Record<string, string>>,
  change: Partial<Skill> = {},
  tools: readonly string[] = [],
): string =>
  printBlocks(
    writeNeeds(
      { ...SKILL, ...change },
      Object.entries(files).map(([path, text]) => ({ path, bytes: Buffer.from(text) })),
      tools,
    ),
  )

const view = '/files/far-skill/SKILL.md/view'
const blob = `https://github.com/ann/skills/blob/${COMMIT}/skills/far-skill`

test('what a skill brings and needs, each name with its line', () => {
  const [always = '', load, ...rows] = write(FILES).split('\n')
  expect(always).toContain(
    '- **Always in context**: name and description, 34 characters, about 8 tokens (estimated, o200k).',
  )
  expect(always).toContain('0.3 % of the 8,000 characters that [Claude Code](https://')
  expect(load).toBe('- **When it is used**: its SKILL.md, 62 characters, about 26 tokens')
  expect(rows).toEqual([
    '- **Files**: [SKILL.md](/files/far-skill/SKILL.md/view) (4.1 KiB), [references/a.md](/files/far-skill/references/a.md/view) (900 bytes, about 240 tokens), [scripts/run.py](/files/far-skill/scripts/run.py/view) (90 bytes)',
    `- **Commands**: \`jq\` ([line 4](${view}#L4)), \`npm\` ([line 4](${view}#L4))`,
    `- **Packages**: \`zod (npm)\` ([line 4](${view}#L4))`,
    `- **Environment variables**: \`X_API_KEY\` ([line 1](${view}#L1))`,
    '- **Tools**: none declared, though commands are named',
    `- **Files that it names and does not bring**: \`gone.md\` ([line 6](${view}#L6))`,
    '- **Scripts**: [scripts/run.py](/files/far-skill/scripts/run.py/view): “Counts the lines.”',
    '- No host in a command, host in a link, path outside the project, MCP server, or other skill was found in its files.',
  ])
})

test('a skill that names nothing says so; tools are those it declares', () => {
  const rows = write({ 'SKILL.md': 'Text.' }, {}, ['Read', 'Bash(git:*)']).split('\n')
  expect(rows.at(-2)).toBe('- **Tools**: `Read`, `Bash(git:*)`')
  expect(write({ 'SKILL.md': 'Text.' }, {}, ['Bash', 'Bash(*)', 'Bash(ls)'])).toContain(
    '- **Tools**: `Bash` (any command), `Bash(*)` (any command), `Bash(ls)`\n',
  )
  expect(rows.at(-1)).toMatch(
    /^- No command, package that a command installs, .*, or missing file was found in its files\.$/,
  )
})

test('a name that only a sample has says so', () => {
  expect(write({ 'SKILL.md': '```js\nprocess.env.A_KEY\n```' })).toContain(
    `- **Environment variables**: \`A_KEY\` ([line 2](${view}#L2), in a sample)\n`,
  )
})

test.each(['gone', 'withheld'])('of a %s skill nothing is known but name and description', () => {
  expect(write(FILES, { files: [] })).toMatch(/^- \*\*Always in context\*\*: [^\n]+$/)
})

test('tools are read from the front matter, with blanks or commas between', () => {
  const document = writeSkillDocument({
    skill: SKILL,
    skillMd: Buffer.from('---\nname: a\nallowed-tools: Read, Bash(git log:*, x) Grep\n---\nText.'),
    comparison: NO_COMPARISON,
    site: { origin: 'https://r.example', isCounted: false },
  })
  const section = document.sections.find(({ id }) => id === 'what-it-brings-and-needs')
  expect(section?.markdown).toContain('**Tools**: `Read`, `Bash(git log:*, x)`, `Grep`')
})

test.each([
  ['SKILL.md', '[a](x__y&lt;`.md)\n', '``x__y&lt;`.md``'],
  ['SKILL.md', '[a](a\u202Eb.md)\n', '`a[U+202E]b.md`'],
  [
    'scripts/run.py',
    '# <img src=x> [a](b) **c**\u200B\n',
    '“\\<img src=x> \\[a\\](b) \\*\\*c\\*\\*[U+200B]”',
  ],
])('hostile words in %s: %j -> shown as %s', (path, text, shown) => {
  const section = write({ 'SKILL.md': '', [path]: text })
  expect(section.replaceAll('\\', '')).toContain(shown.replaceAll('\\', ''))
  expect(section.split('\n').every((line) => line.startsWith('- '))).toBe(true)
})

test('names of files stay on their line, whatever they hold', () => {
  const path = 'scripts/a\u2028b.py '
  const section = write(
    { 'SKILL.md': '', [path]: 'os.environ["A_KEY"]' },
    { files: [{ path, size: 3 }] },
  )
  expect(section).toContain(
    '**Files**: [scripts/a b.py](/files/far-skill/scripts/a%E2%80%A8b.py%20/view) (3',
  )
  expect(section).not.toMatch(/[\u2028\u2029\u0085]/)
})

test('more than a few files are a table, with what texts cost; a long one is cut', () => {
  const paths = Array.from({ length: 245 }, (_, at) => `references/${at}|.md`)
  const files = ['SKILL.md', 'scripts/run.py', ...paths].map((path) => ({ path, size: 2_048 }))
  const lines = write({ 'SKILL.md': '', 'references/0|.md': 'Text. '.repeat(150) }, { files })
    .split('\n')
    .slice(-54)
  expect(lines.slice(0, 5)).toEqual([
    '| File | Size | Tokens, about |',
    '| --- | --: | --: |',
    '| [SKILL.md](/files/far-skill/SKILL.md/view) | 2.0 KiB | – |',
    '| [scripts/run.py](/skills/far-skill/scripts/run.py) | 2.0 KiB | – |',
    String.raw`| [references/0\|.md](/files/far-skill/references/0%7C.md/view) | 2.0 KiB | 240 |`,
  ])
  expect(lines.at(-1)).toBe('And 197 more files in the zip.')
})

test('a long list is cut, and says how much there is', () => {
  const commands = Array.from(
    { length: 30 },
    (_, at) => `tool${at} https://host${at}.dev/a > /tmp/f${at}; npm i p${at}; x $V_${at}`,
  ).join('\n')
  const section = write({ 'SKILL.md': `\`\`\`sh\n${commands}\n\`\`\`` })
  expect(section).toMatch(/^- \*\*Commands\*\*: `tool0` .* and 24 more$/m)
  expect(section).toMatch(/^- \*\*Hosts in commands and code\*\*: .*#L9\)\) and 22 more$/m)
})

test.each([
  [TREE, 'a b/x.py', `${blob}/a%20b/x.py#L3`],
  [TREE, 'SKILL.md', `${blob}/SKILL.md?plain=1#L3`],
  [
    `https://github.com/a/b/tree/${COMMIT}`,
    'x.sh',
    `https://github.com/a/b/blob/${COMMIT}/x.sh#L3`,
  ],
  [
    `https://gitlab.com/a/g/b/-/tree/${COMMIT}/s/`,
    'x.sh',
    `https://gitlab.com/a/g/b/-/blob/${COMMIT}/s/x.sh#L3`,
  ],
  ['https://github.com/a/b/tree/main/s', 'x.sh', undefined],
  [`https://git.example/a/b/tree/${COMMIT}`, 'x.sh', undefined],
])('line 3 at %s of %s -> %s', (url, file, address) => {
  const source = { kind: 'upstream', url, status: 'alive', checked: '2026-01-03' } as const
  expect(addressOfLine({ source }, file, 3)).toBe(address)
})
