import { expect, test } from 'vitest'
import { collect, shell } from './testing/needs.ts'
import { listTouches } from './touches.ts'

test.each([
  ['Text.', []],
  [shell('jq .'), ['commands']],
  ['---\nname: a\nallowed-tools: Bash(git:*)\n---\n', ['unasked', 'commands']],
  ['Set `FAR_API_KEY`.', ['key']],
  ['Set `JWT_SECRET`; see `~/.far`.', []],
  [shell('gh auth login'), ['commands', 'login', 'hosts']],
  [shell('npm i -g far'), ['commands', 'outside']],
  [shell('curl https://far.dev/a'), ['commands', 'hosts']],
])('%j touches %j', (text, touches) => {
  expect(listTouches(collect(text))).toEqual(touches)
})
