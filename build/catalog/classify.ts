import { stemmer } from 'stemmer'
import { CATEGORIES } from '../../src/catalog/categories.ts'
import type { Category } from '../../src/catalog/categories.ts'
import { CATEGORY_WORDS } from './category-words.ts'

/** What a skill says of itself. */
export interface Described {
  name: string
  description: string
}

/** The category a skill most likely belongs to, and the words that spoke for it, strongest first. */
export interface Classified {
  category: Category
  evidence: string[]
}

/** Where nothing speaks for a category, or two weigh the same. */
const FALLBACK: Category = 'Coding'

/** A name says what a skill is, its first sentence what it does, the rest when it is used. */
const PLACES = { name: 2.5, lead: 1.5, rest: 1 } as const

const HAN = /\p{Script=Han}/u

interface Entry {
  word: string
  weight: number
}

const listEntries = (category: Category): Entry[] =>
  Object.entries(CATEGORY_WORDS[category]).flatMap(([weight, words]) =>
    words.split(/\s+/).map((word) => ({ word, weight: Number(weight) })),
  )

const stemTerm = (term: string): string =>
  term
    .split('-')
    .map((word) => stemmer(word))
    .join('-')

interface Table {
  category: Category
  byStem: ReadonlyMap<string, Entry>
  han: readonly Entry[]
}

const TABLES: readonly Table[] = CATEGORIES.map((category) => {
  const entries = listEntries(category)
  return {
    category,
    byStem: new Map(entries.map((entry) => [stemTerm(entry.word), entry])),
    han: entries.filter(({ word }) => HAN.test(word)),
  }
})

/** Gives the stems of a text, and each two that stand side by side. */
const listTerms = (text: string): Set<string> => {
  const stems = (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => stemmer(word))
  return new Set([...stems, ...stems.slice(1).map((stem, index) => `${stems[index]}-${stem}`)])
}

interface Place {
  text: string
  terms: Set<string>
  factor: number
}

const listPlaces = ({ name, description }: Described): Place[] => {
  const end = description.search(/[.!?。：:](?:\s|$)|[。：]/)
  const lead = end < 0 ? description : description.slice(0, end)
  const rest = end < 0 ? '' : description.slice(end)
  return (
    [
      [name, PLACES.name],
      [lead, PLACES.lead],
      [rest, PLACES.rest],
    ] as const
  ).map(([text, factor]) => ({ text, terms: listTerms(text), factor }))
}

interface Score extends Classified {
  score: number
}

const scoreTable = (table: Table, places: readonly Place[]): Score => {
  const found = new Map<string, Entry>()
  for (const { text, terms, factor } of places) {
    const hits = [
      ...[...terms].flatMap((term) => table.byStem.get(term) ?? []),
      ...table.han.filter(({ word }) => text.includes(word)),
    ]
    for (const { word, weight } of hits) {
      // A word counts once, where it weighs most.
      const known = found.get(word)?.weight ?? 0
      found.set(word, { word, weight: Math.max(known, weight * factor) })
    }
  }
  const entries = [...found.values()].sort((a, b) => b.weight - a.weight)
  return {
    category: table.category,
    score: entries.reduce((sum, entry) => sum + entry.weight, 0),
    evidence: entries.map(({ word }) => word),
  }
}

/** Chooses one of the nine categories for a skill from its name and description alone. */
export const classify = (skill: Described): Classified => {
  const places = listPlaces(skill)
  const scored = TABLES.map((table) => scoreTable(table, places))
  const best = Math.max(...scored.map(({ score }) => score))
  const winners = scored.filter(({ score }) => score === best)
  const fallback = winners.find(({ category }) => category === FALLBACK)
  const [winner] = winners
  if (winner === undefined || winners.length > 1) {
    return { category: FALLBACK, evidence: fallback?.evidence ?? [] }
  }
  return { category: winner.category, evidence: winner.evidence }
}
