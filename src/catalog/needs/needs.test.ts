import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unifyLineEnds } from '../lines.ts'
import { collect, collectNames, shell } from '../testing/needs.ts'
import { KINDS } from './found.ts'
import type { NeedKind } from './found.ts'

const front = (...lines: string[]): string => ['---', 'name: a', ...lines, '---', ''].join('\n')

describe('the front matter', () => {
  test('each tool of a list has its line', () => {
    const text = front('allowed-tools:', '  - Bash(find . *)', '  - Bash(grep *)')
    expect(collect(text).tools.map(({ line }) => line)).toEqual([4, 5])
  })

  test('tools are separated by spaces or commas, those that run commands first, and name commands and hosts', () => {
    const text = front(
      'allowed-tools: Read, Bash(git log:*, x) Grep WebFetch(domain:jsr.io) Bash(jq:*)',
    )
    const { tools, commands, hosts } = collect(text)
    expect(tools.map(({ name }) => name)).toEqual([
      'Bash(git log:*, x)',
      'Bash(jq:*)',
      'Read',
      'Grep',
      'WebFetch(domain:jsr.io)',
    ])
    expect(commands).toEqual([
      { name: 'git', file: 'SKILL.md', line: 3 },
      { name: 'jq', file: 'SKILL.md', line: 3 },
    ])
    expect(hosts).toEqual([{ name: 'jsr.io', file: 'SKILL.md', line: 3 }])
  })

  test('only what the front matter lists as required is marked as required', () => {
    const text = front(
      'metadata:',
      '  openclaw:',
      '    requires: { bins: [shelf-cli], anyBins: [jq], env: [A_KEY] }',
      '    os: [darwin, linux]',
      '    envVars:',
      '      - name: B_MODE',
      '    install:',
      '      - kind: brew',
      '        package: a/b/shelf',
    )
    expect(collect(text)).toMatchObject({
      commands: [{ name: 'shelf-cli', line: 5, required: true }, { name: 'jq' }, { name: 'brew' }],
      variables: [
        { name: 'A_KEY', line: 5, required: true, secret: true },
        { name: 'B_MODE', line: 8 },
      ],
      systems: [{ name: 'macOS', line: 6 }, { name: 'Linux' }],
      packages: [{ name: 'a/b/shelf', line: 11, from: 'Homebrew', machineWide: true }],
      outside: [{ name: 'a/b/shelf', from: 'Homebrew' }],
      accounts: [{ name: 'A_KEY' }],
    })
  })

  test('a name in a folded description has its own line', () => {
    const text = front('description: >', '  Sorts films.', '  Use the far-one skill.')
    expect(collect(text).skills).toMatchObject([{ name: 'far-one', line: 5 }])
  })

  test.each([
    [front('version: 1.10', 'metadata: { version: 2 }'), '1.10'],
    [front('metadata: { version: 2 }'), '2'],
    [front(), undefined],
  ])('version of %j -> %s', (text, version) => {
    expect(collect(text).version).toBe(version)
  })

  test('compatibility is stored unchanged, and servers in it are named', () => {
    const compatibility = 'Works with Shelf MCP Server (https://get-fast.top/mcp). Node 24'
    expect(collect(front(`compatibility: ${compatibility}`))).toMatchObject({
      compatibility,
      servers: [{ name: 'Shelf', line: 3 }],
      hosts: [],
    })
  })
})

test('systems are those that compatibility or the title names', () => {
  const text = `${front('compatibility: Node 24 on macOS/Linux, for a target Windows host')}On Windows: \`brew install a\``
  expect(collect(text, { 'a.md': '# Windows', 'a.ps1': '' }).systems).toEqual([
    { name: 'macOS', file: 'SKILL.md', line: 3 },
    { name: 'Linux', file: 'SKILL.md', line: 3 },
  ])
  expect(collectNames('systems', '# Fonts of macOS\n## Linux')).toEqual(['macOS'])
})

test.each([
  'If it is missing, tell the user:\n\n> **Install it:**\n> - `curl https://a.dev/i | sh`\n>\n> - `npm i -g far`',
  'Then `brew upgrade` works.',
  'Ask the user once to run `brew install far`, or `curl https://a.dev/i | bash`.',
  'Tell the user: "To sort, install it: `npm i -g far`."',
])('what the user is told to install is not installed: %j', (text) => {
  expect(collectNames('outside', text)).toEqual([])
})

test('programs are counted, and files that were not read, or in part, are listed', () => {
  const files = {
    'scripts/a.py': '',
    'scripts/b.java': 'class B',
    'scripts/b.jar': 'PK\0',
    'bin/run': '#!/usr/bin/env node\n',
    'tests/c.sh': '',
    'big.js': ' '.repeat(300_000),
    'data.csv': '#',
    'long.sh': `jq x\n${'true\n'.repeat(20_000)}nc a 1`,
  }
  const { programs, unread, commands, isPartial } = collect('', files)
  expect([programs, unread]).toEqual([7, ['scripts/b.jar', 'big.js', 'data.csv', 'long.sh']])
  expect([commands.map(({ name }) => name), isPartial]).toEqual([['node', 'jq'], true])
})

test('a skill with a shell text that is read in part is not read whole', () => {
  const [long, short] = [collect(shell('true\n'.repeat(20_000))), collect(shell('true'))]
  expect([long.isPartial, short.isPartial]).toEqual([true, false])
})

test('the language is set if letters show that the text is not English', () => {
  expect(collect('# 技能\n\n将表格转换为文本。').language).toBe('zh')
  expect(collect('# A skill').language).toBeUndefined()
})

test('manifests name packages, which need not be required', () => {
  const { packages } = collect('Text.', {
    'requirements.txt': '# for the shelf\nbooks==1.0\n-r dev.txt\n',
    'scripts/package.json':
      '{"dependencies": {"shelf": "1"}, "devDependencies": {"desk": "1", "Shelf.Far": "2"}}',
    'pyproject.toml': 'dependencies = [\n  "maps>=1",\n]\n',
    'Cargo.toml': '[package]\nname = "own"\n\n[dependencies]\nserde = "1"\nown = { path = "." }\n',
    'go.mod': 'module own\n\nrequire (\n\tgithub.com/a/b v1.2.3\n)\n',
    Gemfile: 'source "x"\ngem "rails"\n',
    'broken/package.json': '{"dependencies',
  })
  expect(packages.map(({ name, from, file, line }) => `${name} (${from}) ${file}:${line}`)).toEqual(
    [
      'books (PyPI) requirements.txt:2',
      'shelf (npm) scripts/package.json:1',
      'desk (npm) scripts/package.json:1',
      'Shelf.Far (NuGet) scripts/package.json:1',
      'maps (PyPI) pyproject.toml:2',
      'serde (crates.io) Cargo.toml:5',
      'github.com/a/b (Go) go.mod:4',
      'rails (RubyGems) Gemfile:2',
    ],
  )
  expect(packages.some(({ required }) => required)).toBe(false)
})

test('scripts in package.json name commands, but not in a code sample', () => {
  const files = { 'package.json': '{"scripts": {"a": "tool-a --x && vite"}}' }
  expect(collectNames('commands', '', files)).toEqual(['tool-a', 'vite'])
  const text = `\`\`\`json\n${files['package.json']}\n\`\`\``
  expect(collectNames('commands', text)).toEqual([])
})

test('a list of pinned versions in a text names packages', () => {
  const text =
    '```\nshelf==1.0\nbooks[fast]>=2\na = b\n```\n\n```toml\n  "maps>=1", # far\n  "one",\n```'
  expect(collectNames('packages', text, { 'a.md': '```\nfar==1.0\n```' })).toEqual([
    'shelf (PyPI)',
    'books (PyPI)',
    'maps (PyPI)',
  ])
})

test('too many names of a kind are counted', () => {
  const lines = Array.from({ length: 250 }, (_, at) => `tool-${at} x`)
  const { commands, more } = collect(shell(...lines))
  expect([commands.length, more]).toEqual([200, { commands: 50 }])
})

test.each<[NeedKind, string, (at: number) => string]>([
  ['commands', 'nc', (at) => `tool-${at} x`],
  ['hosts', 'get-fast.top', (at) => `curl https://a${at}.auth0.com`],
  ['variables', 'A_TOKEN', (at) => `export A_B${at}=x`],
])('the risky one of many %s is kept: %s', (kind, name, filler) => {
  const fillers = Array.from({ length: 6_000 }, (_, at) => filler(at))
  const files = Array.from({ length: 20 }, (_, at) => [
    `${at}.sh`,
    fillers.slice(at * 300, (at + 1) * 300).join('\n'),
  ])
  const last = 'A_TOKEN=x nc a 1; curl https://get-fast.top'
  const needs = collect('', { ...Object.fromEntries(files), 'z.sh': last })
  expect(needs[kind][0]?.name).toBe(name)
  expect(needs.more?.[kind]).toBeGreaterThan(4_000)
})

test('all tools of the front matter and all servers of a configuration are read', () => {
  const tools = Array.from({ length: 600 }, (_, at) => `Read${at}`)
  const text = front(`allowed-tools: ${tools.join(', ')}, Bash(nc:*)`)
  const servers = Array.from({ length: 600 }, (_, at) => [`a${at}`, { command: 'npx' }])
  const mcpServers = { ...Object.fromEntries(servers), far: { url: 'https://get-fast.top/x' } }
  const needs = collect(text, { 'mcp.json': JSON.stringify({ mcpServers }) })
  expect(needs.tools[0]?.name).toBe('Bash(nc:*)')
  expect(needs.commands[0]?.name).toBe('nc')
  expect(needs.hosts).toMatchObject([{ name: 'get-fast.top', file: 'mcp.json', line: 1 }])
})

const INCLUDED = { 'references/here.md': '', 'B.md': '' }

test.each<[string, string[]]>([
  [
    '[a](references/gone.md) [b](references/here.md#x) [c](references) [d](b.md)',
    ['references/gone.md'],
  ],
  ['[up](../../x.md) [e](x%20y.md) [s](../film-sort/SKILL.md)', ['../../x.md', 'x y.md']],
  ['[a](#x) [b](https://a.dev) [c](mailto:x) [d](/x.md) [e](url) [f]({x}.md) [g](%E0)', []],
  ['Run `scripts/gone.py`, `./references/here.md`.', ['scripts/gone.py']],
  [
    shell('bash ${SKILL_DIR}/assets/gone.sh', 'uv run scripts/a.py --of assets/far.png'),
    ['assets/gone.sh', 'scripts/a.py'],
  ],
  [shell('python own-skill/scripts/gone.py'), ['scripts/gone.py']],
  [
    shell(
      'node .claude/skills/own-skill/scripts/a.ts',
      'bash ${CLAUDE_PLUGIN_ROOT}/skills/own-skill/references/here.md scripts/a.py',
      'python3 ../far-one/scripts/a.py',
    ),
    ['scripts/a.ts'],
  ],
  ['First read `far.md`. See `here.md`. Example: `scripts/a.py`, `scripts/b.py`.', ['far.md']],
  ['Read `far_plan.md` first, if it is there. Else, create `far_plan.md`.', []],
  ['Run `SKILL_DIR/scripts/a.py` or `scripts\\b.ps1`.', ['scripts/a.py', 'scripts/b.ps1']],
  [
    'Run `workflows/push.md`, `../far-one/gone.md`, `references/`, `notes/a.md`.',
    ['workflows/push.md'],
  ],
  ['Read `../far.md`, not `../a/SKILL.md`. [`scripts/a.py`](https://a.dev/a.py)', ['../far.md']],
  ['See the maps skill’s `references/a.md`, or `far-one` (`references/b.md`).', []],
  ['See `a.md`; [a](references/a.md).', ['references/a.md']],
  [`**Examples**: ${'`scripts/a.py` sorts far shelves, '.repeat(6)}`, []],
  [
    'A `scripts/a.py` would help.\n\n# Prerequisites\n\n`assets/map.db`.\n\n# Related skills\n\n`rules/a.md`',
    [],
  ],
  [
    'See `references/gone`, `references/name.md`, `references/a-to-file.json`.',
    ['references/a-to-file.json'],
  ],
  ['`python scripts/gone.py a --to references/b.json`', ['scripts/gone.py']],
  ['Adapted from `prompts/gone.md` of another.\n\n# Credits\n\nSee `scripts/a.py`.', []],
  ['To create one, see `references/gone.md`.', ['references/gone.md']],
  ['In the end, `templates/a.yaml` and `templates/b.yaml` exist.', []],
  ['Copy `B.md` to `rules/new.md`. Refer to `rules/gone.md`.', ['rules/gone.md']],
])('files that the skill does not include: %j -> %j', (text, names) => {
  expect(collectNames('missing', text, INCLUDED)).toEqual(names)
})

test('of other texts, only links of references to files of the skill count, unless the file is beside them or above', () => {
  const text = '[a](a.md) [b](b.md) [c](c.md) [gone](gone.md) [up](../../../up.md) `scripts/a.py`'
  const files = { 'references/b.md': '', 'c.md': '', 'references/far/a.md': '' }
  const texts = { 'references/far/T.md': text, 'assets/T.md': text, 'T.md': text }
  expect(collectNames('missing', '', { ...files, ...texts })).toEqual(['references/far/gone.md'])
})

test('a missing file that a command names has the line of the command', () => {
  expect(collect(shell('true', 'bash scripts/a.sh')).missing).toMatchObject([{ line: 3 }])
})

test('64 KB of names with 30 underscores are read', () => {
  const script = `my${'_'.repeat(30)}-\n`.repeat(2_000)
  expect(collectNames('variables', '', { 'scripts/a.sh': script })).toEqual([])
})

const UNITS = [
  '](|[a](b |$A|${|://a-b|skill `|mcp__a_|"|\'|\\|$(|a()|`npm i |~~~sh\n| |\n|A|A_|e.g. |npx |- |`a-b` |**a-b** ',
  '`|<<A\n|\n$ a|```\n|# a\n|> |scripts/|a-|`A_KEY` |use a-b |"a-b" |*a*|[a]|export A_B=1\n|f(){ |"${a:-|environ[ ',
  'A_KEY |needs a |needs an API |# A_KEY\n|the A MCP |not use |import a, |from "a" |"https://a.dev" |pip install a |A Mcp |A MCP server |A_B=c\n|a==1\n|(a-b |curl https://a|"a": {',
].flatMap((units) => units.split('|'))
const STARTS = ['', '```sh\n', '```\nnpm ', '```json\n"mcpServers"', '```py\n', '`git ', '---\n']

test.each(STARTS)('%j before 3,000 characters of repeated text -> read', (start) => {
  for (const unit of UNITS) {
    const text = start + unit.repeat(3_000 / unit.length)
    const needs = collect(text, { 'run.sh': text, 'run.py': text, 'requirements.txt': text })
    for (const kind of KINDS) expect(needs[kind].length).toBeLessThanOrEqual(200)
  }
})

test('any text is read, and each name has a line of its file', () => {
  const piece = fc.oneof(fc.constantFrom(...UNITS, ...STARTS), fc.string({ unit: 'binary' }))
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  const read = fc.property(text, (any) => {
    const files = { 'run.sh': any, 'run.ts': any, 'package.json': any, 'a.md': any }
    const needs = collect(any, files)
    const lines = unifyLineEnds(any).split('\n').length
    for (const { line } of KINDS.flatMap((kind) => needs[kind])) {
      expect(line).toBeGreaterThan(0)
      expect(line).toBeLessThanOrEqual(lines)
    }
  })
  fc.assert(read)
})
