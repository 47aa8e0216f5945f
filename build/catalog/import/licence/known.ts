import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { reduceToWords } from './words.ts'

// `known.txt` has a line for each licence text of SPDX: the id, the words of its title, and digests of its words below
// the title. `npm run licences` writes it from the package `spdx-license-list`, which has the texts and 12 MB.

/** Words that may be part of every title. */
const TITLE_WORDS = new Set('license text terms of version'.split(' '))

/** Maximum number of words of a title above a text, and longest text, in characters; SPDX's longest has 46,000. */
const [TITLE_LIMIT, TEXT_LIMIT] = [20, 65_536]

const digestWords = (words: readonly string[]): string =>
  hash('sha256', words.join(' '), 'hex').slice(0, 32)

const NEGATIONS = new Set(['no', 'non', 'not'])

/** Whether a word above a text is one of its title; a negation counts only between the words that it has there. */
const isOfTitle = (title: readonly string[], words: readonly string[], at: number): boolean => {
  const word = words[at]!
  if (!NEGATIONS.has(word)) return TITLE_WORDS.has(word) || title.includes(word)
  return title.some(
    (known, place) =>
      known === word && title[place - 1] === words[at - 1] && title[place + 1] === words[at + 1],
  )
}

/** Digests the words of a known text without the title at its start. */
export const digestBelowTitle = (words: readonly string[], title: readonly string[]): string => {
  const start = words.findIndex((_, at) => !isOfTitle(title, words, at))
  return digestWords(words.slice(start))
}

interface KnownText {
  id: string
  title: readonly string[]
}

const readKnown = (): ReadonlyMap<string, KnownText> => {
  const lines = readFileSync(new URL('./known.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [id = '', title = '', digests = ''] = line.split('\t')
      const known = { id, title: title.split(' ') }
      return digests.split(' ').map((digest) => [digest, known] as const)
    }),
  )
}

let texts: ReturnType<typeof readKnown> | undefined

/**
 * SPDX identifier of a licence text; undefined if a word is missing, added or elsewhere. Similarity of word sets, as
 * licensee measures it, would not do: a GPL with "redistribution is prohibited" has exactly the words of the GPL.
 */
export const identifyText = (text: string): string | undefined => {
  if (text.length > TEXT_LIMIT) return undefined
  texts ??= readKnown()
  const words = reduceToWords(text).split(' ')
  for (let start = 0; start <= TITLE_LIMIT && start < words.length; start += 1) {
    const known = texts.get(digestWords(words.slice(start)))
    if (known && words.slice(0, start).every((_, at) => isOfTitle(known.title, words, at)))
      return known.id
  }
  return undefined
}
