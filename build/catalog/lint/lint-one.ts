import type { Target } from './lint-catalog.ts'
import { fixTarget, lintTarget } from './lint-skill.ts'
import type { Diagnostic } from './rule.ts'
import { DIAGNOSTICS_PER_RULE } from './rules/body.ts'

export interface LintSettings {
  /** Ids of the rules to report and fix. */
  rules: ReadonlySet<string>
  isFixing: boolean
  /** Only reports what it would fix. */
  isDryRun: boolean
}

/** Keeps the first diagnostics of each rule in each file. */
const keepFew = (diagnostics: readonly Diagnostic[]): Diagnostic[] => {
  const groups = Map.groupBy(diagnostics, ({ file, rule }) => `${rule} ${file}`)
  const first = [...groups.values()].flatMap((some) => some.slice(0, DIAGNOSTICS_PER_RULE))
  const kept = new Set(first)
  return diagnostics.filter((diagnostic) => kept.has(diagnostic))
}

/** Problems that only a skill's author can fix are not errors of the catalog. */
const soften = (diagnostic: Diagnostic): Diagnostic =>
  diagnostic.severity === 'error' && diagnostic.rule !== 'file-unfit'
    ? { ...diagnostic, severity: 'warning' }
    : diagnostic

/** What was found in a skill, and what was fixed. */
export interface Linted {
  diagnostics: Diagnostic[]
  change?: ReturnType<typeof fixTarget>['change']
}

export const lintOne = (target: Target, { rules, isFixing, isDryRun }: LintSettings): Linted => {
  const isSelected = (rule: string): boolean => rules.has(rule)
  const fixed = isFixing ? fixTarget(target, isSelected, isDryRun) : { target }
  const selected = lintTarget(fixed.target).filter(({ rule }) => isSelected(rule))
  // A dry run shows fixes as changes, not also as diagnostics.
  const left = isFixing && isDryRun ? selected.filter(({ isFixable }) => !isFixable) : selected
  const diagnostics = target.mayChange ? left : left.map(soften)
  diagnostics.sort((a, b) => a.line - b.line || a.column - b.column)
  return { diagnostics: keepFew(diagnostics), change: fixed.change }
}
