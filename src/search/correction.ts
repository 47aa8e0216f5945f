/** An unknown word and its possible corrections. */
export interface Correction<Word = string> {
  typed: string
  words: readonly Word[]
}

/** A correction as shown to the reader. */
export type Corrected = readonly [typed: string, shown: string]

/** Chooses the correction that a page shows: the candidate that most skills contain. */
export const chooseShown = (
  corrections: readonly Correction[],
  countSkillsWith: (word: string) => number,
): Corrected[] =>
  corrections.flatMap(({ typed, words }): Corrected[] => {
    const candidates = words.map((word) => ({ word, count: countSkillsWith(word) }))
    const [best] = candidates.sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    return best === undefined ? [] : [[typed, best.word]]
  })
