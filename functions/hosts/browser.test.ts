import { crc32 as known } from 'node:zlib'
import { expect, test } from 'vitest'
import { crc32 } from './browser.ts'

test.each(['', 'a', 'The quick brown fox', '\u0000ÿ'.repeat(1_000)])('the CRC-32 of %j', (text) => {
  const bytes = Buffer.from(text)
  expect(crc32(bytes)).toBe(known(bytes))
  expect(crc32(bytes, 7)).toBe(known(bytes, 7))
})
