import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFrontMatter, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { applyEdits, fixText, checkSkillMd } from './lint-skill.ts'

const around = { folder: undefined, hasFile: () => true }
const everyRule = (): boolean => true
const fix = (text: string): string => fixText(text, around, everyRule)

const file = (front: string, body = '# A\n'): string => `---\n${front}\n---\n${body}`

describe('what is fixed, and nothing else', () => {
  test.each([
    ['a byte order mark', `\uFEFF${file('name: a')}`, file('name: a')],
    ['blank lines in front', ` \n\r\n${file('name: a')}`, file('name: a')],
    ['dots at the end', '---\nname: a\n...\nBody\n', '---\nname: a\n---\nBody\n'],
    ['no final line end', file('name: a', 'Body'), file('name: a', 'Body\n')],
    ['no final line end, CR LF', '---\r\nname: a\r\n---\r\nB', '---\r\nname: a\r\n---\r\nB\r\n'],
    [
      'blanks at line ends',
      '--- \nname: a\t \nx:\n  y: 1 \n---\t\nB  \n',
      '---\nname: a\nx:\n  y: 1\n---\nB  \n',
    ],
    ['an unquoted colon', file('description: a: b: c'), file("description: 'a: b: c'")],
    ['a colon and an apostrophe', file("description: it's: c"), file('description: "it\'s: c"')],
    ['both quotes', file(`description: it's "a": c`), file(`description: 'it''s "a": c'`)],
    ['a star', file('description: **a** b'), file("description: '**a** b'")],
    ['a back quote', file('description: `a` b'), file("description: '`a` b'")],
    ['a number', file('name: 8004'), file('name: "8004"')],
    ['a version', file('metadata:\n  version: 1.10'), file('metadata:\n  version: "1.10"')],
    ['a date', file('created: 2026-01-02'), file('created: "2026-01-02"')],
    [
      'all of them',
      `\uFEFF\n---\nname: 1\ndescription: a: b \n...\nB`,
      `---\nname: "1"\ndescription: 'a: b'\n---\nB\n`,
    ],
  ])('%s', (_, text, fixed) => {
    expect(fix(text)).toBe(fixed)
  })

  test.each([
    ['lines of a text', file('description: |\n  a  \n  b \nname: a')],
    ['a quoted text over two lines', file('description: "a  \n  b"')],
    ['broken JSON', file('metadata: {"a": {"b": 1}')],
    ['a text that goes on', file('description: a: b\n  c: d')],
    ['a value after its quotes', file('description: "a" b')],
    ['nothing', file('name: null')],
    ['an alias that leads somewhere', file('a: &b c\nname: *b')],
    ['no front matter', '# A: b\n'],
    ['conflict marks', file('<<<<<<< a\nb: c: d\n=======\n>>>>>>> e').trimEnd()],
  ])('%s -> as it was', (_, text) => {
    expect(fix(text).trimEnd()).toBe(text.trimEnd())
  })

  test('only what is asked for', () => {
    const text = '---\nname: 8004 \n---\nB'
    expect(fixText(text, around, (rule) => rule === 'text-type')).toBe('---\nname: "8004" \n---\nB')
  })
})

/** Front matters of lines that are often right, often wrong, and sometimes neither. */
const line = fc.oneof(
  fc.constantFrom(
    'name: a',
    'name: 8004',
    'name: yes',
    'description: a: b',
    'description: **a** #b',
    "description: it's: 'x'",
    'description: |',
    '  text: more  ',
    'metadata:',
    '  version: 1.10 ',
    'created: 2026-01-02',
    '',
    ' ',
    '# comment ',
    '- a',
    '? b',
    'x: "open',
    'x: [a, {b: c}]',
    'x: &a *a',
  ),
  fc.string({ maxLength: 12, unit: 'binary-ascii' }),
  fc
    .tuple(
      fc.constantFrom('name', 'description', 'license', 'x'),
      fc.string({ maxLength: 20, unit: 'grapheme' }),
    )
    .map(([field, value]) => `${field}: ${value}`),
)

const skill = fc
  .record({
    head: fc.constantFrom('', '\uFEFF', '\n', ' \r\n', 'x\n'),
    open: fc.constantFrom('---', '--- ', '---\t', '----'),
    lines: fc.array(line, { maxLength: 6 }),
    end: fc.constantFrom('\n', '\r\n'),
    close: fc.constantFrom('---', '...', '--- ', ''),
    body: fc.oneof(
      fc.string({ maxLength: 30, unit: 'binary' }),
      fc.constantFrom('# A\r\n\r\nB  ', 'a\n---\nb: c: d\n---\n', '```\nx'),
    ),
  })
  .map(({ head, open, lines, end, close, body }) => [head + open, ...lines, close, body].join(end))

const fixable = (text: string): string[] =>
  checkSkillMd(text, around).flatMap(({ rule, edit }) => (edit ? [rule] : []))

const bodyOf = (text: string): string => {
  try {
    return splitSkillMd(text.replace(/^\uFEFF/, '')).body
  } catch (error) {
    return `never closed: ${String(error)}`
  }
}

const fieldsOf = (text: string): object | undefined => {
  try {
    return parseFrontMatter(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

const check = (holds: (text: string) => void): void => {
  fc.assert(
    fc.property(skill, (text) => {
      holds(text)
    }),
    { numRuns: 3_000 },
  )
}

describe('any file', () => {
  test('fixed twice is fixed once, with nothing left to fix', () => {
    check((text) => {
      const once = fix(text)
      expect(fix(once)).toBe(once)
      expect(fixable(once)).toEqual([])
    })
  })

  test('the text below the front matter keeps its bytes but for a last line end', () => {
    check((text) => {
      const [before, after] = [bodyOf(text), bodyOf(fix(text))]
      if (before.startsWith('never closed')) return
      expect([before, `${before}\n`, `${before}\r\n`]).toContain(after)
    })
  })

  test('what could be read is read the same', () => {
    check((text) => {
      const before = fieldsOf(text)
      // A fix may make a field readable that was not, such as `license: *!`.
      if (before !== undefined) expect(fieldsOf(fix(text))).toMatchObject(before)
    })
  })
})

test('edits that touch each other -> the first wins', () => {
  const edits = [
    { start: 2, end: 4, text: 'X' },
    { start: 3, end: 5, text: 'Y' },
    { start: 0, end: 1, text: '' },
  ]
  expect(applyEdits('abcdef', edits)).toBe('bXef')
})
