import { openDistantIndex, openIndex } from '../src/search/index.ts'
import { packIndex, toIndexEntry } from '../src/search/pack/pack.ts'
import { listBigDocuments, readBigRows } from './big-rows.ts'
import { readOptions } from './options.ts'
import { makeRequest } from './random-queries.ts'
import { measureWorker } from './worker-cost.ts'

const options = readOptions(
  'Asks an index that lies elsewhere: whether it answers as one in memory does, and what is fetched for a query.',
  {
    rows: { type: 'string', default: '100000', about: 'skills' },
    queries: { type: 'string', default: '200', about: 'queries, which are made from the skills' },
    limit: { type: 'string', default: '24', about: 'rows of a query' },
    'most-reads': { type: 'string', default: 'Infinity', about: 'reads that a query may take' },
    big: { type: 'string', required: true, about: 'catalog.ndjson.gz with names and descriptions' },
    workerd: { type: 'string', about: 'the program workerd: what a worker takes with a bucket' },
  },
)

const documents = listBigDocuments(readBigRows(options.big), Number(options.rows))
const bytes = packIndex(documents.map(toIndexEntry), {})
const near = openIndex(bytes)
const fetched = { trips: 0, reads: 0, bytes: 0 }
let underWay = 0
const distant = await openDistantIndex(
  async (from, to) => {
    if (underWay === 0) fetched.trips += 1
    underWay += 1
    fetched.reads += 1
    fetched.bytes += to - from
    await new Promise(setImmediate)
    underWay -= 1
    return { bytes: bytes.slice(from, to), size: bytes.length }
  },
  { small: 0, mostReads: Number(options['most-reads']) },
)
console.log(`${documents.length} skills, ${bytes.length} bytes; held: ${fetched.bytes}`)

const tripsOf = new Map<number, number>()
const sum = { reads: 0, bytes: 0 }
const queries = Number(options.queries)
let differences = 0
for (let number = 0; number < queries; number += 1) {
  const request = { ...makeRequest(documents, number), limit: Number(options.limit) }
  Object.assign(fetched, { trips: 0, reads: 0, bytes: 0 })
  const found = await distant.findRows!(request)
  tripsOf.set(fetched.trips, (tripsOf.get(fetched.trips) ?? 0) + 1)
  sum.reads += fetched.reads
  sum.bytes += fetched.bytes
  const wanted = near.findRows(request)
  const isSame =
    found.total === wanted.total &&
    Buffer.concat(found.rows).equals(Buffer.concat(wanted.rows)) &&
    JSON.stringify(await distant.findPage(request)) === JSON.stringify(near.findPage(request))
  if (!isSame) differences += 1
}
const trips = [...tripsOf].sort(([a], [b]) => a - b).map(([count, times]) => `${count}: ${times}`)
console.log(`${queries} queries, ${differences} differences; round trips: ${trips.join(', ')}`)
console.log(
  `a query: ${(sum.reads / queries).toFixed(1)} reads, ${Math.round(sum.bytes / queries)} bytes`,
)
if (options.workerd !== undefined)
  console.log(await measureWorker(options.workerd, { 'private/search.index': bytes }))
process.exitCode = differences === 0 ? 0 : 1
