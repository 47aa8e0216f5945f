import { pluralize } from '../cli/report.ts'
import type { Verdict } from './ask-source.ts'
import type { Dependent, VerifiedSource } from './sources.ts'

type Status = Dependent['status']

/** What a check of one source found and wrote. */
export interface Check {
  source: VerifiedSource
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

/** What a check can say of a source. */
export const VERDICTS = [
  'alive',
  'moved',
  'gone',
  'missing',
  'unknown',
] as const satisfies readonly Verdict['kind'][]

/** Counts the sources by verdict. */
export const countVerdicts = ({ checks }: VerifyReport): Record<Verdict['kind'], number> => {
  const counts = { alive: 0, moved: 0, gone: 0, missing: 0, unknown: 0 }
  for (const { verdict } of checks) counts[verdict.kind] += 1
  return counts
}

const describeVerdict = (verdict: Verdict): string => {
  switch (verdict.kind) {
    case 'alive':
    case 'gone':
      return verdict.kind
    case 'moved':
      return `moved to ${verdict.movedTo}`
    case 'missing':
      return `not there since ${verdict.since}; gone if it is still so a day later`
    case 'unknown':
      return `unknown: ${verdict.reason}; nothing changes`
  }
}

const renderCheck = ({ source, verdict, changed, refused }: Check): string[] => {
  const shown = `${source.address} (${pluralize(source.skills.length, 'skill')})`
  return [
    ...(verdict.kind === 'alive' ? [] : [`${shown}: ${describeVerdict(verdict)}`]),
    ...changed.map(({ slug, from, to }) => `skills/${slug}: ${from} -> ${to}`),
    ...refused.map((problem) => `not written: ${problem}`),
  ]
}

/** Renders a report for a person: what changed, then the counts. */
export const renderVerify = (report: VerifyReport): string => {
  const { checks, dryRun, resumed } = report
  const counts = countVerdicts(report)
  const written = checks.reduce((sum, check) => sum + check.written.length, 0)
  const sorted = checks.toSorted((a, b) => (a.source.address < b.source.address ? -1 : 1))
  return [
    ...(resumed > 0
      ? [`${pluralize(resumed, 'source')} settled by the run before, not asked again`]
      : []),
    ...sorted.flatMap(renderCheck),
    `${pluralize(checks.length, 'source')}: ${VERDICTS.map((one) => `${counts[one]} ${one}`).join(', ')}; ${dryRun ? 'would write' : 'wrote'} ${pluralize(written, 'record')}`,
  ].join('\n')
}

/** Describes a report for a script. */
export const describeVerify = (report: VerifyReport): object => ({
  dryRun: report.dryRun,
  resumed: report.resumed,
  counts: countVerdicts(report),
  sources: report.checks.map(({ source, verdict: { kind, ...detail }, ...wrote }) => ({
    address: source.address,
    asked: source.kind,
    verdict: kind,
    ...detail,
    skills: source.skills.map(({ slug }) => slug),
    changed: wrote.changed,
    written: wrote.written,
    refused: wrote.refused,
  })),
})
