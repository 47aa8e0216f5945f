import { FILE_HEADERS_ONLY, createTwoFilesPatch } from 'diff'
import type { Change } from '../mend-target.ts'
import type { Finding } from '../rule.ts'
import type { LintReport } from '../run.ts'

/** Renders a finding as `file:line:column severity rule message — remedy`. */
export const renderFinding = (finding: Finding): string => {
  const { file, line, column, severity, rule, message, remedy } = finding
  return `${file}:${line}:${column} ${severity} ${rule} ${message} — ${remedy}`
}

const NO_DATE = undefined

/** Renders a change as a unified diff. */
export const renderDiff = ({ file, to, before, after }: Change): string =>
  before === after
    ? `rename ${file} to ${to}`
    : createTwoFilesPatch(file, to, before, after, NO_DATE, NO_DATE, {
        context: 2,
        headerOptions: FILE_HEADERS_ONLY,
      }).trimEnd()

const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`

/** Renders the counts of a report as one sentence. */
export const renderCounts = ({ files, counts, fixable, changes, isDryRun }: LintReport): string =>
  [
    `${countOf(files, 'skill')}: ${countOf(counts.error, 'error')}, ${countOf(counts.warning, 'warning')}, ${countOf(counts.note, 'note')}`,
    ...(fixable > 0 ? [`${fixable} can be mended with --fix`] : []),
    ...(changes.length > 0
      ? [`${isDryRun ? 'would mend' : 'mended'} ${countOf(changes.length, 'file')}`]
      : []),
  ].join('; ')

const renderMended = ({ changes, isDryRun }: LintReport): string[] =>
  changes.map((change) =>
    isDryRun
      ? renderDiff(change)
      : `mended ${change.file}${change.to === change.file ? '' : `, now ${change.to}`}`,
  )

/** Renders a report for a person. */
export const renderText = (report: LintReport): string =>
  [...renderMended(report), ...report.findings.map(renderFinding)].join('\n')
