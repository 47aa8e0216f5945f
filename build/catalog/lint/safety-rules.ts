import { SAFETY_RULES } from '../../../src/catalog/safety.ts'
import type { Finding as SafetyFinding } from '../../../src/catalog/skill.ts'
import type { RuleTable } from './rule.ts'

/** Rules of the scan that show in many a good skill: a person should know, and need not act. */
const OFTEN_HARMLESS = new Set(['hidden-comment', 'live-markup', 'root-rights'])

/** The safety scan's own rules: the page of a skill shows what they find. */
export const SCAN_RULES: RuleTable = Object.fromEntries(
  SAFETY_RULES.map(({ rule, message }) => [
    rule,
    {
      severity: OFTEN_HARMLESS.has(rule) ? 'note' : 'warning',
      message,
      remedy: 'read it with a human’s eye; the page names it under "Safety"',
    },
  ]),
)

/** Finds where on its line a rule of the scan shows, in UTF-16 units from the line's start. */
export const findColumn = ({ rule }: SafetyFinding, line: string): { at: number; end: number } => {
  const found = SAFETY_RULES.find((one) => one.rule === rule)?.pattern.exec(line)
  const at = found?.index ?? 0
  return { at, end: at + (found?.[0].length ?? 0) }
}
