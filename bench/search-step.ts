/** One step of `bench:search` in a separate process: reads a task from standard input, prints its measurements. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { openIndexFile } from '../src/search/read/index-file.ts'
import type { FindRequest, Found } from '../src/search/read/open.ts'
import { median } from './measures.ts'

/** The engines, with the name of their index file. */
export const ENGINES = { packed: 'search.index', minisearch: 'minisearch.json' } as const

export interface Task {
  engine: keyof typeof ENGINES
  /** Builds an index of some rows. If undefined, measures the existing index. */
  build?: { rows: number; big: string; bodies: string }
  folder: string
  /** Queries, by name of the column. */
  columns: Record<string, string[]>
}

/** CPU in milliseconds, sizes in bytes. */
export interface Measured {
  cpu: number
  size: number
  resident: number
  columns: Record<string, number>
}

const MAX_RUNS = 40
/** CPU milliseconds after which a column is not run again. */
const MAX_CPU = 2_500

const readCpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

type Find = (request: FindRequest) => Found

/** Opens an index. Each engine loads only the modules that it needs. */
const open = async (engine: Task['engine'], file: string): Promise<Find> => {
  if (engine === 'packed') {
    const index = openIndexFile(file)
    return (request) => index.find(request)
  }
  const { openOracle } = await import('../testing/oracle/oracle.ts')
  const index = openOracle(readFileSync(file, 'utf8'))
  return (request) => index.find(request)
}

const build = async (engine: Task['engine'], file: string, made: NonNullable<Task['build']>) => {
  const { listBigDocuments, readBigRows } = await import('./big-rows.ts')
  const { readBodies } = await import('./build-content.ts')
  const documents = listBigDocuments(readBigRows(made.big), made.rows, readBodies(made.bodies))
  const start = readCpu()
  if (engine === 'packed') {
    const { packIndex } = await import('../src/search/pack/pack.ts')
    writeFileSync(file, packIndex(documents, {}))
  } else {
    const { serializeOracle } = await import('../testing/oracle/oracle.ts')
    writeFileSync(file, serializeOracle(documents))
  }
  return readCpu() - start
}

const ask = (find: Find, q: string): Found =>
  find({ q, sort: 'popular', categories: [], limit: 24, offset: 0 })

/** Measures the median CPU milliseconds per query. The first run, in which code is compiled, does not count. */
const measureColumn = (find: Find, queries: readonly string[]): number => {
  const times: number[] = []
  const start = readCpu()
  for (let run = -1; run < MAX_RUNS && (run < 1 || readCpu() - start < MAX_CPU); run++)
    for (const q of queries) {
      const before = readCpu()
      ask(find, q)
      if (run >= 0) times.push(readCpu() - before)
    }
  return median(times)
}

const { engine, build: made, folder, columns } = JSON.parse(readFileSync(0, 'utf8')) as Task
const file = `${folder}/${ENGINES[engine]}`
if (made) {
  const cpu = await build(engine, file, made)
  console.log(JSON.stringify({ cpu, size: statSync(file).size, resident: 0, columns: {} }))
} else {
  const start = readCpu()
  const find = await open(engine, file)
  ask(find, 'test driven development')
  const cpu = readCpu() - start
  const measured = Object.entries(columns).map(
    ([name, queries]) => [name, measureColumn(find, queries)] as const,
  )
  const resident = process.memoryUsage().rss
  const answer = { cpu, size: 0, resident, columns: Object.fromEntries(measured) }
  console.log(JSON.stringify(answer satisfies Measured))
}
