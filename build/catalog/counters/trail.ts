import { beginDigest } from './segments.ts'
import type { Digest, KnownSegments, Segment } from './segments.ts'

/** Follows a log from its beginning along the parts of it that were counted before. */
export interface Trail {
  /** Bytes until a part may end that was counted before; Infinity where none can. */
  next(): number
  /** Takes what follows; says whether all so far was counted before. */
  take(piece: Uint8Array): boolean
  /** The part behind what was counted before. */
  tail(): Segment
}

/** Parts that may be under way at once, each of which digests every byte. */
const MOST_OPEN = 16

/**
 * Begins a trail. A short part may look like the beginning of a longer one, so where one ends the others stay
 * open: what was counted before ends where the last of any chain of parts does.
 */
export const beginTrail = (known: KnownSegments): Trail => {
  let tail = beginDigest()
  let open: Digest[] = [tail]
  const isKnown = (digest: Digest): boolean =>
    known.hasLength(digest.bytes) && known.has(digest.segment())
  const mayEnd = ({ bytes }: Digest): boolean => known.nextLength(bytes) < Infinity
  return {
    next: () => Math.min(...open.map(({ bytes }) => known.nextLength(bytes) - bytes)),
    take: (piece) => {
      for (const digest of open) digest.update(piece)
      const isCounted = open.some(isKnown)
      if (isCounted) {
        tail = beginDigest()
        open.push(tail)
      }
      open = open.filter((digest) => digest === tail || mayEnd(digest))
      // Of many the first may lead furthest, and the last always counts.
      if (open.length > MOST_OPEN) open.splice(MOST_OPEN - 1, open.length - MOST_OPEN)
      return isCounted
    },
    tail: () => tail.segment(),
  }
}
