import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowsRange, chooseForm, isFresh, makeTag, parseRange } from './negotiate.ts'

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
      const start = performance.now()
      choosesMarkdown(`text/markdown,${piece.repeat(65_536 / piece.length)}`)
      expect(performance.now() - start).toBeLessThan(10_000)
    },
  )
})

const WEAK = makeTag('a', false)
const STRONG = makeTag('a', true)

test('a tag of text is weak, that of a zip strong', () => {
  expect([WEAK, STRONG]).toEqual(['W/"a"', '"a"'])
})

describe('If-None-Match names W/"a"', () => {
  test.for(['*', ' * ', '"a"', 'W/"a"', '"b", W/"a"', '"b","a"', '"x,y" , "a"', ',"a",'])(
    '%s -> 304',
    (header) => expect(isFresh(header, WEAK)).toBe(true),
  )
  test.for(['', '"b"', 'a', 'W/a', '"A"', 'w/"b"', '"a-html"', '"a', '"**"'])(
    '%s -> 200',
    (header) => expect(isFresh(header, WEAK)).toBe(false),
  )
  test('no header -> 200', () => expect(isFresh(undefined, WEAK)).toBe(false))
})

describe('If-Range', () => {
  test.for([
    [undefined, STRONG, true],
    ['"a"', STRONG, true],
    ['W/"a"', STRONG, false],
    ['"b"', STRONG, false],
    ['Sat, 21 Nov 2026 04:41:02 GMT', STRONG, false],
    ['W/"a"', WEAK, false],
    ['"a"', WEAK, false],
    [undefined, WEAK, true],
  ] as const)('%s of %s: %s', ([header, tag, isAllowed]) => {
    expect(allowsRange(header, tag)).toBe(isAllowed)
  })
})

const RANGES: [header: string | undefined, range: object | string | undefined][] = [
  [undefined, undefined],
  ['bytes=0-9', { first: 0, last: 9 }],
  ['bytes=0-', { first: 0, last: 99 }],
  ['bytes=-1', { first: 99, last: 99 }],
  ['bytes=-100', { first: 0, last: 99 }],
  ['bytes=-1000', { first: 0, last: 99 }],
  ['bytes=99-1000', { first: 99, last: 99 }],
  [`bytes=0-${'9'.repeat(400)}`, { first: 0, last: 99 }],
  ['Bytes=1-2', { first: 1, last: 2 }],
  ['bytes= 1-2 ,', { first: 1, last: 2 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  [`bytes=${'9'.repeat(400)}-`, 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=0-1,2-3', undefined],
  ['bytes=5-4', undefined],
  ['bytes=-', undefined],
  ['bytes=', undefined],
  ['bytes=a-b', undefined],
  ['bytes=1-2-3', undefined],
  ['bytes=+1-2', undefined],
  ['bytes=0x1-2', undefined],
  ['bytes 0-1', undefined],
  ['lines=0-1', undefined],
  ['', undefined],
]

describe('of 100 bytes, Range', () => {
  test.for(RANGES)('%s', ([header, range]) => {
    expect(parseRange(header, 100)).toEqual(range)
  })
})

test('an empty file has no parts', () => {
  expect(parseRange('bytes=0-', 0)).toBeUndefined()
  expect(parseRange('bytes=-1', 0)).toBeUndefined()
})

describe('any range', () => {
  const bound = fc.option(fc.nat({ max: 50 }), { nil: undefined })

  test('gives the bytes that slicing gives', () => {
    fc.assert(
      fc.property(bound, bound, fc.integer({ min: 1, max: 40 }), (from, to, size) => {
        fc.pre(from !== undefined || to !== undefined)
        fc.pre(from === undefined || to === undefined || from <= to)
        const bytes = Array.from({ length: size }, (_, at) => at)
        const range = parseRange(`bytes=${from ?? ''}-${to ?? ''}`, size)
        const end = to === undefined ? size : to + 1
        const wanted =
          from === undefined ? bytes.slice(Math.max(0, size - (to ?? 0))) : bytes.slice(from, end)
        const given = typeof range === 'object' ? bytes.slice(range.first, range.last + 1) : []
        expect(given).toEqual(wanted)
      }),
    )
  })

  test('lies inside the file', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'0123456789-, ') }),
        fc.nat(),
        (set, size) => {
          const range = parseRange(`bytes=${set}`, size)
          const { first, last } = typeof range === 'object' ? range : { first: 0, last: 0 }
          expect(first).toBeLessThanOrEqual(last)
          expect(last).toBeLessThanOrEqual(Math.max(0, size - 1))
        },
      ),
    )
  })
})
