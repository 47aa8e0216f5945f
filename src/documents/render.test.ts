import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostileText } from '../../testing/hostile-text.ts'
import { readElements } from '../../testing/markdown-judges.ts'
import { Markdown } from './md.ts'
import { renderHtml } from './render.ts'
import { embedText } from './safe-text.ts'

const render = (text: string, taken: string[] = []): string =>
  renderHtml(new Markdown(text), taken).html

describe('Markdown as HTML', () => {
  test.each([
    [
      'words',
      'a *b* **c** ~~d~~ `<e>` & "f"\\\ng',
      '<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>&lt;e&gt;</code> &amp; "f"<br>\ng</p>\n',
    ],
    [
      'headings',
      '### A b\n\n### A b\n\n### 1 *é*',
      '<h3 id="a-b-1">A b</h3>\n<h3 id="a-b-2">A b</h3>\n<h3 id="At-1-é">1 <em>é</em></h3>\n',
    ],
    [
      'links',
      '[a](/b) [c](https://d "e") [f](#f) [g](#1-é)',
      '<p><a href="/b">a</a> <a href="https://d" title="e" rel="nofollow noopener ugc">c</a> <a href="#f">f</a> <a href="#At-1-%C3%A9">g</a></p>\n',
    ],
    [
      'code',
      '```sh\nls # a\n```',
      '<pre tabindex="0" data-language="sh"><code><span class="name">ls</span> <span class="comment"># a</span>\n</code></pre>\n',
    ],
    [
      'code of no known language',
      '~~~ x"y\n<a> & "b"\n~~~',
      '<pre tabindex="0" data-language="x"><code>&lt;a&gt; &amp; "b"\n</code></pre>\n',
    ],
    ['no address', '*a* http://localhost:PORT/x', '<p><em>a</em> http://localhost:PORT/x</p>\n'],
    ['tasks', '1. [x] a\n2. [ ] b', '<ol>\n<li>[x] a</li>\n<li>[ ] b</li>\n</ol>\n'],
  ])('%s', (_, text, html) => {
    expect(render(text, ['a-b'])).toBe(html)
  })

  test('a table scrolls, and names its columns', () => {
    expect(render('|  | b |\n| - | :-: |\n| c<br>d | e |').replaceAll('\n', '')).toBe(
      '<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr><td></td><th scope="col" class="center">b</th></tr></thead><tbody><tr><td>c<br>d</td><td class="center">e</td></tr></tbody></table></div>',
    )
  })

  test('a table of numbers has one class', () => {
    expect(render('| a | b |\n| - | -: |\n| c | 1 |')).toContain('<table class="numbers">')
  })
})

test.each([
  ['a tag', 'a <b>c</b>'],
  ['a comment', '<!-- a -->'],
  ['an image', '![a](https://b.example/c.png)'],
  ['an unsafe address', '[a](javascript:b)'],
  ['an attribute', '<br onclick="a">'],
])('%s that nobody proved away is shown as code', (_, text) => {
  expect(readElements(render(text)).map(({ name }) => name)).toEqual(['pre', 'code'])
})

const bodies = hostileText(40)

const NAMES = new Set(
  'a blockquote br code del div em h3 h4 h5 h6 hr li ol p pre span strong table tbody td th thead tr ul'.split(
    ' ',
  ),
)
const ATTRIBUTES = new Set(
  'aria-label class data-language href id rel role scope start tabindex title'.split(' '),
)

const RUNS = Number(process.env.STRANGER_RUNS ?? 500)

test('a heading with a line feed that is written as a reference has the anchor that links to it have', () => {
  const [heading] = embedText('# a &#10;b&NewLine; c', {
    depth: 2,
    taken: [],
    resolve: () => undefined,
  }).headings
  expect(heading?.anchor).toBe('a-b-c')
  expect(render('### a &#10;b&NewLine; c')).toContain('id="a-b-c"')
})

test(
  'any text becomes HTML with our tags, its headings with their anchors, safe addresses',
  { timeout: 3_600_000 },
  () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const { markdown, headings } = embedText(body, {
          depth: 2,
          taken: ['a'],
          resolve: (href) => href,
        })
        const elements = readElements(renderHtml(markdown, ['a']).html)
        const strange = elements.filter(
          ({ name, attributes }) =>
            !NAMES.has(name) ||
            Object.keys(attributes).some((attribute) => !ATTRIBUTES.has(attribute)) ||
            !/^(?:https?:|mailto:|\/|#|$|[^:]*$)/.test(attributes['href'] ?? ''),
        )
        expect(strange).toEqual([])
        const found = elements.filter(({ name }) => /^h\d$/.test(name))
        expect(found.map(({ name, attributes }) => `${name} ${attributes['id']}`)).toEqual(
          headings.map(
            ({ depth, anchor }) => `h${depth} ${/^\p{L}/u.test(anchor) ? anchor : `At-${anchor}`}`,
          ),
        )
      }),
      { numRuns: RUNS },
    )
  },
)
