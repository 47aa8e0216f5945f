import { hash } from 'node:crypto'

/** A file of a version: its path, its SHA-256 in hex, and whether it is executable. */
interface SummedFile {
  path: string
  sha256: string
  isExecutable?: boolean | undefined
}

const byPath = (a: SummedFile, b: SummedFile): number =>
  Buffer.compare(Buffer.from(a.path), Buffer.from(b.path))

/**
 * Computes the SHA-256, in hex, of the lines that `sha256sum` prints for the files of a version, sorted by the bytes of
 * their paths. An executable has a star before its path, as GNU prints with `-b`, so `sha256sum -c` accepts the lines.
 * Nothing else affects the name of a version: not its record, its day, an address, or the version of zlib.
 */
export const digestSums = (files: readonly SummedFile[]): string => {
  const lines = files
    .toSorted(byPath)
    .map(({ path, sha256, isExecutable }) => `${sha256} ${isExecutable ? '*' : ' '}${path}\n`)
  return hash('sha256', lines.join(''))
}

/** The name of a version: the first 32 digits of its digest. Twelve can be made equal in half a minute. */
export const nameVersion = (digest: string): string => digest.slice(0, 32)
