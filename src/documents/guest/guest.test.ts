import fc from 'fast-check'
import { toHtml } from 'hast-util-to-html'
import type { Root } from 'mdast'
import { toHast } from 'mdast-util-to-hast'
import { toMarkdown } from 'mdast-util-to-markdown'
import { Marked } from 'marked'
import { markdownToMdast } from 'satteri'
import { describe, expect, test } from 'vitest'
import { renderBlocks } from '../html.ts'
import { printWritten, printBlocks } from '../print.ts'
import { readTree } from '../../catalog/markdown.ts'
import { hostGuest, hostInline } from './host.ts'
import { isSafeHref } from './links.ts'

type Host = Parameters<typeof hostGuest>[1]

const host: Host = {
  depth: 2,
  takenAnchors: ['install', 'about'],
  resolve: (href) => (href === 'references/a.md' ? '/skills/x/references/a.md' : undefined),
}

const hostBody = (body: string, at: Host = host) => {
  const { source, nodes, blocks } = hostGuest(body, at)
  return { nodes, blocks, markdown: printWritten(nodes, source) }
}

const hostMarkdown = (body: string): string => hostBody(body).markdown

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
    expect(hostMarkdown(body)).toBe(expected)
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

// A bare address is a link wherever it stands, even with a sign behind it that no page of ours would link.
const isLiveSafely = (href: string): boolean => isSafeHref(href) || /^https?:/.test(href)

const marked = new Marked({ gfm: true })

interface Node {
  type: string
  depth?: number
  url?: string
  children?: Node[]
}

const walk = (nodes: readonly Node[], visit: (node: Node) => void): void => {
  for (const node of nodes) {
    visit(node)
    walk(node.children ?? [], visit)
  }
}

/** Runs of the properties below; `GUEST_RUNS=100000` is the long proof. */
const RUNS = Number(process.env.GUEST_RUNS ?? 1_000)
const LONG = 3_600_000

test(
  'any body, as Markdown: no HTML, no heading above the guest, all closed',
  { timeout: LONG },
  () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const tree: Node[] = readTree(`${hostMarkdown(body)}\n\n# end`).children
        expect(tree.pop()).toMatchObject({ type: 'heading', children: [{ value: 'end' }] })
        let previous = host.depth
        walk(tree, ({ type, depth = 0, url = '' }) => {
          expect(['html', 'image', 'definition', 'footnoteDefinition']).not.toContain(type)
          if (type === 'heading') {
            expect(depth).toBeGreaterThan(host.depth)
            expect(depth).toBeLessThanOrEqual(previous + 1)
            previous = depth
          }
          if (type === 'link') expect(isLiveSafely(url)).toBe(true)
        })
      }),
      { numRuns: RUNS },
    )
  },
)

/** What other readers than ours find in a Markdown that no stranger may write there. */
const OTHER_READERS: readonly { reader: string; findFaults: (markdown: string) => string[] }[] = [
  {
    reader: 'marked',
    findFaults: (markdown) => {
      const faults: string[] = []
      marked.walkTokens(marked.lexer(markdown), (token) => {
        if (token.type === 'html' || token.type === 'image') faults.push(token.raw)
        if (token.type === 'heading' && token.depth <= host.depth) faults.push(token.raw)
        if (token.type === 'link' && !isLiveSafely(token.href)) faults.push(token.raw)
      })
      return faults
    },
  },
  {
    reader: 'plain CommonMark',
    findFaults: (markdown) => {
      const faults: string[] = []
      const features = { frontmatter: false, gfm: false } as const
      walk((markdownToMdast(markdown, { features }) as Root).children, (node) => {
        const { type, depth = Infinity, url = '' } = node
        const isWanted = !['html', 'image', 'definition'].includes(type) && depth > host.depth
        if (!isWanted || (type === 'link' && !isLiveSafely(url))) faults.push(JSON.stringify(node))
      })
      return faults
    },
  },
]

test.each(OTHER_READERS)(
  'any body, as $reader reads it: no HTML, no heading above the guest',
  { timeout: LONG },
  ({ findFaults }) => {
    fc.assert(
      fc.property(bodies, (body) => {
        expect(findFaults(hostMarkdown(body))).toEqual([])
      }),
      { numRuns: RUNS },
    )
  },
)

describe.each(OTHER_READERS)('what only some take for more, as $reader reads it', (other) => {
  test.each([
    ['code behind an address and a sign', '![\\<https://e.example><div>'],
    ['code behind an address that ends its emphasis', 'a.b ~~www.e.example~~<script>'],
    ['code behind an address and a reference', 'www.e.example&#60;</script>'],
    ['an escaped tag behind an address inside a word', 'xhttps://e.example\\</script>'],
    ['a backslash before an address', '\\www.e.example`<div>`'],
    ['an exclamation mark before an address', '# <!--a@e.example[x]: javascript:y'],
    ['a backtick in a cell', '| `)\\| a | b |\n|---|---|\n<img src=x onerror=y># # ---)'],
    ['a comment in two cells', '| a | b |\n|---|---|\n_<!-----|-->_<div>'],
    ['a link in two cells', '| [a | ](javascript:b) |\n|---|---|\n'],
  ])('%s', (_, body) => {
    expect(other.findFaults(hostMarkdown(body))).toEqual([])
  })
})

const again: Host = { depth: 2, takenAnchors: [], resolve: (href) => href }

/** HTML whose white space and anchors say nothing of its structure. */
const fold = (html: string): string =>
  html
    .replace(/ id="[^"]*"| href="#[^"]*"/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?(<[^>]*>) ?/g, '$1')

const readTwice = (body: string): [string, string] => {
  const { nodes, markdown, blocks } = hostBody(body, again)
  const html = fold(renderBlocks(nodes).html)
  return [
    html,
    blocks.length === 0 ? html : fold(renderBlocks(hostBody(markdown, again).nodes).html),
  ]
}

/** Pieces of ordinary Markdown, each whole in itself. */
const ORDINARY = [
  [
    'word',
    '*word*',
    '**word word**',
    '`a_b`',
    '[word](https://a.example/b_c)',
    '<b>',
    'a_b_c',
    '2 * 3',
  ],
  [
    '\\*word\\*',
    '&amp;',
    '[x]',
    '[word](b.md)',
    '![word](c.png)',
    '~~word~~',
    '# no',
    '1. no',
    'a | b',
  ],
]
const words = fc
  .array(fc.constantFrom(...ORDINARY.flat()), { minLength: 1, maxLength: 5 })
  .map((pieces) => pieces.join(' '))
const BLOCKS = [
  '## ',
  '#### ',
  '',
  '- ',
  '  - ',
  '1. ',
  '> ',
  '> - ',
  '- > ',
  '* ',
  '| a | b |\n|---|:-:|\n| ',
]
const ordinary = fc
  .array(fc.tuple(fc.constantFrom(...BLOCKS), words, fc.constantFrom('\n', '\n\n')), {
    maxLength: 8,
  })
  .map((lines) => lines.flat().join(''))

test('what is printed reads as what was printed', { timeout: LONG }, () => {
  fc.assert(
    fc.property(ordinary, (body) => {
      const [once, twice] = readTwice(body)
      expect(twice).toBe(once)
    }),
    { numRuns: RUNS },
  )
})

/** HTML without what only our pages have: attributes but addresses, the frame of a table, header cells. */
const bare = (html: string): string =>
  fold(html.replace(/<\/?(?:div|thead|tbody)[^>]*>/g, ''))
    .replace(/<(\/?)th\b/g, '<$1td')
    .replace(/<(\w+)(?: href="([^"]*)")?[^>]*>/g, '<$1 $2>')
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replace(/&#x?\w+;|&(?:lt|amp);/g, '.')

const clean = (markdown: string): Root =>
  ({ type: 'root', children: hostBody(markdown, again).nodes }) as Root

const htmlOf = (markdown: string): string =>
  fold(renderBlocks(hostBody(markdown, again).nodes).html)

describe('the trees of ordinary texts are printed as the tools of mdast print them', () => {
  test('as HTML', () => {
    fc.assert(
      fc.property(ordinary, (body) => {
        const root = clean(body)
        // Ours shows the box of a task as text.
        fc.pre(!/"checked":(?:true|false)/.test(JSON.stringify(root)))
        const oracle = toHtml(toHast(root), { allowDangerousHtml: false })
        const ours = renderBlocks(root.children).html
        expect(bare(ours)).toBe(bare(oracle))
      }),
      { numRuns: 200 },
    )
  })

  test('as Markdown', () => {
    fc.assert(
      fc.property(ordinary, (body) => {
        const root = clean(body)
        // The tool alone knows no tables, tasks and strikes.
        fc.pre(
          !body.includes('|') &&
            !/"type":"(?:table|delete)"|"checked":(?:true|false)/.test(JSON.stringify(root)),
        )
        expect(htmlOf(printBlocks(root.children))).toBe(htmlOf(toMarkdown(root, { bullet: '-' })))
      }),
      { numRuns: 200 },
    )
  })
})

const lines = (line: (at: number) => string, count: number): string =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

describe('texts made to exhaust a parser, or to grow a page, are shown as they are', () => {
  test.each([
    ['3,000 nested quotes', `${'>'.repeat(3_000)} x`],
    ['2,000 nested lists', `${'- '.repeat(2_000)}x`],
    ['lists that nest line by line', lines((at) => `${'  '.repeat(at)}- a`, 500)],
    ['20,000 underscores in a word', '_a'.repeat(20_000)],
    ['20,000 addresses in a word', 'http://)'.repeat(20_000)],
    ['3,001 addresses between tags', '<a>www.</a> '.repeat(3_001)],
    ['50,000 brackets in a line with accents', 'é] '.repeat(50_000)],
    ['20,000 hidden characters that are spelt out', 'a\u00A0\u200B'.repeat(20_000)],
    ['100,000 character references', '&amp; '.repeat(100_000)],
    [
      'a table of 5,000 columns and 5,000 short rows',
      `${'|a'.repeat(5_000)}|\n${'|-'.repeat(5_000)}|\n${'|b\n'.repeat(5_000)}`,
    ],
  ])('%s', (_, body) => {
    expect(hostMarkdown(body)).toMatch(/^```+markdown\n/)
  })
})

test('a text whose links would lead to addresses a thousand times as long is shown as it is', () => {
  const far: Host = { ...host, resolve: (href) => `https://a.example/${'b'.repeat(2_000)}/${href}` }
  expect(hostBody('[a](b) '.repeat(2_000), far).markdown).toMatch(/^```+markdown\n/)
})

test('references to one long address grow a text by no more than its length a few times', () => {
  const body = `[a]: https://${'b'.repeat(2_000)}\n\n${'[a]'.repeat(200_000)}`
  expect(hostMarkdown(body).length).toBeLessThan(10 * body.length)
})

describe('a text of half a megabyte is read and printed in seconds', () => {
  const SIZE = 500_000
  test.each([
    ['items', '- a\n'],
    ['nested items', '- a\n  - b\n'],
    ['rows', '| a |\n'],
    ['lines of an item', '  b\n'],
    ['short paragraphs', 'a\n\n'],
    ['marks of emphasis', ' *a&'],
    ['open brackets', '[a]('],
    ['images', '![a'],
    ['code spans', '`a'],
    ['headings and words', 'a\n# b\n'],
    ['headings by underlines', 'a\n=\n'],
    ['breaks', 'a\\\n'],
    ['quotes', '>a\n'],
    ['links', '[a](b) '],
    ['addresses', 'http://a.b '],
    ['definitions', '[a]: /b\n'],
    ['tags', '<a '],
    ['comments', '<!--'],
    ['tildes', '~a~~b '],
  ])('%s', { timeout: 20_000 }, (_, piece) => {
    const start = piece.startsWith('|') ? '| a |\n| - |\n' : '- a\n'
    const { nodes } = hostBody(start + piece.repeat(SIZE / piece.length))
    expect(renderBlocks(nodes).html.length).toBeGreaterThan(0)
  })

  test.each(['&a', 'a!', '\\', '$', '@', 'a@b.c ', '#', '*', '`', '|', '(', '\u0000'])(
    '%j',
    (piece) => {
      expect(hostMarkdown(piece.repeat(SIZE / piece.length)).length).toBeGreaterThan(0)
    },
  )
})

const lines400 = (line: string): string => `${line}\n`.repeat(400)

test.each([
  ['terms', lines400('**Term**: what it means, at https://a.example, and _more_')],
  ['variables', lines400('MY_LONG_VARIABLE_NAME=some_value <needed>')],
  ['sums', lines400('a * b * c_d < e')],
  ['words struck out', lines400('~~old~~ *new* & more')],
])('a paragraph of 400 lines of %s is Markdown', (_, body) => {
  expect(hostMarkdown(body)).not.toMatch(/^```+markdown\n/)
})

test.each([
  ['spaces in a heading', `a${' '.repeat(60_000)}b\nc\n===`, '### a'],
  ['spaces in a quote', `${`> a${' '.repeat(60_000)}b\n\n`.repeat(8)}`, '> a'],
  ['empty lines in code', `\`\`\`\na${'\n'.repeat(400_000)}b\n\`\`\``, '```\na'],
  ['spaces in HTML', `<div${' '.repeat(60_000)}>`, '```html\n<div'],
])('%s, however many, are printed in time that grows with them', (_, body, start) => {
  expect(hostMarkdown(body).slice(0, start.length)).toBe(start)
})

test.each([
  ['two lines', 'a  \n  b', 'a b'],
  ['a line that a backslash breaks', 'a \\\nb', 'a b'],
  ['a backslash at the end', 'a\nb\\', 'a b\\'],
])('a heading of %s is one line', (_, text, line) => {
  expect(hostMarkdown(`${text}\n===`)).toBe(`### ${line}`)
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

test('a break of an author breaks the line; other elements are shown', () => {
  const table = '| A |\n| - |\n| one<br>two<BR />three |'
  const { nodes } = hostBody(table)
  expect(renderBlocks(nodes).html).toContain('one<br>two<br>three')
  expect(hostMarkdown(table)).toContain('| one two three |')
  expect(renderBlocks(hostBody('one<br x=1>two').nodes).html).toContain(
    '<code>&lt;br x=1&gt;</code>',
  )
})
