import { NAMED, toLetters, toSpelling } from '../../src/search/exact-name.ts'
import type { FindNamed } from '../../src/search/exact-name.ts'

/** Opens a lookup of skills by the names in their ordinal's place. */
export const openNames = (names: readonly string[]): FindNamed => {
  const byLetters = Map.groupBy(names.keys(), (ordinal) => toLetters(names[ordinal] ?? ''))
  const bySpelling = Map.groupBy(names.keys(), (ordinal) => toSpelling(names[ordinal] ?? ''))
  return (q) => {
    const spelling = toSpelling(q)
    const named = new Map<number, number>()
    if (spelling !== '')
      for (const ordinal of bySpelling.get(spelling) ?? [])
        named.set(ordinal, NAMED.otherwiseSpelled)
    for (const ordinal of byLetters.get(toLetters(q)) ?? [])
      named.set(ordinal, NAMED.letterForLetter)
    return named
  }
}
