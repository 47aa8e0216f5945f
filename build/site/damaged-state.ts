import { crc32 } from 'node:zlib'

/** What the last build left is not what it wrote; a build that goes by nothing is whole all the same. */
export class DamagedStateError extends Error {
  override name = 'DamagedStateError'
}

/** Throws DamagedStateError where bytes of a file of the state are others than those that were written. */
export const checkBytes = (path: string, bytes: Uint8Array, check: number): void => {
  if (crc32(bytes) !== check) throw new DamagedStateError(`${path} is damaged`)
}
