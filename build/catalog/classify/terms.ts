import { stemmer } from 'stemmer'

/** What a skill says of itself; a body is asked only where name and description say nothing. */
export interface Described {
  name: string
  description: string
  body?: string
}

/** A name says what a skill is, its first sentence what it does, the rest when it is used. */
export const PLACES = { name: 2.5, 'first sentence': 1.5, description: 1, body: 0.5 } as const

export type Place = keyof typeof PLACES

/** A text of a skill, taken apart for the table of words. */
export interface PlacedText {
  place: Place
  text: string
  terms: ReadonlySet<string>
}

/** Scripts that write words without blanks, or inflect them; their words match anywhere. */
export const OTHER_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Words that stand between two others without parting them: `search the web` is `search-web`. */
const ARTICLES = new Set(['a', 'an', 'the', 'your', 'our', 'their', 'my'])

/** A body says what it is about at its beginning; further down every word of the field turns up. */
const BODY_READ = 3_000

/** Words whose Porter stem is that of another meaning: `product` and `production` have one. */
const WITHOUT_STEM = new Set(
  `accessibility author authorization communication competitive conversation customer customize
    documentation electron electronic embedded expense experiment expression humanize inform information
    initiative localization objective organize positioning presentation product production productive
    productivity proposal publication requirement responsive solidity specification transformer visual
    visualization visualize`.split(/\s+/),
)

const stemWord = (word: string): string => {
  const singular = word.replace(/s$/, '')
  return WITHOUT_STEM.has(singular) ? singular : stemmer(word)
}

/** Gives the form under which a word of the table is found: each of its words by its stem. */
export const stemTerm = (term: string): string => term.split('-').map(stemWord).join('-')

/** Gives the stems of a text, and each two that stand side by side. */
export const listTerms = (text: string): Set<string> => {
  // The article of "A/B test" is none.
  const stems = (
    text
      .toLowerCase()
      .replaceAll('a/b', 'ab')
      .match(/[a-z0-9]+/g) ?? []
  )
    .filter((word) => !ARTICLES.has(word))
    .map(stemWord)
  return new Set([...stems, ...stems.slice(1).map((stem, index) => `${stems[index]}-${stem}`)])
}

const SENTENCE_END = /[.!?:](?:\s|$)|[。：]/

/** Takes name and description apart by how much they say. */
export const listPlaces = ({ name, description }: Described): PlacedText[] => {
  const end = description.search(SENTENCE_END)
  const first = end < 0 ? description : description.slice(0, end)
  const rest = end < 0 ? '' : description.slice(end)
  const texts: [Place, string][] = [
    ['name', name],
    ['first sentence', first],
    ['description', rest],
  ]
  return texts.map(([place, text]) => ({ place, text, terms: listTerms(text) }))
}

/** Gives the beginning of a body as one more place. */
export const placeBody = (body: string): PlacedText => {
  const text = body.slice(0, BODY_READ)
  return { place: 'body', text, terms: listTerms(text) }
}
