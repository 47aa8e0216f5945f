import { DEFAULT_SORT } from '../src/catalog/browse.ts'
import { readContent, readCorpus, readJudgedQueries } from './judged.ts'
import type { BenchDocument } from './judged.ts'
import { readOptions } from './options.ts'
import { openIndex } from '../src/search/index.ts'
import { packIndex } from '../src/search/pack/pack.ts'
import { averageMeasures, measureAnswer } from './measures.ts'
import type { Measures } from './measures.ts'

const options = readOptions('Measures the search on judged queries.', {
  queries: { type: 'string', required: true, about: 'judged queries, an ndjson file' },
  content: { type: 'string', about: 'the skills: a content folder, or else a corpus' },
  corpus: { type: 'string', about: 'the skills: a folder with manifest.ndjson' },
  labels: { type: 'string', about: 'categories of the corpus, an ndjson file' },
  worst: {
    type: 'string',
    default: '0',
    about: 'how many of the queries that fare worst are listed',
  },
})

const readDocuments = (): BenchDocument[] => {
  if (options.content !== undefined) return readContent(options.content)
  if (options.corpus !== undefined) return readCorpus(options.corpus, options.labels)
  throw new Error('Name the skills with --content or --corpus.')
}

const printRow = (label: string, count: number, measures: Measures): void => {
  const cells = [
    measures.ndcg.toFixed(3),
    measures.mrr.toFixed(3),
    `${(measures.zero * 100).toFixed(1)} %`,
    measures.total.toFixed(1),
  ]
  console.log(label.padEnd(20), String(count).padStart(5), ...cells.map((cell) => cell.padStart(9)))
}

const documents = readDocuments()
const keys = new Map(documents.map(({ key, listed }) => [listed.id, key]))
const index = openIndex(packIndex(documents, {}))

const answers = []
for (const { q, kind, grades } of readJudgedQueries(options.queries)) {
  const { skills, total } = index.find({
    q,
    sort: DEFAULT_SORT,
    categories: [],
    limit: 10,
    offset: 0,
  })
  const found = skills.map(({ id }) => keys.get(id) ?? '')
  answers.push({ q, kind, measures: measureAnswer(found, total, grades) })
}

console.log(`${documents.length} skills, ${answers.length} queries; nDCG gain is 2^grade - 1\n`)
console.log('kind                 count   nDCG@10    MRR@10      zero     total')
for (const [kind, rows] of Map.groupBy(answers, (answer) => answer.kind))
  printRow(kind, rows.length, averageMeasures(rows.map(({ measures }) => measures)))
printRow('all', answers.length, averageMeasures(answers.map(({ measures }) => measures)))

for (const { q, kind, measures } of answers
  .toSorted((a, b) => a.measures.ndcg - b.measures.ndcg)
  .slice(0, Number(options.worst)))
  printRow(`${kind}: ${q}`, 1, measures)
