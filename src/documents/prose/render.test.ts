import { describe, expect, test } from 'vitest'
import { readMarkdown } from '../../catalog/markdown.ts'
import { Markdown } from './md.ts'
import { isExpected, renderHtml, renderTokens } from './render.ts'

const render = (text: string, taken: string[] = []): string =>
  renderHtml(new Markdown(text), taken).html

const resolve = (href: string) => (href === 'references/a.md' ? '/skills/x/a.md' : undefined)

/** Renders an untrusted text. */
const place = (body: string) => {
  const reading = readMarkdown(body)
  if ('fault' in reading) throw new Error(reading.fault)
  const rendered = renderTokens(reading.result, { depth: 2, prefix: 'text-', resolve })
  return { html: rendered?.html.html.trim() ?? 'refused', headings: rendered?.headings }
}

describe('Markdown as HTML', () => {
  test.each([
    [
      'words',
      'a *b* **c** ~~d~~ `<e>` & "f"\\\ng',
      '<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>&lt;e&gt;</code> &amp; &quot;f&quot;<br>g</p>\n',
    ],
    [
      'headings',
      '### A b\n\n### A b\n\n### 1 *é*',
      '<h3 id="a-b-1">A b</h3>\n<h3 id="a-b-2">A b</h3>\n<h3 id="1-é">1 <em>é</em></h3>\n',
    ],
    [
      'links',
      '[a](/b) [c](https://d "e") [f](#f) [g](#1-é)\n\n## 1 é',
      '<p><a href="/b">a</a> <a href="https://d" title="e" rel="nofollow noopener ugc">c</a> <a href="#f">f</a> <a href="#1-é">g</a></p>\n<h2 id="1-é">1 é</h2>\n',
    ],
    [
      'code in an unknown language',
      '~~~ x"y\n<a> & "b"\n~~~',
      '<pre tabindex="0" data-language="x"><code>&lt;a&gt; &amp; &quot;b&quot;\n</code></pre>\n',
    ],
    [
      'an invalid address',
      '*a* http://localhost:PORT/x',
      '<p><em>a</em> <code>http://localhost:PORT/x</code></p>\n',
    ],
    ['tasks', '1. [x] a\n2. [ ] b', '<ol>\n<li>[x] a\n</li>\n<li>[ ] b\n</li>\n</ol>\n'],
  ])('%s', (_, text, html) => {
    expect(render(text, ['a-b'])).toBe(html)
  })

  test.each([
    ['a heading', '## סיכום\n\n## Summary', ['h2 rtl', 'h2 ltr']],
    ['a paragraph', 'סיכום\n\nA summary', ['p rtl', 'p ltr']],
    ['lists in lists', '1. افتح\n   - Open\n2. اجمع', ['ol rtl', 'ul ltr']],
    ['a list of paragraphs', '- א\n\n- Two\n', ['ul rtl', 'p rtl', 'p ltr']],
    ['done tasks', '- [x] راجع\n- [ ] أرسل', ['ul rtl']],
    ['a quote', '> لا!\n\n> No', ['blockquote rtl', 'p rtl', 'blockquote ltr', 'p ltr']],
    ['an alert', '> [!NOTE]\n> لا!', ['blockquote rtl', 'p rtl']],
    ['a table', '| الشهر | 1 |\n| --- | ---: |\n| a | 2 |', ['div rtl']],
    ['words after code', '`npm ci` ثم', ['p rtl']],
    ['no letters', 'א\n\n1 + 2', ['p rtl']],
    ['a text without right-to-left letters', '# A\n\n- [x] é\n\n> 漢', []],
  ])('each block has its own direction: %s', (_, text, directions) => {
    const html = render(text)
    const found = Array.from(
      html.matchAll(/<(\w+) dir="(\w+)"/g),
      ([, name, dir]) => `${name} ${dir}`,
    )
    expect(found).toEqual(directions)
  })

  test('the marker of a done task says nothing about the direction of its line', () => {
    expect(render('- [x] راجع')).toContain('<li><bdi>[x]</bdi> راجع')
  })

  test('a table can scroll, and has column headers', () => {
    expect(render('|  | b |\n| - | :-: |\n| c<br>d | e |').replaceAll('\n', '')).toBe(
      '<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr><td></td><th scope="col" class="center">b</th></tr></thead><tbody><tr><td>c<br>d</td><td class="center">e</td></tr></tbody></table></div>',
    )
  })

  test('a table of numbers has a class of its own', () => {
    expect(render('| a | b |\n| - | -: |\n| c | 1 |')).toContain('<table class="numbers">')
  })
})

const alert = (name: string, words: string) =>
  `<blockquote>\n<p><strong>${name}</strong></p>\n${words}</blockquote>\n`

test.each([
  ['> [!WARNING]\n> Deletes *files*.', alert('Warning', '<p>Deletes <em>files</em>.</p>\n')],
  ['> [!note]  \n> **a** b', alert('Note', '<p><strong>a</strong> b</p>\n')],
  ['> [!Tip]\n>\n> - a', alert('Tip', '<ul>\n<li>a\n</li>\n</ul>\n')],
  ['> [!IMPORTANT]\n> [!CAUTION]', alert('Important', '<p>[!CAUTION]</p>\n')],
  ['> [!CAUTION]\na', alert('Caution', '<p>a</p>\n')],
])('an alert is a block quote that starts with its name: %j', (text, html) => {
  expect(render(text)).toBe(html)
})

test.each(['> [!NOTE]', '> [!NOTE] a', '> [!NOTE]**a**', '> [!OTHER]\n> a', '> a\n> [!NOTE]\n> b'])(
  'an alert is a block quote that starts with its name: %j is not an alert',
  (text) => {
    expect(render(text)).toContain('[!')
    expect(render(text)).not.toMatch(/<strong>(?!a)/)
  },
)

test.each([
  ['words', 'a[^1]\n\n[^1]: *b* c', '<p>a[^1]</p>\n<p>[^1]: <em>b</em> c</p>\n'],
  [
    'an address',
    '[a][^b]\n\n[^b]: https://c.example',
    '<p>[a][^b]</p>\n<p>[^b]: <a href="https://c.example" rel="nofollow noopener ugc">https://c.example</a></p>\n',
  ],
  [
    'in a list and in a quotation',
    '- a[^1]\n\n> [^1]: /b',
    '<ul>\n<li>a[^1]\n</li>\n</ul>\n<blockquote>\n<p>[^1]: /b</p>\n</blockquote>\n',
  ],
  [
    'beside a definition',
    '[^1]: b\n\n[c]: /d\n\n[c]',
    '<p>[^1]: b</p>\n<p><a href="/d">c</a></p>\n',
  ],
  ['a link', '[^1](/a)', '<p><a href="/a">^1</a></p>\n'],
])('a footnote is shown as it is written: %s', (_, text, html) => {
  expect(render(text)).toBe(html)
})

// Headings move below the heading of the section without skipping a level; images are named, not loaded.
test.each([
  [
    '# A\n\n#### B\n\n## C',
    '<h3 id="text-a">A</h3>\n<h4 id="text-b">B</h4>\n<h4 id="text-c">C</h4>',
  ],
  ['### A\n\nB\n===', '<h3 id="text-a">A</h3>\n<h3 id="text-b">B</h3>'],
  ['- # A', '<ul>\n<li><p>A</p>\n</li>\n</ul>'],
  ['#\n\ntext', '<p>text</p>'],
  [
    '# Install\n\n## Install\n\n[a](#install-1)',
    '<h3 id="text-install">Install</h3>\n<h4 id="text-install-1">Install</h4>\n<p><a href="#text-install-1">a</a></p>',
  ],
  ['[a](#nowhere)', '<p>a</p>'],
  [
    '<!-- secret -->',
    '<pre tabindex="0" data-language="html"><code><span class="comment">&lt;!-- secret --&gt;</span>\n</code></pre>',
  ],
  ['a<br>b', '<p>a<br>b</p>'],
  ['# a<br>b', '<h3 id="text-ab">a b</h3>'],
  ['&lt;b&gt; \\&lt; &', '<p>&lt;b&gt; &amp;lt; &amp;</p>'],
  ['<xmpp:a@b.example>', '<p><code>xmpp:a@b.example</code></p>'],
  ['[a](references/a.md)', '<p><a href="/skills/x/a.md">a</a></p>'],
  ['[a](b.md)', '<p>a</p>'],
  [
    '![c*a*t](https://b.example/c.png)',
    '<p><a href="https://b.example/c.png" rel="nofollow noopener ugc">Image: cat</a></p>',
  ],
  ['![](c.png)', '<p>Image: no description</p>'],
  ['![a & `<i>`](c.png)', '<p>Image: a &amp; &lt;i&gt;</p>'],
  [
    '[![a](b.png)](https://b.example)',
    '<p><a href="https://b.example" rel="nofollow noopener ugc">Image: a</a></p>',
  ],
  ['[](mailto:a@b.example)', '<p><a href="mailto:a@b.example">mailto:a@b.example</a></p>'],
  ['- a\n  ```\n  b\n  ```', '<ul>\n<li>a\n<pre tabindex="0"><code>b\n</code></pre>\n</li>\n</ul>'],
])('an untrusted text, %j', (body, expected) => {
  expect(place(body).html).toBe(expected)
})

test('headings are listed with their plain text', () => {
  expect(place('\n# A `b` <i>c</i>\n\n- d\n- e\n\n\n![f](g) *H* &amp;\n---').headings).toEqual([
    { depth: 3, text: 'A b c', id: 'text-a-b-c' },
    { depth: 4, text: 'H &', id: 'text-h-' },
  ])
})

test.each([
  '<script>',
  '<p onclick="a">',
  '<a href="javascript:b">',
  '<a href="https://b.example" target="_top">',
  '<img src="a">',
  '<!-- a -->',
  '<h2>',
  'a < b',
])('%s is never expected', (html) => {
  expect(isExpected(html)).toBe(false)
})
