import { renderJson } from '../../cli/report.ts'
import type { LintReport } from '../run.ts'
import { renderDiff } from './text.ts'

/** Renders a report as one JSON object. */
export const renderJsonReport = (report: LintReport): string =>
  renderJson({
    files: report.files,
    counts: report.counts,
    fixable: report.fixable,
    dryRun: report.isDryRun,
    changes: report.changes.map((change) => ({
      file: change.file,
      to: change.to,
      diff: renderDiff(change),
    })),
    findings: report.findings,
  })
