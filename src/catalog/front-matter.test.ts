import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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

describe('fields are read as the author’s text', () => {
  const cases: readonly [string, string, object][] = [
    ['plain', 'name: a\ndescription: b c', { name: 'a', description: 'b c' }],
    [
      'a date stays text',
      'name: 2026-01-02\ndescription: d',
      { name: '2026-01-02', description: 'd' },
    ],
    [
      'tools as a list',
      'allowed-tools:\n- Read\n- Bash(git log:*)',
      { 'allowed-tools': 'Read, Bash(git log:*)' },
    ],
    [
      'tools as a mapping',
      'allowed-tools:\n  Read: yes\n  Bash: git status\n  WebFetch:\n  - domain:a.example',
      { 'allowed-tools': 'Read, Bash, WebFetch' },
    ],
    [
      'tools in nested lists',
      'allowed-tools: [[Bash(rm:*)], Read]',
      { 'allowed-tools': 'Bash(rm:*), Read' },
    ],
    ['a hint in brackets', 'argument-hint: [issue-number]', { 'argument-hint': '[issue-number]' }],
    ['a hint with a choice', 'argument-hint: [a | b]  # one', { 'argument-hint': '[a | b]' }],
    ['two licences', 'license:\n- MIT\n- Apache-2.0', { license: 'MIT, Apache-2.0' }],
    [
      'a licence as a mapping',
      'license:\n  name: MIT\nname: a',
      { license: 'name: MIT', name: 'a' },
    ],
    [
      'a compatibility in brackets',
      'compatibility: [Needs git, node]',
      { compatibility: 'Needs git, node' },
    ],
    ['null is no value', 'name: null\ndescription: ~', {}],
    ['folded', 'name: a\ndescription: >-\n  b\n  c', { name: 'a', description: 'b c' }],
    [
      'an indented --- in a literal',
      'name: a\ndescription: |-\n  b\n  ---\n  c',
      { name: 'a', description: 'b\n---\nc' },
    ],
    ['an alias', 'base: &b m\nname: *b', { name: 'm' }],
    ['other keys are left out', 'name: a\nedition: 1.10\nmetadata:\n  x: [1]', { name: 'a' }],
    ['a version stays text', 'name: a\nversion: 1.10', { name: 'a', version: '1.10' }],
    [
      'a list with mappings that have names',
      'name: a\ninputs:\n  - name: A_KEY\n    required: true\n  - B_KEY',
      { name: 'a', inputs: 'A_KEY, B_KEY' },
    ],
    ['of a repeated key, the last counts', 'name: a\nname: b', { name: 'b' }],
    [
      'keys of the prototype',
      'name: a\n__proto__:\n  polluted: true\nconstructor: x',
      { name: 'a' },
    ],
  ]
  test.each(cases)('%s', (_, block, expected) => {
    expect(parseFrontMatter(file(block))).toEqual(expected)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

/** Each line doubles the number of fields: expanding them all would take hours. */
const MERGES = [
  'm0: &m0 {a: b}',
  ...Array.from({ length: 30 }, (_, at) => `m${at + 1}: &m${at + 1} {<<: *m${at}, <<: *m${at}}`),
  '<<: *m30',
].join('\n')

describe('unreadable front matter is refused with its line', () => {
  const cases: readonly [string, string, RegExp, number][] = [
    ['no front matter', '# Title\n', /no front matter/, 1],
    ['never closed', '---\nname: a\n', /never closed/, 1],
    ['JavaScript', '---js\nprocess.exit(7)\n---\n', /language "js" is not supported/, 1],
    [
      'an unquoted colon',
      file('name: a\ndescription: b: c: d'),
      /put a value that contains ": ".* in quotes/,
      3,
    ],
    ['a tag that would run', file('name: !!js/function "f"'), /Unresolved tag/, 2],
    ['a list as name', file('name: [a]\ndescription: b'), /name is a list/, 1],
    ['a value that starts with *', file('name: a\ndescription: *b'), /alias without an anchor/, 1],
    ['a single text', file('just words'), /not a list of `key: value` lines/, 2],
    [
      '3,000 nested lists',
      file(`name: a\nx: ${'['.repeat(3000)}${']'.repeat(3000)}`),
      /nested too deeply/,
      3,
    ],
    ['thirty levels of merge keys', file(MERGES), /merge keys \(<<\) are not supported/, 1],
    [
      '51 aliases',
      file(`name: &a b\ndescription: c\nx: [${Array(51).fill('*a').join()}]`),
      /51 aliases \(\*name\); write values out; at most 50/,
      1,
    ],
    ['too many lines', file(`name: a${'\n'.repeat(1_000)}`), /at most 65536 in 1000/, 1],
    ['too many line separators', file(`name: a${'\u2028'.repeat(60_000)}`), /in 60002 lines/, 1],
  ]
  test.each(cases)('%s', (_, text, message, line) => {
    const read = (): object => parseFrontMatter(text)
    expect(read).toThrow(FrontMatterError)
    expect(read).toThrow(message)
    expect(read).toThrow(expect.objectContaining({ line }))
  })
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

describe('splitting', () => {
  test.each([
    ['three dots close the block', '---\nname: a\n...\nB', 'B'],
    ['no newline at the end', '---\nname: a\n---', ''],
    ['blank lines before', '\n\n---\nname: a\n---\nB', 'B'],
    [
      'a second block is part of the body',
      '---\nname: a\n---\n---\nb: c\n---\n',
      '---\nb: c\n---\n',
    ],
    ['four dashes are a horizontal rule', '----\nname: a\n----\n', '----\nname: a\n----\n'],
  ])('%s', (_, text, body) => {
    expect(splitSkillMd(text).body).toBe(body)
  })

  test('any text is parsed or refused with FrontMatterError', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('-', '\n', '\r', 'a', ':', ' ', '[', '&', '*', '!') }),
        (text) => {
          try {
            parseFrontMatter(`---\n${text}`)
          } catch (error) {
            expect(error).toBeInstanceOf(FrontMatterError)
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('SKILL.md of a listed-only skill', () => {
  const url = 'https://github.com/ann/skills/tree/abc123/skills/far-skill'
  const [checked, seen] = ['2026-01-03', '2026-01-02']
  const source = { kind: 'upstream', url, checked, seen } as const

  test.each([
    ['alive', `The original text is not copied here; it is at <${url}>.`],
    ['gone', `The original, at <${url}>, is gone; it was missing on ${checked}.`],
  ] as const)(
    '%s: agents do not invoke it, and its description says where the text is',
    (status, description) => {
      const text = synthesizeSkillMd(sampleSkill({ source: { ...source, status } }))
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
})
