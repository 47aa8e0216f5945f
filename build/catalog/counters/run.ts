import { statSync } from 'node:fs'
import type { Counters } from '../../../src/catalog/schema.ts'
import type { Progress } from '../../site/progress.ts'
import { withLock } from '../store/lock.ts'
import { COUNTERS_FILE, readCounters, readRecords } from '../store/records.ts'
import { renderRecord, takeSteps } from '../store/write.ts'
import type { Step } from '../store/write.ts'
import { STANDARD_INPUT, STATE_FILE, openAccessLog, readKnownLogs, readLog } from './read-log.ts'
import type { LogReading } from './read-log.ts'
import { Readers, addCounted, countNothing, createFinder } from './tally.ts'
import type { Counted } from './tally.ts'

/** What a count is asked to do. */
interface CountSettings {
  content: string
  /** Paths of logs; `-` is standard input. */
  logs: readonly string[]
  /** Requests from this day on are left for another time. */
  before?: string | undefined
  dryRun: boolean
}

/** Everything a count did, or would do. */
export interface CountReport {
  dryRun: boolean
  logs: ({ log: string } & LogReading)[]
  total: Counted
  written: string[]
}

const addCounters = (counters: Counters, { bySkill }: Counted): Counters => {
  const sums = { ...counters }
  for (const [id, { views, installs }] of bySkill) {
    const old = sums[id] ?? { views: 0, installs: 0 }
    sums[id] = { views: old.views + views, installs: old.installs + installs }
  }
  return sums
}

const MEBIBYTE = 1_048_576

/** Tells how much of a log was read, a step a mebibyte. */
async function* follow(chunks: AsyncIterable<Buffer>, progress: Progress): AsyncGenerator<Buffer> {
  let steps = 0
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    for (; steps < Math.floor(bytes / MEBIBYTE); steps += 1) progress.step()
    yield chunk
  }
}

const sizeOf = (log: string): number =>
  log === STANDARD_INPUT ? 0 : Math.floor(statSync(log).size / MEBIBYTE)

/** Counts logs into a catalog, or says what that would change. */
export const countLogs = async (
  { content, logs, before, dryRun }: CountSettings,
  progress: Progress,
): Promise<CountReport> => {
  const count = async (): Promise<CountReport> => {
    const known = readKnownLogs(content)
    const counters = readCounters(content)
    const rules = { find: createFinder(readRecords(content)), readers: new Readers(), before }
    const report: CountReport = { dryRun, logs: [], total: countNothing(), written: [] }
    for (const log of logs) {
      progress.stage(`Reading ${log}`, sizeOf(log))
      const reading = await readLog(follow(openAccessLog(log), progress), known, rules)
      report.logs.push({ log, ...reading })
      addCounted(report.total, reading)
    }
    progress.end()
    if (report.logs.every(({ countedBytes }) => countedBytes === 0)) return report
    const sums = addCounters(counters, report.total)
    const steps: Step[] = [
      { do: 'write', path: COUNTERS_FILE, text: renderRecord(sums) },
      { do: 'write', path: STATE_FILE, text: renderRecord({ logs: known.list() }) },
    ]
    report.written = steps.map(({ path }) => path)
    if (!dryRun) takeSteps(content, steps)
    return report
  }
  return dryRun ? count() : withLock(content, count)
}
