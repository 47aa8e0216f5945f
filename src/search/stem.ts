import { stemmer } from 'stemmer'

/** Spellings made one before stemming: optimise and optimize, analyse and analysis. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z]{3})is(?=(?:e|es|ed|ing|ation|ations|er|ers)$)/, 'iz'],
  [/(?<=[a-z])lys(?:is|e)$/, 'lyze'],
  [/(?<=[a-z])lys(?=(?:es|ed|ing|er|ers)$)/, 'lyz'],
]

// Three letters are mostly short forms whose s is no plural: `aws`, `ios`, `tos`.
const ENGLISH = /^[a-z]{4,}$/

/** Gives the Porter stem of a lower-cased English word; any other word is its own stem. */
export const stemWord = (word: string): string => {
  if (!ENGLISH.test(word)) return word
  const spelled = SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), word)
  // Porter turns the y of `deploy` into i but leaves that of `deployment`: one of them must give way.
  return stemmer(spelled).replace(/(?<=.{3})i$/, 'y')
}
