import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectNeeds } from './needs.ts'
import type { Needs } from './found.ts'

const collect = (text: string, others: Readonly<Record<string, string>> = {}): Needs => {
  const bytes = new Map(
    Object.entries({ 'SKILL.md': text, ...others }).map(([path, one]) => [path, Buffer.from(one)]),
  )
  const files = Array.from(bytes, ([path, { length: size }]) => ({ path, size }))
  const tools = /^allowed-tools: (.*)$/m.exec(text)?.[1] ?? ''
  return collectNeeds(['own-skill'], tools, text, files, (path) => bytes.get(path)!).needs
}

const shell = (...lines: string[]): string => ['```sh', ...lines, '```'].join('\n')

test.each<[string, string[]]>([
  ['git status && npm test | jq . | grep -c fail', ['git', 'npm', 'jq']],
  ['FOO=1 BAR="a b" sudo docker run x', ['docker']],
  ['if ! command -v jq; then brew install jq; fi', ['jq', 'brew']],
  ['for f in a b c; do pandoc $f; done', ['pandoc']],
  ['echo "$(curl -s https://a.dev/x)" # wget it', ['curl']],
  ['python3 - <<EOF\nimport json\nfoo bar\nEOF\nmake', ['python3', 'make']],
  ['deploy() { kubectl apply; }\ndeploy', ['kubectl']],
  ['case $1 in\n  start) systemctl start x ;;\nesac', ['systemctl']],
  ['$ cargo build\n   Compiling x\nerror: linking with cc failed', ['cargo']],
  ['curl x \\\n  -o node \\\n  -s', ['curl']],
  ['sort-shelf --all\nyour-command x\n./run.sh', ['sort-shelf']],
  ['sort-shelf --all\ngit push\necho "', ['git']],
  ['sort-shelf --format=json|text', ['sort-shelf']],
  ['coproc '.repeat(40_000), []],
])('commands of a shell: %j -> %j', (line, names) => {
  expect(collect(shell(line)).commands).toEqual(names)
})

test.each<[string, string[]]>([
  ['Run `git push origin main` then; `d2 fmt shelf.d2`, not `npm run it`.', ['git', 'd2']],
  ['The `git` tool and `some prose here`. Never run `npm ci`.', []],
  ['Such as `npm ci`. Use `jq .` instead of `yq x`.', ['jq']],
  ['```\nnpm ci\nfind the file\n```', ['npm']],
  ['```\nfind the file\nnpm ci\n```', []],
  ['```text\nnpm ci\n```\n\n```python\nsubprocess.run(["git"])\n```', []],
  [`## Anti-patterns\n\n\`npm ci\`\n\n${shell('npm ci')}\n\n## Steps\n\n\`uv sync\``, ['uv']],
  [`**Wrong:**\n\n${shell('npm ci')}\n\nRight:\n\n${shell('pnpm ci')}`, ['pnpm']],
  [`## Examples\n\n${shell('sort-shelf --all')}`, ['sort-shelf']],
])('commands of a text: %j -> %j', (text, names) => {
  expect(collect(text).commands).toEqual(names)
})

test('64 KB of names with 30 underscores are read', () => {
  const script = `my${'_'.repeat(30)}-\n`.repeat(2_000)
  expect(collect('', { 'scripts/a.sh': script }).variables).toEqual([])
})

test.each<[string, string[]]>([
  ['pip install requests==2.1 "uvicorn[standard]" -r dev.txt', ['requests', 'uvicorn']],
  ['uv add polars --group dev', ['polars']],
  ['npm i -D @scope/a@1.2 b@latest', ['@scope/a', 'b']],
  ['npx -y create-thing@latest my-app', ['create-thing']],
  ['npx expo install one two@^4', ['one', 'two']],
  ['npm update -g @scope/a && npx b add', ['@scope/a', 'b']],
  ['uvx --from httpie http get', ['httpie']],
  ['sudo apt-get update && sudo apt-get install -y jq', ['jq']],
  ['go install github.com/a/b/cmd/c@v1', ['github.com/a/b/cmd/c']],
  ['cargo add serde --features derive > log.txt', ['serde']],
  ['pip install <package> your-package . ./local requirements.txt packages/own', []],
  ['npm install', []],
  ['pip install one two\r\npip install three\r', ['one', 'two', 'three']],
])('packages: %j -> %j', (line, names) => {
  const found = collect(shell(line)).packages.map((name) => name.replace(/ \(.*/, ''))
  expect(found).toEqual(names)
})

test('packages that a skill brings a list of', () => {
  const { packages } = collect('Text.', {
    'requirements.txt': '# for the shelf\nbooks==1.0\n-r dev.txt\n',
    'scripts/package.json': '{"dependencies": {"shelf": "1"}}',
    'assets/package.json': '{"dependencies": {"sample": "1"}}',
    'package.json': '{"dependencies',
  })
  expect(packages).toEqual(['books (PyPI)', 'shelf (npm)'])
})

test.each<[string, string[]]>([
  [shell('curl -H "X: $API_KEY" ${BASE_URL:-x} $PR_NUMBER'), ['API_KEY']],
  [shell('A_TOKEN=x curl $A_TOKEN $HOME'), []],
  [shell('export NEW_URL=abc OUT_DIR="$(pwd)"'), ['NEW_URL']],
  ['Set `OPENAI_API_KEY`, or `$MY_LIST`.', ['OPENAI_API_KEY']],
  ['The `MAX_ID` of `NOT_FOUND`. `YOUR_CLIENT_SECRET`', []],
  ['The environment variable `BUILD_DIR`.', ['BUILD_DIR']],
  ['## Environment\n\n| Name |\n| - |\n| `BUILD_DIR` |', ['BUILD_DIR']],
  ['```js\nprocess.env.A_KEY\n```', []],
])('environment variables: %j -> %j', (text, names) => {
  expect(collect(text).variables).toEqual(names)
})

test.each<[string, string, string[]]>([
  [
    'run.py',
    'os.environ["A_KEY"]; os.getenv(\'B_KEY\'); os.environ.get("C_KEY")',
    ['A_KEY', 'B_KEY', 'C_KEY'],
  ],
  ['run.js', 'process.env.A_KEY; Deno.env.get("B_KEY")', ['A_KEY', 'B_KEY']],
  ['run.rb', 'ENV["A_KEY"]; ENV.fetch("B_KEY")', ['A_KEY', 'B_KEY']],
  ['run.sh', 'OUT_DIR=x; echo $OUT_DIR "${BASE_URL:?}"', ['BASE_URL']],
  ['tests/run.py', 'os.environ["A_KEY"]', []],
])('environment variables of %s: %s -> %j', (path, text, names) => {
  expect(collect('Text.', { [path]: text }).variables).toEqual(names)
})

test.each<[string, string[]]>([
  [shell('curl https://api.stripe.com/v1 "http://jsr.io"'), ['api.stripe.com', 'jsr.io']],
  [shell('curl https://example.com https://your-shop.myshopify.com http://localhost:80'), []],
  [shell('echo https://jsr.io', '# https://deno.com', 'curl https://{host}/x https://a'), []],
  ['See <https://docs.deno.com/x>.\n\n```js\nfetch("https://jsr.io")\n```', []],
])('hosts: %j -> %j', (text, names) => {
  expect(collect(text).hosts).toEqual(names)
})

test.each<[string, string[]]>([
  ['---\nallowed-tools: mcp__git-hub__*, mcp__claude_ai_X__y\n---\n', ['claude_ai_X']],
  ['Call `mcp__git-hub__search`.', ['git-hub']],
  ['```json\n{ "mcpServers": { "play wright": {}, "my-mcp": {} } }\n```', ['play wright']],
  ['```json\n{ "mcpServers": { ...\n```\n\n```json\n{ "mcpServers": "abc" }\n```', []],
  [shell('claude mcp add --transport http shelf https://jsr.io'), ['shelf']],
])('servers: %j -> %j', (text, names) => {
  expect(collect(text).servers).toEqual(names)
})

test.each<[string, string[]]>([
  [
    'Use the `other-one` skill, then **third-one** and `plugin:fourth-one`.',
    ['other-one', 'third-one', 'fourth-one'],
  ],
  ['See [it](../far-one/SKILL.md) or `skills/de-e/SKILL.md`.', ['far-one', 'de-e']],
  ['As the far-one\nskill [tells so](../near-one/references/a.md).', ['far-one', 'near-one']],
  ['The `pdf` skill, the `pdf` format.', ['pdf']],
  [
    'The "sort-books" kind, using a:sort-maps, or the sort-films skill; a map-sort skill.',
    ['sort-books', 'sort-maps', 'sort-films'],
  ],
  ['---\nname: a\ndescription: For films, use film-sort.\n---\n', ['film-sort']],
  ['The `own-skill` skill, a well-known shelf.\n\n```md\n`far-one`\n```', []],
])('what may be other skills: %j -> %j', (text, names) => {
  expect([...collect(text).skills].sort()).toEqual([...names].sort())
})

test('a text that takes too long to read has none, and that is told', () => {
  const text = `\`jq .\` ${'_a'.repeat(200_000)}`
  const { needs, unread } = collectNeeds([], '', text, [], () => Buffer.from(''))
  expect([needs.commands, unread]).toEqual([[], 'takes longer than 2 s to read'])
})

const BROUGHT = { 'references/here.md': '', 'B.md': '' }

test.each<[string, string[]]>([
  [
    '[a](references/gone.md) [b](references/here.md#x) [c](references) [d](b.md)',
    ['references/gone.md'],
  ],
  ['[up](../../x.md) [e](x%20y.md) [s](../film-sort/SKILL.md)', ['../../x.md', 'x y.md']],
  ['[a](#x) [b](https://a.dev) [c](mailto:x) [d](/x.md) [e](url) [f]({x}.md) [g](%E0)', []],
  ['`[a](in-code.md)`\n\n```md\n[a](in-sample.md)\n```', []],
  ['Run `scripts/gone.py`, `./references/here.md`.', ['scripts/gone.py']],
  [
    shell('bash ${SKILL_DIR}/assets/gone.sh', 'uv run scripts/a.py'),
    ['assets/gone.sh', 'scripts/a.py'],
  ],
  [
    '### `scripts/`\n\n- `a.py`, `b` and `references/c.md`\n\n### Other\n\n`d.py`',
    ['scripts/a.py', 'references/c.md'],
  ],
  [shell('scripts/gone --all', 'python skills/own-skill/scripts/b.py'), ['scripts/b.py']],
  ['Run `SKILL_DIR/scripts/a.py` or `scripts\\b.ps1`.', ['scripts/a.py', 'scripts/b.ps1']],
  ['Your CSS (e.g. `assets/a.css`). A `scripts/your-script.py`.', []],
  ['## Example\n\n`scripts/a.py` [b](references/c.md)', []],
  ['`src/scripts/a.py` `scripts/*.py` `scripts/<x>.py` `my-scripts/b.py`', []],
])('files that are not brought: %j -> %j', (text, names) => {
  expect(collect(text, BROUGHT).missing).toEqual(names)
})

const UNITS = [
  '](|[a](b |$A|${|://a-b|skill `|mcp__a_|"|\'|\\|$(|a()|`npm i |~~~sh\n| |\n|A|A_|e.g. |npx |- |`a-b` |**a-b** ',
  '`|<<A\n|\n$ a|```\n|# a\n|> |scripts/|a-|`A_KEY` |use a-b |"a-b" |*a*|[a]|export A_B=1\n|f(){ |"${a:-|environ[ ',
].flatMap((units) => units.split('|'))
const ROOMS = ['', '```sh\n', '```\nnpm ', '```json\n"mcpServers"', '`git ', '---\n']

test.each(ROOMS)('%j before 12,000 characters of one thing -> read', (start) => {
  for (const unit of UNITS) {
    const text = start + unit.repeat(12_000 / unit.length)
    const needs = collect(text, { 'run.sh': text, 'run.py': text, 'requirements.txt': text })
    for (const names of Object.values(needs)) expect(names.length).toBeLessThanOrEqual(200)
  }
})

test('whatever a text holds -> read', () => {
  const piece = fc.oneof(fc.constantFrom(...UNITS, ...ROOMS), fc.string({ unit: 'binary' }))
  const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
  const read = fc.property(text, (any) => {
    expect(collect(any, { 'run.sh': any, 'package.json': any })).toBeDefined()
  })
  fc.assert(read)
})

test('tools are those of the front matter, with blanks or commas between', () => {
  const text = '---\nname: a\nallowed-tools: Read, Bash(git log:*, x) Grep\n---\nText.'
  expect(collect(text).tools).toEqual(['Read', 'Bash(git log:*, x)', 'Grep'])
})
