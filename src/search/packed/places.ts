import { SORTS, countBefore } from '../../catalog/browse.ts'
import type { Sort, Sortable } from '../../catalog/browse.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import type { OldIndex } from './old-index.ts'

/** Where the skills of an index stand after some left and some came; a change is both. */
export interface Places<Coming extends Sortable> {
  size: number
  /** New ordinal of each old one; -1 of those that left. */
  moved: Int32Array
  /** Old ordinal of each new one; -1 of those that came. */
  from: Int32Array
  /** What came, by its new ordinal, in order. */
  coming: ReadonlyMap<number, Coming>
  isSame: boolean
}

const findLeaving = (ids: Float64Array, leaving: ReadonlySet<number>): Set<number> => {
  const ordinals = new Set<number>()
  for (let at = 0; at < ids.length; at++) if (leaving.has(ids[at]!)) ordinals.add(at)
  if (ordinals.size !== leaving.size) throw new InvalidIndexError('it is of other skills')
  return ordinals
}

const listKept = (size: number, gone: ReadonlySet<number>): Int32Array => {
  const kept = new Int32Array(size - gone.size)
  let end = 0
  for (let at = 0; at < size; at++) if (!gone.has(at)) kept[end++] = at
  return kept
}

/** Puts those that came between those that were kept, each before as many as stand after it. */
const interleave = <Coming>(
  kept: Int32Array,
  sorted: readonly { one: Coming; after: number }[],
  put: (place: number, kept: number | undefined, came: Coming | undefined) => void,
): void => {
  let place = 0
  let next = 0
  for (let at = 0; at <= kept.length; at++) {
    for (; next < sorted.length && sorted[next]!.after === at; next++)
      put(place++, undefined, sorted[next]!.one)
    if (at < kept.length) put(place++, kept[at], undefined)
  }
}

/** Finds the places in popular order: all but those of the skills that came are read off the old index. */
export const findPlaces = <Coming extends Sortable>(
  old: OldIndex,
  leaving: ReadonlySet<number>,
  came: readonly Coming[],
): Places<Coming> => {
  const kept = listKept(old.size, findLeaving(old.ids, leaving))
  const readKept = (at: number): Sortable => old.readRow(kept[at]!)
  const sorted = came
    .toSorted(SORTS.popular)
    .map((one) => ({ one, after: countBefore(kept.length, readKept, one, 'popular') }))
  const size = kept.length + came.length
  const moved = new Int32Array(old.size).fill(-1)
  const from = new Int32Array(size).fill(-1)
  const coming = new Map<number, Coming>()
  interleave(kept, sorted, (place, ordinal, one) => {
    if (one !== undefined) coming.set(place, one)
    if (ordinal === undefined) return
    moved[ordinal] = place
    from[place] = ordinal
  })
  return { size, moved, from, coming, isSame: moved.every((to, at) => to === at || to === -1) }
}

/** Writes another order anew: who came is put between the others, who left is left out. */
export const moveOrder = <Coming extends Sortable>(
  old: OldIndex,
  { moved, size, coming }: Places<Coming>,
  order: Uint32Array,
  sort: Sort,
): Uint32Array<ArrayBuffer> => {
  const kept = Int32Array.from(order.filter((ordinal) => moved[ordinal] !== -1))
  const readKept = (at: number): Sortable => old.readRow(kept[at]!)
  const sorted = [...coming]
    .sort(([, a], [, b]) => SORTS[sort](a, b))
    .map(([one, listed]) => ({ one, after: countBefore(kept.length, readKept, listed, sort) }))
  const next = new Uint32Array(size)
  interleave(kept, sorted, (place, ordinal, one) => {
    next[place] = one ?? moved[ordinal ?? 0] ?? 0
  })
  return next
}
