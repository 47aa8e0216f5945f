/** Keeps the best few of many: those with the highest scores, and of equal ones the lowest ordinals. */
export interface Best {
  add: (ordinal: number, score: number) => void
  /** Gives the ordinals kept, the best first. */
  list: () => number[]
}

/** Opens a heap of at most `limit` skills, the worst of them on top. */
export const openBest = (limit: number): Best => {
  const ordinals: number[] = []
  const scores: number[] = []

  const isWorse = (a: number, b: number): boolean =>
    scores[a]! < scores[b]! || (scores[a] === scores[b] && ordinals[a]! > ordinals[b]!)

  const swap = (a: number, b: number): void => {
    const ordinal = ordinals[a]!
    const score = scores[a]!
    ordinals[a] = ordinals[b]!
    scores[a] = scores[b]!
    ordinals[b] = ordinal
    scores[b] = score
  }

  const rise = (from: number): void => {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (!isWorse(at, parent)) return
      swap(at, parent)
      at = parent
    }
  }

  const sink = (): void => {
    for (let at = 0; ;) {
      const left = 2 * at + 1
      const right = left + 1
      if (left >= ordinals.length) return
      const child = right < ordinals.length && isWorse(right, left) ? right : left
      if (!isWorse(child, at)) return
      swap(child, at)
      at = child
    }
  }

  const add = (ordinal: number, score: number): void => {
    if (ordinals.length < limit) {
      ordinals.push(ordinal)
      scores.push(score)
      rise(ordinals.length - 1)
      return
    }
    const worst = scores[0]
    if (worst === undefined || score < worst || (score === worst && ordinal > ordinals[0]!)) return
    ordinals[0] = ordinal
    scores[0] = score
    sink()
  }

  return {
    add,
    list: () =>
      ordinals
        .map((ordinal, at) => ({ ordinal, score: scores[at] ?? 0 }))
        .sort((a, b) => b.score - a.score || a.ordinal - b.ordinal)
        .map(({ ordinal }) => ordinal),
  }
}
