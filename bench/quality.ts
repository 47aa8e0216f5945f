import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openRandom } from './big-rows.ts'
import { DEFAULT_SORT } from '../src/catalog/browse.ts'
import { readContent, readCorpus, readJudgedQueries, replaceAsks } from './judged.ts'
import type { BenchDocument, JudgedQuery } from './judged.ts'
import { readOptions } from './options.ts'
import { openIndex } from '../src/search/read/open.ts'
import { packIndex } from '../src/search/pack/pack.ts'
import { averageMeasures, measureAnswer } from './measures.ts'
import type { Measures } from './measures.ts'

const options = readOptions('Measures the search on judged queries.', {
  queries: { type: 'string', about: 'judged queries, an ndjson file' },
  prompts: { type: 'string', about: 'tasks in the words of users, in the format of --queries' },
  content: { type: 'string', about: 'the skills: a content folder, instead of --corpus' },
  corpus: {
    type: 'string',
    about: 'the skills: a folder with manifest.ndjson, instead of --content',
  },
  asks: { type: 'string', about: 'asks instead of those in the records, an ndjson file' },
  labels: { type: 'string', about: 'categories of the corpus, an ndjson file' },
  unanswerable: { type: 'string', about: 'queries that the skills cannot answer, one per line' },
  absent: {
    type: 'string',
    default: '0',
    about: 'percentage of the skills that are treated as listed-only',
  },
  worst: {
    type: 'string',
    default: '0',
    about: 'number of queries with the worst results to list',
  },
})

const readDocuments = (): BenchDocument[] => {
  if (options.content !== undefined) return readContent(options.content)
  if (options.corpus !== undefined) return readCorpus(options.corpus, options.labels)
  throw new Error('Name the skills with --content or --corpus.')
}

/** Number of bootstrap samples of the queries for a confidence interval. */
const DRAWS = 2_000

/** Finds the interval that contains the means of 95 % of the samples. */
const findInterval = (differences: readonly number[]): [number, number] => {
  const random = openRandom(1)
  const means = Array.from({ length: DRAWS }, () => {
    const drawn = differences.map(() => differences[random(differences.length)]!)
    return drawn.reduce((sum, one) => sum + one, 0) / drawn.length
  }).sort((a, b) => a - b)
  return [means[Math.floor(0.025 * DRAWS)]!, means[Math.floor(0.975 * DRAWS)]!]
}

const printRow = (label: string, rows: readonly Answer[]): void => {
  const measures = averageMeasures(rows.map((row) => row.measures))
  const words = averageMeasures(rows.map((row) => row.wordsAlone))
  const cells = [
    words.ndcg.toFixed(3),
    measures.ndcg.toFixed(3),
    measures.mrr.toFixed(3),
    `${(measures.wanted * 100).toFixed(0)} %`,
    `${(measures.zero * 100).toFixed(1)} %`,
    measures.total.toFixed(1),
  ]
  console.log(
    label.padEnd(20),
    String(rows.length).padStart(5),
    ...cells.map((cell) => cell.padStart(9)),
  )
}

const isAbsent = (key: string): boolean =>
  Number.parseInt(hash('sha256', key).slice(0, 8), 16) / 2 ** 32 < Number(options.absent) / 100

const documents = readDocuments()
if (options.asks !== undefined) replaceAsks(documents, options.asks)
for (const one of documents)
  if (isAbsent(one.key)) {
    one.facets = 0
    one.body = ''
  }
const keys = new Map(documents.map(({ key, listed }) => [listed.id, key]))
const index = openIndex(packIndex(documents, {}))
const FIRST_TEN = { sort: DEFAULT_SORT, categories: [], limit: 10, offset: 0 } as const

/** Pairs of results with the same grade, of which one is listed-only. */
interface Pairs {
  count: number
  /** Pairs in which the skill with a text comes first. */
  hereFirst: number
}

interface Answer {
  q: string
  pairs: Pairs
  kind: string
  measures: Measures
  wordsAlone: Measures
}

const keysOf = (ids: readonly number[]): string[] => ids.map((id) => keys.get(id) ?? '')

/** Finds the ids of all results of a search by words alone, as a comparison for vectors. */
const findByWords = (q: string): number[] => {
  const named = index.names.find(q)
  return index.scoring.score(index.plan(q).plan, undefined, ({ count, ordinals, scores }) => {
    const found = [...ordinals.subarray(0, count)].filter((ordinal) => !named.has(ordinal))
    const first = [...named].sort(([a, surely], [b, sure]) => sure - surely || a - b)
    return [
      ...first.map(([ordinal]) => ordinal),
      ...found.sort((a, b) => scores[b]! - scores[a]! || a - b),
    ].map((ordinal) => index.documents.read(ordinal).id)
  })
}

const countPairs = (found: readonly string[], grades: JudgedQuery['grades']): Pairs => {
  const pairs = found.flatMap((first, at) =>
    found
      .slice(at + 1)
      .filter((other) => grades.has(first) && grades.get(first) === grades.get(other))
      .filter((other) => isAbsent(first) !== isAbsent(other))
      .map(() => !isAbsent(first)),
  )
  return { count: pairs.length, hereFirst: pairs.filter(Boolean).length }
}

const answer = ({ q, kind, grades }: JudgedQuery): Answer => {
  const { skills, total } = index.find({ q, ...FIRST_TEN })
  const found = keysOf(skills.map(({ id }) => id))
  const byWords = findByWords(q)
  return {
    q,
    kind,
    pairs: countPairs(found, grades),
    measures: measureAnswer(found, total, grades),
    wordsAlone: measureAnswer(keysOf(byWords.slice(0, FIRST_TEN.limit)), byWords.length, grades),
  }
}

const countAll = (rows: readonly Answer[], read: (pairs: Pairs) => number): number =>
  rows.reduce((sum, { pairs }) => sum + read(pairs), 0)

const reportJudged = (answers: readonly Answer[]): void => {
  console.log(`${answers.length} queries; nDCG gain is 2^grade - 1\n`)
  console.log('kind                 count   words    nDCG@10    MRR@10  wanted     zero     total')
  for (const [kind, rows] of Map.groupBy(answers, (one) => one.kind)) printRow(kind, rows)
  printRow('all', answers)
  const [from, to] = findInterval(
    answers.map(({ measures, wordsAlone }) => measures.ndcg - wordsAlone.ndcg),
  )
  console.log(`\nGain over words alone, 95 %: ${from.toFixed(3)} to ${to.toFixed(3)}`)
  if (Number(options.absent) > 0) {
    const count = countAll(answers, (one) => one.count)
    const hereFirst = countAll(answers, (one) => one.hereFirst)
    console.log(
      `Of ${count} pairs with the same grade, the skill with a text comes first in ${hereFirst}.`,
    )
  }
}

/** Reports how many tasks find their skill among the first results, and how many find nothing. */
const reportPrompts = (prompts: readonly JudgedQuery[]): void => {
  const answered = prompts.map(({ q, grades }) => {
    const { skills, total } = index.find({ q, ...FIRST_TEN })
    return { total, rank: keysOf(skills.map(({ id }) => id)).findIndex((key) => grades.has(key)) }
  })
  const share = (test: (one: (typeof answered)[number]) => boolean): string =>
    (answered.filter(test).length / answered.length).toFixed(3)
  const within = (first: number): string => share(({ rank }) => rank !== -1 && rank < first)
  const ranks = `first ${within(1)}, in three ${within(3)}, in ten ${within(10)}`
  console.log(`\n${prompts.length} prompts: ${ranks}, nothing ${share(({ total }) => total === 0)}`)
}

const reportUnanswerable = (lines: readonly string[]): void => {
  const queries = lines.filter((line) => line !== '' && !line.startsWith('#'))
  const answered = queries.filter((q) => index.find({ q, ...FIRST_TEN }).total > 0)
  console.log(`Of ${queries.length} unanswerable queries, ${answered.length} were answered`)
  for (const q of answered) console.log(`  ${q}`)
}

const listWorst = (answers: readonly Answer[]): void => {
  const sorted = answers.toSorted((a, b) => a.measures.ndcg - b.measures.ndcg)
  for (const one of sorted.slice(0, Number(options.worst))) printRow(`${one.kind}: ${one.q}`, [one])
}

const answers = options.queries === undefined ? [] : readJudgedQueries(options.queries).map(answer)

console.log(`${documents.length} skills`)
if (answers.length > 0) reportJudged(answers)
if (options.prompts !== undefined) reportPrompts(readJudgedQueries(options.prompts))
if (options.unanswerable !== undefined)
  reportUnanswerable(readFileSync(options.unanswerable, 'utf8').split('\n'))
listWorst(answers)
