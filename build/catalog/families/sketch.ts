/** Places of a sketch; its bands take three each. */
const PLACES = 126
const ROWS = 3
const BANDS = PLACES / ROWS

const EMPTY = 0xffffffff

/** Numbers of the smallest shingle in each of many parts of all shingles: a text in half a kilobyte. */
export type Sketch = Uint32Array

/**
 * Sketches a text by one-permutation MinHash: each shingle falls into one place, which keeps the
 * smallest. A place that none fell into borrows from the next, so that short texts compare too.
 */
export const sketchShingles = (shingles: Uint32Array): Sketch => {
  const kept = new Uint32Array(PLACES).fill(EMPTY)
  for (const shingle of shingles) {
    const place = shingle % PLACES
    const value = Math.floor(shingle / PLACES)
    if (value < (kept[place] ?? 0)) kept[place] = value
  }
  return kept.map((value, place) => (value === EMPTY ? borrow(kept, place) : value))
}

const borrow = (kept: Uint32Array, place: number): number => {
  for (let step = 1; step < PLACES; step += 1) {
    const value = kept[(place + step) % PLACES]
    // How far it was borrowed is part of it, or two texts would agree by their gaps.
    if (value !== undefined && value !== EMPTY) return (value ^ Math.imul(step, 0x9e3779b1)) >>> 0
  }
  return EMPTY
}

/** Gives the share of places on which two sketches agree: about the overlap of their shingles. */
export const compareSketches = (one: Sketch, other: Sketch): number => {
  let same = 0
  for (let place = 0; place < PLACES; place += 1) if (one[place] === other[place]) same += 1
  return same / PLACES
}

/** Gives a band as one number; that two share one by chance costs a closer look, no more. */
const bandKey = (sketch: Sketch, band: number): number => {
  const at = band * ROWS
  const [first = 0, second = 0, third = 0] = [sketch[at], sketch[at + 1], sketch[at + 2]]
  return Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ third
}

/** Texts of one band that are looked at; a band that more share is boilerplate and says nothing. */
const SHARED_BY_AT_MOST = 200

/** Finds texts that may be alike without comparing each with each. */
export interface SketchIndex {
  add: (key: number, sketch: Sketch) => void
  /** Keys of texts that agree with a sketch on a whole band. */
  find: (sketch: Sketch) => Set<number>
}

const NONE = -1

/** The texts of a band as chains: the latest place of each key, and of each place the one before. */
interface Band {
  latest: Map<number, number>
  before: number[]
}

/** Makes an index of sketches by bands: texts that overlap by 0.7 miss each other once in 10^7. */
export const createSketchIndex = (): SketchIndex => {
  const keys: number[] = []
  const bands = Array.from({ length: BANDS }, (): Band => ({ latest: new Map(), before: [] }))
  return {
    add: (key, sketch) => {
      const place = keys.push(key) - 1
      for (const [number, { latest, before }] of bands.entries()) {
        const name = bandKey(sketch, number)
        before.push(latest.get(name) ?? NONE)
        latest.set(name, place)
      }
    },
    find: (sketch) => {
      const found = new Set<number>()
      for (const [number, { latest, before }] of bands.entries()) {
        let place = latest.get(bandKey(sketch, number)) ?? NONE
        for (let seen = 0; place !== NONE && seen < SHARED_BY_AT_MOST; seen += 1) {
          found.add(keys[place] ?? NONE)
          place = before[place] ?? NONE
        }
      }
      return found
    },
  }
}
