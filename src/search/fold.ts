import { isAscii } from '../catalog/text.ts'

/** Letters that NFKD leaves whole, and what people type for them. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ı', 'i'],
])

/** Names made of signs that would be lost as punctuation. */
const SIGNED_NAMES: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}\p{N}])c\+\+/giu, 'cpp'],
  [/(?<![\p{L}\p{N}])c#/giu, 'csharp'],
  [/(?<![\p{L}\p{N}])f#/giu, 'fsharp'],
  [/(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/giu, 'dotnet'],
]

/** What none of those names is without. */
const MAY_BE_SIGNED = /[#+]|\.net/i

// Only the Latin, Greek and Cyrillic accents go: が is not か. NFC then rebuilds kana and Hangul.
const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFC')
    .replace(/[ßæœøđðþłħı]/giu, (letter) => LETTERS.get(letter.toLowerCase()) ?? letter)

/**
 * Folds a text to what people type: no accents, no width forms, no invisible characters.
 * Case stays, for camelCase is read later.
 */
export const foldText = (text: string): string => {
  const plain = isAscii(text) ? text : foldLetters(text)
  return MAY_BE_SIGNED.test(plain)
    ? SIGNED_NAMES.reduce((folded, [sign, word]) => folded.replace(sign, word), plain)
    : plain
}
