import type { Progress } from '../../site/progress.ts'
import { withLock } from '../store/lock.ts'
import type { IsWanted } from './fix.ts'
import type { Found } from './find-targets.ts'
import { lintRecords, listCatalogTargets } from './lint-catalog.ts'
import { lintTarget } from './lint-target.ts'
import { mendTarget } from './mend-target.ts'
import type { Change } from './mend-target.ts'
import type { Finding, Severity } from './rule.ts'
import { SEVERITIES } from './rule.ts'
import type { Target } from './target.ts'
import { PLACES_PER_RULE } from './text-rules.ts'

/** What a run of `lint` is asked to do. */
export interface LintSettings {
  isWanted: IsWanted
  /** Mends what is safe to mend. */
  isFixing: boolean
  /** Only says what it would mend. */
  isDryRun: boolean
}

/** Everything a run found, in the order of the files, and what it mended. */
export interface LintReport {
  files: number
  findings: Finding[]
  changes: Change[]
  counts: Record<Severity, number>
  fixable: number
  isDryRun: boolean
}

const byPlace = (a: Finding, b: Finding): number => a.line - b.line || a.column - b.column

/** Keeps the first places of each rule in each file; the rest say no more. */
const keepFew = (findings: readonly Finding[]): Finding[] => {
  const counts = new Map<string, number>()
  return findings.filter(({ file, rule }) => {
    const key = `${rule} ${file}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= PLACES_PER_RULE
  })
}

interface Looked {
  findings: Finding[]
  change?: Change | undefined
}

/** What its author alone can mend is no error of the catalog, which shows the text as it is. */
const soften = (finding: Finding): Finding =>
  finding.severity === 'error' && finding.rule !== 'file-unfit'
    ? Object.assign(finding, { severity: 'warning' })
    : finding

const lookAt = (target: Target, settings: LintSettings): Looked => {
  const { isWanted, isFixing, isDryRun } = settings
  const mended = isFixing ? mendTarget(target, isWanted, isDryRun) : { target }
  const all = lintTarget(mended.target).filter(({ rule }) => isWanted(rule))
  // What a dry run would mend is told as the change, not as a finding too.
  const left = isFixing && isDryRun ? all.filter(({ isFixable }) => !isFixable) : all
  const findings = target.mayChange ? left : left.map(soften)
  return { findings: keepFew(findings.sort(byPlace)), change: mended.change }
}

const lookAtCatalog = async (
  { folder, shown }: Found['catalogs'][number],
  settings: LintSettings,
  progress: Progress,
): Promise<{ looked: Looked[]; records: Finding[] }> => {
  const look = async () => lookAtAll(listCatalogTargets(folder, shown), settings, progress)
  const isWriting = settings.isFixing && !settings.isDryRun
  const looked = isWriting ? await withLock(folder, look) : await look()
  const records = lintRecords(
    folder,
    shown,
    looked.flatMap(({ findings }) => findings),
  )
  return { looked, records: records.filter(({ rule }) => settings.isWanted(rule)) }
}

/** From this many on a person wants to see how far it is. */
const MANY = 100

const lookAtAll = (
  targets: readonly Target[],
  settings: LintSettings,
  progress: Progress,
): Looked[] => {
  if (targets.length >= MANY) progress.stage('Reading skills', targets.length)
  return targets.map((target) => {
    const looked = lookAt(target, settings)
    if (targets.length >= MANY) progress.step()
    return looked
  })
}

const summarize = (
  looked: readonly Looked[],
  beside: readonly Finding[],
  isDryRun: boolean,
): LintReport => {
  const findings = [...beside, ...looked.flatMap((one) => one.findings)]
  const counts = SEVERITIES.map((severity) => [
    severity,
    findings.filter((finding) => finding.severity === severity).length,
  ])
  return {
    files: looked.length,
    findings,
    changes: looked.flatMap(({ change }) => change ?? []),
    counts: Object.fromEntries(counts) as Record<Severity, number>,
    fixable: findings.filter(({ isFixable }) => isFixable).length,
    isDryRun,
  }
}

/** Looks at everything that was found, mends what it is asked to, and says what is left. */
export const runLint = async (
  found: Found,
  settings: LintSettings,
  progress: Progress,
): Promise<LintReport> => {
  const looked = lookAtAll(found.targets, settings, progress)
  const beside = found.findings.filter(({ rule }) => settings.isWanted(rule))
  for (const catalog of found.catalogs) {
    const { looked: inside, records } = await lookAtCatalog(catalog, settings, progress)
    looked.push(...inside)
    beside.push(...records)
  }
  progress.end()
  return summarize(looked, beside, settings.isDryRun)
}
