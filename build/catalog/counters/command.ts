import { createHash } from 'node:crypto'
import { createReadStream, statSync, existsSync } from 'node:fs'
import { Readable, pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { showValue } from '../../../src/catalog/text.ts'
import type { Progress } from '../../site/progress.ts'
import { createProgress } from '../../site/progress.ts'
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
import { writeStep, applySteps, withLock } from '../store/write.ts'
import type { Step } from '../store/write.ts'
import { Rules, LogTally, addToSkill } from './tally.ts'
import type { Counted } from './tally.ts'

const STANDARD_INPUT = '-'

/** Stored beside counters.json and committed with it; contains only lengths and digests. */
const STATE_FILE = 'counters.state.json'

const stateRecord = z.strictObject({
  logs: z.array(
    z.strictObject({
      bytes: z.int().min(1, 'must be 1 or more'),
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'),
    }),
  ),
})

/** The counted part of a log: its length in bytes, up to a line end, and its digest. */
type CountedLog = z.infer<typeof stateRecord>['logs'][number]

/** The logs counted before, by length at the time. */
class KnownLogs {
  private readonly digests = new Map<number, Set<string>>()

  constructor(logs: readonly CountedLog[]) {
    for (const log of logs) this.add(log)
  }

  add({ bytes, sha256 }: CountedLog): void {
    this.digests.set(bytes, (this.digests.get(bytes) ?? new Set()).add(sha256))
  }

  has({ bytes, sha256 }: CountedLog): boolean {
    return this.digests.get(bytes)?.has(sha256) === true
  }

  lengths(): number[] {
    return [...this.digests.keys()].sort((a, b) => a - b)
  }

  toStep(): Step {
    const logs = this.lengths().flatMap((bytes) =>
      [...(this.digests.get(bytes) ?? [])].sort().map((sha256) => ({ bytes, sha256 })),
    )
    return writeStep(STATE_FILE, { logs })
  }
}

/** Throws ContentError, and CommandError for an earlier format. */
const readKnownLogs = (content: string): KnownLogs => {
  // The earlier format lists segments, which do not identify a whole log.
  if ('segments' in (readBeside(content, STATE_FILE, z.looseObject({})) ?? {})) {
    throw new CommandError(
      `${STATE_FILE} is of an earlier version, so logs counted before cannot be recognized. Remove it, and pass only logs that begin after the last count; any other would count twice.`,
    )
  }
  return new KnownLogs(readBeside(content, STATE_FILE, stateRecord)?.logs ?? [])
}

/** Magic number of gzip (RFC 1952 2.3.1). */
const GZIP = Buffer.from([0x1f, 0x8b])

async function* unzip(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  // The loop below reports errors.
  pipeline(Readable.from(chunks), gunzip, () => undefined)
  try {
    for await (const chunk of gunzip) yield chunk as Buffer
  } catch (error) {
    throw new CommandError(
      `${path}: damaged or truncated gzip (${(error as Error).message}); nothing was counted. Give the whole file.`,
    )
  }
}

/** Opens a log; gzip is detected by its first bytes; `-` is standard input. */
async function* openAccessLog(path: string): AsyncGenerator<Buffer> {
  const stream: AsyncIterable<Buffer> =
    path === STANDARD_INPUT ? process.stdin : createReadStream(path)
  const chunks = stream[Symbol.asyncIterator]()
  let head: Buffer = Buffer.alloc(0)
  while (head.length < GZIP.length) {
    const next = await chunks.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  const all = async function* (): AsyncGenerator<Buffer> {
    try {
      yield head
      for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
        yield next.value
      }
    } finally {
      // Closes the file if the consumer stops early.
      await chunks.return?.()
    }
  }
  yield* head.subarray(0, GZIP.length).equals(GZIP) ? unzip(all(), path) : all()
}

const MEBIBYTE = 1_048_576

/** Reports progress, one step per MiB. */
async function* follow(chunks: AsyncIterable<Buffer>, progress: Progress): AsyncGenerator<Buffer> {
  let steps = 0
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    for (; steps < Math.floor(bytes / MEBIBYTE); steps += 1) progress.step()
    yield chunk
  }
}

const NEWLINE = 0x0a

/** Maximum line length in bytes; a drain may write a batch of records as one line. */
const LINE_LIMIT = 8 * 1024 * 1024

/**
 * Splits a stream after the last line end of each chunk. The beginning of an overlong line is a piece without a line
 * end. Bytes after the final line end are still being written and are omitted.
 */
async function* cutAtLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(NEWLINE) + 1
    if (end > 0) yield Buffer.concat([rest, chunk.subarray(0, end)])
    rest = end > 0 ? chunk.subarray(end) : Buffer.concat([rest, chunk])
    if (rest.length > LINE_LIMIT) {
      yield rest
      rest = Buffer.alloc(0)
    }
  }
}

interface LogReading extends Counted {
  /** Bytes that were counted before, and now. */
  skippedBytes: number
  countedBytes: number
}

class LogReader {
  private counted = new LogTally()
  private readonly hash = createHash('sha256')
  private bytes = 0
  private line = 0
  private skippedBytes = 0
  /** The part before an unfinished overlong line. */
  private beforeLong: CountedLog | undefined
  private readonly known: KnownLogs
  private readonly rules: Rules
  /** Lengths of logs counted before that this log has not reached yet. */
  private readonly lengths: number[]

  constructor(known: KnownLogs, rules: Rules) {
    this.known = known
    this.rules = rules
    this.lengths = known.lengths()
  }

  private soFar(): CountedLog {
    return { bytes: this.bytes, sha256: this.hash.copy().digest('hex') }
  }

  /** Counts lines and returns their length in bytes, up to the first line of a day left for later. */
  private countLines(bytes: Buffer): number {
    // latin1: one character per byte suffices for every format and needs no decoding.
    const text = bytes.toString('latin1')
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.line += 1
      const line = this.beforeLong ? '(too long)' : text.slice(start, end)
      if (!this.counted.countLine(line, this.line, this.rules)) return start
      this.beforeLong = undefined
      start = end + 1
    }
    if (start < text.length) this.beforeLong ??= this.soFar()
    return text.length
  }

  private takePart(part: Buffer): boolean {
    const taken = this.countLines(part)
    this.hash.update(part.subarray(0, taken))
    this.bytes += taken
    return taken === part.length
  }

  /** Counts a piece from `cutAtLines`; returns false if the rest is left for a later run. */
  take(piece: Buffer): boolean {
    const from = this.bytes
    let at = 0
    while ((this.lengths[0] ?? Infinity) <= from + piece.length) {
      const end = (this.lengths.shift() ?? 0) - from
      // Counted parts end at a line end, so any other length belongs to another log.
      if (piece[end - 1] !== NEWLINE) continue
      if (!this.takePart(piece.subarray(at, end))) return false
      at = end
      if (!this.known.has(this.soFar())) continue
      this.skippedBytes = this.bytes
      this.counted = new LogTally()
    }
    return at === piece.length || this.takePart(piece.subarray(at))
  }

  finish(): LogReading {
    const log = this.beforeLong ?? this.soFar()
    const countedBytes = Math.max(0, log.bytes - this.skippedBytes)
    if (countedBytes > 0) this.known.add(log)
    return { ...this.counted, skippedBytes: this.skippedBytes, countedBytes }
  }
}

/**
 * Reads a log once. The part counted before is recognized by its digest and not counted again; the rest is counted and
 * recorded. Readers in the first part are remembered, so that each counts once a day in a growing log.
 */
const readLog = async (
  path: string,
  known: KnownLogs,
  rules: Rules,
  progress: Progress,
): Promise<LogReading> => {
  const size = path === STANDARD_INPUT ? 0 : Math.floor(statSync(path).size / MEBIBYTE)
  progress.stage(`Reading ${path}`, size)
  const reader = new LogReader(known, rules)
  const pieces = cutAtLines(follow(openAccessLog(path), progress))
  for await (const piece of pieces) if (!reader.take(piece)) break
  return reader.finish()
}

interface CountSettings {
  content: string
  logs: readonly string[]
  /** Requests on or after this day are left for a later run. */
  before?: string | undefined
  dryRun: boolean
}

interface CountReport {
  dryRun: boolean
  logs: ({ log: string } & Awaited<ReturnType<typeof readLog>>)[]
  total: LogTally
  written: string[]
}

export const countLogs = async (
  { content, logs, before, dryRun }: CountSettings,
  progress: Progress,
): Promise<CountReport> => {
  const count = async (): Promise<CountReport> => {
    const known = readKnownLogs(content)
    const counters = readCounters(content)
    const rules = new Rules(readRecords(content), before)
    const report: CountReport = { dryRun, logs: [], total: new LogTally(), written: [] }
    for (const log of logs) {
      const reading = await readLog(log, known, rules, progress)
      report.logs.push({ log, ...reading })
      report.total.add(reading)
    }
    progress.end()
    if (report.logs.every(({ countedBytes }) => countedBytes === 0)) return report
    const sums = { ...counters }
    for (const [id, more] of Object.entries(report.total.skills)) addToSkill(sums, id, more)
    const steps = [writeStep(COUNTERS_FILE, sums), known.toStep()]
    report.written = steps.map(({ path }) => path)
    if (!dryRun) applySteps(content, steps)
    return report
  }
  return dryRun ? count() : withLock(content, count)
}

const SKILLS_SHOWN = 20

const renderCounts = (counted: Counted): string =>
  [
    pluralize(counted.lines, 'line'),
    pluralize(counted.views, 'view'),
    pluralize(counted.installs, 'install'),
    `${pluralize(counted.repeats, 'repeat')} the same day`,
    `${counted.robots} by robots`,
    `${counted.bad} unreadable`,
  ].join(', ')

const renderLog = (log: CountReport['logs'][number]): string[] => {
  const skipped = log.skippedBytes > 0 ? `; ${log.skippedBytes} bytes were counted before` : ''
  return [
    `${log.log}: ${renderCounts(log)}${skipped}`,
    ...log.firstBad.map(({ line, reason }) => `${log.log}:${line}: ${reason}; not counted`),
    ...(log.bad > log.firstBad.length
      ? [`${log.log}: ${log.bad - log.firstBad.length} more unreadable lines`]
      : []),
  ]
}

const renderSkills = ({ skills }: Counted): string[] => {
  // JavaScript iterates integer keys in ascending order.
  const rows = Object.entries(skills)
  return [
    ...rows.slice(0, SKILLS_SHOWN).map(([id, { views, installs }]) => {
      return `skill ${id}: +${pluralize(views, 'view')}, +${pluralize(installs, 'install')}`
    }),
    ...(rows.length > SKILLS_SHOWN ? [`and ${rows.length - SKILLS_SHOWN} more skills`] : []),
  ]
}

const renderCount = ({ dryRun, logs, total, written }: CountReport): string =>
  [
    ...logs.flatMap(renderLog),
    ...(dryRun ? renderSkills(total) : []),
    written.length === 0
      ? 'nothing new; nothing was written'
      : `${renderCounts(total)}; ${dryRun ? 'would write' : 'wrote'} ${written.join(' and ')}`,
  ].join('\n')

const describeCount = (report: CountReport): object => ({
  ...report,
  logs: report.logs.map(({ log, ...counted }) => ({
    log: log.isWellFormed() ? log : showValue(log),
    ...counted,
  })),
})

const readLogs = ({ positionals }: Arguments): string[] => {
  for (const log of positionals.filter((one) => one !== STANDARD_INPUT)) {
    if (!existsSync(log)) refuse(`No such log: ${showValue(log, 200)}.`)
    if (statSync(log).isDirectory()) refuse(`${showValue(log, 200)} is a folder; name its files.`)
  }
  if (positionals.filter((one) => one === STANDARD_INPUT).length > 1) refuse('- is given twice.')
  return positionals
}

const run = async (args: Arguments, { print, stderr, today }: CommandContext): Promise<void> => {
  const report = await countLogs(
    {
      logs: readLogs(args),
      content: readContentOption(args),
      before: args.switches.has('whole-days') ? today : undefined,
      dryRun: args.switches.has('dry-run'),
    },
    createProgress(stderr),
  )
  print(args.switches.has('json') ? renderJson(describeCount(report)) : renderCount(report))
}

export const countersCommand: Command = {
  name: 'counters',
  positionals: { usage: '<log or ->…', least: 1, most: Infinity },
  summary: 'Counts views and installs from access logs',
  options: {
    'whole-days': { help: 'Leaves requests of today (UTC) for a later run' },
    ...CONTENT_OPTION,
    'dry-run': { help: 'Shows what would be counted, and writes nothing' },
    ...JSON_OPTION,
  },
  help: [
    'Reads the Combined Log Format, the JSON lines of this server, Cloudflare Logpush and the log drains of Vercel and Netlify, plain or gzip, each line by its own shape. A view is a GET 200 of a skill page, as HTML or Markdown; an install is a GET 200 of its zip. Robots that declare themselves do not count.',
    'A log that was counted before is known by what it holds from its beginning on, whatever its name, plain or gzip: only what it has grown by counts. Logs that were cut or joined since count again. A last line without an end is left for the next run.',
    'One reader counts once a day for a skill, known by a digest of the address with a random salt that is never written. That holds among all logs given to a run, what was counted before included: give a log that grows as often as you like, and the pieces of a day together. A reader whose requests of one day are given to two runs in separate pieces counts in both; with --whole-days a run takes nothing of the day that is not over.',
  ],
  run,
}
