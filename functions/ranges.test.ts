import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRange } from './negotiate.ts'

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
