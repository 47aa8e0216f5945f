import { hash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { counterRecords } from '../../../src/catalog/schema.ts'
import type { Counters } from '../../../src/catalog/schema.ts'
import { countOf, showValue } from '../../../src/catalog/text.ts'
import type { Progress } from '../../machine/progress.ts'
import { createProgress } from '../../machine/progress.ts'
import {
  CommandError,
  refuse,
  CONTENT_OPTION,
  JSON_OPTION,
  readContentOption,
  renderJson,
} from '../cli/command.ts'
import type { Command, Arguments, CommandContext } from '../cli/command.ts'
import { readBeside, COUNTERS_FILE, readCounters, readRecords } from '../store/records.ts'
import { renderRecord, withLock, writeWhole } from '../store/write.ts'
import { createFinder, isRobot, nameReader, parseLine } from './logs.ts'
import type { Kind, LogEntry } from './logs.ts'

const STANDARD_INPUT = '-'

/** Stored next to counters.json and committed with it. */
const STATE_FILE = 'counters.state.json'

const stateRecord = z.strictObject({
  /** The last counted day. */
  day: z.iso.date().optional(),
  /** Counters that a killed run computed but may not have written to counters.json. */
  counters: counterRecords.optional(),
})

type State = z.infer<typeof stateRecord>

const writeState = (content: string, state: State): void =>
  writeWhole(content, STATE_FILE, renderRecord(state))

/** Writes counters and state so that a kill in between neither loses nor repeats counts. */
const writeCounters = (content: string, day: string | undefined, counters: Counters): void => {
  writeState(content, { day, counters })
  writeWhole(content, COUNTERS_FILE, renderRecord(counters))
  writeState(content, { day })
}

/** Reads the lines of a log, and unpacks it if its name ends in .gz. Throws CommandError. */
async function* readLines(path: string): AsyncGenerator<string> {
  const stream = path === STANDARD_INPUT ? process.stdin : createReadStream(path)
  const input = path.endsWith('.gz') ? stream.pipe(createGunzip()) : stream
  try {
    yield* createInterface({ input, crlfDelay: Infinity })
  } catch (error) {
    const reason = (error as Error).message
    throw new CommandError(
      `${path} cannot be read (${reason}); nothing was counted. Pass the complete file.`,
    )
  }
}

/** Remembers which reader requested what on which day, as digests with a random salt that is never written. */
class Readers {
  readonly #salt = randomBytes(32).toString('latin1')
  readonly #seen = new Set<number>()

  /** Records a request, and returns whether it is new. The request includes the day and the reader. */
  isFirst(request: string): boolean {
    const { size } = this.#seen
    // With 48 bits and a million digests, one run in 500 confuses two of them.
    const digest = hash('sha256', this.#salt + request, 'buffer').readUIntBE(0, 6)
    return this.#seen.add(digest).size > size
  }
}

interface CountSettings {
  content: string
  logs: readonly string[]
  /** Today as YYYY-MM-DD, UTC; an unfinished day is not counted. */
  today: string
  dryRun: boolean
}

const NOTHING = { views: 0, installs: 0, repeats: 0, robots: 0, otherDays: 0, unreadable: 0 }

interface CountReport {
  dryRun: boolean
  /**
   * `views` and `installs` are counted. Not counted: `repeats` by the same reader on one day, `robots`, lines of
   * `otherDays` (already counted, or not over) and lines in no known format (`unreadable`).
   */
  counts: typeof NOTHING
  /** The first unreadable line, as `<log>:<number>`. */
  firstUnreadable?: string
  /** The last counted day after this run. */
  day: string | undefined
  /** What this run added, by id. */
  skills: Record<string, Record<Kind, number>>
  written: string[]
}

const addTo = (sums: CountReport['skills'], id: string, added: Record<Kind, number>): void => {
  const { views, installs } = sums[id] ?? { views: 0, installs: 0 }
  sums[id] = { views: views + added.views, installs: installs + added.installs }
}

/** Counts whole days after the last counted day. A reader counts once per day and skill. */
export const countLogs = async (
  { content, logs, today, dryRun }: CountSettings,
  progress: Progress,
): Promise<CountReport> => {
  const count = async (): Promise<CountReport> => {
    const { day: last, counters: unwritten } = readBeside(content, STATE_FILE, stateRecord) ?? {}
    const before = unwritten ?? readCounters(content)
    if (unwritten && !dryRun) writeCounters(content, last, unwritten)
    const find = createFinder(readRecords(content))
    const readers = new Readers()
    const counts = { ...NOTHING }
    const report: CountReport = { dryRun, counts, day: last, skills: {}, written: [] }
    const countEntry = ({ day, method, status, target, agent, reader }: LogEntry): void => {
      if (day >= today || (last !== undefined && day <= last)) return void (counts.otherDays += 1)
      if (day > (report.day ?? '')) report.day = day
      const found = method === 'GET' && status === 200 ? find(target) : undefined
      if (!found) return
      const { id, kind } = found
      if (isRobot(agent)) counts.robots += 1
      else if (readers.isFirst(`${day} ${kind} ${id} ${nameReader(reader)}`)) {
        counts[kind] += 1
        addTo(report.skills, String(id), { views: 0, installs: 0, [kind]: 1 })
      } else counts.repeats += 1
    }
    for (const log of logs) {
      progress.stage(`Reading ${log}`)
      let number = 0
      for await (const line of readLines(log)) {
        number += 1
        const entry = parseLine(line)
        if (entry) countEntry(entry)
        else if (line !== '') {
          counts.unreadable += 1
          report.firstUnreadable ??= `${log}:${number}`
        }
      }
    }
    progress.end()
    if (report.day === last) return report
    const sums = { ...before }
    for (const [id, added] of Object.entries(report.skills)) addTo(sums, id, added)
    report.written = [COUNTERS_FILE, STATE_FILE]
    if (!dryRun) writeCounters(content, report.day, sums)
    return report
  }
  return dryRun ? count() : withLock(content, count)
}

const renderCount = ({ dryRun, counts, firstUnreadable, day, written }: CountReport): string => {
  const sums = [
    countOf(counts.views, 'view'),
    countOf(counts.installs, 'install'),
    `${countOf(counts.repeats, 'repeat')} on the same day`,
    `${counts.robots} by robots`,
    `${countOf(counts.otherDays, 'line')} of counted or unfinished days`,
    `${counts.unreadable} unreadable${firstUnreadable ? `, first at ${firstUnreadable}` : ''}`,
  ]
  return [
    sums.join(', '),
    written.length === 0
      ? `${day ? `no complete day after ${day}` : 'no complete day'}; nothing was written`
      : `counted up to ${day}; ${dryRun ? 'would write' : 'wrote'} ${written.join(' and ')}`,
  ].join('\n')
}

const readLogs = ({ positionals }: Arguments): string[] => {
  for (const log of positionals.filter((path) => path !== STANDARD_INPUT)) {
    if (!existsSync(log)) refuse(`No such log: ${showValue(log, 200)}.`)
    if (statSync(log).isDirectory()) refuse(`${showValue(log, 200)} is a folder; pass its files.`)
  }
  if (new Set(positionals).size < positionals.length) refuse('A log appears twice.')
  return positionals
}

const run = async (args: Arguments, { print, stderr, today }: CommandContext): Promise<void> => {
  const content = readContentOption(args)
  const dryRun = args.switches.has('dry-run')
  const settings = { logs: readLogs(args), content, today, dryRun }
  const report = await countLogs(settings, createProgress(stderr))
  print(args.switches.has('json') ? renderJson(report) : renderCount(report))
}

export const countersCommand: Command = {
  name: 'counters',
  positionals: { usage: '<log or ->…', least: 1, most: Infinity },
  summary: 'Counts views and installs from access logs, by whole days',
  options: {
    ...CONTENT_OPTION,
    'dry-run': { help: 'Shows what would be counted, but writes nothing' },
    ...JSON_OPTION,
  },
  help: [
    "Reads the Combined Log Format and this server's JSON lines, also as .gz; the formats may be mixed line by line.",
    'A view is a GET 200 of a skill page, as HTML or Markdown; an install is a GET 200 of its zip. Self-declared robots do not count.',
    'Only whole days (UTC) after the last counted day are counted: pass all logs of a day together; passing them again does no harm. counters.state.json stores that day; keep it next to counters.json.',
    'A reader counts once per day and skill, recognized by a digest of the address with a random salt that is never written; all addresses in an IPv6 /64 count as one reader.',
  ],
  run,
}
