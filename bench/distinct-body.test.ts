import { lexer } from 'marked'
import type { Token, Tokens } from 'marked'
import { describe, expect, test } from 'vitest'
import { partOfHeading } from '../src/documents/parts/headings.ts'
import { makeDistinct } from './distinct-body.ts'

const BODY = `# Report writer

Writes a short report; see [the guide](https://example.org/guide) and \`npm run report\`.
Second line.

## When to use

- Use it for weekly reports
- ok
  - nested thing
1. First step of all

| Column | Value |
| ------ | :---: |
| name   | a \\| b |

\`\`\`bash
npm run build -- --report
\`\`\`

~~~
{ "a": 1 }
~~~

> Quoted words

<details>

---

[ref]: https://example.org/reference
`

/** Blocks that hold words, each with its kind. */
const listBlocks = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token) => {
    if (token.type === 'list')
      return (token as Tokens.List).items.flatMap(({ tokens: inner }) => listBlocks(inner))
    if (token.type === 'blockquote') return listBlocks((token as Tokens.Blockquote).tokens)
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table
      return [...header, ...rows.flat()].map(({ text }) => `cell ${text}`)
    }
    return /[\p{L}\p{N}]/u.test(token.raw) && !['def', 'html'].includes(token.type)
      ? [`${token.type} ${token.raw}`]
      : []
  })

const kindsOf = (body: string): string[] =>
  listBlocks(lexer(body)).map((block) => block.split(' ', 1)[0] ?? '')

describe('a text of its own', () => {
  test('blocks are of the same kinds, in the same order', () => {
    expect(kindsOf(makeDistinct(BODY, 7))).toEqual(kindsOf(BODY))
    expect(lexer(makeDistinct(BODY, 7)).map(({ type }) => type)).toEqual(
      lexer(BODY).map(({ type }) => type),
    )
  })

  test('no block with words is that of another skill, or as it was', () => {
    const blocks = [BODY, makeDistinct(BODY, 7), makeDistinct(BODY, 8)].flatMap((body) =>
      listBlocks(lexer(body)),
    )
    expect(new Set(blocks).size).toBe(blocks.length)
  })

  test('addresses, commands and the languages of code stay', () => {
    const woven = makeDistinct(BODY, 7)
    for (const kept of [
      '(https://example.org/guide)',
      '`npm run ',
      '```bash\n',
      '[ref]: https://example.org/reference\n',
    ])
      expect(woven).toContain(kept)
  })

  test('headings that name a part of the page still name it', () => {
    const headings = lexer(makeDistinct(BODY, 7)).filter(({ type }) => type === 'heading')
    expect(headings.map((token) => partOfHeading((token as Tokens.Heading).text))).toEqual([
      undefined,
      'whenToUse',
    ])
  })

  test('the size stays within a tenth, the same number gives the same text', () => {
    const long = BODY.repeat(20).replaceAll('- ok', '- A longer item with several words')
    expect(makeDistinct(long, 7).length / long.length).toBeLessThan(1.1)
    expect(makeDistinct(BODY, 7)).toBe(makeDistinct(BODY, 7))
  })

  test('100,000 numbers give 100,000 texts', () => {
    const texts = Array.from({ length: 100_000 }, (_, at) => makeDistinct('A paragraph.', at + 1))
    expect(new Set(texts).size).toBe(100_000)
  })
})
