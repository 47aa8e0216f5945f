/** One step of one engine in a process of its own; the last line of its output is what it measured. */
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../measures.ts'
import type { Manner, Opened } from './engine.ts'

/** The child's arguments: the step, and the queries of a query step. */
export interface Task {
  step: 'build' | 'ask'
  engine: string
  folder: string
  big: string
  rows: number
  columns: Column[]
}

/** A column of the table: queries of one kind. */
export interface Column {
  name: string
  manner: Manner
  queries: string[]
  /** Whether the most expensive query counts instead of the median. */
  worst?: boolean
}

/** What a child measured: CPU in milliseconds, sizes in bytes. */
export interface Measured {
  cpu: number
  fileSize?: number
  resident?: number
  columns?: Record<string, number>
  totals?: Record<string, number>
}

const MOST_RUNS = 40
/** CPU milliseconds after which a column has been measured long enough. */
const ENOUGH = 2500

/** CPU milliseconds of one query after which the measurement stops. */
const HOPELESS = 5000

const readCpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

const measureColumn = async (
  opened: Opened,
  { queries, manner, worst = false }: Column,
): Promise<{ cpu: number; total: number }> => {
  const times = new Map<string, number[]>(queries.map((q) => [q, []]))
  let total = 0
  const start = readCpu()
  for (let run = -1; run < MOST_RUNS && (run < 1 || readCpu() - start < ENOUGH); run++)
    for (const [q, own] of times) {
      const before = readCpu()
      const answer = await opened.find(q, manner)
      const cost = readCpu() - before
      if (worst && cost > HOPELESS) return { cpu: cost, total: answer.total }
      // The first run compiles.
      if (run >= 0) own.push(cost)
      total = answer.total
    }
  const cpu = worst
    ? Math.max(...[...times.values()].map(median))
    : median([...times.values()].flat())
  return { cpu, total }
}

const build = async (task: Task): Promise<Measured> => {
  const { engine } = await import(`./${task.engine}.ts`.replace('.ts', EXTENSION))
  const { listBigDocuments, readBigRows } = await import('../big-rows.ts')
  const documents = listBigDocuments(readBigRows(task.big), task.rows)
  const start = readCpu()
  await engine.build(documents, task.folder)
  return { cpu: readCpu() - start, fileSize: sizeOf(task.folder) }
}

const ask = async (task: Task): Promise<Measured> => {
  const { engine } = await import(`./${task.engine}.ts`.replace('.ts', EXTENSION))
  const start = readCpu()
  const opened = (await engine.open(task.folder)) as Opened
  await opened.find('test driven development', 'words')
  const cpu = readCpu() - start
  const columns: Record<string, number> = {}
  const totals: Record<string, number> = {}
  let resident = 0
  for (const column of task.columns) {
    // What serving takes; the hostile column is an attack.
    if (column.worst) resident ||= process.memoryUsage().rss
    if (column.manner === 'typo' && !engine.corrects) continue
    const measured = await measureColumn(opened, column)
    columns[column.name] = measured.cpu
    totals[column.name] = measured.total
  }
  return { cpu, resident: resident || process.memoryUsage().rss, columns, totals }
}

/** The modules beside this one end as it does: they may have been stripped to plain JavaScript. */
const EXTENSION = import.meta.url.slice(import.meta.url.lastIndexOf('.'))

const task = JSON.parse(readFileSync(0, 'utf8')) as Task
const measured = await (task.step === 'build' ? build(task) : ask(task))
console.log(JSON.stringify(measured))
