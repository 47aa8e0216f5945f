import { countOf } from '../cli/report.ts'
import type { Verdict } from './judge.ts'
import type { Dependent, Source } from './sources.ts'

type Status = Dependent['status']

/** What a check of one source found and wrote. */
export interface Check {
  source: Source
  verdict: Verdict
  /** Skills whose records were written. */
  written: string[]
  /** Those whose status is another now. */
  changed: { slug: string; from: Status; to: Status }[]
  /** Records that could not take what was found. */
  refused: string[]
}

/** Everything a run found. */
export interface VerifyReport {
  dryRun: boolean
  /** Sources that a stopped run had settled. */
  resumed: number
  checks: Check[]
}

/** What a source can be said to be, for counts and for --fail-on. */
export const FINDINGS = ['alive', 'moved', 'gone', 'missing', 'unknown'] as const
export type Finding = (typeof FINDINGS)[number]

/** Gives the finding of a check. */
export const findingOf = ({ verdict }: Check): Finding =>
  verdict.kind === 'alive' && verdict.movedTo !== undefined ? 'moved' : verdict.kind

/** Counts the sources by what was found. */
export const countFindings = ({ checks }: VerifyReport): Record<Finding, number> => {
  const counts = { alive: 0, moved: 0, gone: 0, missing: 0, unknown: 0 }
  for (const check of checks) counts[findingOf(check)] += 1
  return counts
}

const describe = (verdict: Verdict): string => {
  switch (verdict.kind) {
    case 'alive':
      return verdict.movedTo === undefined ? '' : `moved to ${verdict.movedTo}`
    case 'gone':
      return 'gone'
    case 'missing':
      return `not there since ${verdict.since}; gone if it is still so a day later`
    case 'unknown':
      return `unknown: ${verdict.reason}; nothing changes`
  }
}

const renderCheck = (check: Check): string[] => {
  const { source, verdict, changed, refused } = check
  const isQuiet = verdict.kind === 'alive' && verdict.movedTo === undefined
  const shown = `${source.address} (${countOf(source.skills.length, 'skill')})`
  return [
    ...(isQuiet ? [] : [`${shown}: ${describe(verdict)}`]),
    ...changed.map(({ slug, from, to }) => `skills/${slug}: ${from} -> ${to}`),
    ...refused.map((problem) => `not written: ${problem}`),
  ]
}

/** Renders a report for a person: what changed, then the counts. */
export const renderVerify = (report: VerifyReport): string => {
  const { checks, dryRun, resumed } = report
  const counts = countFindings(report)
  const written = checks.reduce((sum, check) => sum + check.written.length, 0)
  const sorted = [...checks].sort((a, b) => (a.source.address < b.source.address ? -1 : 1))
  return [
    ...(resumed > 0
      ? [`${countOf(resumed, 'source')} settled by the run before, not asked again`]
      : []),
    ...sorted.flatMap(renderCheck),
    `${countOf(checks.length, 'source')}: ${FINDINGS.map((one) => `${counts[one]} ${one}`).join(', ')}; ${dryRun ? 'would write' : 'wrote'} ${countOf(written, 'record')}`,
  ].join('\n')
}

const detailOf = (verdict: Verdict): object => {
  switch (verdict.kind) {
    case 'alive':
      return verdict.movedTo === undefined ? {} : { movedTo: verdict.movedTo }
    case 'missing':
      return { since: verdict.since }
    case 'unknown':
      return { reason: verdict.reason }
    case 'gone':
      return {}
  }
}

/** Describes a report for a script. */
export const describeVerify = (report: VerifyReport): object => ({
  dryRun: report.dryRun,
  resumed: report.resumed,
  counts: countFindings(report),
  sources: report.checks.map((check) => ({
    address: check.source.address,
    asked: check.source.kind,
    finding: findingOf(check),
    ...detailOf(check.verdict),
    skills: check.source.skills.map(({ slug }) => slug),
    changed: check.changed,
    written: check.written,
    refused: check.refused,
  })),
})
