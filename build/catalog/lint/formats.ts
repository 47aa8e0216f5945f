import { FILE_HEADERS_ONLY, createTwoFilesPatch } from 'diff'
import type { Log, Result } from 'sarif'
import { pluralize, renderJson } from '../cli/report.ts'
import type { Diagnostic, Severity } from './diagnostic.ts'
import type { Change } from './lint-skill.ts'
import { RULES } from './rules.ts'

/** Diagnostics in file order, and fixes. */
export interface LintReport {
  files: number
  counts: Record<Severity, number>
  fixable: number
  dryRun: boolean
  changes: Change[]
  diagnostics: Diagnostic[]
}

export const renderDiff = ({ file, to, before, after }: Change): string =>
  before === after
    ? `rename ${file} to ${to}`
    : createTwoFilesPatch(file, to, before, after, undefined, undefined, {
        context: 2,
        headerOptions: FILE_HEADERS_ONLY,
      }).trimEnd()

const renderText = ({ diagnostics, changes, dryRun }: LintReport): string =>
  [
    ...changes.map((change) => {
      const { file, to } = change
      return dryRun ? renderDiff(change) : `fixed ${file}${to === file ? '' : `, now ${to}`}`
    }),
    ...diagnostics.map(
      ({ file, line, column, severity, rule, message, remedy }) =>
        `${file}:${line}:${column} ${severity} ${rule} ${message} — ${remedy}`,
    ),
  ].join('\n')

export const renderCounts = ({ files, counts, fixable, changes, dryRun }: LintReport): string =>
  [
    `${pluralize(files, 'skill')}: ${pluralize(counts.error, 'error')}, ${pluralize(counts.warning, 'warning')}, ${pluralize(counts.note, 'note')}`,
    ...(fixable > 0 ? [`${fixable} can be fixed with --fix`] : []),
    ...(changes.length > 0
      ? [`${dryRun ? 'would fix' : 'fixed'} ${pluralize(changes.length, 'file')}`]
      : []),
  ].join('; ')

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** Renders a report as workflow commands, which GitHub shows beside the lines of a pull request. */
const renderGithub = ({ diagnostics }: LintReport): string =>
  diagnostics
    .map(({ file, line, column, end, severity, rule, message, remedy }) => {
      // A column is allowed only where a diagnostic begins and ends on one line.
      const columns =
        line === end.line ? { col: column, endColumn: end.column } : { endLine: end.line }
      const properties = Object.entries({ file, line, ...columns, title: rule })
        .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
        .join(',')
      // GitHub's words (workflow commands, "Setting a message").
      const command = severity === 'note' ? 'notice' : severity
      return `::${command} ${properties}::${escapeData(`${message} — ${remedy}`)}`
    })
    .join('\n')

const renderJsonReport = (report: LintReport): string => {
  const changes = report.changes.map((change) => {
    const { file, to } = change
    return { file, to, diff: renderDiff(change) }
  })
  return renderJson({ ...report, changes })
}

/** A path as a relative reference (SARIF 2.1.0, 3.10.1; RFC 3986, 4.2); one from the root is a file address. */
const toUri = (file: string): string => {
  // Encodes a colon in the first segment, which would be read as a scheme.
  const path = file.split('/').map(encodeURIComponent).join('/')
  if (path.startsWith('/')) return `file://${path}`
  return path === '' ? '.' : path
}

const RULE_IDS = Object.keys(RULES)

const renderResult = ({ file, line, column, end, severity, ...one }: Diagnostic): Result => ({
  ruleId: one.rule,
  ruleIndex: RULE_IDS.indexOf(one.rule),
  level: severity,
  message: { text: `${one.message} — ${one.remedy}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: toUri(file) },
        region: { startLine: line, startColumn: column, endLine: end.line, endColumn: end.column },
      },
    },
  ],
})

const renderSarif = ({ diagnostics }: LintReport): string => {
  const rules = Object.entries(RULES).map(([id, { severity, message, remedy }]) => ({
    id,
    shortDescription: { text: message },
    help: { text: remedy },
    defaultConfiguration: { level: severity },
  }))
  const log: Log = {
    $schema:
      'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'skill-registry lint', rules } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map(renderResult),
      },
    ],
  }
  return renderJson(log)
}

export const FORMATS: Readonly<Record<string, (report: LintReport) => string>> = {
  text: renderText,
  github: renderGithub,
  json: renderJsonReport,
  sarif: renderSarif,
}
