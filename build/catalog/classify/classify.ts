import { readFileSync } from 'node:fs'
import { CATEGORIES, categorySlug } from '../../../src/catalog/categories.ts'
import type { Category } from '../../../src/catalog/categories.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'
import { isUnspaced, splitCompounds, stemWord } from '../../../src/search/tokens.ts'
import { lazily } from '../../../src/catalog/text.ts'

/** The texts to classify by; the body counts only if name and description are inconclusive. */
interface Described {
  name: string
  description: string
  body?: string
}

/** Weights: the name says what a skill is, the first sentence what it does, the rest when to use it. */
const PLACES = { name: 2.5, 'first sentence': 1.5, description: 1, body: 0.5 } as const

type Place = keyof typeof PLACES

interface PlacedText {
  place: Place
  text: string
  terms: ReadonlySet<string>
}

/** Words skipped when pairing neighbours: `search the web` counts as `search-web`. */
const ARTICLES = new Set(['a', 'an', 'the', 'your', 'our', 'their', 'my'])

/** Characters read of a body: its beginning states the topic; further down, any word may occur. */
const BODY_READ = 3_000

/** Words whose Porter stem collides with a word of another meaning, such as `product` and `production`. */
const WITHOUT_STEM = new Set(
  `accessibility author authorization communication competitive conversation customer customize
    documentation electron electronic embedded expense experiment expression humanize inform information
    initiative localization objective organize positioning presentation product production productive
    productivity proposal publication requirement responsive solidity specification transformer visual
    visualization visualize`.split(/\s+/),
)

const stemOf = (word: string): string => {
  const singular = word.replace(/s$/, '')
  return WITHOUT_STEM.has(singular) ? singular : stemWord(word)
}

/** The stems of a text in order. The A of "A/B test" is not an article. */
const listStems = (text: string): string[] =>
  splitCompounds(text.replace(/a\/b/gi, 'ab'))
    .flat()
    .filter((word) => !ARTICLES.has(word.text))
    .map((word) => stemOf(word.text))

/** The stems of a text, and all pairs of adjacent stems. */
const listTerms = (text: string): Set<string> => {
  const stems = listStems(text)
  return new Set([...stems, ...stems.slice(1).map((stem, index) => `${stems[index]}-${stem}`)])
}

const SENTENCE_END = /[.!?:](?:\s|$)|[。：]/

const placeText = (place: Place, text: string): PlacedText => ({
  place,
  text,
  terms: listTerms(text),
})

const listPlaces = ({ name, description }: Described): PlacedText[] => {
  const found = description.search(SENTENCE_END)
  const end = found < 0 ? description.length : found
  return [
    placeText('name', name),
    placeText('first sentence', description.slice(0, end)),
    placeText('description', description.slice(end)),
  ]
}

/** The category to use without evidence, or after a tie. */
const FALLBACK: Category = 'Coding'

export const CATEGORY_WORDS = readFileSync(new URL('./words.txt', import.meta.url), 'utf8')
  .split('\n\n')
  .slice(1)
  .flatMap((paragraph) => {
    const [, category, weight, words = ''] = /^(.+) (\d)\n([^]*)$/.exec(paragraph.trim()) ?? []
    return words.split(/\s+/).map((word) => ({ category, word, weight: Number(weight) }))
  })

const listTables = lazily(() =>
  CATEGORIES.map((category) => {
    const entries = CATEGORY_WORDS.filter((entry) => entry.category === category)
    return {
      category,
      byStem: new Map(entries.map((entry) => [listStems(entry.word).join('-'), entry])),
      /** Words of scripts without spaces, matched as substrings. */
      anywhere: entries.filter(({ word }) => isUnspaced(word)),
    }
  }),
)

type Table = ReturnType<typeof listTables>[number]

/** Sums the weights of a category's words in a skill. Each word counts once, at its heaviest place. */
const scoreTable = (table: Table, places: readonly PlacedText[]): number => {
  const weights = new Map<string, number>()
  for (const { place, text, terms } of places) {
    const entries = [
      ...[...terms].flatMap((term) => table.byStem.get(term) ?? []),
      ...table.anywhere.filter(({ word }) => text.includes(word)),
    ]
    for (const { word, weight } of entries)
      weights.set(word, Math.max(weights.get(word) ?? 0, weight * PLACES[place]))
  }
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0)
}

/** Returns the category with the highest score; undefined without evidence, or after a tie. */
const decide = (places: readonly PlacedText[]): Category | undefined => {
  const scores = listTables()
    .map((table) => ({
      category: table.category,
      score: scoreTable(table, places),
    }))
    .sort((a, b) => b.score - a.score)
  const [best, next] = scores
  return best && next && best.score > next.score ? best.category : undefined
}

/** Chooses a category by name and description and, if they are inconclusive, by the beginning of the body as well. */
export const classify = (skill: Described): Category => {
  const places = listPlaces(skill)
  const body = placeText('body', skill.body?.slice(0, BODY_READ) ?? '')
  return decide(places) ?? decide([...places, body]) ?? FALLBACK
}

/** Reads `category` or `metadata.category`, in any case or as a slug. Returns undefined for unknown values. */
export const readStatedCategory = (
  front: FrontMatter,
  names: readonly Category[] = CATEGORIES,
): Category | undefined => {
  const chosen = (front.category ?? front['metadata.category'])?.trim().toLowerCase()
  return names.find(
    (category) => category.toLowerCase() === chosen || categorySlug(category) === chosen,
  )
}
