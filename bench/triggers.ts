import { DEFAULT_SORT } from '../src/catalog/browse.ts'
import { openIndex } from '../src/search/index.ts'
import type { PackedIndex, SearchDocument } from '../src/search/index.ts'
import { packIndex } from '../src/search/pack/pack.ts'
import { DRAWN, rankSkills, withoutTriggers } from '../src/search/pack/try-triggers.ts'
import { TopSkills } from '../src/search/read/score.ts'
import { readTriggers } from '../src/search/triggers.ts'
import { openRandom } from './big-rows.ts'
import { readCorpus } from './judged.ts'
import { readOptions } from './options.ts'

const { corpus, labels } = readOptions('Searches for the phrases that descriptions quote.', {
  corpus: { type: 'string', required: true, about: 'a folder with manifest.ndjson' },
  labels: { type: 'string', about: 'categories of the corpus, an ndjson file' },
})

const TEN = 10
const SAMPLES = 2_000

type Rank = (index: PackedIndex, q: string, limit: number) => number[]

const readIds = (index: PackedIndex, ordinals: readonly number[], limit: number): number[] =>
  [...new Set(ordinals)].slice(0, limit).map((ordinal) => index.documents.read(ordinal).id)

/** The search methods. Each returns the ids of the best skills. */
const METHODS: Readonly<Record<string, Rank>> = {
  // Finds nothing if the search decides that no skill fits.
  'as the API answers': (index, q, limit) =>
    index
      .find({ q, sort: DEFAULT_SORT, categories: [], limit, offset: 0 })
      .skills.map(({ id }) => id),
  'words and vectors': (index, q, limit) => readIds(index, rankSkills(index, q), limit),
  'words alone': (index, q, limit) => {
    const named = index.names.find(q).keys()
    const ranked = index.scoring.score(index.plan(q), undefined, (scored) => {
      const top = new TopSkills(limit, scored.count)
      for (const one of scored.ordinals.subarray(0, scored.count)) top.add(one, scored.scores[one]!)
      return top.takeAll()
    })
    return readIds(index, [...named, ...ranked], limit)
  },
}

const open = (some: readonly SearchDocument[]): PackedIndex => openIndex(packIndex(some, {}))

// Without texts, because many repeat the phrases that are removed from the description.
const documents = readCorpus(corpus, labels)
for (const document of documents) document.body = ''
const phrasesOf = documents.map(({ description }) => readTriggers(description))

/** The outcome of searches for a phrase. */
interface Outcome {
  id: number
  /** Whether each method found the skill first among the drawn skills; `inTen`: in the first ten of all skills. */
  first: Record<string, boolean>
  inTen: Record<string, boolean>
}

/** Searches for one phrase of each skill, after removing it from the skill. */
const searchAll = (place: number): Outcome[] => {
  const without = documents.map((document, at) =>
    withoutTriggers(document, phrasesOf[at]!.slice(place, place + 1)),
  )
  const all = open(without)
  const random = openRandom(place + 1)
  return documents.flatMap(({ listed: { id } }, at) => {
    const phrase = phrasesOf[at]![place]
    if (phrase === undefined) return []
    const drawn = new Set([at])
    while (drawn.size < DRAWN) drawn.add(random(documents.length))
    const few = open([...drawn].map((one) => (one === at ? without : documents)[one]!))
    const tryMethods = (index: PackedIndex, limit: number): Record<string, boolean> =>
      Object.fromEntries(
        Object.entries(METHODS).map(([name, rank]) => [
          name,
          rank(index, phrase, limit).includes(id),
        ]),
      )
    return [{ id, first: tryMethods(few, 1), inTen: tryMethods(all, TEN) }]
  })
}

const most = Math.max(...phrasesOf.map(({ length }) => length))
const outcomes = Array.from({ length: most }, (_, place) => searchAll(place)).flat()
const bySkill = [...Map.groupBy(outcomes, ({ id }) => id).values()]

/**
 * Shows the mean over all phrases in percent, with the interval that contains the means of 95 % of the samples. A
 * sample consists of skills, not phrases, since the phrases of a skill are similar.
 */
const showMean = (read: (one: Outcome) => number): string => {
  const random = openRandom(1)
  const sums = bySkill.map((some) => some.reduce((sum, one) => sum + read(one), 0))
  const meanOf = (places: readonly number[]): number => {
    const count = places.reduce((all, place) => all + bySkill[place]!.length, 0)
    return (100 * places.reduce((all, place) => all + sums[place]!, 0)) / count
  }
  const means = Array.from({ length: SAMPLES }, () => meanOf(sums.map(() => random(sums.length))))
  means.sort((a, b) => a - b)
  const [from, to] = [0.025, 0.975].map((part) => means[Math.floor(part * SAMPLES)]!.toFixed(1))
  return `${meanOf([...sums.keys()]).toFixed(1)} (${from} to ${to})`
}

const printRow = (...cells: string[]): void =>
  console.log(cells.map((cell) => cell.padEnd(26)).join(''))

console.log(
  `${documents.length} skills; ${bySkill.length} quote ${outcomes.length} phrases; % of the phrases\n`,
)
printRow('', `first of ${DRAWN}`, `in the first ${TEN} of all`)
for (const name of Object.keys(METHODS))
  printRow(
    name,
    showMean(({ first }) => Number(first[name])),
    showMean(({ inTen }) => Number(inTen[name])),
  )
const gain = (by: Record<string, boolean>): number =>
  Number(by['words and vectors']) - Number(by['words alone'])
printRow(
  'gain by vectors',
  showMean(({ first }) => gain(first)),
  showMean(({ inTen }) => gain(inTen)),
)
