import { existsSync, statSync } from 'node:fs'
import { showValue } from '../../../src/catalog/text.ts'
import { createProgress } from '../../site/progress.ts'
import { CONTENT_OPTION, JSON_OPTION, readContentOption } from '../cli/command.ts'
import type { Command, Given, CommandContext } from '../cli/command.ts'
import { UsageError } from '../cli/errors.ts'
import { renderJson, pluralize } from '../cli/report.ts'
import { STANDARD_INPUT } from './read-log.ts'
import { countLogs } from './run.ts'
import type { CountReport } from './run.ts'
import type { Counted } from './tally.ts'

/** Skills of a dry run that are named. */
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

const renderSkills = ({ bySkill }: Counted): string[] => {
  const rows = [...bySkill].sort(([a], [b]) => a - b)
  return [
    ...rows
      .slice(0, SKILLS_SHOWN)
      .map(
        ([id, { views, installs }]) =>
          `skill ${id}: +${pluralize(views, 'view')}, +${pluralize(installs, 'install')}`,
      ),
    ...(rows.length > SKILLS_SHOWN ? [`and ${rows.length - SKILLS_SHOWN} more skills`] : []),
  ]
}

/** Renders a count for a person. */
const renderCount = ({ dryRun, logs, total, written }: CountReport): string =>
  [
    ...logs.flatMap(renderLog),
    ...(dryRun ? renderSkills(total) : []),
    written.length === 0
      ? 'nothing new; nothing was written'
      : `${renderCounts(total)}; ${dryRun ? 'would write' : 'wrote'} ${written.join(' and ')}`,
  ].join('\n')

const describeCounted = ({ bySkill, ...counted }: Counted): object => ({
  ...counted,
  skills: Object.fromEntries(bySkill),
})

/** Describes a count for a script. */
const describeCount = ({ dryRun, logs, total, written }: CountReport): object => ({
  dryRun,
  total: describeCounted(total),
  logs: logs.map(({ log, ...reading }) => ({ log: showName(log), ...describeCounted(reading) })),
  written,
})

const showName = (log: string): string => (log.isWellFormed() ? log : showValue(log))

const refuse = (message: string): never => {
  throw new UsageError(message)
}

const readLogs = ({ positionals }: Given): string[] => {
  for (const log of positionals.filter((one) => one !== STANDARD_INPUT)) {
    if (!existsSync(log)) refuse(`No such log: ${showValue(log, 200)}.`)
    if (statSync(log).isDirectory()) refuse(`${showValue(log, 200)} is a folder; name its files.`)
  }
  if (positionals.filter((one) => one === STANDARD_INPUT).length > 1) refuse('- is given twice.')
  return positionals
}

const run = async (given: Given, { print, stderr, today }: CommandContext): Promise<void> => {
  const report = await countLogs(
    {
      logs: readLogs(given),
      content: readContentOption(given),
      before: given.switches.has('whole-days') ? today : undefined,
      dryRun: given.switches.has('dry-run'),
    },
    createProgress(stderr),
  )
  print(given.switches.has('json') ? renderJson(describeCount(report)) : renderCount(report))
}

/** `counters`: access logs -> content/counters.json. */
export const countersCommand: Command = {
  name: 'counters',
  positionals: { usage: '<log or ->…', least: 1, most: Infinity },
  summary: 'Counts views and installs from access logs',
  options: {
    'whole-days': { help: 'Leaves the requests of today (UTC) for another run' },
    ...CONTENT_OPTION,
    'dry-run': { help: 'Says what would be counted, and writes nothing' },
    ...JSON_OPTION,
  },
  help: [
    'Reads the Combined Log Format, the JSON lines of this server, Cloudflare Logpush and the log drains of Vercel and Netlify, plain or gzip, each line by its own shape. A view is a GET 200 of a skill page, as HTML or Markdown; an install is a GET 200 of its zip. Robots that declare themselves do not count.',
    'A log that was counted before is known by what it holds from its beginning on, whatever its name, plain or gzip: only what it has grown by counts. Logs that were cut or joined since count again. A last line without an end is left for the next run.',
    'One reader counts once a day for a skill, known by a digest of the address with a random salt that is never written. That holds among all logs given to a run, what was counted before included: give a log that grows as often as you like, and the pieces of a day together. A reader whose requests of one day are given to two runs in separate pieces counts in both; with --whole-days a run takes nothing of the day that is not over.',
  ],
  run,
}
