import { showValue } from '../../../src/catalog/text.ts'
import { pluralize } from '../cli/report.ts'
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
export const renderCount = ({ dryRun, logs, total, written }: CountReport): string =>
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
export const describeCount = ({ dryRun, logs, total, written }: CountReport): object => ({
  dryRun,
  total: describeCounted(total),
  logs: logs.map(({ log, ...reading }) => ({ log: showName(log), ...describeCounted(reading) })),
  written,
})

const showName = (log: string): string => (log.isWellFormed() ? log : showValue(log))
