import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseForm } from './negotiate.ts'

const choosesMarkdown = (accept: string | undefined): boolean => chooseForm(accept) === 'markdown'

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

const MARKDOWN = [
  'text/markdown',
  'TEXT/Markdown',
  ' \ttext/markdown\t ',
  'text/markdown, text/html, */*',
  'text/html, text/markdown',
  'text/markdown;q=0.5',
  'text/markdown;q=0.001',
  'text/markdown;q=1.000',
  'text/markdown;q=1.',
  'text/markdown;q=0.5, text/html;q=0.5',
  'text/markdown;q=0.9, text/html;q=0.8, */*;q=0.1',
  'text/markdown;q=0.5, text/html;q=0.1, */*',
  'text/markdown;q=0.5, text/html;q=0.4, text/*;q=0.9',
  'text/markdown;q=0.5, text/html;q=0, */*',
  'text/markdown;q=0.5, text/*;q=0.3, */*;q=0.9',
  'text/markdown;q=0.1, application/json',
  'text/markdown;charset=utf-8',
  'text/markdown; variant=GFM',
  'text/markdown;variant="G\\"F,M";q=0.8, text/html;q=0.7',
  'text/markdown ; Q=0.8 , text/html ; q=0.8',
  'text/markdown;q=0.8;extension, text/html;q=0.2',
  'text/markdown;;q=0.8;',
  ',,text/markdown,,',
  'text/markdown, text/markdown;q=0',
  'text/html;q=0.9, text/markdown;q=0.1, text/markdown;q=0.9',
  'text/html;q=2, text/markdown;q=0.1',
  'nonsense, text/markdown',
  'text/html x, text/markdown;q=0.2',
  'te"xt, text/markdown',
  '*/markdown, text/markdown',
  'a/b;x="text/html, ", text/markdown;q=0.1',
]

const HTML = [
  '',
  ' ',
  ',',
  '*/*',
  'text/*',
  'text/html',
  CHROME,
  `${CHROME},text/markdown;q=0.5`,
  'text/html, text/markdown;q=0.9',
  'text/markdown;q=0',
  'text/markdown;q=0.000, */*',
  'text/markdown;q=0.5, */*',
  'text/markdown;q=0.5, text/*',
  'text/markdown;q=0.5, text/html;level=1',
  'text/markdown;q=0.4, text/html;q=0.4;level=1, text/html;q=0.5',
  'text/*;q=1, */*;q=1',
  'text/x-markdown',
  'text/markdownx',
  'xtext/markdown',
  'application/markdown',
  'text/plain;x="text/markdown"',
  'text/plain;x="a, text/markdown"',
  'text/plain;x="a, text/markdown',
  'text/plain;text/markdown',
  'text/markdown;q=2',
  'text/markdown;q=-1',
  'text/markdown;q=.5',
  'text/markdown;q=0.1234',
  'text/markdown;q=1.001',
  'text/markdown;q=',
  'text/markdown;q="1"',
  'text/markdown;q = 1',
  'text/markdown;q=high',
  'text/markdown;q=1e0',
  'text / markdown',
  'text/markdown html',
  'text/markdown\u00A0',
  '*; q=.2, *',
  'markdown',
]

describe('Accept that chooses Markdown', () => {
  test.for(MARKDOWN)('%s', (accept) => {
    expect(choosesMarkdown(accept)).toBe(true)
  })
})

describe('Accept that leaves HTML', () => {
  test.for(HTML)('%s', (accept) => {
    expect(choosesMarkdown(accept)).toBe(false)
  })

  test('no Accept at all', () => {
    expect(choosesMarkdown(undefined)).toBe(false)
  })
})

interface Part {
  range: string
  weight: number | undefined
}

/** The rule of the decision, for well-formed elements. */
const decide = (parts: readonly Part[]): boolean => {
  const best = (range: string): number =>
    Math.max(-1, ...parts.filter((part) => part.range === range).map((part) => part.weight ?? 1))
  const html = ['text/html', 'text/*', '*/*'].map(best).find((weight) => weight >= 0) ?? 0
  return best('text/markdown') > 0 && best('text/markdown') >= html
}

const weight = fc.option(
  fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000),
  { nil: undefined },
)
const mediaRange = fc.constantFrom(
  'text/markdown',
  'text/html',
  'text/*',
  '*/*',
  'text/plain',
  'a/b',
)
const parameter = fc.constantFrom('', ';charset=utf-8', ';x="a,b;q=0"', ' ; x="\\"" ', ';')
const part = fc.record({ range: mediaRange, weight })
const noise = fc.constantFrom(
  '',
  'nonsense',
  'text/markdown;q=7',
  'a b/c',
  '*/html',
  'text/markdown;=',
)

describe('any Accept', () => {
  test('follows the decision, whatever malformed elements it contains', () => {
    const written = fc.array(fc.tuple(part, parameter, noise, fc.boolean()))
    fc.assert(
      fc.property(written, (parts) => {
        const header = parts
          .map(([one, extra, junk, isUpper]) => {
            const q = one.weight === undefined ? '' : `;${isUpper ? 'Q' : 'q'}=${one.weight}`
            const name = isUpper ? one.range.toUpperCase() : one.range
            return `${name}${extra}${q}, ${junk}`
          })
          .join(',')
        expect(choosesMarkdown(header)).toBe(decide(parts.map(([one]) => one)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('is answered without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (junk) => {
        expect(chooseForm(`${junk}text/markdown${junk}`)).toMatch(/^(?:html|markdown)$/)
      }),
    )
  })

  test.for([',', ';', '"', ' ', '\\', 'text/markdown;', ' ;', 'a/b;x="', '\t,'])(
    '64 KiB of %j is read in linear time',
    (piece) => {
      const before = process.cpuUsage()
      choosesMarkdown(`text/markdown,${piece.repeat(65_536 / piece.length)}`)
      expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
    },
  )
})
