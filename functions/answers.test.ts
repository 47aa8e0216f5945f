import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../src/api/errors.ts'
import { answerFile } from './answers.ts'
import type { SiteRequest } from './route.ts'

/** Requests a file of `size` bytes. The ETag of a raw file is weak, the ETag of a zip is strong. */
const ask = async (request: Partial<SiteRequest>, policy: 'skillFile' | 'zip', size = 100) => {
  const file = { size, body: async () => new Uint8Array() }
  const { status, headers } = await answerFile(
    { method: 'GET', target: '/', ...request },
    { file, policy, version: 'a' },
  )
  return { status, part: headers['Content-Range'] }
}

test('If-Range: a zip has a strong ETag, so 206; a text file has a weak ETag, so 200', async () => {
  const range = 'bytes=0-9'
  expect((await ask({ range, ifRange: '"a"' }, 'zip')).status).toBe(206)
  expect((await ask({ range, ifRange: 'W/"a"' }, 'skillFile')).status).toBe(200)
  expect((await ask({ range }, 'skillFile')).status).toBe(206)
})

/** The part of a zip that a Range header returns: the whole file for 200, nothing for 416. */
const partOf = async (range: string, size: number): Promise<[first: number, end: number]> => {
  try {
    const { status, part } = await ask({ range }, 'zip', size)
    const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(part ?? '') ?? []
    if (status === 200) return [0, size]
    expect([status, Number(total)]).toEqual([206, size])
    return [Number(first), Number(last) + 1]
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RANGE_NOT_SATISFIABLE') return [0, 0]
    throw error
  }
}

const bound = fc.option(fc.nat({ max: 50 }), { nil: undefined })

test('a range returns the same bytes as slice()', () =>
  fc.assert(
    fc.asyncProperty(bound, bound, fc.integer({ min: 1, max: 40 }), async (from, to, size) => {
      fc.pre(from !== undefined || to !== undefined)
      fc.pre(from === undefined || to === undefined || from <= to)
      const bytes = Array.from({ length: size }, (_, at) => at)
      const end = to === undefined ? size : to + 1
      const sliced =
        from === undefined ? bytes.slice(Math.max(0, size - (to ?? 0))) : bytes.slice(from, end)
      const part = await partOf(`bytes=${from ?? ''}-${to ?? ''}`, size)
      expect(bytes.slice(...part)).toEqual(sliced)
    }),
  ))

test('with any Range header, the returned part is inside the file', () => {
  const written = fc.string({ unit: fc.constantFrom(...'0123456789-, ') })
  return fc.assert(
    fc.asyncProperty(written, fc.nat(), async (set, size) => {
      const [first, end] = await partOf(`bytes=${set}`, size)
      expect(first).toBeLessThanOrEqual(end)
      expect(end).toBeLessThanOrEqual(size)
    }),
  )
})
