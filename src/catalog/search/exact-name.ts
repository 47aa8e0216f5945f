import { foldText } from './fold.ts'

/** How a query names a skill: letter for letter, but for its separators or accents, or not at all. */
export const NAMED = { letterForLetter: 2, otherwiseSpelled: 1, not: 0 } as const

/** Says how surely a query is the name of each skill; only those it names are in the answer. */
export type FindNamed = (q: string) => ReadonlyMap<number, number>

/** The letters of a name, in whatever case. */
export const toLetters = (name: string): string => name.trim().toLowerCase()

/** The spelling of a name without what people vary: case, accents, blanks, hyphens, dots. */
export const toSpelling = (name: string): string =>
  foldText(name)
    .toLowerCase()
    .replace(/[\s\-_./:]+/gu, '')

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
