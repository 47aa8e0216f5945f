import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDownload, parseDownloadId } from './download-id.ts'
import { ApiError } from './errors.ts'

const codeOf = (read: () => unknown): string => {
  try {
    return `read ${String(read())}`
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
}

const BAD = [
  ' 0 00 012 -1 +1 --1 1.0 1. .5 1e3 1E3 0x10 0b1 1_000 1,000 %201 1%20 1%00 %00 1%0A',
  'abc 12abc 12.zip 12.md NaN null .. %2e%2e %2F12 12%2F13 %5C %EF%BC%91 %D9%A1 %C2%B2',
  "% %1 %zz %FF 1'-- 1;2 *",
].flatMap((ids) => ids.split(' '))

describe('GET /api/skills/download/{id}', () => {
  test.for(BAD)('%s -> 400 INVALID_ID', (segment) => {
    expect(codeOf(() => parseDownloadId(segment))).toBe('INVALID_ID')
  })

  test.for(['9007199254740992', '9'.repeat(400)])('%s -> 404 SKILL_NOT_FOUND', (segment) => {
    expect(codeOf(() => parseDownloadId(segment))).toBe('SKILL_NOT_FOUND')
  })

  test('12?x=1 -> 400 UNKNOWN_PARAMETER, and 12? is 12', () => {
    expect(codeOf(() => parseDownload('12', 'x=1'))).toBe('UNKNOWN_PARAMETER')
    expect(codeOf(() => parseDownload('12', '&'))).toBe('read 12')
  })

  test('any positive whole number is an id', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (id) => {
        fc.pre(id > 0)
        expect(parseDownloadId(String(id))).toBe(id)
      }),
    )
  })
})
