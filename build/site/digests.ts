import { createHash, hash } from 'node:crypto'

const LENGTH = 22

/** Computes a digest of 132 bits, as 22 characters of base64. */
export const digestText = (text: string | Uint8Array): string =>
  hash('sha256', text, 'base64url').slice(0, LENGTH)

/** Digests names and bytes, in the given order. */
export const digestFiles = (files: readonly (readonly [string, Uint8Array])[]): string => {
  const sum = createHash('sha256')
  for (const [name, bytes] of files) sum.update(`${name}\0${bytes.length}\0`).update(bytes)
  return sum.digest('base64url').slice(0, LENGTH)
}
