/** At least this many skills are kept, so that a small page does not drop the worst after every few. */
const LEAST_KEPT = 64

/**
 * The best few of many skills: those with the highest scores, and of equal ones the lowest ordinals. Twice
 * as many as wanted are gathered before the worse half is dropped, so that a page costs what the matches
 * cost, however deep it lies.
 */
export class TopSkills {
  readonly #limit: number
  readonly #ordinals: Int32Array
  readonly #scores: Float64Array
  #count = 0
  /** The worst score of the best so far: a skill that is not above it is worse than `limit` others. */
  #leastScore: number
  #leastOrdinal = -1

  /** Keeps the best `limit` of at most `most` skills. */
  constructor(limit: number, most: number) {
    const room = Math.min(most, Math.max(LEAST_KEPT, 2 * limit))
    this.#limit = limit
    this.#ordinals = new Int32Array(room)
    this.#scores = new Float64Array(room)
    this.#leastScore = limit === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
  }

  add(ordinal: number, score: number): void {
    if (score < this.#leastScore) return
    if (score === this.#leastScore && ordinal > this.#leastOrdinal) return
    if (this.#count === this.#ordinals.length) this.#shrink()
    this.#ordinals[this.#count] = ordinal
    this.#scores[this.#count++] = score
  }

  /** The ordinals from a rank on, best first. */
  list(from = 0): number[] {
    this.#shrink()
    if (from > 0) this.#select(from)
    return Array.from(this.#ordinals.subarray(from, this.#count), (ordinal, at) => ({
      ordinal,
      score: this.#scores[from + at]!,
    }))
      .sort((a, b) => b.score - a.score || a.ordinal - b.ordinal)
      .map(({ ordinal }) => ordinal)
  }

  /** Drops all but the best. */
  #shrink(): void {
    if (this.#count <= this.#limit) return
    // The last of the best stands at its place, and those before it are better.
    this.#select(this.#limit - 1)
    this.#count = this.#limit
    this.#leastScore = this.#scores[this.#limit - 1]!
    this.#leastOrdinal = this.#ordinals[this.#limit - 1]!
  }

  /** Puts the best `wanted` before all others, in no order (Hoare's quickselect). */
  #select(wanted: number): void {
    const ordinals = this.#ordinals
    const scores = this.#scores
    let low = 0
    let high = this.#count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      const score = scores[middle]!
      const ordinal = ordinals[middle]!
      let left = low
      let right = high
      while (left <= right) {
        while (scores[left]! > score || (scores[left] === score && ordinals[left]! < ordinal))
          left++
        while (scores[right]! < score || (scores[right] === score && ordinals[right]! > ordinal))
          right--
        if (left <= right) this.#swap(left++, right--)
      }
      if (wanted <= right) high = right
      else if (wanted >= left) low = left
      else return
    }
  }

  #swap(a: number, b: number): void {
    const ordinal = this.#ordinals[a]!
    const score = this.#scores[a]!
    this.#ordinals[a] = this.#ordinals[b]!
    this.#scores[a] = this.#scores[b]!
    this.#ordinals[b] = ordinal
    this.#scores[b] = score
  }
}
