import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseForm } from './negotiate.ts'

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

test.for([
  [undefined, 'html'],
  ['', 'html'],
  [CHROME, 'html'],
  [`${CHROME},text/markdown;q=0.5`, 'html'],
  ['text/markdown;q=0.4, text/html;q=0.4;level=1, text/html;q=0.5', 'html'],
  ['text/plain;x="a, text/markdown', 'html'],
  [' \ttext/markdown\t ', 'markdown'],
  ['text/markdown;q=1., text/html;q=1.000', 'markdown'],
  ['text/markdown;variant="G\\"F,M";q=0.8, text/html;q=0.7', 'markdown'],
])('Accept: %s -> %s', ([accept, form]) => {
  expect(chooseForm(accept)).toBe(form)
})

interface Part {
  range: string
  weight: number | undefined
}

/** The negotiation rule, for well-formed elements. */
const prefersMarkdown = (parts: readonly Part[]): boolean => {
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
  ...'text/markdown text/html text/* */* text/plain a/b'.split(' '),
)
const parameter = fc.constantFrom('', ';charset=utf-8', ';x="a,b;q=0"', ' ; x="\\"" ', ';')
const part = fc.record({ range: mediaRange, weight })
/** Elements that do not affect the choice. Most of them are malformed. */
const noise = fc.constantFrom(
  ...[
    '||nonsense|markdown|a b/c|*/html|*/markdown|te"xt|text / markdown|text/x-markdown|xtext/markdown',
    'text/markdownx|text/markdown html|*; q=.2|text/plain;x="text/markdown"|text/plain;text/markdown',
  ].flatMap((elements) => elements.split('|')),
  'text/plain;x="a, text/html"',
  ...['=', 'q=7', 'q=-1', 'q=.5', 'q=0.1234', 'q=1.001', 'q=', 'q="1"', 'q = 1', 'q=1e0'].flatMap(
    (parameters) => [`text/markdown;${parameters}`, `text/html;${parameters}`],
  ),
)

describe('any Accept header', () => {
  test('malformed elements do not change the chosen form', () => {
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
        const wanted = prefersMarkdown(parts.map(([one]) => one)) ? 'markdown' : 'html'
        expect(chooseForm(header)).toBe(wanted)
      }),
      { numRuns: 500 },
    )
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (junk) => {
        expect(chooseForm(`${junk}text/markdown${junk}`)).toMatch(/^(?:html|markdown)$/)
      }),
    )
  })

  test.for([',', ';', '"', ' ', '\\', 'text/markdown;', ' ;', 'a/b;x="', '\t,'])(
    '64 KiB of %j are parsed in linear time',
    (piece) => {
      const before = process.cpuUsage()
      chooseForm(`text/markdown,${piece.repeat(65_536 / piece.length)}`)
      expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
    },
  )
})
