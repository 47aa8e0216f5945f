import { existsSync, statSync } from 'node:fs'
import { showValue } from '../../../src/catalog/text.ts'
import { createProgress } from '../../site/progress.ts'
import type { Progress } from '../../site/progress.ts'
import { CONTENT_OPTION, JSON_OPTION, readContentOption } from '../cli/command.ts'
import type { Command, Arguments, CommandContext } from '../cli/command.ts'
import { refuse } from '../cli/errors.ts'
import { renderJson, pluralize } from '../cli/report.ts'
import { withLock } from '../store/lock.ts'
import { COUNTERS_FILE, readCounters, readRecords } from '../store/records.ts'
import { applySteps, writeStep } from '../store/write.ts'
import { STANDARD_INPUT, readKnownLogs, readLog } from './read-log.ts'
import { addCounted, addToSkill, countNothing, createRules } from './tally.ts'
import type { Counted } from './tally.ts'

interface CountSettings {
  content: string
  logs: readonly string[]
  /** Requests on or after this day are left for a later run. */
  before?: string | undefined
  dryRun: boolean
}

export interface CountReport {
  dryRun: boolean
  logs: ({ log: string } & Awaited<ReturnType<typeof readLog>>)[]
  total: Counted
  written: string[]
}

export const countLogs = async (
  { content, logs, before, dryRun }: CountSettings,
  progress: Progress,
): Promise<CountReport> => {
  const count = async (): Promise<CountReport> => {
    const known = readKnownLogs(content)
    const counters = readCounters(content)
    const rules = createRules(readRecords(content), before)
    const report: CountReport = { dryRun, logs: [], total: countNothing(), written: [] }
    for (const log of logs) {
      const reading = await readLog(log, known, rules, progress)
      report.logs.push({ log, ...reading })
      addCounted(report.total, reading)
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
