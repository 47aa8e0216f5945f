import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CONTROL_CHARACTERS,
  HIDDEN,
  directionOf,
  dropFences,
  foldLine,
  hasHidden,
  isOrdinaryText,
  revealHidden,
  splitSentences,
  stripMarks,
  summarize,
  truncateAtClause,
  truncateAtWord,
} from './text.ts'

test('the fast test and the full expression agree on every character', () => {
  const differing: number[] = []
  const expression = new RegExp(HIDDEN, 'u')
  for (let code = 0; code <= 0x10ffff; code += 1) {
    const text = `a${String.fromCodePoint(code)}b`
    if (hasHidden(text) !== expression.test(text)) differing.push(code)
  }
  expect(differing).toEqual([])
})

test.each([
  ['Marathi', 'दुसर्\u200Dयाला'],
  ['Malayalam, at the end of a word', 'അവന്\u200D'],
  ['Persian', 'می\u200Cشود'],
  ['a Persian ending of a Latin word', 'PDF\u200Cها'],
  ['Khmer between words', 'ភាសា\u200Bខ្មែរ'],
  ['Mongolian', 'ᠨ\u180B\u180Eᠠ'],
  ['a form of a Japanese letter', '葛\u{E0100}城'],
  ['a mark after Hebrew', 'שלום!\u200F (hello)'],
  ['a soft hyphen', 'Donau\u00ADdampf\u00ADschiff, Wör\u00ADter'],
  ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}!'],
  ['emoji', '👩\u200D💻 ❤\uFE0F 1\uFE0F\u20E3 ☝🏽\u200D♂\uFE0F'],
])('characters that a script needs are not hidden: %s', (_, text) => {
  expect(revealHidden(text)).toBe(text)
  expect(foldLine(text)).toBe(text)
})

test.each([
  ['a joiner between Latin letters', 'ig\u200Dnore', 'ig[U+200D]nore'],
  ['a second joiner', 'র\u200D\u200Dয', 'র\u200D[U+200D]য'],
  ['a zero-width space in English', 'cu\u200Brl', 'cu[U+200B]rl'],
  ['a run of direction marks', 'א\u200F\u200Fב', 'א\u200F[U+200F]ב'],
  ['a soft hyphen in a short word', 'cu\u00ADrl', 'cu[U+00AD]rl'],
  ['a soft hyphen at a word’s end', 'words\u00AD', 'words[U+00AD]'],
  ['a variation of a Latin letter', 'ig\uFE0Fnore', 'ig[U+FE0F]nore'],
  ['bytes in variation selectors', '😀\uFE01\u{E0110}', '😀\uFE01[U+E0110]'],
  ['tags that are no flag', '🏴\u{E0068}\u{E0069}', '🏴[U+E0068][U+E0069]'],
])('hidden characters are named: %s', (_, text, shown) => {
  expect(revealHidden(text)).toBe(shown)
})

test.each([
  ['1. Über', 'ltr'],
  ['7 שלום', 'rtl'],
  ['123', undefined],
])('the direction of %s is %s', (text, direction) => expect(directionOf(text)).toBe(direction))

test('a folded line has no hidden characters, whatever was dropped from it', () => {
  expect(foldLine('র\u200D\u202E\u200Dয')).toBe('র\u200Dয')
})

const isOdd = (code: number): boolean => {
  const text = String.fromCharCode(code)
  return (
    hasHidden(`a${text}b`) ||
    !text.isWellFormed() ||
    /[\u2028\u2029]/.test(text) ||
    (CONTROL_CHARACTERS.test(text) && text !== '\t' && text !== '\n')
  )
}

test('an ordinary text has no hidden character, surrogate, line separator, or control except tab and newline', () => {
  const ordinary: number[] = []
  for (let code = 0; code <= 0xffff; code += 1) {
    if (isOrdinaryText(String.fromCharCode(code))) ordinary.push(code)
  }
  expect(ordinary.filter(isOdd)).toEqual([])
  expect(['\t', '\n', 'a', 'é', '→', '漢'].every(isOrdinaryText)).toBe(true)
})

test.each([
  ['a short text stays', 'As it is.', 20, 'As it is.'],
  ['at the end of a word', 'one two three', 8, 'one two…'],
  ['no comma before the ellipsis', 'one two, three', 10, 'one two…'],
  ['a word longer than the limit', 'abcdefghij', 5, 'abcd…'],
  ['a script without spaces', `Use: ${'字'.repeat(20)}`, 15, `Use: ${'字'.repeat(9)}…`],
  ['characters, not code units', '🙂🙂🙂🙂', 3, '🙂🙂…'],
])('cutting a text at a word: %s', (_, text, limit, expected) => {
  expect(truncateAtWord(text, limit)).toBe(expected)
})

const plain = (value: string): string => value.replace(/\s+/g, '')

test.each([
  ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
  ['Reads files (e.g. Word). Then stops.', ['Reads files (e.g. Word).', 'Then stops.']],
  ['Runs on Node.js and v1.2 of it.', ['Runs on Node.js and v1.2 of it.']],
  ['Asks "why? how?" and waits', ['Asks "why? how?" and waits']],
  ['写邮件。回复邮件。', ['写邮件。', '回复邮件。']],
  ['', []],
])('splitting into sentences: %j -> %j', (text, sentences) => {
  expect(splitSentences(text)).toEqual(sentences)
})

test('splitting into sentences: no text is lost or repeated', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'B', ' ', '.', '?', '。', '"', '\n') }),
      (text) => {
        expect(plain(splitSentences(text).join(''))).toBe(plain(text))
      },
    ),
  )
})

test('256 KB of punctuation that ends sentences is one sentence', () => {
  for (const mark of ['!', '.', '?', '?!'])
    expect(splitSentences(mark.repeat(262_144 / mark.length))).toHaveLength(1)
})

test.each([
  ['code', 'a\n```js\nb\n```\nc', 'a\nc'],
  ['a fence inside a longer one', '~~~~\na\n~~~\nb\n~~~~\nc', 'c'],
  ['a fence that is never closed', 'a\n```\nb', 'a'],
  ['256 KB of backticks', `a\n${'`'.repeat(262_144)}\nb`, 'a'],
  [
    'fences that grow line by line',
    Array.from({ length: 700 }, (_, at) => '`'.repeat(at)).join('\n'),
    '\n`\n``',
  ],
])('dropFences removes %s', (_, text, left) => {
  expect(dropFences(text)).toBe(left)
})

test.each([
  ['Sorts words. Use when words are many.', 'Sorts words.'],
  ['Framework (OSS). Routes files. More.', 'Routes files.'],
  ['Use when words are many. Sorts words.', 'Sorts words.'],
  ['Use when words are many. For names use sort-names instead.', 'Use when words are many.'],
  ['Use when words are many. Always ask first.', 'Use when words are many.'],
  ['Use this skill to sort words. Load it when words are many.', 'Use this skill to sort words.'],
  ['TRIGGER for sorting words. Even for prose. Covers names.', 'Covers names.'],
  ['Use when words are many. Requires a list. Examples: names.', 'Use when words are many.'],
  ['**MANDATORY step** — you MUST load this BEFORE `sort`. Sorts words.', 'Sorts words.'],
  [
    'Sorts **all `words`** of src/**/a and src/**/b.',
    'Sorts all `words` of src/**/a and src/**/b.',
  ],
  ['sorting words, and names.', 'Sorting words, and names.'],
  [
    `Sorts ${'many '.repeat(30)}words, and more, and ${'more '.repeat(20)}.`,
    `Sorts ${'many '.repeat(30)}words, and more…`,
  ],
  [`Sorts ${'many '.repeat(60)}words. Use it.`, `Sorts ${'many '.repeat(37)}many…`],
  ['整理会议记录。当用户需要时使用。', '整理会议记录。'],
  ['Use this skill when the user asks to sort words. Covers names.', 'Sort words.'],
  ['Use when the user asks to “sort words”. This skill counts words.', 'This skill counts words.'],
])('the summary of %j', (description, summary) => {
  expect(summarize(description)).toBe(summary)
  expect(summary.length).toBeLessThanOrEqual(200)
})

test.each([
  ['# Words\n\nSorts **all words** of a text file. More.\n', 'Sorts all words of a text file.'],
  [
    '# Words\n\n**MANDATORY: load it with `load`.** It counts.\n\nUse the sorter to sort all words.\n',
    'Use the sorter to sort all words.',
  ],
  ['# Words\n\nSorts all words of a "text file."\n', 'Sorts all words of a "text file."'],
  ['# Words\n\n- Sorts all words of a text file.\n', 'Use when words are many.'],
  ['# Words\n\nYou are a sorter of all words in files.\n', 'Use when words are many.'],
  ['# Words\n\n## Use\n\nIf there are words, sort all of them.\n', 'Use when words are many.'],
])(
  'the summary if the description only says when to use the skill, with the body %j',
  (body, summary) => {
    expect(summarize('Use when words are many.', '', body)).toBe(summary)
    expect(summarize('Sorts words.', '', body)).toBe('Sorts words.')
  },
)

test.each([
  ['Reads *logs* of `nginx`, **fast**.', 'Reads logs of nginx, fast.'],
  ['Sorts [books](https://b.example) _well_.', 'Sorts books well.'],
  ['Calls __init__ of snake_case_names.', 'Calls __init__ of snake_case_names.'],
])('%j without Markdown marks', (line, words) => {
  expect(stripMarks(line)).toBe(words)
})

test.each([
  ['Sorts words, names, and numbers', 24, 'Sorts words, names…'],
  ['Edits images (A, B 2) for all', 23, 'Edits images (A, B 2)…'],
  ['Edits images by models (A, B) for all', 26, 'Edits images by models…'],
  ['Sorts words without an end', 20, 'Sorts words without…'],
  ['Sorts, words without any end', 20, 'Sorts, words…'],
])('%j is cut at a clause within %i characters', (text, limit, cut) => {
  expect(truncateAtClause(text, limit)).toBe(cut)
})
