import type { Progress } from '../../site/progress.ts'
import { withLock } from '../store/lock.ts'
import type { Diagnostic, Severity } from './diagnostic.ts'
import { lintRecords, listCatalogTargets } from './lint-catalog.ts'
import { fixTarget, lintTarget } from './lint-skill.ts'
import type { Change, IsWanted } from './lint-skill.ts'
import { DIAGNOSTICS_PER_RULE } from './rules/text.ts'
import type { Target, Targets } from './targets.ts'

/** What a run of `lint` is asked to do. */
interface LintSettings {
  isWanted: IsWanted
  /** Fixes what is safe to fix. */
  isFixing: boolean
  /** Only says what it would fix. */
  isDryRun: boolean
}

/** Everything a run found, in the order of the files, and what it fixed. */
export interface LintReport {
  files: number
  diagnostics: Diagnostic[]
  changes: Change[]
  counts: Record<Severity, number>
  fixable: number
  isDryRun: boolean
}

/** Keeps the first diagnostics of each rule in each file. */
const keepFew = (diagnostics: readonly Diagnostic[]): Diagnostic[] => {
  const counts = new Map<string, number>()
  return diagnostics.filter(({ file, rule }) => {
    const key = `${rule} ${file}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= DIAGNOSTICS_PER_RULE
  })
}

/** What its author alone can fix is no error of the catalog, which shows the text as it is. */
const soften = (diagnostic: Diagnostic): Diagnostic =>
  diagnostic.severity === 'error' && diagnostic.rule !== 'file-unfit'
    ? { ...diagnostic, severity: 'warning' }
    : diagnostic

/** From this many on a person wants to see how far it is. */
const MANY = 100

/** A skill that was looked at. */
interface Linted {
  diagnostics: Diagnostic[]
  change?: Change | undefined
}

const lintOne = (target: Target, { isWanted, isFixing, isDryRun }: LintSettings): Linted => {
  const fixed = isFixing ? fixTarget(target, isWanted, isDryRun) : { target }
  const wanted = lintTarget(fixed.target).filter(({ rule }) => isWanted(rule))
  // What a dry run would fix is told as the change, not as a diagnostic too.
  const left = isFixing && isDryRun ? wanted.filter(({ isFixable }) => !isFixable) : wanted
  const diagnostics = target.mayChange ? left : left.map(soften)
  diagnostics.sort((a, b) => a.line - b.line || a.column - b.column)
  return { diagnostics: keepFew(diagnostics), change: fixed.change }
}

const lintAll = (
  targets: readonly Target[],
  settings: LintSettings,
  progress: Progress,
): Linted[] => {
  const isShown = targets.length >= MANY
  if (isShown) progress.stage('Reading skills', targets.length)
  return targets.map((target) => {
    const linted = lintOne(target, settings)
    if (isShown) progress.step()
    return linted
  })
}

/** Looks at everything that was found, fixes what it is asked to, and reports what is left. */
export const runLint = async (
  { targets, catalogs, diagnostics: found }: Targets,
  settings: LintSettings,
  progress: Progress,
): Promise<LintReport> => {
  const linted = lintAll(targets, settings, progress)
  const others = [...found]
  for (const { folder, shown } of catalogs) {
    const lint = async () => lintAll(listCatalogTargets(folder, shown), settings, progress)
    const isWriting = settings.isFixing && !settings.isDryRun
    const inside = isWriting ? await withLock(folder, lint) : await lint()
    linted.push(...inside)
    const known = inside.flatMap((one) => one.diagnostics)
    others.push(...lintRecords(folder, shown, known))
  }
  progress.end()
  const diagnostics = [
    ...others.filter(({ rule }) => settings.isWanted(rule)),
    ...linted.flatMap((one) => one.diagnostics),
  ]
  const counts = { error: 0, warning: 0, note: 0 }
  for (const { severity } of diagnostics) counts[severity] += 1
  return {
    files: linted.length,
    diagnostics,
    changes: linted.flatMap(({ change }) => change ?? []),
    counts,
    fixable: diagnostics.filter(({ isFixable }) => isFixable).length,
    isDryRun: settings.isDryRun,
  }
}
