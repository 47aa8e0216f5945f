import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sampleSkill } from '../../testing/sample-facts.ts'
import {
  FrontMatterError,
  explainRefusal,
  parseFrontMatter,
  readStartedBy,
  splitSkillMd,
  synthesizeSkillMd,
  tryFrontMatter,
} from './front-matter.ts'

const file = (block: string, body = 'Body\n'): string => `---\n${block}\n---\n${body}`

test.each<[string, object]>([
  ['name: a\ndescription: b c', { name: 'a', description: 'b c' }],
  ['name: 2026-01-02\ndescription: 1e3', { name: '2026-01-02', description: '1e3' }],
  ['name: a\nversion: 1.10', { name: 'a', version: '1.10' }],
  ['name: a\ndescription: >-\n  b\n  c', { name: 'a', description: 'b c' }],
  ['name: a\ndescription: |-\n  b\n  ---\n  c', { name: 'a', description: 'b\n---\nc' }],
  ['name: null\ndescription: ~', {}],
  ['base: &b m\nname: *b', { name: 'm' }],
  ['name: a\nname: b', { name: 'b' }],
  ['name: a\nedition: 1.10\nmetadata:\n  x: [1]', { name: 'a' }],
  ['name: a\n__proto__:\n  polluted: true\nconstructor: x', { name: 'a' }],
  ['allowed-tools:\n- Read\n- Bash(git log:*)', { 'allowed-tools': 'Read, Bash(git log:*)' }],
  ['allowed-tools:\n  Read: yes\n  Bash:\n  - git status', { 'allowed-tools': 'Read, Bash' }],
  ['allowed-tools: {Read, Bash: [a, b]}', { 'allowed-tools': 'Read, Bash' }],
  ['allowed-tools: [[Bash(rm:*)], Read]', { 'allowed-tools': 'Bash(rm:*), Read' }],
  ['argument-hint: [issue-number]', { 'argument-hint': '[issue-number]' }],
  ['argument-hint: [a | b]  # one', { 'argument-hint': '[a | b]' }],
  ['license:\n- MIT\n- Apache-2.0', { license: 'MIT, Apache-2.0' }],
  ['license:\n  name: MIT', { license: 'name: MIT' }],
  ['compatibility: [Needs git, node]', { compatibility: 'Needs git, node' }],
  ['inputs:\n  - name: A_KEY\n    required: true\n  - B_KEY', { inputs: 'A_KEY, B_KEY' }],
])('%j is read as the author’s text: %j', (block, expected) => {
  expect(parseFrontMatter(file(block))).toEqual(expected)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

/** Each line doubles the number of fields: expanding them all would take hours. */
const MERGES = [
  'm0: &m0 {a: b}',
  ...Array.from({ length: 30 }, (_, at) => `m${at + 1}: &m${at + 1} {<<: *m${at}, <<: *m${at}}`),
  '<<: *m30',
].join('\n')

test.each<[RegExp, number, string]>([
  [/no front matter/, 1, '# Title\n'],
  [/never closed/, 1, '---\nname: a\n'],
  [/language "js" is not supported/, 1, '---js\nprocess.exit(7)\n---\n'],
  [/put a value that contains ": ".* in quotes/, 3, file('name: a\ndescription: b: c: d')],
  [/Unresolved tag/, 2, file('name: !!js/function "f"')],
  [/name is a list/, 1, file('name: [a]\ndescription: b')],
  [/alias without an anchor/, 1, file('name: a\ndescription: *b')],
  [/not a list of `key: value` lines/, 2, file('just words')],
  [/nested too deeply/, 3, file(`name: a\nx: ${'['.repeat(3000)}${']'.repeat(3000)}`)],
  [/merge keys \(<<\) are not supported/, 1, file(MERGES)],
  [/51 aliases \(\*name\); .* at most 50/, 1, file(`a: &a b\nx: [${Array(51).fill('*a').join()}]`)],
  [/at most 65536 in 1000/, 1, file(`name: a${'\n'.repeat(1_000)}`)],
  [/in 60002 lines/, 1, file(`name: a${'\u2028'.repeat(60_000)}`)],
])('unreadable front matter is refused: %s, line %i', (message, line, text) => {
  const read = (): object => parseFrontMatter(text)
  expect(read).toThrow(FrontMatterError)
  expect(read).toThrow(message)
  expect(read).toThrow(expect.objectContaining({ line }))
})

test.each<[string, string | undefined]>([
  [file('name: a\ndescription: b'), undefined],
  [file('name: a\ndescription: b\nargument-hint: [name]'), undefined],
  [
    file('name: a\ndescription: b\nargument-hint: [-p <n>] [name]'),
    'cannot be read (line 4: YAML: ',
  ],
  [file('name: a\ndescription: Use when: b'), 'cannot be read (line 3: YAML: '],
  [file('name: a\nname: a\ndescription: b'), 'is not valid YAML (Map keys must be unique)'],
  [file('description: b'), 'has no name'],
  [file('name: a\ndescription:'), 'has no description'],
  [file('name: 7\ndescription: b'), 'has a name that is not text (7)'],
  [`\n${file('name: a\ndescription: b')}`, 'does not start with --- on line 1'],
  [
    file('name: a\ndescription: b').replace('---\nB', '...\nB'),
    'does not start with --- on line 1',
  ],
  ['# A\n', 'cannot be read (line 1: no front matter'],
])('%j -> npx skills says: %s', (text, reason) => {
  const found = explainRefusal(text, tryFrontMatter(text))
  expect(found?.slice(0, reason?.length)).toBe(reason)
})

test.each([
  ['', 'both'],
  ['disable-model-invocation: true', 'user'],
  ['disable-model-invocation: yes', 'user'],
  ['disable-model-invocation: maybe', 'both'],
  ['user-invocable: Off', 'agent'],
  ['user-invocable: false\ndisable-model-invocation: true', 'user'],
  ['metadata:\n  disable-model-invocation: true', 'both'],
])('%j: started by %s', (lines, startedBy) => {
  expect(readStartedBy(parseFrontMatter(file(`name: a\n${lines}`)))).toBe(startedBy)
})

test.each([
  ['---\nname: a\n...\nB', 'B'],
  ['---\nname: a\n---', ''],
  ['\n\n---\nname: a\n---\nB', 'B'],
  ['---\nname: a\n---\n---\nb: c\n---\n', '---\nb: c\n---\n'],
  ['----\nname: a\n----\n', '----\nname: a\n----\n'],
])('%j has the body %j', (text, body) => {
  expect(splitSkillMd(text).body).toBe(body)
})

test('any text is parsed or refused with FrontMatterError', () => {
  const unit = fc.constantFrom('-', '\n', '\r', 'a', ':', ' ', '[', '&', '*', '!')
  fc.assert(
    fc.property(fc.string({ unit }), (text) => {
      const read = tryFrontMatter(`---\n${text}`)
      expect(read instanceof FrontMatterError || typeof read === 'object').toBe(true)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['alive', 'The original text is not copied here; it is at <https://far.dev/a>.'],
  ['gone', 'The original, at <https://far.dev/a>, is gone; it was missing on 2026-01-03.'],
] as const)(
  'the SKILL.md of a listed-only skill, %s: models do not invoke it',
  (status, description) => {
    const dates = { checked: '2026-01-03', seen: '2026-01-02' }
    const source = { kind: 'upstream', url: 'https://far.dev/a', status, ...dates } as const
    const text = synthesizeSkillMd(sampleSkill({ source }))
    expect(text).toMatch(/^---\n(?:.+\n)*disable-model-invocation: true\n(?:.+\n)*---\n/)
    expect(parseFrontMatter(text)).toEqual({
      name: 'far-skill',
      license: 'MIT',
      description,
      'disable-model-invocation': 'true',
    })
    expect(text).not.toContain('Turns logs into tables')
  },
)
