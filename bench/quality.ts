/**
 * Measures the search on judged queries:
 *   npm run bench:quality -- --content <folder> --queries <ndjson>
 *   npm run bench:quality -- --corpus <folder with manifest.ndjson> [--labels <ndjson>] --queries <ndjson>
 * `--worst <n>` lists the n queries that fare worst.
 * `--backend postgres` asks the database at SEARCH_URL, in tables of its own that are removed afterwards, and
 * says where its answers differ from the index file's.
 */
import { parseArgs } from 'node:util'
import { DEFAULT_SORT } from '../src/catalog/browse.ts'
import { readContent, readCorpus, readJudgedQueries } from './judged.ts'
import type { BenchDocument } from './judged.ts'
import { openBackend } from './bench-backends.ts'
import { averageMeasures, measureAnswer } from './measures.ts'
import type { Measures } from './measures.ts'

const { values: options } = parseArgs({
  options: {
    content: { type: 'string' },
    corpus: { type: 'string' },
    labels: { type: 'string' },
    queries: { type: 'string' },
    backend: { type: 'string', default: 'file' },
    worst: { type: 'string', default: '0' },
  },
})

const USAGE = 'usage: bench:quality (--content <folder> | --corpus <folder>) --queries <ndjson>'

const readDocuments = (): BenchDocument[] => {
  if (options.content !== undefined) return readContent(options.content)
  if (options.corpus !== undefined) return readCorpus(options.corpus, options.labels)
  throw new Error(USAGE)
}

const printRow = (label: string, count: number, measures: Measures): void => {
  const cells = [
    measures.ndcg.toFixed(3),
    measures.linearNdcg.toFixed(3),
    measures.mrr.toFixed(3),
    `${(measures.zero * 100).toFixed(1)} %`,
    measures.total.toFixed(1),
  ]
  console.log(label.padEnd(20), String(count).padStart(5), ...cells.map((cell) => cell.padStart(9)))
}

if (options.queries === undefined) throw new Error(USAGE)
const documents = readDocuments()
const keys = new Map(documents.map(({ key, listed }) => [listed.id, key]))
const backend = await openBackend(options.backend, documents)

const answers = []
for (const { q, kind, grades } of readJudgedQueries(options.queries)) {
  const { skills, total } = await backend.find({
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
console.log('kind                 count   nDCG@10    linear    MRR@10      zero     total')
for (const [kind, rows] of Map.groupBy(answers, (answer) => answer.kind))
  printRow(kind, rows.length, averageMeasures(rows.map(({ measures }) => measures)))
printRow('all', answers.length, averageMeasures(answers.map(({ measures }) => measures)))

for (const { q, kind, measures } of answers
  .toSorted((a, b) => a.measures.ndcg - b.measures.ndcg)
  .slice(0, Number(options.worst)))
  printRow(`${kind}: ${q}`, 1, measures)

await backend.close()
