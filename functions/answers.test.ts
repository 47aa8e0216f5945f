import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { answerFile } from './answers.ts'
import type { SiteRequest } from './route.ts'

/** Answers with a file of some bytes; the tag of its text is weak, that of a zip strong. */
const ask = async (
  request: Partial<SiteRequest>,
  policy: 'html' | 'skillFile' | 'zip',
  size = 100,
) => {
  const file = { size, body: async () => new Uint8Array() }
  const { status, headers } = await answerFile(
    { method: 'GET', target: '/', ...request },
    { file, policy, version: 'a' },
  )
  return { status, tag: headers['ETag'], part: headers['Content-Range'] }
}

test('a tag of text is weak, that of a zip strong', async () => {
  expect((await ask({}, 'html')).tag).toBe('W/"a"')
  expect((await ask({}, 'zip')).tag).toBe('"a"')
})

describe('If-None-Match names W/"a"', () => {
  test.for(['*', ' * ', '"a"', 'W/"a"', '"b", W/"a"', '"b","a"', '"x,y" , "a"', ',"a",'])(
    '%s -> 304',
    async (ifNoneMatch) => expect((await ask({ ifNoneMatch }, 'html')).status).toBe(304),
  )
  test.for(['', '"b"', 'a', 'W/a', '"A"', 'w/"b"', '"a-html"', '"a', '"**"'])(
    '%s -> 200',
    async (ifNoneMatch) => expect((await ask({ ifNoneMatch }, 'html')).status).toBe(200),
  )
  test('no header -> 200', async () => expect((await ask({}, 'html')).status).toBe(200))
})

describe('If-Range', () => {
  test.for([
    [undefined, 'zip', true],
    ['"a"', 'zip', true],
    ['W/"a"', 'zip', false],
    ['"b"', 'zip', false],
    ['Sat, 21 Nov 2026 04:41:02 GMT', 'zip', false],
    ['W/"a"', 'skillFile', false],
    ['"a"', 'skillFile', false],
    [undefined, 'skillFile', true],
  ] as const)('%s of a %s: %s', async ([ifRange, policy, isAllowed]) => {
    const { status } = await ask({ range: 'bytes=0-9', ifRange }, policy)
    expect(status).toBe(isAllowed ? 206 : 200)
  })
})

/** The part that a range is answered with; undefined for the whole file. */
const partOf = async (range: string | undefined, size: number) => {
  try {
    const { status, part } = await ask({ range }, 'zip', size)
    const [, first, last, of] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(part ?? '') ?? []
    expect(status).toBe(part === undefined ? 200 : 206)
    if (part === undefined) return undefined
    expect(Number(of)).toBe(size)
    return { first: Number(first), last: Number(last) }
  } catch (error) {
    if ((error as { code?: string }).code === 'RANGE_NOT_SATISFIABLE') return 'unsatisfiable'
    throw error
  }
}

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
  test.for(RANGES)('%s', async ([range, part]) => {
    expect(await partOf(range, 100)).toEqual(part)
  })
})

test('an empty file has no parts', async () => {
  expect(await partOf('bytes=0-', 0)).toBeUndefined()
  expect(await partOf('bytes=-1', 0)).toBeUndefined()
})

describe('any range', () => {
  const bound = fc.option(fc.nat({ max: 50 }), { nil: undefined })

  test('gives the bytes that slicing gives', () =>
    fc.assert(
      fc.asyncProperty(bound, bound, fc.integer({ min: 1, max: 40 }), async (from, to, size) => {
        fc.pre(from !== undefined || to !== undefined)
        fc.pre(from === undefined || to === undefined || from <= to)
        const bytes = Array.from({ length: size }, (_, at) => at)
        const part = await partOf(`bytes=${from ?? ''}-${to ?? ''}`, size)
        const end = to === undefined ? size : to + 1
        const sliced =
          from === undefined ? bytes.slice(Math.max(0, size - (to ?? 0))) : bytes.slice(from, end)
        const answered = typeof part === 'object' ? bytes.slice(part.first, part.last + 1) : []
        expect(answered).toEqual(sliced)
      }),
    ))

  test('lies inside the file', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom(...'0123456789-, ') }),
        fc.nat(),
        async (set, size) => {
          const part = await partOf(`bytes=${set}`, size)
          const { first, last } = typeof part === 'object' ? part : { first: 0, last: 0 }
          expect(first).toBeLessThanOrEqual(last)
          expect(last).toBeLessThanOrEqual(Math.max(0, size - 1))
        },
      ),
    ))
})
