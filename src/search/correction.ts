/** An unknown word and the known words nearest to it. */
interface Correction {
  typed: string
  words: readonly string[]
}

/** A misspelt word of a query, and the word that is searched instead. */
export type Corrected = readonly [typed: string, shown: string]

/** Chooses the word that most skills contain. */
export const chooseCorrections = (
  corrections: readonly Correction[],
  countSkillsWith: (word: string) => number,
): Corrected[] =>
  corrections.flatMap(({ typed, words }): Corrected[] => {
    const candidates = words.map((word) => ({ word, count: countSkillsWith(word) }))
    const [best] = candidates.sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    return best === undefined ? [] : [[typed, best.word]]
  })
