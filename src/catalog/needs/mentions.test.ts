import { expect, test } from 'vitest'
import { collect, collectNames, shell } from '../testing/needs.ts'

const listCertain = (text: string, isCertain: boolean): string[] =>
  collect(text)
    .skills.filter(({ certain = false }) => certain === isCertain)
    .map(({ name }) => name)
    .sort()

test.each<[string, string[]]>([
  ['Use the `other-one` skill, then the **third-one** skill.', ['other-one', 'third-one']],
  ['See [it](../far-one/SKILL.md) or `skills/de-e/SKILL.md`.', ['de-e', 'far-one']],
  ['The `pdf` skill, the `png` format.', ['pdf']],
  ['Films→own-films, maps→sort-maps; (own-books).', ['own-films']],
  ['Use [`ads`](../ads/SKILL.md).', ['ads']],
  ['A path `/skills/foo/SKILL.md` or `skill-name/SKILL.md`; run `/books:far-one`.', []],
  ['The domain-specific skill, a `well-made` thing. For example, the far-one skill.', []],
  ['In `far-one/SKILL.md`.', []],
  ['For example, ask:\n\n- What does the far-one skill do?\n- Use the `near-one` skill.', []],
  ['Use the `skill` skill, by which `own-skill` is known.', []],
  ['The skill [raised](results.md) two with-skill **regressions**.', []],
  [
    '## Related skills\n\n- **emails**: for words\n- `ads`\n\n## Other\n\n- **x**',
    ['ads', 'emails'],
  ],
  [
    '---\nname: a\ndescription: For films, use film-sort. Or see step. Use the `far-one` skill.\n---\n',
    ['far-one', 'film-sort'],
  ],
  ['---\nname: a\nrelated-skills: [far-one, ads]\n---\n', ['ads', 'far-one']],
])('names that can only be other skills: %j -> %j', (text, names) => {
  expect(listCertain(text, true)).toEqual(names)
})

test.each<[string, string[]]>([
  ['Prefer `far-one` or **near-one**; `plugin:de-e`.', ['de-e', 'far-one', 'near-one']],
  [
    '- Films → sort-films\n- sort-maps: maps (sort-books)',
    ['sort-books', 'sort-films', 'sort-maps'],
  ],
  ['Films→sort-films. Maps (→sort-maps), or v1.sort-x.', ['sort-films', 'sort-maps']],
  ['---\nname: a\nwhen_to_use: Not for films (→sort-films).\n---\n', ['sort-films']],
  ['One `word` alone.', []],
])('names that could be other skills: %j -> %j', (text, names) => {
  expect(listCertain(text, false)).toEqual(names)
})

test('a skill in a folder of this skill is not another one; links are relative to the folder of their file', () => {
  const needs = collect('[a](near-one/SKILL.md) [b](../far-one/SKILL.md)', {
    'near-one/SKILL.md': '',
    'references/a.md': '[c](../near-two/SKILL.md) [d](../../far-two/SKILL.md) [e](gone.md)',
    'near-two/SKILL.md': '',
    'references/far-one.md': '',
  })
  expect(needs.skills.map(({ name }) => name)).toEqual(['far-one', 'far-two'])
  expect(needs.missing).toEqual([{ name: 'references/gone.md', file: 'references/a.md', line: 1 }])
})

test.each<[string, string[]]>([
  ['---\nallowed-tools: mcp__git-hub__*, mcp__claude_ai_X__y\n---\n', ['git-hub', 'claude_ai_X']],
  ['Call `mcp__git-hub__search`, never use `mcp__play__x`. Use `mcp__far__a`.', ['git-hub', 'far']],
  ['Do NOT use the `near` MCP server. The `git-hub` MCP.', ['git-hub']],
  ['**Keep the way quiet.** MCP or a program.', []],
  [
    'Call `mcp_azure_mcp_monitor` or `mcp_x`, over the Logfire MCP connection.',
    ['azure', 'Logfire'],
  ],
  [
    '```json\n{ "mcpServers": { "play wright": { "command": "x" }, "a": {} } }\n```',
    ['play wright'],
  ],
  ['```json\n{ "mcpServers": { ...\n```\n\n```json\n{ "mcpServers": "abc" }\n```', []],
  [shell('claude mcp add --transport http shelf https://jsr.io'), ['shelf']],
  ['---\nname: a\nrequires: { mcp: [far, your-server] }\n---\n', ['far']],
  ['Use the Far Books MCP server. Call `mcp__far-books__x`.', ['far-books']],
  [
    'Call the `find` Figma MCP tool. The `find` MCP tool, Execute Linear MCP tools.',
    ['Figma', 'Linear'],
  ],
  [
    'Use Microsoft Learn MCP Server, the Microsoft MCP server. A custom MCP server, a Python MCP Server.',
    ['Microsoft Learn'],
  ],
  ['---\nname: a\ndescription: Asks the Sentry MCP server.\n---\n', ['Sentry']],
  [
    'The MCP server. If your MCP server fails, new MCP servers start. A .NET MCP server; Full MCP server. `Built-in` MCP server.',
    [],
  ],
])('servers: %j -> %j', (text, names) => {
  expect(collectNames('servers', text)).toEqual(names)
})

test('a server configuration names program, package, variables and host', () => {
  const shelf = { command: 'npx', args: ['-y', 'shelf-mcp'], env: { A_KEY: 'x' } }
  const text = JSON.stringify({ mcpServers: { shelf, books: { url: 'https://jsr.io/mcp' } } })
  const needs = collect(`\`\`\`json\n${text}\n\`\`\``)
  expect(needs).toMatchObject({
    commands: [{ name: 'npx', line: 2 }],
    packages: [{ name: 'shelf-mcp', from: 'npm' }],
    variables: [{ name: 'A_KEY', secret: true }],
    hosts: [{ name: 'jsr.io' }],
    servers: [{ name: 'shelf' }, { name: 'books' }],
  })
})
