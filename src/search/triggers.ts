/** Maximum number of phrases that are read from a description. */
const MOST_TRIGGERS = 20

/** Longer phrases are ignored. */
const LONGEST_PHRASE = { words: 12, characters: 80 }

/** Texts in quotation marks. An apostrophe inside a word is not a quotation mark. */
const QUOTED =
  /"([^"\n]+)"|“([^“”\n]+)”|(?<![\p{L}\p{N}])['‘]((?:[^'’\n]|['’](?=\p{L})){1,100})['’]/u

/** An exclusion, such as "do not use for tests", up to the end of its sentence or line. */
const UNWANTED = /\b(?:do not|don['’]t|not|never) (?:use|trigger|invoke|apply|for)\b[^.\n]*/u

/** Matches either in one pass: exclusions do not cut quotations, and quotations inside exclusions are skipped. */
const UNWANTED_OR_QUOTED = new RegExp(`${UNWANTED.source}|${QUOTED.source}`, 'giu')

/** Text that nobody would say: names of files and options, code, placeholders. */
const CODE = /^[^\p{L}\p{N}]|[{}=`|]|--|\(\)/u

/** A single word that people would say, as opposed to an address, a file name or code. */
const PLAIN_WORD = /^[\p{L}\p{N}'’/-]+[?!]?$/u

const cleanPhrase = (groups: readonly (string | undefined)[]): string =>
  (groups.find((text) => text !== undefined) ?? '').replace(/[,.;:]+\s*$/, '').trim()

const isSaid = (phrase: string): boolean => {
  const words = phrase.split(/\s+/)
  return (
    phrase.length > 1 &&
    phrase.length <= LONGEST_PHRASE.characters &&
    words.length <= LONGEST_PHRASE.words &&
    !CODE.test(phrase) &&
    (words.length > 1 || PLAIN_WORD.test(phrase))
  )
}

/**
 * Lists the distinct trigger phrases of a description: quotations of what people say when they want the skill. A single
 * quotation does not count: of 19 in 1,080 descriptions, 10 were a name or a title.
 */
export const readTriggers = (description: string): string[] => {
  const quoted = [...description.matchAll(UNWANTED_OR_QUOTED)]
  const phrases = quoted.map(([, ...groups]) => cleanPhrase(groups)).filter(isSaid)
  const byWords = new Map(phrases.map((phrase) => [phrase.toLowerCase(), phrase]))
  return byWords.size > 1 ? [...byWords.values()].slice(0, MOST_TRIGGERS) : []
}

/** Removes some of the quoted phrases from a description. */
export const dropTriggers = (description: string, phrases: readonly string[]): string => {
  const dropped = new Set(phrases.map((phrase) => phrase.toLowerCase()))
  return description.replace(UNWANTED_OR_QUOTED, (quoted, ...groups: (string | undefined)[]) =>
    dropped.has(cleanPhrase(groups.slice(0, 3)).toLowerCase()) ? ' ' : quoted,
  )
}
