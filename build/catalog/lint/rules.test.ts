import { describe, expect, test } from 'vitest'
import { SAFETY_RULES } from '../../../src/catalog/safety/rules.ts'
import { createLocator } from './rule.ts'
import { RULES } from './rules.ts'
import { checkSkillMd } from './lint-skill.ts'
import { BODY_RULES, TEXT_RULES, decodeSkill } from './rules/body.ts'
import { FIELD_RULES } from './rules/fields.ts'
import { FRONT_MATTER_RULES, YAML_RULES } from './rules/front-matter.ts'

const around = { folder: undefined, hasFile: (path: string) => path === 'references/a.md' }

/** Everything that is found as `rule line:column`, in the order of the text. */
const find = (text: string, folder?: string): string[] => {
  const locate = createLocator(text)
  return checkSkillMd(text, { ...around, folder })
    .toSorted((a, b) => a.start - b.start)
    .map(({ rule, start }) => {
      const { line, column } = locate(start)
      return `${rule} ${line}:${column}`
    })
}

const DESCRIPTION = 'description: Sorts words of a list by length.'

/** A SKILL.md whose front matter has these lines beside a name and a description. */
const withLines = (...lines: string[]): string =>
  `---\nname: sort\n${DESCRIPTION}\n${lines.map((line) => `${line}\n`).join('')}---\n\n# Sort\n\nDo.\n`

const withName = (name: string): string =>
  `---\nname: ${name}\n${DESCRIPTION}\n---\n\n# Sort\n\nDo.\n`

const withDescription = (value: string): string =>
  `---\nname: sort\ndescription: ${value}\n---\n\n# Sort\n\nDo.\n`

const withBody = (body: string): string => `---\nname: sort\n${DESCRIPTION}\n---\n${body}`

test('a good skill -> nothing', () => {
  const text = withLines(
    'license: MIT',
    'allowed-tools: Read Bash(git:*)',
    'metadata:',
    '  version: "1.10"',
  )
  expect(find(text, 'sort')).toEqual([])
})

const SAMPLES: readonly [string, string[]][] = [
  // The file as such
  [`\uFEFF${withLines()}`, ['byte-order-mark 1:1']],
  [withLines().replaceAll('\n', '\r\n'), ['crlf 1:4']],
  [withLines().replace('\n\n', '\n\r\n'), ['mixed-line-ends 5:1']],
  [withBody('\n# Sort\n\nDo\rit.\n'), ['lone-return 8:3']],
  [
    withBody('\n# Sort\n\n\u001B[31mDo\u0007\n'),
    ['control-character 8:1', 'control-character 8:8'],
  ],
  [withBody('\n# Sort\n\nDo\u2028it.\n'), ['line-separator 8:3']],
  [withBody('\n# Sort\n\nDo.'), ['final-newline 8:4']],
  // Where the front matter stands
  ['', ['not-a-skill 1:1']],
  [
    withLines('<<<<<<< a', 'license: MIT', '=======', 'license: X', '>>>>>>> b'),
    ['not-a-skill 4:1'],
  ],
  ['# Sort\n', ['front-matter-missing 1:1']],
  [`\`\`\`\n${withLines()}`, ['front-matter-missing 1:1', 'fence-open 1:1', 'no-heading 1:1']],
  ['---\nname: sort\n', ['front-matter-unread 1:1']],
  ['---js\n{}\n---\n# A\n', ['front-matter-unread 1:1']],
  [withLines(...Array.from({ length: 1_000 }, () => '#')), ['front-matter-unread 1:1']],
  [`\n\n${withLines()}`, ['front-matter-late 1:1']],
  [withLines().replace('---', '--- yaml'), ['front-matter-opening 1:1']],
  [withLines().replace('\n---\n\n', '\n...\n\n'), ['front-matter-end 4:1']],
  [withBody(`---\nname: b\n---\n# B\n`), ['front-matter-twice 5:1']],
  [withDescription('Sorts words --- of a list.'), ['dashes-in-value 3:26']],
  [withBody('\n'), ['body-empty 4:1']],
  [withLines('license: MIT \t'), ['trailing-blanks 4:13']],
  [withLines().replace('---\n', '---  \n'), ['trailing-blanks 1:4']],
  [withDescription('|\n  Sorts words of a list.  \n  And more.'), ['description-lines 3:14']],
  // YAML
  [withDescription('Sorts: words of a list.'), ['yaml-unquoted 3:14']],
  [withDescription('**Sorts** words of a list.'), ['yaml-unquoted 3:14']],
  [withDescription('`sort` sorts words.'), ['yaml-unquoted 3:14']],
  [withLines('argument-hint: [a] [b]'), ['yaml-unquoted 4:16']],
  [withDescription('"Sorts" words of a list.'), ['yaml-syntax 3:22']],
  [withLines('metadata: {"a": {"b": 1}'), ['yaml-syntax 5:1']],
  [withLines(`x: ${'['.repeat(3_000)}${']'.repeat(3_000)}`), ['yaml-depth 2:1']],
  ['---\n- a\n- b\n---\n# A\n', ['yaml-root 2:1']],
  [withDescription('!!js/function "x"'), ['yaml-tag 3:14']],
  [withLines('license: &a MIT'), ['yaml-anchor 4:13']],
  [withLines('metadata: {"a": {["b"], "c": "d"}}'), ['metadata-value 4:17', 'yaml-key 4:18']],
  [withLines('metadata: {"a": "\\ud83c\\udf99"}'), ['yaml-escape 4:18']],
  [withLines('license: A', 'license: B'), ['yaml-duplicate-key 5:1']],
  [withDescription('Sorts the words of issue #12.'), ['yaml-comment-in-text 3:39']],
  // Fields
  [`---\n${DESCRIPTION}\n---\n# A\n`, ['name-missing 2:1']],
  [withName('null'), ['name-missing 2:1']],
  [withName('Sort Words_now'), ['name-format 2:7']],
  [withName('-sort'), ['name-format 2:7']],
  [withName('сode'), ['name-format 2:7']],
  [withName('"a\\nb"'), ['name-format 2:7']],
  [withName('a'.repeat(65)), ['name-length 2:7']],
  [withName('con'), ['name-reserved 2:7']],
  ['---\nname: sort\n---\n# A\n', ['description-missing 2:1']],
  [withDescription('" "'), ['description-missing 3:1']],
  [withDescription('x'.repeat(1_025)), ['description-length 3:14', 'description-budget 3:14']],
  [withDescription('x'.repeat(641)), ['description-budget 3:14']],
  [withDescription('x'.repeat(640)), []],
  [withDescription('Sorts.'), ['description-short 3:14']],
  [withDescription('>\n  Sorts words\n  of a list.'), ['description-lines 3:14']],
  [withDescription('Sorts <b>words</b> of a list.'), ['description-markup 3:20']],
  [withDescription('"Sorts \\e[31m words of a list."'), ['description-controls 3:14']],
  [withLines(`compatibility: ${'x'.repeat(501)}`), ['compatibility-length 4:16']],
  [withName('8004'), ['text-type 2:7']],
  [withName('yes'), ['text-type 2:7']],
  [withName('[a, b]'), ['text-type 2:7']],
  [withDescription('2026-01-02T03:04:05Z'), ['text-type 3:14']],
  [withLines('license: {a: b}'), ['text-type 4:10']],
  [withLines('metadata:', '  version: 1.10', '  name: 1'), ['lossy-value 5:12']],
  [withLines('allowed-tools: Read, Write'), ['tools-format 4:16']],
  [withLines('allowed-tools: [Read]'), ['tools-format 4:16']],
  [withLines('metadata: [a]'), ['metadata-type 4:11']],
  [withLines('metadata:', '  tags: [a]'), ['metadata-value 5:9']],
  [withName('{{skill_name}}'), ['text-type 2:7', 'placeholder 2:7', 'yaml-key 2:8']],
  [withName('[TODO: name]'), ['text-type 2:7', 'placeholder 2:7']],
  [withLines('model: opus'), ['client-field 4:1']],
  [withLines('version: "1"'), ['unknown-field 4:1']],
  [withLines('created: 2026-01-02'), ['unknown-field 4:1', 'lossy-value 4:10']],
  // The text below
  [withBody(`# A\n${'\n'.repeat(500)}Do.\n`), ['body-length 505:1']],
  [withBody(`# A\n\n${'many words '.repeat(2_000)}\n`), ['long-line 7:1', 'body-length 7:19996']],
  [withBody('# A\n\n```sh\nls\n'), ['fence-open 7:1']],
  [withBody('# A\n\n- a\n\n  ```sh\n  ls\n  ```\n\n````\n```\n````\n'), []],
  [withBody('# A\n\n```\nls\n`````\n'), []],
  [withBody('# A\n\n- ```sh\n  ls\n\nB\n'), ['fence-open 7:3']],
  [withBody('# A\n\n```\n    ```\n```\n'), []],
  [withBody('Do.\n'), ['no-heading 5:1']],
  [withBody('> # Quoted\n'), ['no-heading 5:1']],
  [withBody('# A\n\nB\n\n# C\n'), ['many-titles 9:1']],
  [withBody('# A\n\nB <form action="x">\n'), ['active-html 7:3']],
  [withBody('# A\n\n<img src="x" onerror="y">\n'), ['active-html 7:1']],
  [withBody('# A\n\n`<form>` and <example>\n\n```\n<form>\n```\n'), []],
  [withBody(`# A\n\n${'>'.repeat(3_000)}\n`), ['hard-to-read 5:1']],
  [
    withBody('# A\n\n[a](references/a.md#x) ![b](b.png) [c](../c.md)\n\n[d]: d/e.md\n'),
    ['link-dead 7:29', 'link-outside 7:40', 'link-dead 9:6'],
  ],
  [
    withBody('# A\n\n[a](file:///etc/passwd) [b](https://a.example) [c](url) [d](Sort.)\n'),
    ['link-unsafe 7:5'],
  ],
  [
    withBody('# A\n\n[![a](a/b.png)](a/c.md "t") [b](<a/b c.md>) <a/d.md> [e](a/f&g.md)\n'),
    ['link-dead 7:7', 'link-dead 7:17', 'link-dead 7:34', 'link-dead 7:58'],
  ],
  [withBody('# A\n\n`[a](a.md)` <!-- [b](b.md) --> [c]({name}.md)\n'), []],
]

describe('a file -> what is wrong with it, each at its place', () => {
  test.each(SAMPLES)('%j', (text, expected) => {
    expect(find(text)).toEqual(expected)
  })

  test('a name that is not the folder’s', () => {
    expect(find(withName('sort'), 'sort-words')).toEqual(['name-folder 2:7'])
    expect(find(withName('cafe\u0301'), 'caf\u00E9')).toEqual(['name-format 2:7'])
  })
})

test('every rule about a text has a sample', () => {
  const seen = new Set(SAMPLES.flatMap(([, found]) => found.map((one) => one.split(' ')[0])))
  const rules = {
    ...TEXT_RULES,
    ...FRONT_MATTER_RULES,
    ...YAML_RULES,
    ...FIELD_RULES,
    ...BODY_RULES,
  }
  const unseen = Object.keys(rules).filter((rule) => !seen.has(rule))
  expect(unseen).toEqual(['not-text', 'name-folder'])
})

test('every rule of the safety scan is a rule', () => {
  for (const { id, says } of SAFETY_RULES) expect(RULES[id]?.message).toBe(says)
})

describe('bytes that are no text are marked where they stand', () => {
  test.each([
    ['NUL', Buffer.from('---\nname: a\0b\n'), 11],
    ['Latin-1', Buffer.from('---\nname: caf\xE9\n', 'latin1'), 13],
    ['half a surrogate', Buffer.from([0x61, 0xed, 0xa0, 0xbd]), 1],
    ['a letter cut at the end', Buffer.from([0x61, 0xc3]), 1],
    ['UTF-16', Buffer.from('\uFEFF---', 'utf16le'), 0],
  ])('%s', (_, bytes, at) => {
    expect(decodeSkill(bytes).violation).toMatchObject({ rule: 'not-text', start: at })
  })

  test('UTF-8 with a byte order mark -> all of it', () => {
    expect(decodeSkill(Buffer.from('\uFEFFé🚀'))).toEqual({ text: '\uFEFFé🚀' })
  })
})
