/** Most phrases that are read of a description. */
const MOST_TRIGGERS = 20

/** Longest phrase, in words and in characters. */
const LONGEST = { words: 12, characters: 80 }

/** Texts in quotation marks; an apostrophe inside a word neither begins nor ends one. */
const QUOTED =
  /"([^"\n]+)"|“([^“”\n]+)”|(?<![\p{L}\p{N}])['‘]((?:[^'’\n]|['’](?=\p{L})){1,100})['’]/u

/** What a description says not to use the skill for, to the end of its sentence. */
const UNWANTED = /\b(?:do not|don['’]t|not|never) (?:use|trigger|invoke|apply|for)\b[^.\n]*/u

/** In one pass: then such words do not cut a phrase that quotes them, and a quotation mark after them begins none. */
const UNWANTED_OR_QUOTED = new RegExp(`${UNWANTED.source}|${QUOTED.source}`, 'giu')

/** What nobody says: names of files and options, code, and placeholders. */
const CODE = /^[^\p{L}\p{N}]|[{}=`|]|--|\(\)/u

/** One word as people say it; others are addresses, file names and code. */
const PLAIN_WORD = /^[\p{L}\p{N}'’/-]+[?!]?$/u

const cleanPhrase = (groups: readonly (string | undefined)[]): string =>
  (groups.find((text) => text !== undefined) ?? '').replace(/[,.;:]+\s*$/, '').trim()

const isSaid = (phrase: string): boolean => {
  const words = phrase.split(/\s+/)
  return (
    phrase.length > 1 &&
    phrase.length <= LONGEST.characters &&
    words.length <= LONGEST.words &&
    !CODE.test(phrase) &&
    (words.length > 1 || PLAIN_WORD.test(phrase))
  )
}

/**
 * The phrases that a description quotes as what people say when they want the skill, each once. One alone is as often a
 * name or a title: of 19 in 1,080 descriptions, 10 were.
 */
export const readTriggers = (description: string): string[] => {
  const quoted = [...description.matchAll(UNWANTED_OR_QUOTED)]
  const phrases = quoted.map(([, ...groups]) => cleanPhrase(groups)).filter(isSaid)
  const byWords = new Map(phrases.map((phrase) => [phrase.toLowerCase(), phrase]))
  return byWords.size > 1 ? [...byWords.values()].slice(0, MOST_TRIGGERS) : []
}

/** A description without some of the phrases that it quotes. */
export const dropTriggers = (description: string, phrases: readonly string[]): string => {
  const dropped = new Set(phrases.map((phrase) => phrase.toLowerCase()))
  return description.replace(UNWANTED_OR_QUOTED, (quoted, ...groups: (string | undefined)[]) =>
    dropped.has(cleanPhrase(groups.slice(0, 3)).toLowerCase()) ? ' ' : quoted,
  )
}
