import { joinCompound, splitCompounds } from './tokenize.ts'
import type { Compound } from './tokenize.ts'

const listWords = (compound: Compound): string[] => [
  ...compound.flatMap(({ text, parts }) => (parts.length > 1 ? [text, ...parts] : [text])),
  ...(compound.length > 1 ? [joinCompound(compound)] : []),
]

/** Gives every word a text is found by: its words, their camelCase parts, and its compounds joined. */
export const listIndexWords = (text: string): string[] => splitCompounds(text).flatMap(listWords)

/** Gives the same of a name, which is one compound however it is spaced: `CSV Clean` is `csvclean` too. */
export const listNameWords = (name: string): string[] =>
  listIndexWords(name.trim().replace(/[\s-]+/gu, '-'))
