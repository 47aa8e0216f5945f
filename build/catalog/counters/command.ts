import { hash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { counterRecords } from '../../../src/catalog/schema.ts'
import type { Counters } from '../../../src/catalog/schema.ts'
import { showValue } from '../../../src/catalog/text.ts'
import type { Progress } from '../../machine/progress.ts'
import { createProgress } from '../../machine/progress.ts'
import {
  CommandError,
  refuse,
  CONTENT_OPTION,
  JSON_OPTION,
  readContentOption,
  renderJson,
  pluralize,
} from '../cli/command.ts'
import type { Command, Arguments, CommandContext } from '../cli/command.ts'
import { readBeside, COUNTERS_FILE, readCounters, readRecords } from '../store/records.ts'
import { renderRecord, withLock, writeWhole } from '../store/write.ts'
import { createFinder, isRobot, nameReader, parseLine } from './logs.ts'
import type { Kind, LogEntry } from './logs.ts'

const STANDARD_INPUT = '-'

/** Stored beside counters.json and committed with it. */
const STATE_FILE = 'counters.state.json'

const stateRecord = z.strictObject({
  /** The last day that was counted. */
  day: z.iso.date().optional(),
  /** The counters of a run that did not come to write them. */
  counters: counterRecords.optional(),
})

type State = z.infer<typeof stateRecord>

const writeState = (content: string, state: State): void =>
  writeWhole(content, STATE_FILE, renderRecord(state))

/** Writes counters and state so that a kill in between neither loses nor repeats a count. */
const writeCounters = (content: string, day: string | undefined, counters: Counters): void => {
  writeState(content, { day, counters })
  writeWhole(content, COUNTERS_FILE, renderRecord(counters))
  writeState(content, { day })
}

/** Reads a log by lines; a name that ends in .gz is unpacked. Throws CommandError. */
async function* readLines(path: string): AsyncGenerator<string> {
  const stream = path === STANDARD_INPUT ? process.stdin : createReadStream(path)
  const input = path.endsWith('.gz') ? stream.pipe(createGunzip()) : stream
  try {
    yield* createInterface({ input, crlfDelay: Infinity })
  } catch (error) {
    const reason = (error as Error).message
    throw new CommandError(
      `${path} cannot be read (${reason}); nothing was counted. Give the whole file.`,
    )
  }
}

/**
 * Remembers who requested what on which day during a run, as digests with a random salt that is never written.
 */
class Readers {
  readonly #salt = randomBytes(32).toString('latin1')
  readonly #seen = new Set<number>()

  /** Whether this is the reader's first such request of the day; records it. */
  isFirst(request: string): boolean {
    const { size } = this.#seen
    // 48 bits: with a million digests, one is mistaken for another once in 500 runs.
    const digest = hash('sha256', this.#salt + request, 'buffer').readUIntBE(0, 6)
    return this.#seen.add(digest).size > size
  }
}

interface CountSettings {
  content: string
  logs: readonly string[]
  /** Today as YYYY-MM-DD, UTC: that day is not over. */
  today: string
  dryRun: boolean
}

const NOTHING = { views: 0, installs: 0, repeats: 0, robots: 0, otherDays: 0, unreadable: 0 }

interface CountReport {
  dryRun: boolean
  /**
   * Requests that counted, those by readers already counted that day and by robots, and lines of days that were counted
   * before or are not over, and of no log format.
   */
  counts: typeof NOTHING
  /** The first unreadable line, as log and number. */
  firstUnreadable?: string
  /** The last day that is counted now. */
  day: string | undefined
  /** What was added, by id. */
  skills: Record<string, Record<Kind, number>>
  written: string[]
}

const addTo = (sums: CountReport['skills'], id: string, more: Record<Kind, number>): void => {
  const { views, installs } = sums[id] ?? { views: 0, installs: 0 }
  sums[id] = { views: views + more.views, installs: installs + more.installs }
}

/** Counts whole days after the last counted one; one reader once a day for a skill. */
export const countLogs = async (
  { content, logs, today, dryRun }: CountSettings,
  progress: Progress,
): Promise<CountReport> => {
  const count = async (): Promise<CountReport> => {
    const { day: last, counters: left } = readBeside(content, STATE_FILE, stateRecord) ?? {}
    const before = left ?? readCounters(content)
    if (left && !dryRun) writeCounters(content, last, left)
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
    for (const [id, more] of Object.entries(report.skills)) addTo(sums, id, more)
    report.written = [COUNTERS_FILE, STATE_FILE]
    if (!dryRun) writeCounters(content, report.day, sums)
    return report
  }
  return dryRun ? count() : withLock(content, count)
}

const renderCount = ({ dryRun, counts, firstUnreadable, day, written }: CountReport): string => {
  const sums = [
    pluralize(counts.views, 'view'),
    pluralize(counts.installs, 'install'),
    `${pluralize(counts.repeats, 'repeat')} the same day`,
    `${counts.robots} by robots`,
    `${pluralize(counts.otherDays, 'line')} of days counted before or not over`,
    `${counts.unreadable} unreadable${firstUnreadable ? `, the first is ${firstUnreadable}` : ''}`,
  ]
  return [
    sums.join(', '),
    written.length === 0
      ? `no day after ${day ?? 'the beginning'} that is over; nothing was written`
      : `counted up to ${day}; ${dryRun ? 'would write' : 'wrote'} ${written.join(' and ')}`,
  ].join('\n')
}

const readLogs = ({ positionals }: Arguments): string[] => {
  for (const log of positionals.filter((one) => one !== STANDARD_INPUT)) {
    if (!existsSync(log)) refuse(`No such log: ${showValue(log, 200)}.`)
    if (statSync(log).isDirectory()) refuse(`${showValue(log, 200)} is a folder; name its files.`)
  }
  if (new Set(positionals).size < positionals.length) refuse('The same log is given twice.')
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
    'dry-run': { help: 'Shows what would be counted, and writes nothing' },
    ...JSON_OPTION,
  },
  help: [
    'Reads the Combined Log Format and the JSON lines of this server, also as .gz, each line by its own format.',
    'A view is a GET 200 of a skill page, as HTML or Markdown; an install is a GET 200 of its zip. Robots that declare themselves do not count.',
    'Only whole days (UTC) after the last counted one count: give all logs of a day together, as often as you like. counters.state.json remembers that day; keep it with counters.json.',
    'One reader counts once a day for a skill, known by a digest of the address with a random salt that is never written; an IPv6 reader is all of a /64.',
  ],
  run,
}
