import { Client, escapeIdentifier } from 'pg'
import { syncSearch } from '../extras/postgres/sync.ts'
import { openPostgres } from '../extras/postgres/backend.ts'
import { openIndex } from '../src/search/index.ts'
import { packIndex } from '../src/search/pack/pack.ts'
import type { Found, PackedIndex, SearchBackend, SearchDocument } from '../src/search/index.ts'

/** A measured backend; `close` reports its counts. */
export interface MeasuredBackend extends Pick<SearchBackend, 'find'> {
  close: () => Promise<void>
}

/** Tables of a measurement, so that those of a service in the same database stay as they are. */
const SCHEMA = 'skill_search_bench'

const dropTables = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(SCHEMA)} CASCADE`)
  await client.end()
}

const openFile = (documents: readonly SearchDocument[]): PackedIndex =>
  openIndex(packIndex(documents, {}))

const showAnswer = ({ skills, total }: Found): string =>
  `${total}: ${skills.map(({ id }) => id).join(' ')}`

/** Measures each call in milliseconds. */
const timeFinds = (backend: SearchBackend) => {
  const times: number[] = []
  const find: SearchBackend['find'] = async (request) => {
    const start = performance.now()
    const found = await backend.find(request)
    times.push(performance.now() - start)
    return found
  }
  const show = (): string => {
    const sorted = times.toSorted((a, b) => a - b)
    const at = (share: number): string => (sorted[Math.floor(times.length * share)] ?? 0).toFixed(1)
    return `${at(0.5)} (95 %: ${at(0.95)})`
  }
  return { find, show }
}

const openDatabase = async (documents: readonly SearchDocument[]): Promise<MeasuredBackend> => {
  const url = process.env['SEARCH_URL']
  if (!url) throw new Error('--backend postgres needs SEARCH_URL=postgres://…')
  const begin = performance.now()
  await syncSearch(url, documents, {}, SCHEMA)
  console.log(`loaded in ${((performance.now() - begin) / 1_000).toFixed(1)} s`)
  const backend = openPostgres(url, SCHEMA)
  const [database, file] = [timeFinds(backend), timeFinds(openFile(documents))]
  let differences = 0
  return {
    find: async (request) => {
      const found = await database.find(request)
      const [here, there] = [showAnswer(found), showAnswer(await file.find(request))]
      if (here !== there) {
        differences += 1
        console.log(`differs: ${request.q}\n  postgres ${here}\n  file     ${there}`)
      }
      return found
    },
    close: async () => {
      await backend.close()
      await dropTables(url)
      console.log(`\n${differences} answers differ from the file's`)
      console.log(`ms a query, median: postgres ${database.show()}, file ${file.show()}`)
    },
  }
}

/** Opens one of the backends over some skills. */
export const openBackend = async (
  name: string,
  documents: readonly SearchDocument[],
): Promise<MeasuredBackend> => {
  if (name === 'file') {
    const index = openFile(documents)
    return { find: (request) => index.find(request), close: async () => undefined }
  }
  if (name === 'postgres') return openDatabase(documents)
  throw new Error(`There is no backend "${name}"; there is file and postgres.`)
}
