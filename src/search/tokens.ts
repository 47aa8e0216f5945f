import { stemmer } from 'stemmer'
import { isAscii, remember, typeLetters } from '../catalog/text.ts'

/** Names with punctuation that would be dropped. */
const PUNCTUATED_NAMES: readonly (readonly [RegExp, string])[] = [
  [/(?<![\p{L}\p{N}])c\+\+/giu, 'cpp'],
  [/(?<![\p{L}\p{N}])c#/giu, 'csharp'],
  [/(?<![\p{L}\p{N}])f#/giu, 'fsharp'],
  [/(?<![\p{L}\p{N}])\.net(?![\p{L}\p{N}])/giu, 'dotnet'],
]

/** A quick test, which all punctuated names pass. */
const MAY_BE_PUNCTUATED = /[#+]|\.net/i

/** A non-ASCII text is cut to this number of characters: normalizing combining marks takes quadratic time. */
const MOST_FOLDED = 8_000

/** Latin, Greek and Cyrillic accents, Hebrew and Arabic vowel points. All other marks make a difference: が is not か. */
const ACCENTS = /[\u0300-\u036f]/
const HEBREW_POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]/
const ARABIC_POINTS =
  /[\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4]/
const DROPPED = new RegExp(
  [ACCENTS, HEBREW_POINTS, ARABIC_POINTS, /\p{Default_Ignorable_Code_Point}/u]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)

/**
 * Letters that people write in different ways, and their common form: for Arabic, Persian and Urdu that of Lucene's
 * ArabicNormalizer and PersianNormalizer. Bengali and Malayalam write some letters with or without a joiner.
 */
const VARIANTS: readonly (readonly [RegExp, string])[] = [
  [/\u0627[\u0653-\u0655]/g, '\u0627'],
  [/[\u0649\u06cc\u06d2]/g, '\u064a'],
  [/[\u06a9\u06aa]/g, '\u0643'],
  [/\u06d5\u0654|\u06c1\u0654?|[\u0629\u06c3]/g, '\u0647'],
  [/\u09ce/g, '\u09a4\u09cd'],
  [/\u0d7a/g, '\u0d23\u0d4d'],
  [/\u0d7b/g, '\u0d28\u0d4d'],
  [/\u0d7c/g, '\u0d30\u0d4d'],
  [/\u0d7d/g, '\u0d32\u0d4d'],
  [/\u0d7e/g, '\u0d33\u0d4d'],
  [/\u0d7f/g, '\u0d15\u0d4d'],
  // The apostrophe of Ukrainian and other languages as a letter.
  [/[\u02bb\u02bc]/g, '\u2019'],
]

const DIGIT = /\p{Nd}/u

/** Returns the ASCII form of a decimal digit. In Unicode, the ten digits of a script stand together, from 0 to 9. */
const toAsciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0)!
  let value = 0
  while (DIGIT.test(String.fromCodePoint(code - value - 1))) value++
  return String(value % 10)
}

// NFKD separates letters and marks; NFC then recomposes kana and Hangul.
const foldLetters = (text: string): string =>
  typeLetters(
    VARIANTS.reduce(
      (folded, [written, letter]) => folded.replace(written, letter),
      text.slice(0, MOST_FOLDED).normalize('NFKD').replace(DROPPED, ''),
    )
      .replace(/(?![0-9])\p{Nd}/gu, toAsciiDigit)
      .normalize('NFC'),
  )

/**
 * Folds a text to the letters that people type: removes accents, variants of width and invisible characters, and
 * writes digits of any script as ASCII. Keeps case, because camelCase is split later.
 */
export const foldText = (text: string): string => {
  const plain = isAscii(text) ? text : foldLetters(text)
  return MAY_BE_PUNCTUATED.test(plain)
    ? PUNCTUATED_NAMES.reduce((folded, [written, word]) => folded.replace(written, word), plain)
    : plain
}

/** Longest word in UTF-16 units; longer words are cut, in the index and in queries. */
const MAX_WORD = 64

// Also cuts half of a surrogate pair, which PostgreSQL does not accept.
const cutWord = (word: string): string => word.slice(0, MAX_WORD).replace(/[\ud800-\udbff]$/, '')

/** One word of a text, lower-cased; a camelCase word has several parts (`GitHub`: `git`, `hub`). */
interface Word {
  text: string
  parts: string[]
}

/** Words joined by hyphens or the like: `csv-clean` has two, `飞书` and most compounds only one. */
type Compound = Word[]

/** Scripts without spaces between words. Their texts are cut into overlapping pairs of letters with their marks. */
const UNSPACED = `(?!\\p{Nd})[${[
  ...['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'].map(
    (script) => `\\p{Script=${script}}`,
  ),
  '\u30fc\u3005',
].join('')}]`
const LETTER = `(?:(?!${UNSPACED})[\\p{L}\\p{N}\\p{M}])`
const RUN = `(?:(?!\\p{P})${UNSPACED}\\p{M}*)+`
const JOINERS = "-._/&'\u2019"

const TOKENS = new RegExp(`${RUN}|${LETTER}+(?:[${JOINERS}]${LETTER}+)*`, 'gu')
// Finds the same tokens in ASCII texts, several times faster.
const TOKENS_OF_ASCII = /[A-Za-z0-9]+(?:[-._/&'][A-Za-z0-9]+)*/g
const STARTS_UNSPACED = new RegExp(`^${UNSPACED}`, 'u')
const POSSESSIVE = /['\u2019]s(?![\p{L}\p{N}])/giu
const APOSTROPHES = /['\u2019]/g
// Splits `GitHub` and `HTMLParser`, but not `APIs`: the last of several capitals needs two lower-case letters after it.
const CAMEL_CASE = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll}{2})/u

/** Whether a word is in a script without spaces, in which a single letter can have a meaning. */
export const isUnspaced = (word: string): boolean => STARTS_UNSPACED.test(word)

/** The usual words: ASCII, and no camelCase. */
const SIMPLE = /^[A-Za-z]?[a-z0-9]*$/

const readWord = (written: string): Word => {
  const word = cutWord(written)
  return {
    text: word.toLowerCase(),
    parts: word.split(CAMEL_CASE).map((part) => part.toLowerCase()),
  }
}

/** Lists the overlapping pairs of letters, with their marks, of a run without spaces; a single letter stands alone. */
const listPairs = (run: string): { text: string; at: number }[] => {
  const letters = [...run.matchAll(/\P{M}?\p{M}*/gu)].filter(([letter]) => letter !== '')
  const [{ 0: first = '' } = ['']] = letters
  if (letters.length === 1) return [{ text: first, at: 0 }]
  return letters.slice(1).map(([letter], index) => {
    const { 0: before, index: at } = letters[index]!
    return { text: before + letter, at }
  })
}

const readPairs = (run: string): Compound[] =>
  listPairs(run).map(({ text }) => {
    const pair = cutWord(text)
    return [{ text: pair, parts: [pair] }]
  })

const readCompound = (written: string): Compound => {
  if (written.length <= MAX_WORD && SIMPLE.test(written)) {
    const text = written.toLowerCase()
    return [{ text, parts: [text] }]
  }
  return written
    .replace(POSSESSIVE, '')
    .replace(APOSTROPHES, '')
    .split(/[-._/&]/)
    .map(readWord)
}

const readToken = (token: string): Compound[] =>
  isUnspaced(token) ? readPairs(token) : [readCompound(token)]

/**
 * Splits a text into its compounds, in order. Drops punctuation, emoji and lone surrogates, and everything after the
 * first `most` compounds or runs without spaces.
 */
export const splitCompounds = (text: string, most = Infinity): Compound[] => {
  const folded = foldText(text)
  if (isAscii(folded)) return (folded.match(TOKENS_OF_ASCII) ?? []).slice(0, most).map(readCompound)
  return (folded.match(TOKENS) ?? []).slice(0, most).flatMap(readToken)
}

/**
 * Counts the words of a text, in the order in which they first occur. Each different compound is read once. Goes line
 * by line, because only the beginning of a non-ASCII line is folded.
 */
export const countAllWords = (text: string): Map<string, number> => {
  const tokens = new Map<string, number>()
  for (const line of isAscii(text) ? [text] : text.split('\n')) {
    const folded = foldText(line)
    for (const token of folded.match(isAscii(folded) ? TOKENS_OF_ASCII : TOKENS) ?? [])
      tokens.set(token, (tokens.get(token) ?? 0) + 1)
  }
  const words = new Map<string, number>()
  for (const [token, times] of tokens)
    for (const compound of readToken(token))
      for (const { text: word } of compound) words.set(word, (words.get(word) ?? 0) + times)
  return words
}

/** A range of a text, in UTF-16 units, and its words. */
interface PlacedWords {
  from: number
  to: number
  words: Word[]
}

const PUNCTUATED = PUNCTUATED_NAMES.map(([{ source }]) => source).join('|')
const PLACED = new RegExp(`${PUNCTUATED}|${TOKENS.source}`, 'giu')

const placePairs = (run: string, start: number): PlacedWords[] =>
  listPairs(run).map(({ text, at }) => ({
    from: start + at,
    to: start + at + text.length,
    words: splitCompounds(text).flat(),
  }))

/** Lists the words of a text with their places: a compound as a whole, and each of its words. */
export const placeWords = (text: string): PlacedWords[] =>
  [...text.matchAll(PLACED)].flatMap(({ 0: token, index: from }) => {
    if (isUnspaced(token)) return placePairs(token, from)
    const [compound = []] = splitCompounds(token)
    const to = from + token.length
    const parts = token.split(/(?<=[-._/&])/)
    if (compound.length === 1 || parts.length !== compound.length)
      return [{ from, to, words: compound }]
    let at = from
    const places = compound.map((word, index) => {
      const part = parts[index] ?? ''
      const place = { from: at, to: at + part.replace(/[-._/&]$/, '').length, words: [word] }
      at += part.length
      return place
    })
    const joined = joinCompound(compound)
    const whole = { from, to, words: [{ text: joined, parts: [joined] }] }
    return [whole].concat(places)
  })

/** Joins a compound into one word: `csv-clean` becomes `csvclean`. */
export const joinCompound = (compound: Compound): string =>
  cutWord(compound.map((word) => word.text).join(''))

/** Turns British spellings into American ones before stemming: optimise, analyse, analysis. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z]{3})is(?=(?:e|es|ed|ing|ation|ations|er|ers)$)/, 'iz'],
  [/(?<=[a-z])lys(?:is|e)$/, 'lyze'],
  [/(?<=[a-z])lys(?=(?:es|ed|ing|er|ers)$)/, 'lyz'],
]

// Words of three letters are not stemmed: most are short forms, whose s is not a plural, such as `aws`, `ios`, `tos`.
const ENGLISH = /^[a-z]{4,}$/

/** Number of stems in the cache: a few words make up most of all texts. */
const REMEMBERED = 8_192

const stemEnglish = remember((word) => {
  const spelled = SPELLINGS.reduce((text, [from, to]) => text.replace(from, to), word)
  // Porter's stem of `deploy` ends with i, that of `deployment` with y: this makes them the same.
  return stemmer(spelled).replace(/(?<=.{3})i$/, 'y')
}, REMEMBERED)

/** The Arabic article as in Lucene's stemmer: alef-lam, perhaps after waw, beh, kaf or feh, or lam-lam. */
const ARTICLE = /^(?:[\u0648\u0628\u0643\u0641]?\u0627\u0644|\u0644\u0644)(?=..)/u

/** Stems a lower-case word: English with Porter's stemmer, Arabic without its article. Other words do not change. */
export const stemWord = (word: string): string =>
  ENGLISH.test(word) ? stemEnglish(word) : word.replace(ARTICLE, '')
