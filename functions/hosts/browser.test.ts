import { crc32 as crc32OfNode } from 'node:zlib'
import { expect, test } from 'vitest'
import { crc32 } from './browser.ts'

test.each(['', 'a', 'The quick brown fox', '\u0000ÿ'.repeat(1_000)])(
  'the CRC-32 of %j equals that of node:zlib',
  (text) => {
    const bytes = Buffer.from(text)
    expect(crc32(bytes)).toBe(crc32OfNode(bytes))
    expect(crc32(bytes, 7)).toBe(crc32OfNode(bytes, 7))
  },
)
