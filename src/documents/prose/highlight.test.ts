import fc from 'fast-check'
import { expect, test } from 'vitest'
import { highlightCode } from './highlight.ts'
import { escapeText } from './markup.ts'
import { codeFence, joinBlocks, list } from './md.ts'
import { renderHtml } from './render.ts'

const LANGUAGES =
  'bash c# css diff go html java js json jsx ps1 py rb rust sql toml ts tsx vue yaml'.split(' ')

/** Pieces of code and markup, and attacks on both. */
const PIECES = fc.constantFrom(
  '<script>',
  '</code></pre>',
  '<img src=x onerror=alert(1)>',
  '&lt;',
  '<a b="',
  ...'& " \' ` ${ { } ( [ /* // # <<EOF """ \\ a 1 = __proto__ constructor \u2028'.split(' '),
  '\n',
  ' ',
  '\u00a0',
)

test.for([
  ['bash', '# why\nexport A="b"', 'comment string name'],
  ['py', 'def f():\n    return 1', 'keyword name value'],
  ['ts', 'const a: string = `b${c}`', 'keyword string'],
  ['diff', '-a\n+b', 'deleted inserted'],
  ['c#', 'return "a"; // b', 'keyword string comment'],
] as const)('highlighted code %s -> %s', ([lang, code, kinds]) => {
  const found = new Set(highlightCode(code, lang)?.map(({ kind }) => kind))
  for (const kind of kinds.split(' ')) expect(found).toContain(kind)
})

test.for(['', 'text', 'brainfuck', '__proto__', 'constructor', 'markdown'])(
  'highlighted code "%s" stays plain',
  (lang) => {
    expect(highlightCode('if (a) return "b"', lang)).toBeUndefined()
  },
)

test('highlighted code lines, blocks and pages that are too long stay plain', () => {
  expect(highlightCode('a '.repeat(250), 'js')).toBeUndefined()
  expect(highlightCode('let a = 1\n'.repeat(1_000), 'js')).toBeUndefined()
  const block = codeFence('let a = 1\n'.repeat(700), 'js')
  const { html } = renderHtml(joinBlocks(Array.from({ length: 20 }, () => block)))
  const isColoured = html.split('<pre').map((one) => one.includes('<span'))
  expect([isColoured[1], isColoured.at(-1)]).toEqual([true, false])
})

test('highlighted code code never changes and never becomes markup', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LANGUAGES),
      fc.array(PIECES, { maxLength: 60 }),
      (lang, pieces) => {
        const code = `a${pieces.join('')}b`
        const { html } = renderHtml(codeFence(code, lang))
        expect(html.replace(/<span class="[a-z]+">|<\/span>/g, '')).toBe(
          `<pre tabindex="0" data-language="${lang}"><code>${escapeText(code)}\n</code></pre>\n`,
        )
      },
    ),
    { numRuns: 2_000 },
  )
})

test('highlighted code code in a list is coloured', () => {
  const { html } = renderHtml(list([codeFence('return 1', 'js')]))
  expect(html).toContain('<span class="keyword">return</span>')
})
