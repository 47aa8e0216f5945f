import type { Finding, Severity } from '../rule.ts'
import type { LintReport } from '../run.ts'

/** GitHub's word for each severity (workflow commands, "Setting a message"). */
const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
}

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

const renderCommand = (finding: Finding): string => {
  const { file, line, column, end, severity, rule, message, remedy } = finding
  // A column is allowed only where a finding begins and ends on one line.
  const columns = line === end.line ? { col: column, endColumn: end.column } : { endLine: end.line }
  const properties = Object.entries({ file, line, ...columns, title: rule })
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
    .join(',')
  return `::${COMMANDS[severity]} ${properties}::${escapeData(`${message} — ${remedy}`)}`
}

/** Renders a report as workflow commands, which GitHub shows beside the lines of a pull request. */
export const renderGithub = ({ findings }: LintReport): string =>
  findings.map(renderCommand).join('\n')
