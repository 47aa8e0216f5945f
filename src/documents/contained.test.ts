import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { joinBlocks, readContained, readWhole } from './contained.ts'
import { createGuestContext, readGuest } from './guest.ts'
import type { Host } from './guest.ts'
import { renderMarkdown } from './html.ts'
import { printEach } from './print.ts'

const DEPTH = 2

const host: Host = {
  depth: DEPTH,
  takenAnchors: ['about'],
  resolve: (href) => (href.startsWith('a') ? `/skills/x/${href}` : undefined),
}

const readBoth = (body: string) => {
  const { tokens = [] } = readGuest(body)
  const { context } = createGuestContext(tokens, host)
  const blocks = printEach(tokens, context)
  const html = (read: ReturnType<typeof readWhole>): string | undefined =>
    read && renderMarkdown(joinBlocks(blocks), undefined, read).html
  return [html(readContained(blocks, DEPTH)), html(readWhole(blocks, DEPTH))]
}

/** Blocks, and what makes a block another, in every order. */
const PIECES = [
  ['word', 'a | b', '  ', '\n', '\n\n', '\n\n\n', '\n   ', '\n    ', '\t', '- ', '* ', '+ ', '-- '],
  ['1. ', '7) ', '- [x] ', '> ', '>', '# ', '## ', ' #', '\n===\n', '\n---\n', '***\n', '- - -\n'],
  ['**', '*', '_', '~~', '`', '```\n', '```js\n', '~~~\n', '````\n', '\n```\n', '    code\n'],
  ['[a](b)', '[a](a.md)', '[a]', '![a](b)', '[a]: /b "t\n', '\n[a]: /b\n', '[- x](y)', ']:', '"\n'],
  ['<a href="x">', '</a>', '<div', '<div>\n', '<!--', '-->', '<pre>', '</pre>', '<x@y.z>'],
  ['https://a.example', 'a@b.example', '| a | b |\n| - | :-: |\n| *c* | `d` |\n', '|---|\n', '\\'],
].flat()

const body = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join(''))

describe('printed blocks that are kept read as the whole text does', () => {
  const cases: readonly [string, string][] = [
    ['a list behind a list', '- a\n\n* b\n\n+ c\n\nend'],
    ['numbers behind numbers', '1. a\n\n2) b\n\nend'],
    ['dashes that an item of another mark holds', '* --\n* -\n\nend'],
    ['a heading that ends in number signs', '# a # #\n\nend'],
    ['spaces behind a paragraph', 'a  \n\nend'],
    ['a reference behind a paragraph', '[a]: /b "t\n\nx" y\n\nend'],
    ['a link that is left open', 'a <a href="/x"> b\n\nhttps://a.example\n\nend'],
    ['HTML behind a paragraph', 'a\n<div\n\nend'],
    ['HTML at the end', 'a\n\nb\n<div'],
    ['a list that a dead link hides', '- a\n\n[- b](y)\n\nend'],
    ['a list that a dead link starts in a paragraph', 'a\n[- x](y)\n- [x]\n\nend'],
    ['a table of other spaces', '|a|b|\n|-|:-:|\n|c|\n|d|e|f|\n\nend'],
    ['a table with pipes in its cells', '| a |\n|---|\n| x \\| y |\n| `\\|` |\n\nend'],
  ]

  test.each(cases)('%s', (_, source) => {
    const [kept, whole] = readBoth(source)
    expect(kept).toBe(whole)
  })

  test('any order of pieces', () => {
    fc.assert(
      fc.property(body, (source) => {
        const [kept, whole] = readBoth(source)
        expect(kept).toBe(whole)
      }),
      { numRuns: 4_000 },
    )
  })
})
