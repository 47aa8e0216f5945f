// Replaces `node:crypto` and `node:zlib` in a browser.

/** Returns no digest, since an answer in a browser needs no ETag. */
export const hash = (): string => ''

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** CRC-32 (RFC 1952 8). */
export const crc32 = (bytes: Uint8Array, before = 0): number => {
  let sum = ~before
  for (const byte of bytes) sum = TABLE[(sum ^ byte) & 0xff]! ^ (sum >>> 8)
  return ~sum >>> 0
}
