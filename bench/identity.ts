import { openOracle, serializeOracle } from '../testing/oracle/oracle.ts'
import { openIndex } from '../src/search/read/open.ts'
import { packIndex, toIndexEntry } from '../src/search/pack/pack.ts'
import { scoreAll } from '../testing/sample-documents.ts'
import { listBigDocuments, readBigRows } from './big-rows.ts'
import { readOptions } from './options.ts'
import { makeRequest } from './random-queries.ts'

const options = readOptions(
  'Compares the packed index with MiniSearch on many queries: ids, order, totals, and scores to the bit.',
  {
    rows: { type: 'string', default: '20000', about: 'skills' },
    queries: { type: 'string', default: '5000', about: 'queries, which are made from the skills' },
    from: { type: 'string', default: '0', about: 'number of the first query' },
    big: { type: 'string', required: true, about: 'catalog.ndjson.gz with names and descriptions' },
  },
)

/** Queries between two lines of progress. */
const REPORTED = 1000

const documents = listBigDocuments(readBigRows(options.big), Number(options.rows))
const packed = openIndex(packIndex(documents.map(toIndexEntry), {}))
const plain = openOracle(serializeOracle(documents))
const first = Number(options.from)
const last = first + Number(options.queries)
let results = 0
let differences = 0

const report = (q: string | undefined, what: string): void => {
  differences++
  if (differences <= 20) console.log(`q=${JSON.stringify(q)}: ${what}`)
}

const compareScores = (q: string): void => {
  const wanted = plain.scoreAll(q)
  const found = scoreAll(packed, q)
  if (wanted.size !== found.size) report(q, `${found.size} scores, not ${wanted.size}`)
  for (const [id, score] of wanted)
    if (!Object.is(found.get(id), score))
      report(q, `score of ${id}: ${found.get(id)}, not ${score}`)
}

for (let number = first; number < last; number++) {
  const request = makeRequest(documents, number)
  const wanted = plain.find(request)
  const found = packed.find(request)
  if (wanted.total !== found.total) report(request.q, `total ${found.total}, not ${wanted.total}`)
  wanted.skills.forEach(({ id }, at) => {
    if (found.skills[at]?.id !== id) report(request.q, `result ${at} is another`)
  })
  if (found.skills.length !== wanted.skills.length) report(request.q, 'pages of other lengths')
  if (JSON.stringify(found.skills[0]) !== JSON.stringify(wanted.skills[0]))
    report(request.q, 'another row')
  compareScores(request.q ?? '')
  results += wanted.skills.length
  if ((number + 1) % REPORTED === 0)
    console.log(`${number + 1 - first} queries, ${results} results, ${differences} differences`)
}

console.log(
  `${documents.length} skills, ${last - first} queries: ${results} results compared, ${differences} differences`,
)
process.exitCode = differences === 0 ? 0 : 1
