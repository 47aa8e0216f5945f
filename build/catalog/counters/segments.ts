import { createHash } from 'node:crypto'

/** A part of a log that was counted, known by what it holds; it ends with a line. */
export interface Segment {
  bytes: number
  sha256: string
}

/** The parts that were counted before. */
export interface KnownSegments {
  has(segment: Segment): boolean
  hasLength(bytes: number): boolean
  add(segment: Segment): void
  /** Gives the least length of a known part above a length; Infinity where there is none. */
  nextLength(above: number): number
  list(): Segment[]
}

/** Puts the parts that were counted before into order. */
export const openSegments = (segments: readonly Segment[]): KnownSegments => {
  const byLength = new Map<number, Set<string>>()
  let lengths: number[] = []
  const add = ({ bytes, sha256 }: Segment): void => {
    const digests = byLength.get(bytes)
    if (digests) {
      digests.add(sha256)
      return
    }
    byLength.set(bytes, new Set([sha256]))
    lengths = [...byLength.keys()].sort((a, b) => a - b)
  }
  for (const segment of segments) add(segment)
  return {
    add,
    has: ({ bytes, sha256 }) => byLength.get(bytes)?.has(sha256) === true,
    hasLength: (bytes) => byLength.has(bytes),
    nextLength: (above) => lengths.find((length) => length > above) ?? Infinity,
    list: () =>
      lengths.flatMap((bytes) =>
        [...(byLength.get(bytes) ?? [])].sort().map((sha256) => ({ bytes, sha256 })),
      ),
  }
}

/** Digests a part of a log as it is read. */
export interface Digest {
  bytes: number
  update(piece: Uint8Array): void
  /** Gives the part as it is so far. */
  segment(): Segment
}

/** Begins a part of a log. */
export const beginDigest = (): Digest => {
  const sum = createHash('sha256')
  const digest: Digest = {
    bytes: 0,
    update: (piece) => {
      sum.update(piece)
      digest.bytes += piece.length
    },
    segment: () => ({ bytes: digest.bytes, sha256: sum.copy().digest('hex') }),
  }
  return digest
}
