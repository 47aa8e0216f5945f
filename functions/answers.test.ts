import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../src/api/errors.ts'
import { answerFile } from './answers.ts'
import type { SiteRequest } from './route.ts'

/** Answers with a file of some bytes; the tag of a raw file is weak, that of a zip strong. */
const ask = async (request: Partial<SiteRequest>, policy: 'skillFile' | 'zip', size = 100) => {
  const file = { size, body: async () => new Uint8Array() }
  const { status, headers } = await answerFile(
    { method: 'GET', target: '/', ...request },
    { file, policy, version: 'a' },
  )
  return { status, part: headers['Content-Range'] }
}

test('a part is given for the strong tag of a zip, and never for the weak one of a text', async () => {
  const range = 'bytes=0-9'
  expect((await ask({ range, ifRange: '"a"' }, 'zip')).status).toBe(206)
  expect((await ask({ range, ifRange: 'W/"a"' }, 'skillFile')).status).toBe(200)
  expect((await ask({ range }, 'skillFile')).status).toBe(206)
})

/** The part of a zip that a range is answered with: all of it where the answer is 200, none where it is 416. */
const partOf = async (range: string, size: number): Promise<[first: number, end: number]> => {
  try {
    const { status, part } = await ask({ range }, 'zip', size)
    const [, first, last, of] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(part ?? '') ?? []
    if (status === 200) return [0, size]
    expect([status, Number(of)]).toEqual([206, size])
    return [Number(first), Number(last) + 1]
  } catch (error) {
    if (error instanceof ApiError && error.code === 'RANGE_NOT_SATISFIABLE') return [0, 0]
    throw error
  }
}

const bound = fc.option(fc.nat({ max: 50 }), { nil: undefined })

test('any range gives the bytes that slicing gives', () =>
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

test('a part lies inside the file, whatever is asked for', () => {
  const written = fc.string({ unit: fc.constantFrom(...'0123456789-, ') })
  return fc.assert(
    fc.asyncProperty(written, fc.nat(), async (set, size) => {
      const [first, end] = await partOf(`bytes=${set}`, size)
      expect(first).toBeLessThanOrEqual(end)
      expect(end).toBeLessThanOrEqual(size)
    }),
  )
})
