import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lexBlocks, lexInline, markdown } from './lex.ts'

/** Pieces that open, close, nest and refer, so that their order matters. */
const PIECES = [
  'word',
  ' ',
  '\n',
  '\n\n',
  '- ',
  '* ',
  '\n- word',
  '\n- **word** word\n- `word` [a](b)\n',
  '\n- word\n\n**word**\n',
  '\n- word\n\n-word\n',
  '\n1. word\n\n1word\n',
  '\n- word\n  - word\n  - word\n    word\n- word\n',
  '\n1. word\n   - **word**\n   word\n2. word\n  # word\n',
  '\n- word\n  word\n\tword\n',
  '   word\n',
  '   - word\n',
  '   ```\n   word\n   ```\n',
  '  ',
  '1. ',
  '\n1. word\n2. word  \n7. word\n',
  '\n3) word\n',
  '\n01. word\n',
  '    ',
  ' \n',
  '   # ',
  '\n---\n',
  '\n===\n',
  '---',
  '    word\n',
  '- [x] ',
  '> ',
  '# ',
  '**',
  '**word**',
  '**word word:** ',
  '**Word.**',
  '`word` ',
  '`a_b*c<d>[e]://@f`',
  'word_word',
  '` word `',
  '*',
  '_',
  '~~',
  '`',
  '```\n',
  '[a](b)',
  '[word word](./b/c_d.md#e-f)',
  '[word](https://a.example/b_c?d=e)',
  '[b](_c)',
  '![',
  '](d)',
  '[a]',
  '![a][b]',
  '\n[a]: /b\n',
  '[**x**](/y)',
  '<a href="x">',
  '</a>',
  '<pre>',
  '</pre>',
  '<!-- c -->',
  'https://a.example',
  'a@b.example',
  '| a | b |\n| - | - |\n| *c* | `d` |\n',
  '\\',
  '(',
  ')',
]

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((parts) => parts.join(''))

describe('a quick lexer reads what marked reads', () => {
  test.each(['\u00a0', '\u2003', '\f', '\v'])(
    'a list before a line that is blank but for %j',
    (blank) => {
      const source = `- word\n\n${blank}\n  word`
      expect([...lexBlocks(source)]).toEqual([...markdown.lexer(source)])
    },
  )

  test('blocks', () => {
    fc.assert(
      fc.property(text, (source) => {
        expect([...lexBlocks(source)]).toEqual([...markdown.lexer(source)])
      }),
      { numRuns: 3_000 },
    )
  })

  test('a text that meets a fault of marked is code', () => {
    const source = '1. word\n    > * \n===\nword'
    expect(() => markdown.lexer(source)).toThrow(TypeError)
    expect([...lexBlocks(source)]).toEqual([{ type: 'code', raw: source, text: source }])
  })

  test('one line', () => {
    fc.assert(
      fc.property(text, (source) => {
        const options = { ...markdown.defaults }
        expect(lexInline(source)).toEqual(markdown.Lexer.lexInline(source, options))
      }),
      { numRuns: 3_000 },
    )
  })
})
