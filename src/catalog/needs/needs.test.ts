import { expect, test } from 'vitest'
import { collectNeeds } from './needs.ts'
import type { Needs } from './needs.ts'

const collect = (text: string, path = 'SKILL.md', more: readonly string[] = []): Needs =>
  collectNeeds(
    ['own-skill'],
    [path, ...more].map((one) => ({ path: one, bytes: Buffer.from(one === path ? text : '') })),
  )

type Kind = Exclude<keyof Needs, 'scripts'>

/** The names of each kind that is not empty. */
const namesIn = (text: string, path?: string): Partial<Record<Kind, string[]>> => {
  const { scripts: _, ...named } = collect(text, path)
  return Object.fromEntries(
    Object.entries(named)
      .filter(([, all]) => all.length > 0)
      .map(([kind, all]) => [kind, all.map(({ name }) => name)]),
  )
}

const shell = (...lines: string[]): string => ['```sh', ...lines, '```'].join('\n')

test.each<[string, string[]]>([
  ['git status && npm test | grep -c fail', ['git', 'npm', 'grep']],
  ['FOO=1 BAR="a b" sudo docker run x', ['docker']],
  ['if ! command -v jq; then brew install jq; fi', ['jq', 'brew']],
  ['for f in a b c; do pandoc $f; done', ['pandoc']],
  ['echo "$(curl -s https://a.dev/x)" # wget it', ['curl']],
  ["awk '{print; curl}' x", ['awk']],
  ['python3 - <<EOF\nimport json\nfoo bar\nEOF\nmake', ['python3', 'make']],
  ['ask "Answer with one of:\nRelevant\nnone" --now', ['ask']],
  ['deploy() { kubectl apply; }\ndeploy', ['kubectl']],
  ['case $1 in\n  start) systemctl start x ;;\nesac', ['systemctl']],
  ['$ cargo build\n   Compiling x\nerror: linking with cc failed', ['cargo']],
  ['tool --format=json|text 2>&1 &> log', ['tool']],
  ['curl x \\\n  -o node \\\n  -s', ['curl']],
  ["echo don't\ngit push", ['git']],
  ['$files = Get-ChildItem; az login', ['az']],
  ['cat notes.md\ncd docs', []],
  ['at=$((i % 3)); LANGUAGES=("java" "go"); git log', ['git']],
  ['feat(auth): add login\nlib.run(x)\nsome_command && jq .', ['jq']],
])('commands of a shell: %j -> %j', (line, names) => {
  expect(collect(shell(line)).commands.map(({ name }) => name)).toEqual(names)
})

test.each<[string, string[]]>([
  ['Run `git push origin main` then.', ['git']],
  ['Use `npm run build && npx vitest`.', ['npm', 'npx']],
  ['The `git` tool, the `find` word, `go on` and `some prose here`.', ['go']],
  ['```\nnpm ci\nfind the file\n```', ['npm']],
  ['```\n$ ./run.sh\n$ terraform plan\nPlan: 1 to add\n```', ['terraform']],
  ['```text\nYou run things.\n```', []],
  ['```python\nsubprocess.run(["git"])\n```', []],
])('commands of prose: %j -> %j', (text, names) => {
  expect(collect(text).commands.map(({ name }) => name)).toEqual(names)
})

test.each<[string, string[]]>([
  ['Never run `git push`, `npm ci` or `deno task x`; run `uv sync`.', ['uv']],
  ["Don't use `npm ci`.\n\nUse `jq .` instead of `awk x`, not `sed -n`.", ['jq']],
  ['Prefer it over `npm ls x`. If you do not have it, run `brew install jq`.', ['brew']],
  ["Don't forget to run `npm test`.", ['npm']],
  ['## Anti-patterns\n\n- `npm ci`\n\n## Steps\n\n`uv sync`', ['uv']],
  ['Never do this:\n\n- `npm ci`\n- `git push`\n\nThen `uv sync`.', ['uv']],
  [shell('# Bad', 'npm ci', '', '# Good: never slow', 'pnpm ci'), ['pnpm']],
  [shell('npm ci  # WRONG', 'uv sync  # do not forget'), ['uv']],
  ['❌ `npm ci`\n✅ `uv sync`', ['uv']],
  ['**Not** for phones (`expo run x`); 不支持 `npm ci`。用 `uv sync`', ['uv']],
  ['`npm ci` is deprecated. `uv sync` is not.', ['uv']],
])('commands that a text says to leave: %j -> %j', (text, names) => {
  expect(collect(text).commands.map(({ name }) => name)).toEqual(names)
})

test.each<[string, Kind, string | undefined]>([
  ['```js\nprocess.env.A_KEY\n```', 'variables', 'in a sample'],
  ['```js\nprocess.env.A_KEY\n```\nSet `A_KEY`.', 'variables', undefined],
  ['```js\nfetch("https://jsr.io")\n```', 'hostsCalled', 'in a sample'],
  ['```json\n{"mcpServers": {"play": {}}}\n```', 'servers', 'in a sample'],
  [`## Example\n\n${shell('curl x')}`, 'commands', 'in a sample'],
  [`## Use\n\nFor example:\n\n${shell('curl x')}`, 'commands', 'in a sample'],
  [`## Find examples with it\n\n${shell('curl x')}`, 'commands', undefined],
  ['Install it (e.g. `brew install jq`).', 'packages', 'in a sample'],
  [shell('# Update React', 'npm install react@17'), 'packages', 'in an upgrade'],
  [shell('npm install react@17'), 'packages', undefined],
])('%j -> its %s are named %s', (text, kind, context) => {
  expect(collect(text)[kind].map((named) => named.context)).toEqual([context])
})

test('what is only named in a sample stands behind what is used', () => {
  const { variables } = collect(`\`\`\`js\nprocess.env.A_KEY\n\`\`\`\n\nSet \`B_KEY\`.`)
  expect(variables.map(({ name }) => name)).toEqual(['B_KEY', 'A_KEY'])
})

test('64 KB of names with 30 underscores are read', () => {
  expect(collect(`my${'_'.repeat(30)}-\n`.repeat(2_000), 'scripts/a.sh').commands).toEqual([])
})

test.each<[string, string[]]>([
  ['pip install requests==2.1 "uvicorn[standard]" -r dev.txt', ['requests', 'uvicorn']],
  ['uv add polars --group dev', ['polars']],
  ['npm i -D @scope/a@1.2 b@latest', ['@scope/a', 'b']],
  ['npx -y create-thing@latest my-app', ['create-thing']],
  ['uvx --from the-pkg tool run', []],
  ['uvx --from httpie http get', ['httpie']],
  ['sudo apt-get update && sudo apt-get install -y jq', ['jq']],
  ['go install github.com/a/b/cmd/c@v1', ['github.com/a/b/cmd/c']],
  ['cargo add serde --features derive > log.txt', ['serde']],
  ['pip install -e packages/own', []],
  ['pip install <package> your-package . ./local requirements.txt', []],
  ['npm install', []],
])('packages: %j -> %j', (line, names) => {
  const found = collect(shell(line)).packages.map(({ name }) => name.replace(/ \(.*/, ''))
  expect(found).toEqual(names)
})

test.each<[string, string[]]>([
  [shell('curl -H "X: $API_KEY" ${BASE_URL:-x}'), ['API_KEY', 'BASE_URL']],
  [shell('OUT_DIR=x', 'echo $OUT_DIR $HOME'), []],
  [shell('read -p "Sure? " ANSWER', 'test "$ANSWER"'), []],
  [shell('export NEW_TOKEN=abc'), ['NEW_TOKEN']],
  ['```js\nprocess.env.A_KEY; `${BASE_URL}`; Deno.env.get("B_KEY")\n```', ['A_KEY', 'B_KEY']],
  ['```js\nimport.meta.env.MODE; import.meta.env.VITE_KEY\n```', ['VITE_KEY']],
  [
    '```py\nos.environ["C_KEY"]\nos.getenv(\'D_KEY\')\nos.environ.get("E_KEY")\n```',
    ['C_KEY', 'D_KEY', 'E_KEY'],
  ],
  ['```rb\nENV["F_KEY"]\n```', ['F_KEY']],
  ['```rs\nenv::var("G_KEY")\n```', ['G_KEY']],
  ['```yaml\nurl: ${H_URL}\n```', ['H_URL']],
  ['Set `OPENAI_API_KEY`, or `$MY_TOKEN`.', ['OPENAI_API_KEY', 'MY_TOKEN']],
  ['The `MAX_ID` of `NOT_FOUND` in `TODO_LIST`.', []],
  ['The environment variable `BUILD_DIR`.', ['BUILD_DIR']],
  ['## Environment\n\n| `BUILD_DIR` | a folder |', ['BUILD_DIR']],
  ['- `$PRODUCT_NAME`: a name. `YOUR_CLIENT_SECRET`, `${KIND == "x"}`', []],
  ['Never print `A_TOKEN`.', ['A_TOKEN']],
  ['```py\nos.environ["A_PORT"] = "1"\n```', []],
  ['```yaml\nenv:\n  A_TOKEN: x\nrun: echo "${A_TOKEN}" $B\n```', []],
  ['```json\n"inputs": ["$TURBO_DEFAULT$"]\n```', []],
])('environment variables: %j -> %j', (text, names) => {
  expect(collect(text).variables.map(({ name }) => name)).toEqual(names)
})

test.each<[string, Partial<Record<Kind, string[]>>]>([
  [shell('curl https://api.stripe.com/v1'), { hostsCalled: ['api.stripe.com'] }],
  ['See <https://docs.deno.com/x> and **https://app.arize.com**.', {}],
  ['https://example.com https://api.example.org/x http://localhost:3000', {}],
  ['https://your-domain.atlassian.net https://mystore.azconfig.io https://{id}.a.com', {}],
  ['https://jira.internal.company.com https://user:pass@a.dev https://x_y.dev', {}],
  ['http://127.0.0.1 http://www.w3.org/2000/svg xmlns="http://b.dev/sml" https://a', {}],
  [shell('curl http://91.2.3.4:8080/a | sh'), { hostsCalled: ['91.2.3.4'] }],
  [shell('curl http://10.0.0.5 http://192.0.2.7 http://1.2.3.4 http://1.2.3 http://999.1.1.1'), {}],
  ['https://twitter.com/example https://github.com/your-org/x', {}],
  [shell('open https://github.com/you/x https://img.shields.io/pypi/v/your-package'), {}],
  [
    '```json\n{"$schema": "https://jsr.io/x.json", "xsi:schemaLocation": "http://deno.com"}\n```',
    {},
  ],
  ['```graphql\n@link(url: "https://jsr.io/v2")\n```', {}],
  [shell('# See https://jsr.io', 'echo "Visit https://deno.com"'), {}],
  [shell('open https://site1.com https://prod-xx.jsr.io https://external-api.com'), {}],
])('hosts: %j -> %j', (text, expected) => {
  const { hostsCalled } = namesIn(text)
  expect(hostsCalled).toEqual(expected.hostsCalled)
})

test('a host that code asks is not one that is only linked', () => {
  const { hostsCalled, hostsLinked } = namesIn(
    `https://deno.com, **https://jsr.io**.\n${shell('curl https://deno.com')}`,
  )
  expect({ hostsCalled, hostsLinked }).toEqual({
    hostsCalled: ['deno.com'],
    hostsLinked: ['jsr.io'],
  })
})

test.each<[string, string[]]>([
  ['Writes `~/.config/tool/a.json` and /tmp/out.', ['~/.config/tool/a.json', '/tmp/out']],
  ['`~/Library/Application Support/X/y`', ['~/Library/Application Support/X/y']],
  ['$HOME/.local/bin and ${HOME}/.x', ['$HOME/.local/bin', '${HOME}/.x']],
  ['`~/components` of Nuxt, src/etc/x, https://a.dev/tmp/x, /path/to/x', []],
  [shell('#!/usr/bin/env bash', 'x > /dev/null', 'cd ~/work'), ['~/work']],
  ['/home/user/x /Users/you/x ~/my-project', []],
  ['`ls /dev/nvidia*` and **/tmp/x**', ['/dev/nvidia*', '/tmp/x']],
])('paths: %j -> %j', (text, names) => {
  expect(collect(text).paths.map(({ name }) => name)).toEqual(names)
})

test.each<[string, string[]]>([
  ['Use the `other-one` skill, then **third-one** skills.', ['other-one', 'third-one']],
  ['Load skill `a-b:cd` or skills/d-e/SKILL.md.', ['a-b:cd', 'd-e']],
  ['See [it](../far-one/SKILL.md). Which skill "owns" it?', ['far-one']],
  [
    'Use the sort-books skill; with a domain-specific skill, read the sort-books skill.',
    ['sort-books'],
  ],
  [
    '## Related skills\n\n- **maps**: of\n- [film-sort](x)\n\n## More\n\n- **other**',
    ['maps', 'film-sort'],
  ],
  ['## Reuse Other Skills\n\nCombine with:\n\n- `film-sort` for films', ['film-sort']],
  [
    'Related skills: `film-sort` feeds\nthis; `map-sort` is beside.\n\nThe `far-off` shelf.',
    ['film-sort', 'map-sort'],
  ],
  ['The skills of a clerk: `film-sort` is none.', []],
  ['## Other skills\n\n| Skill | For |\n| - | - |\n| `film-sort` | films |', ['film-sort']],
  ['## Skills you gain\n\n- **sorting**: books', []],
  [
    '---\nname: a\ndescription: For films, see film-sort. Use well-known names.\n---\n',
    ['film-sort'],
  ],
  ['---\nname: a\ndescription: Sorts. Use kebab-case names.\n---\nSee film-sort.', []],
  ['The `own-skill` skill, the `name` skill, a `pdf-editor` skill, killing.', []],
])('other skills: %j -> %j', (text, names) => {
  expect(collect(text).skills.map(({ name }) => name)).toEqual(names)
})

test.each<[string, string[]]>([
  ['Call `mcp__git-hub__search` and `mcp__claude_ai_X__y`.', ['git-hub', 'claude_ai_X']],
  ['```json\n{ "mcpServers": { "play wright": {} } }\n```', ['play wright']],
  ['Requires the GitHub MCP server. It uses the `play-wright` MCP.', ['GitHub', 'play-wright']],
  ['Chrome DevTools MCP must be configured.', ['Chrome DevTools']],
  ['Call `mcp__git-hub__search` with the GitHub MCP tools.', ['git-hub']],
  ['Build a Kotlin MCP server. Create tools for the Linear MCP server.', []],
  ['Never use the GitHub MCP server. The MCP server is required. Once MCP is available', []],
  ['mcp__server__tool and `__init__`', []],
  ['```json\n{ "mcpServers": { "my-mcp-server": {} } }\n```', []],
  ['Always use the book-shelf MCP server. It is a read-only MCP server.', ['book-shelf']],
])('servers: %j -> %j', (text, names) => {
  expect(collect(text).servers.map(({ name }) => name)).toEqual(names)
})

test.each<[string, string[]]>([
  ['[a](references/gone.md) [b](references/here.md#x) [c](references)', ['references/gone.md']],
  ['[here](references/here\\.md) [far](references/far\\_off.md)', ['references/far_off.md']],
  ['Run `python scripts/script_name.py --help`.', []],
  ['[up](../../x.md) [e](x%20y.md)', ['../../x.md', 'x y.md']],
  ['[a](#x) [b](https://a.dev) [c](mailto:x) [d](/x.md) [e](url) [f]({x}.md) [g](%E0)', []],
  ['`[a](in-code.md)`\n\n```md\n[a](in-sample.md)\n```', []],
  ['Run `python scripts/gone.py` and read `./references/here.md`.', ['scripts/gone.py']],
  ['```sh\nbash ${ROOT}/assets/gone.sh\n```\n\nscripts/in-prose.py', ['assets/gone.sh']],
  ['Never add `scripts/a.sh`. Your CSS (e.g. `assets/a.css`).', []],
  ['See `assets/a.yml.template`.', ['assets/a.yml.template']],
  ['- **Examples**: `assets/logo.png` for brands, `assets/b.pptx` for slides', []],
  ['A `scripts/turn.py` script would be helpful.', []],
  ['`src/scripts/a.py` `scripts/*.py` `scripts/<name>.py` `my-scripts/b.py`', []],
])('links to files that are not there: %j -> %j', (text, names) => {
  const found = collect(text, 'SKILL.md', ['references/here.md']).strayLinks
  expect(found.map(({ name }) => name)).toEqual(names)
})

test('a file that two references link is told once, by its path from the folder of the skill', () => {
  const files = ['SKILL.md', 'references/a.md', 'references/b.md'].map((path) => ({
    path,
    bytes: Buffer.from(
      path === 'SKILL.md'
        ? '[c](references/c.md) [x](../other/SKILL.md)'
        : '[c](c.md) [c](./references/c.md) [x](../../other/SKILL.md)',
    ),
  }))
  const { strayLinks } = collectNeeds([], files)
  expect(strayLinks.map(({ name, file }) => [name, file])).toEqual([
    ['references/c.md', 'SKILL.md'],
    ['../other/SKILL.md', 'SKILL.md'],
  ])
})

test.each<[string, string[]]>([
  ['## Environment Variables\n\n- `SHELF_BETA`: on\n- `CI`: as `SHELF_QUIET`', ['SHELF_BETA']],
  ['## Environment variables\n\n| Name |\n| --- |\n| `SHELF_BETA` |', ['SHELF_BETA']],
  ['## Constants\n\n- `SHELF_BETA`: on', []],
])('variables that a list is headed by: %j -> %j', (text, names) => {
  expect(collect(text).variables.map(({ name }) => name)).toEqual(names)
})

test.each<[string, string, string]>([
  ['a.py', '#!/usr/bin/env python3\n"""Fetches the list.\n\nMore."""\n', 'Fetches the list.'],
  ['a.py', '# -*- coding: utf-8 -*-\n# Counts words.\n', 'Counts words.'],
  ['a.sh', '#!/bin/sh\n# Builds it.\nset -e\n', 'Builds it.'],
  ['a.js', "'use strict';\n/**\n * Draws a chart.\n */\n", 'Draws a chart.'],
  ['a.ts', '// Copyright 2024 X\nlet a\n', ''],
  ['a.sh', 'echo hi\n', ''],
])('the first comment of %s %j -> %j', (path, text, comment) => {
  expect(collect(text, path).scripts).toEqual([{ path, comment }])
})

test('each name is told once, at its first place, in the order of the files', () => {
  const { commands } = collectNeeds(
    [],
    [
      { path: 'SKILL.md', bytes: Buffer.from('x\n\n```sh\njq .\ngit log\n```\n`jq -r x`') },
      { path: 'run.sh', bytes: Buffer.from('# x\ngit log\nmake') },
      { path: 'LICENSE.md', bytes: Buffer.from(shell('curl x')) },
    ],
  )
  expect(commands).toEqual([
    { name: 'jq', file: 'SKILL.md', line: 4 },
    { name: 'git', file: 'SKILL.md', line: 5 },
    { name: 'make', file: 'run.sh', line: 3 },
  ])
})

// Quadratic time would take minutes here.
const HOSTILE = [
  '`',
  '](',
  '](../',
  '](a b',
  '[a](b ',
  '$A',
  '${',
  '/tmp',
  '~/',
  '://a.',
  '://a-b',
  'skill `',
  'mcp__a_',
  '"mcpServers": ',
  "'",
  '"',
  '\\',
  '$(',
  'a(',
  '<<A\n',
  '\n$ a',
  '```\n',
  '`npm i ',
  '~~~sh\n',
  ' ',
  '\n',
  'A',
  'read A ',
  'local ',
  'e.g. ',
  'a@b:~ ',
  'npx ',
  'pip install a ',
]

test.each(HOSTILE)('%j 100,000 signs long -> read', (unit) => {
  const text = unit.repeat(Math.ceil(100_000 / unit.length))
  const file = (path: string, head = '') => ({ path, bytes: Buffer.from(head + text) })
  const files = [file('SKILL.md'), file('a.md', '```sh\n'), file('b.md', '```\n'), file('c.sh')]
  const { commands } = collectNeeds([], files)
  expect(commands.length).toBeLessThanOrEqual(200)
})

test.each<[string, string, string[]]>([
  ['references/a.md', 'See [b](references/b.md), [b](B.md) and [b](../References/b.md).', []],
  ['references/a.md', 'See [b](references/c.md) and [c](../c.md).', ['references/c.md', 'c.md']],
  ['SKILL.md', "Read `film-sort`'s `references/films.md`.", []],
  ['SKILL.md', "Read the shelf's `references/films.md`.", ['references/films.md']],
  ['SKILL.md', shell('python skills/own-skill/scripts/sort.py'), ['scripts/sort.py']],
  ['SKILL.md', shell('python skills/film-sort/scripts/sort.py'), []],
  [
    'SKILL.md',
    shell('uv run scripts/sort.py', 'node scripts/list.js'),
    ['scripts/sort.py', 'scripts/list.js'],
  ],
])('%s: %s is missing %j', (path, text, missing) => {
  const more = ['SKILL.md', 'references/a.md', 'references/b.md'].filter((one) => one !== path)
  expect(collect(text, path, more).strayLinks.map(({ name }) => name)).toEqual(missing)
})

test.each<[string, string[]]>([
  ['```python\n# Install: pip install books\nimport books\n```', ['books (PyPI)']],
  ['```js\n// npm install shelf\n```', ['shelf (npm)']],
  ['```python\n# To install books takes a while\n```', []],
  ['```python\nprint("pip install books")\n```', []],
])('packages of a comment: %s', (text, packages) => {
  expect(namesIn(text).packages ?? []).toEqual(packages)
})

test('a program that is known by its name alone is a command in a sentence', () => {
  expect(namesIn('Run `d2 fmt shelf.d2`, not `shelf fmt it`.').commands).toEqual(['d2'])
})
