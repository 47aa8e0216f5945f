import { isAscii } from '../catalog/text.ts'
import { foldText } from './fold.ts'

/** Longest word that is kept, in UTF-16 units; the rest of a longer one is cut, in index and query alike. */
export const MAX_WORD = 64

// No half of a surrogate pair is left: a database takes whole characters only, so all halves would be one.
const cutWord = (word: string): string => word.slice(0, MAX_WORD).replace(/[\ud800-\udbff]$/, '')

/** One word of a text: lower-cased, with its parts where it is camelCase (`GitHub`: `git`, `hub`). */
export interface Word {
  text: string
  parts: string[]
}

/** Words written as one: `csv-clean` has two, `飞书` and most others one. */
export type Compound = Word[]

/** Scripts written without spaces between words; they are cut into overlapping pairs of characters. */
const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\u30fc\u3005'
const LETTER = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])`
const JOINERS = "-._/&'\u2019"

const TOKENS = new RegExp(`[${UNSPACED}]+|${LETTER}+(?:[${JOINERS}]${LETTER}+)*`, 'gu')
// The same of a text in ASCII, where what a letter is takes no asking.
const TOKENS_OF_ASCII = /[A-Za-z0-9]+(?:[-._/&'][A-Za-z0-9]+)*/g
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')
const POSSESSIVE = /['\u2019]s(?![\p{L}\p{N}])/giu
const APOSTROPHES = /['\u2019]/g
// `APIs` and `LLMs` stay whole: a capital starts a word only before two small letters.
const HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u

/** Says whether a word is of a script without spaces, so that one character of it means something. */
export const isUnspaced = (word: string): boolean => STARTS_UNSPACED.test(word)

/** A word that is one whole, whatever else it could be read as: most are. */
const WHOLE = /^[A-Za-z]?[a-z0-9]*$/

const readWord = (written: string): Word => {
  const kept = cutWord(written)
  return {
    text: kept.toLowerCase(),
    parts: kept.split(HUMPS).map((part) => part.toLowerCase()),
  }
}

const readPairs = (run: string): Compound[] => {
  const characters = [...run]
  if (characters.length === 1) return [[{ text: run, parts: [run] }]]
  return characters.slice(1).map((character, index) => {
    const pair = `${characters[index]}${character}`
    return [{ text: pair, parts: [pair] }]
  })
}

const readCompound = (written: string): Compound => {
  if (written.length <= MAX_WORD && WHOLE.test(written)) {
    const text = written.toLowerCase()
    return [{ text, parts: [text] }]
  }
  return written
    .replace(POSSESSIVE, '')
    .replace(APOSTROPHES, '')
    .split(/[-._/&]/)
    .map(readWord)
}

/** Splits a text into its compounds, in order; punctuation, emoji and lone surrogates are none. */
export const splitCompounds = (text: string): Compound[] => {
  const folded = foldText(text)
  if (isAscii(folded)) return (folded.match(TOKENS_OF_ASCII) ?? []).map(readCompound)
  return (folded.match(TOKENS) ?? []).flatMap((token) =>
    isUnspaced(token) ? readPairs(token) : [readCompound(token)],
  )
}

/** Writes a compound as one word: `csv-clean` is `csvclean`. */
export const joinCompound = (compound: Compound): string =>
  cutWord(compound.map((word) => word.text).join(''))
