import fc from 'fast-check'
import type { RootContent } from 'mdast'
import { describe, expect, test } from 'vitest'
import { escapeContent, renderBlocks } from './html.ts'
import { highlightBlocks } from './highlight.ts'
import { printBlocks } from './print.ts'
import { codeBlock } from './tree.ts'
import type { CodePiece } from './tree.ts'

const highlightCode = (code: string, lang: string): CodePiece[] | undefined => {
  const block = codeBlock(code, lang)
  highlightBlocks([block])
  return (block.data as { pieces?: CodePiece[] } | undefined)?.pieces
}

const LANGUAGES =
  'bash c# css diff go html java js json jsx ps1 py rb rust sql toml ts tsx vue yaml'.split(' ')

/** Pieces of code, of markup and of attacks on either. */
const PIECES = fc.constantFrom(
  '<script>',
  '</code></pre>',
  '<img src=x onerror=alert(1)>',
  '&lt;',
  '<a b="',
  ...'& " \' ` ${ { } ( [ /* // # <<EOF """ \\ a 1 = __proto__ constructor \u2028 \ud800'.split(
    ' ',
  ),
  '\n',
  ' ',
  '\u00a0',
)

const writeHtml = (code: string, lang: string): string => {
  const blocks: RootContent[] = [codeBlock(code, lang)]
  highlightBlocks(blocks)
  return renderBlocks(blocks).html
}

describe('code in colour', () => {
  test.for([
    ['bash', '# why\nexport A="b"', 'comment string name'],
    ['py', 'def f():\n    return 1', 'keyword name value'],
    ['ts', 'const a: string = `b${c}`', 'keyword string'],
    ['diff', '-a\n+b', 'deleted inserted'],
    ['c#', 'return "a"; // b', 'keyword string comment'],
  ] as const)('%s -> %s', ([lang, code, kinds]) => {
    const found = new Set(highlightCode(code, lang)?.map(({ kind }) => kind))
    for (const kind of kinds.split(' ')) expect(found).toContain(kind)
  })

  test.for(['', 'text', 'brainfuck', '__proto__', 'constructor', 'markdown'])(
    '"%s" stays plain',
    (lang) => {
      expect(highlightCode('if (a) return "b"', lang)).toBeUndefined()
    },
  )

  test('what is too long to be read in time stays plain', () => {
    expect(highlightCode('a '.repeat(250), 'js')).toBeUndefined()
    expect(highlightCode('let a = 1\n'.repeat(1_000), 'js')).toBeUndefined()
    const many = Array.from({ length: 20 }, () => codeBlock('let a = 1\n'.repeat(700), 'js'))
    highlightBlocks(many)
    const colored = many.map((block) => renderBlocks([block]).html.includes('<span'))
    expect(colored[0]).toBe(true)
    expect(colored.at(-1)).toBe(false)
  })

  test('no text becomes markup or changes, and the twin has no colour', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LANGUAGES),
        fc.array(PIECES, { maxLength: 60 }),
        (lang, pieces) => {
          const code = pieces.join('')
          const html = writeHtml(code, lang)
          const words = html.replace(/<span class="[a-z]+">|<\/span>/g, '')
          expect(words).toBe(
            `<pre tabindex="0" data-language="${lang}"><code>${escapeContent(code)}\n</code></pre>\n`,
          )
          const blocks: RootContent[] = [codeBlock(code, lang)]
          const before = printBlocks(blocks)
          highlightBlocks(blocks)
          expect(printBlocks(blocks)).toBe(before)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('code in lists and quotes is coloured too', () => {
    const quote: RootContent = { type: 'blockquote', children: [codeBlock('return 1', 'js')] }
    highlightBlocks([quote])
    expect(renderBlocks([quote]).html).toContain('<span class="keyword">return</span>')
  })
})
