import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSlugger, hostInline, hostMarkdown } from './guest.ts'
import { markdown } from './lex.ts'
import type { Host } from './guest.ts'
import { renderMarkdown } from './html.ts'
import { isSafeHref } from './links.ts'
import { isPathological } from './pathological.ts'

const host: Host = {
  depth: 2,
  takenAnchors: ['install', 'about'],
  resolve: (href) => (href === 'references/a.md' ? '/skills/x/references/a.md' : undefined),
}

describe('a guest stays in its section', () => {
  const cases: readonly [string, string, string][] = [
    ['headings move below the section', '# A\n\n## B', '### A\n\n#### B'],
    ['no level is skipped', '# A\n\n#### B', '### A\n\n#### B'],
    ['setext headings too', 'A\n===\n\nB\n---', '### A\n\n#### B'],
    [
      'the shallowest comes first below ours',
      '### A\n\n# B',
      '##### A'.replace('#####', '###') + '\n\n### B',
    ],
    ['a heading in a list is text', '- # A', '- A'],
    ['an empty heading goes', '#\n\ntext', 'text'],
    ['an open fence is closed', '```sh\nls', '```sh\nls\n```'],
    ['fences inside fences', '````\n```\na\n```\n````', '````\n```\na\n```\n````'],
    ['inline HTML is code', 'a <b>c</b>', 'a `<b>`c`</b>`'],
    [
      'a block of HTML is code',
      '<div onclick="x()">\nhi\n</div>',
      '```html\n<div onclick="x()">\nhi\n</div>\n```',
    ],
    ['a comment is seen', '<!-- secret -->', '```html\n<!-- secret -->\n```'],
    ['a javascript link is dead', '[a](javascript:alert(1))', 'a'],
    ['a data link is dead', '[a](data:text/html,x)', 'a'],
    [
      'an address with hidden scheme is dead',
      '[a](java\\\tscript:alert(1))',
      '[a](java\\\tscript:alert(1))',
    ],
    ['a protocol-relative link is dead', '[a](//evil.example)', 'a'],
    [
      'a relative link that leads somewhere',
      '[a](references/a.md)',
      '[a](/skills/x/references/a.md)',
    ],
    ['a relative link that leads nowhere', '[a](b.md)', 'a'],
    [
      'an image is named, not loaded',
      '![cat](https://e.example/c.png)',
      '[Image: cat](https://e.example/c.png)',
    ],
    [
      'a reference is written out',
      '[a][1]\n\n[1]: https://e.example "t"',
      '[a](https://e.example "t")',
    ],
    [
      'anchors follow their headings',
      '# Install\n\n[go](#install)',
      '### Install\n\n[go](#install-1)',
    ],
    ['an anchor without heading is dead', '[go](#nowhere)', 'go'],
    ['tasks stay tasks', '- [x] a\n- [ ] b', '- [x] a\n- [ ] b'],
    ['CRLF becomes LF', 'a\r\n\r\nb', 'a\n\nb'],
    ['controls are seen', 'a\u001B[31mb', 'a\uFFFD[31mb'],
    ['hidden characters are seen', 'a\u200Bb\u{E0041}', 'a[U+200B]b[U+E0041]'],
    ['a non-joiner of a Persian word stays', 'می\u200Cخواهم', 'می\u200Cخواهم'],
    ['nothing stays nothing', '  \n', ''],
  ]
  test.each(cases)('%s', (_, body, expected) => {
    expect(hostMarkdown(body, host)).toBe(expected)
  })
})

/** Pieces that a hostile author would join; any sequence of them must stay contained. */
const PIECES = [
  '# ',
  '\n',
  '\n\n',
  '- ',
  '1. ',
  '> ',
  '    ',
  '```',
  '~~~',
  '`',
  '<script>',
  '</script>',
  '<!--',
  '-->',
  '<div>',
  '<img src=x onerror=y>',
  '[a](',
  'javascript:x',
  ')',
  '[',
  ']',
  '![',
  '**',
  '_',
  '\\',
  '&lt;',
  '===',
  '---',
  '| a | b |\n|---|---|\n',
  '[x]: javascript:y',
  '<https://e.example>',
  'text',
  '\t',
  '\u0000',
]

const bodies = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 40 })
  .map((pieces) => pieces.join(''))

test('any body, as Markdown: no HTML, no heading above the guest, all closed', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const tokens = markdown.lexer(`${hostMarkdown(body, host)}\n\n# end`)
      const last = tokens.pop()
      expect(last).toMatchObject({ type: 'heading', text: 'end' })
      let previous = host.depth
      markdown.walkTokens(tokens, (token) => {
        expect(token.type).not.toBe('html')
        if (token.type === 'heading') {
          expect(token.depth).toBeGreaterThan(host.depth)
          expect(token.depth).toBeLessThanOrEqual(previous + 1)
          previous = token.depth
        }
        if (token.type === 'link') expect(isSafeHref(token.href)).toBe(true)
      })
    }),
    { numRuns: 1_000 },
  )
})

test('any body, as HTML: only tags that Markdown makes, no handler, no unsafe address', () => {
  const allowed =
    /^<\/?(?:p|h[3-6]|ul|ol|li|a|em|strong|del|code|pre|blockquote|hr|br|table|thead|tbody|tr|th|td|div)(?=[\s>])/
  fc.assert(
    fc.property(bodies, (body) => {
      const { html } = renderMarkdown(hostMarkdown(body, host), createSlugger(host.takenAnchors))
      for (const [tag] of html.matchAll(/<[^>]*>/g)) {
        expect(tag).toMatch(allowed)
        expect(tag).not.toMatch(/\son\w+=|javascript:|data:text/i)
      }
    }),
    { numRuns: 1_000 },
  )
})

describe('texts made to exhaust a parser are shown as they are', () => {
  test.each([
    ['3,000 nested quotes', `${'>'.repeat(3_000)} x`],
    ['2,000 nested lists', `${'- '.repeat(2_000)}x`],
    ['20,000 underscores', '_a'.repeat(20_000)],
    ['a mail address of 50,000 letters', `${'a'.repeat(50_000)}@`],
    ['a paragraph of 20,000 links', 'http://a.b '.repeat(20_000)],
    ['a paragraph of 20,000 lines', 'http://a.b\n'.repeat(20_000)],
    ['an item of 5,000 lines', `- a\n${'  b\n'.repeat(5_000)}`],
    ['an item of 5,000 lines at the margin', `- a\n${'b\n'.repeat(5_000)}`],
    ['5,000 lines behind an item', `1. a\n\n${'   b\n'.repeat(5_000)}`],
    ['5,000 quoted lines of an item', `> - a\n${'>   b\n'.repeat(5_000)}`],
    ['2,000 rows of an item', `- a\n${'| b |\n'.repeat(2_000)}`],
    ['20,000 exclamation marks', `a${'!'.repeat(20_000)}\nb`],
  ])('%s', (_, body) => {
    expect(isPathological(body)).toBe(true)
    expect(hostMarkdown(body, host)).toMatch(/^```+markdown\n/)
  })
})

test.each([
  ['20,000 items', '- a\n'.repeat(20_000)],
  ['20,000 nested items', '- a\n  - b\n'.repeat(10_000)],
  ['a table of 20,000 rows', `| a |\n| - |\n${'| b |\n'.repeat(20_000)}`],
  ['2,000 lines of code', `\`\`\`\n${'  a\n'.repeat(2_000)}\`\`\`\n`],
  ['20,000 short paragraphs', 'a\n\n'.repeat(20_000)],
])('%s are not too much', (_, body) => {
  expect(isPathological(body)).toBe(false)
})

describe('texts that take a parser the square of their length are shown as they are', () => {
  test.each([
    ['marks of emphasis', `${' *a&'.repeat(16_000)} b*`],
    ['marks of emphasis that seem rows of a table', '|*a\n'.repeat(30_000)],
    ['marks of emphasis in many paragraphs', `${' *a&'.repeat(8_000)}\n\n`.repeat(30)],
    ['breaks that seem rows of a table', '| a\\\n'.repeat(100_000)],
    ['breaks that seem headings', '##\\\n'.repeat(100_000)],
    ['backticks that seem headings', '#`\n'.repeat(100_000)],
  ])('%s', (_, body) => {
    expect(hostMarkdown(body, host)).toMatch(/^```+markdown\n/)
  })
})

test.each([
  ['words and headings', 'a\n# b\n'.repeat(150_000)],
  ['words and lines of blanks', 'a\n  \n'.repeat(150_000)],
])('%s, however many, are read in time that grows with them', (_, body) => {
  expect(hostMarkdown(body, host).slice(0, 1)).toBe('a')
})

const lines = (line: string): string => `${line}\n`.repeat(400)

test.each([
  ['terms', lines('**Term**: what it means, at https://a.example, and _more_')],
  ['variables', lines('MY_LONG_VARIABLE_NAME=some_value <needed>')],
  ['sums', lines('a * b * c_d < e')],
  ['words struck out', lines('~~old~~ *new* & more')],
])('a paragraph of 400 lines of %s is Markdown', (_, body) => {
  expect(hostMarkdown(body, host)).not.toMatch(/^```+markdown\n/)
})

test.each([
  ['spaces in a heading', `a${' '.repeat(60_000)}b\nc\n===`, '### a'],
  ['spaces in a quote', `${`> a${' '.repeat(60_000)}b\n\n`.repeat(8)}`, '> a'],
  ['empty lines in code', `\`\`\`\na${'\n'.repeat(400_000)}b\n\`\`\``, '```\na'],
  ['spaces in HTML', `<div${' '.repeat(60_000)}>`, '```html\n<div'],
])('%s, however many, are printed in time that grows with them', (_, body, start) => {
  expect(hostMarkdown(body, host).slice(0, start.length)).toBe(start)
})

test.each([
  ['two lines', 'a  \n  b', 'a b'],
  ['a line that a backslash breaks', 'a \\\nb', 'a b'],
  ['a backslash at the end', 'a\nb\\', 'a b\\'],
])('a heading of %s is one line', (_, text, line) => {
  expect(hostMarkdown(`${text}\n===`, host)).toBe(`### ${line}`)
})

describe('one line of an author', () => {
  test.each([
    ['emphasis and code stay', 'use `x` *now*', 'use `x` *now*'],
    ['a heading sign is text', '# a', '\\# a'],
    ['a list sign is text', '- a', '\\- a'],
    ['HTML is code', '<b>a', '`<b>`a'],
    ['a dead link keeps its words', '[a](javascript:x)', 'a'],
  ])('%s', (_, line, expected) => {
    expect(hostInline(line)).toBe(expected)
  })
})
