import { globSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileText } from '../../testing/hostile-text.ts'
import { MARKDOWN_JUDGES } from '../../testing/markdown-judges.ts'
import { embedText } from './safe-text.ts'

const PLACE: Parameters<typeof embedText>[1] = {
  depth: 2,
  taken: ['install', 'about'],
  resolve: (href) => (href === 'references/a.md' ? '/skills/x/references/a.md' : undefined),
}

const embed = (body: string): string => String(embedText(body, PLACE).markdown)

/** Texts and what becomes of them. */
const CASES: readonly (readonly [string, string, string])[] = [
  ['headings move below the section', '# A\n\n## B', '### A\n\n#### B'],
  ['no level is skipped', '# A\n\n#### B', '### A\n\n#### B'],
  ['setext headings too', 'A\n===\n\nB\n---', '### A\n\n#### B'],
  ['the shallowest comes first below ours', '### A\n\n# B', '### A\n\n### B'],
  ['a heading in a list is text', '- # A', '- A'],
  ['a heading in a quote stays apart', '> x\n> # A\n> b', '> x\n>\n> A\n>\n> b'],
  ['an empty heading goes', '#\n\n# \u00A0\n\ntext', 'text'],
  ['a heading of two lines is one', 'a \\\n  b\n===', '### a  b'],
  ['a heading may end with a sign', 'C #\n===', '### C \\#'],
  ['an open fence is closed', '```sh\nls', '```sh\nls\n```'],
  ['fences inside fences', '````\n```\na\n```\n````', '````\n```\na\n```\n````'],
  [
    'code in a list',
    '- a\n\n      b\n\n  ~~~\n  c',
    '- a\n\n  ```\n  b\n  ```\n\n  ```\n  c\n  ```',
  ],
  ['inline HTML is code', 'a <b>c</b>', 'a `<b>`c`</b>`'],
  ['HTML beside code stays apart', '`a`<b><i>', '`a` `<b>` `<i>`'],
  ['HTML beside a lone backtick', 'a ` <b> c', 'a ` ``<b>`` c'],
  ['a block of HTML is code', '> <div>\n> hi', '> ```html\n> <div>\n> hi\n> ```'],
  ['a comment is seen', '<!-- secret -->', '```html\n<!-- secret -->\n```'],
  ['a break of an author breaks the line', 'a<br># b', 'a  \n\\# b'],
  ['nothing breaks at the end', 'a<br>', 'a  '],
  [
    'words of a link that is none begin no link',
    'b <![CDATA[[a](//e.vil)]()',
    'b \\<![CDATA[a]\\()',
  ],
  [
    'code that holds the end of a link',
    'a [```sh``](javascript:x)```',
    'a \\[```sh``](javascript:x)```',
  ],
  ['backticks that touch an address', 'a ``<h2ftp://e.example>', 'a `` ```h2ftp://e.example```'],
  ['a backslash before an address', 'a \\www.e.vil:99999`b', 'a \\ ``www.e.vil:99999`b``'],
  [
    'an address shown as code stays apart from HTML',
    'www.e.vil:99999```"><b>```',
    '````www.e.vil:99999```">```` `<b>` ```',
  ],
  ['at the start of a row it is shown', '| a |\n|---|\n<br> ', '| a |\n|---|\n`<br>`'],
  [
    'an address in an address is no link of its own',
    'www.e.exampleftp://e.example',
    '[www\\.e.exampleftp:\\//e.example](http://www.e.exampleftp://e.example)',
  ],
  ['in a table it stays', '| A |\n| - |\n| a<BR />b |', '| A |\n| - |\n| a<br>b |'],
  ['a javascript link is dead', '[a](javascript:alert(1))', 'a'],
  ['a data link is dead', '[a](data:text/html,x)', 'a'],
  ['a scheme in references is dead', '[a](java&#115;cript:x)', 'a'],
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
  ['an image without words', '![](c.png)', 'Image: no description'],
  ['an image in a link', '[![a](b.png)](https://e.example)', '[Image: a](https://e.example)'],
  [
    'a reference is written out',
    '[a][1]\n\n[1]: https://e.example "t"',
    '[a](https://e.example "t")',
  ],
  ['a heading in dead words', '[## A](b.md)', '\\## A'],
  ['words that would link once others are dead', '[[a](javascript:x)](b)', '[a]\\(b)'],
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
  ['a lazy line is no underline', '> a\n===', '> a\n> \\==='],
  ['a line with less indent gets that of its list', '- a\nb\n---', '- a\n  b\n---'],
  ['a line with fewer quote marks gets those of its quote', '> - a\n> b\nc', '> - a\n>   b\n>   c'],
  ['what may begin a tag is text', 'a <b, c < d', 'a \\<b, c < d'],
  ['a number inside a paragraph', 'a\n2. b', 'a\n2\\. b'],
  ['an emoji before a link', '😀 é [a](b.md) **[c](d)**', '😀 é a **c**'],
  ['nothing stays nothing', '  \n', ''],
]

test.each(CASES)('%s', (_, body, expected) => {
  expect(embed(body)).toBe(expected)
})

test('its headings are listed with anchors that the page does not have', () => {
  expect(
    embedText('# Install `x`\n\ntext\n\n### <b>Install</b>\n\n# About', PLACE).headings,
  ).toEqual([
    { depth: 3, text: 'Install x', anchor: 'install-x', line: 1 },
    { depth: 4, text: '<b>Install</b>', anchor: 'binstallb', line: 5 },
    { depth: 3, text: 'About', anchor: 'about-1', line: 7 },
  ])
})

const lines = (line: (at: number) => string, count: number): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

describe('texts made to exhaust a parser, or to grow a page, are shown as they are', () => {
  test.each([
    ['3,000 nested quotes', `${'>'.repeat(3_000)} x`],
    ['lists that nest line by line', lines((at) => `${'  '.repeat(at)}- a`, 500)],
    ['20,000 underscores in a word', '_a'.repeat(20_000)],
    ['3,001 addresses between tags', '<a>www.</a> '.repeat(3_001)],
    ['100,000 character references', '&amp; '.repeat(100_000)],
    [
      'a table of 5,000 columns and 5,000 short rows',
      `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n${'|b\n'.repeat(5_000)}`,
    ],
  ])('%s', (_, body) => {
    expect(embed(body)).toMatch(/^```+markdown\n/)
  })
})

test('a text whose links lead to addresses a thousand times as long is shown as it is', () => {
  const far = `https://a.example/${'b'.repeat(2_000)}`
  const { fault } = embedText('[a](b) '.repeat(2_000), { ...PLACE, resolve: () => far })
  expect(fault).toBe('would become too long')
})

describe('a text of 200,000 characters is embedded in seconds', () => {
  test.each(
    ['- a\n', '| a |\n', ' *a&', '[a](', '![a', '`a', 'a\n# b\n', 'a\n=\n', '>a\n', '[a](b) ']
      .concat(['http://a.b ', '[a]: /b\n', '<a ', '<a>', '<br>', '<!--', '~a~~b ', 'a@b.c ', '`'])
      .concat(['a\\\n', '&a', '\\', '#', '*', '|', '(', '\u0000', 'a<br>\n', '[a](<b>)`']),
  )('%j', { timeout: 8_000 }, (piece) => {
    const start = piece.startsWith('|') ? '| a |\n| - |\n' : '- a\n'
    expect(embed(start + piece.repeat(200_000 / piece.length)).length).toBeGreaterThan(0)
  })
})

const bodies = hostileText(40)

/** Runs of each property; `STRANGER_RUNS=100000 npx vitest run src/documents/safe-text` is the long proof. */
const RUNS = Number(process.env.STRANGER_RUNS ?? 300)
const LONG = 3_600_000

/** A bare address is a link for whoever reads it as one; of all others only those that `PLACE` resolves are live. */
const isMeant = ({ url }: { url: string }): boolean =>
  /^(?:https?:|mailto:|#)/i.test(url) || url === '/skills/x/references/a.md'

/** Folders of real texts to be judged besides: `STRANGER_TEXTS=../a,../b npx vitest run src/documents/safe-text`. */
const FILES = (process.env.STRANGER_TEXTS?.split(',') ?? []).flatMap((folder) =>
  globSync(`${folder}/**/SKILL.md`).sort(),
)

const findFaults = (body: string, { read }: (typeof MARKDOWN_JUDGES)[number]): unknown[] => {
  const { markdown, headings } = embedText(body, PLACE)
  const found = read(`## before\n\n${markdown}\n\n## after`)
  const expected = [2, ...headings.map(({ depth }) => depth), 2]
  return [
    ...found.others.filter((other) => other !== '<br>'),
    ...found.links.filter((link) => !isMeant(link)),
    ...(found.headings.join() === expected.join() ? [] : [found.headings]),
  ]
}

describe.each(MARKDOWN_JUDGES)('as $reader reads it', (judge) => {
  test(
    'any text has the headings that were meant, no HTML, no other link',
    { timeout: LONG },
    () => {
      fc.assert(
        fc.property(bodies, (body) => {
          expect(findFaults(body, judge)).toEqual([])
        }),
        { numRuns: RUNS },
      )
    },
  )

  test.each(CASES)('%s', (_, body) => {
    expect(findFaults(body, judge)).toEqual([])
  })

  test.each([
    ['code behind an address and a sign', '![\\<https://e.example><div>'],
    ['code behind an address that ends its emphasis', 'a.b ~~www.e.example~~<script>'],
    ['code behind an address and a reference', 'www.e.example&#60;</script>'],
    ['an escaped tag behind an address inside a word', 'xhttps://e.example\\</script>'],
    ['a backslash before an address', '\\www.e.example`<div>`'],
    ['an exclamation mark before an address', '# <!--a@e.example[x]: javascript:y'],
    ['a backtick in a cell', '| `)\\| a | b |\n|---|---|\n<img src=x onerror=y># # ---)'],
    ['a comment in two cells', '| a | b |\n|---|---|\n_<!-----|-->_<div>'],
    ['an escaped image in a link', '[!\\[\\](javascript:x)](https://e.example)'],
    ['a closing sign behind a blank of Unicode', '# \u00A0#'],
    ['a backtick above a table', '`\n| a | b |\n|---|---|\n</script>'],
    ['an address over two cells', 'https://e.example/| a | b |\n|---|---|\n==='],
    ['an underline in a table', '| a | b |\n|---|---|\n==='],
    ['a separator of Unicode in a heading', '# \u2028# a\u2029b'],
    ['a list below a table', '| a | b |\n|---|---|\n2) <div>'],
    ['a rule below a lazy line of a list', '- a\n      b\nInstall\n---'],
    ['a rule below a lazy line of a list in a quote', '> - a\n>       b\nInstall\n---'],
    ['an empty item below a lazy line', '- a\n      b\nInstall\n-\n\nc'],
    ['an item with its text below', '1. a\n       b\nInstall\n-\n  c'],
    ['a rule below a line of blanks of Unicode', '- a\n\u3000\n Install\n---'],
    ['a rule below a line that ends in one', '- a\u00A0\n---\nb'],
    ['a tag behind code of a lazy line', '- a\n      b `c\nd` e <img src=x onerror=y>'],
    ['a tag behind code in a list of a list', '- a\n    - b `c\nd` e <img src=x onerror=y>'],
    ['an underline in code of a lazy line', '- a\n      b\n`c\n===\nd`'],
    ['a tag with a blank of Unicode', 'a <x\u00A0y onfocus=z> b'],
    ['a file server', 'ftp://e.example'],
    ['a chat', 'xmpp:a@e.example/x'],
    ['a link in two cells', '| [a | ](javascript:b) |\n|---|---|\n'],
  ])('%s', (_, body) => {
    expect(findFaults(body, judge)).toEqual([])
  })

  test.each(FILES)('%s', (file) => {
    expect(findFaults(readFileSync(file, 'utf8'), judge)).toEqual([])
  })
})
