import { foldText } from './fold.ts'

/** How a query names a skill: letter for letter, but for its separators or accents, or not at all. */
export const NAMED = { letterForLetter: 2, otherwiseSpelled: 1, not: 0 } as const

/** Says how surely a query is the name of each skill; only those it names are in the answer. */
export type FindNamed = (q: string) => ReadonlyMap<number, number>

/** The letters of a name as they are compared first: in any case, blanks around it aside. */
export const toLetters = (name: string): string => name.trim().toLowerCase()

/** The spelling of a name without what people vary: case, accents, blanks, hyphens, dots. */
export const toSpelling = (name: string): string =>
  foldText(name)
    .toLowerCase()
    .replace(/[\s\-_./:]+/gu, '')
