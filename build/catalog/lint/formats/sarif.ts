import type { Log, ReportingDescriptor, Result } from 'sarif'
import { renderJson } from '../../cli/report.ts'
import type { Finding } from '../rule.ts'
import { RULES } from '../rules.ts'
import type { LintReport } from '../run.ts'

const SCHEMA =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

const RULE_IDS = Object.keys(RULES)

/** A path as a relative reference (SARIF 2.1.0, 3.10.1; RFC 3986, 4.2); one from the root is a file address. */
const toUri = (file: string): string => {
  const path = file.split('/').map(encodeURIComponent).join('/')
  if (path.startsWith('/')) return `file://${path}`
  // A colon in the first part would be read as a scheme; encoded it is not.
  return path === '' ? '.' : path
}

const describeRules = (): ReportingDescriptor[] =>
  Object.entries(RULES).map(([id, { severity, message, remedy }]) => ({
    id,
    shortDescription: { text: message },
    help: { text: remedy },
    defaultConfiguration: { level: severity },
  }))

const describeResult = (finding: Finding): Result => ({
  ruleId: finding.rule,
  ruleIndex: RULE_IDS.indexOf(finding.rule),
  level: finding.severity,
  message: { text: `${finding.message} — ${finding.remedy}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: toUri(finding.file) },
        region: {
          startLine: finding.line,
          startColumn: finding.column,
          endLine: finding.end.line,
          endColumn: finding.end.column,
        },
      },
    },
  ],
})

/** Renders a report as SARIF 2.1.0, for what reads the findings of many tools. */
export const renderSarif = ({ findings }: LintReport): string => {
  const log: Log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'skill-registry lint', rules: describeRules() } },
        columnKind: 'utf16CodeUnits',
        results: findings.map(describeResult),
      },
    ],
  }
  return renderJson(log)
}
