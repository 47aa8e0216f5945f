import { expect, test } from 'vitest'
import { collect, shell } from './testing/needs.ts'
import { listTouches, readGrant } from './touches.ts'

test.each([
  ['Text.', []],
  [shell('jq .'), ['commands']],
  ['---\nname: a\nallowed-tools: Bash(git:*)\n---\n', ['unasked', 'commands']],
  ['Set `FAR_API_KEY`.', ['key']],
  ['Use the Far MCP server.', ['hosts']],
  ['Set `JWT_SECRET`; see `~/.far`.', []],
  [shell('gh auth login'), ['commands', 'login', 'hosts']],
  [shell('far login'), ['commands', 'login']],
  ['Requires an API key.', []],
  [shell('npm i -g far'), ['commands', 'outside']],
  [shell('curl https://far.dev/a'), ['commands', 'hosts']],
])('%j touches %j', (text, touches) => {
  expect(listTouches(collect(text))).toEqual(touches)
})

test('of a skill whose SKILL.md or program was not read whole, nothing is known', () => {
  const big = `#!/bin/sh\n${' '.repeat(300_000)}`
  for (const files of [{ 'a.sh': big }, { tool: big }, { 'a.py': '\0' }, { 'a.jar': 'PK\0' }])
    expect(listTouches(collect('', files))).toContain('unknown')
  expect(listTouches(collect(`# A\n${'word '.repeat(200_000)}`))).toEqual(['unknown'])
  expect(listTouches(collect('', { 'a.csv': big.slice(2), 'a.png': '\0' }))).toEqual([])
})

test.each([
  ['Read', undefined],
  ['Bash', 'any command'],
  ['Bash(git log:*)', 'git log'],
  ['Bash(npx:checkly:*)', 'npx checkly'],
  ['Bash(git:push:--force)', 'git push --force'],
  ['Bash(npm run test:unit)', 'npm run test:unit'],
  [String.raw`PowerShell(C:\tool.exe:*)`, String.raw`C:\tool.exe`],
])('%s allows %s', (tool, command) => {
  expect(readGrant(tool)).toBe(command)
})
