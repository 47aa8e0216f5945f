import { SAFETY_RULES } from '../../../src/catalog/safety/rules.ts'
import type { FindingSeverity } from '../../../src/catalog/safety/rule.ts'
import { BODY_RULES, TEXT_RULES } from './rules/body.ts'
import { FIELD_RULES } from './rules/fields.ts'
import { FRONT_MATTER_RULES, YAML_RULES } from './rules/front-matter.ts'
import type { Diagnostic, RuleTable, Severity } from './rule.ts'

/** What can be wrong with files as such, and with the records of a catalog. */
const FILE_RULES = {
  'file-missing': {
    severity: 'error',
    message: 'there is no SKILL.md here or below',
    remedy: 'name a folder that has one',
  },
  'file-name': {
    severity: 'warning',
    message: 'the file is not called SKILL.md, and many readers look for no other name',
    remedy: 'rename it to SKILL.md',
    fix: 'renames it',
  },
  'file-unfit': {
    severity: 'error',
    message: 'a file that a skill must not contain',
    remedy: 'remove it',
  },
  'skill-unchecked': {
    severity: 'error',
    message: 'the skill was not checked',
    remedy: 'simplify its SKILL.md and the files beside it',
  },
  'folder-unread': {
    severity: 'warning',
    message: 'a folder that was not checked',
    remedy: 'name the folder it leads to',
  },
  'catalog-record': {
    severity: 'error',
    message: 'an invalid record, which the build rejects',
    remedy: 'correct it',
  },
} as const satisfies RuleTable

/** Maps the severity of findings to that of diagnostics. */
const AS_DIAGNOSTIC: Readonly<Record<FindingSeverity, Severity>> = {
  high: 'error',
  medium: 'warning',
  low: 'note',
  note: 'note',
}

const SCAN_RULES: RuleTable = Object.fromEntries(
  SAFETY_RULES.map(({ id, severity, says, remedy }) => [
    id,
    { severity: AS_DIAGNOSTIC[severity], message: says, remedy },
  ]),
)

export const RULES: RuleTable = {
  ...FILE_RULES,
  ...TEXT_RULES,
  ...FRONT_MATTER_RULES,
  ...YAML_RULES,
  ...FIELD_RULES,
  ...BODY_RULES,
  ...SCAN_RULES,
}

/** Optional details of a diagnostic. */
interface More extends Partial<Pick<Diagnostic, 'line' | 'column' | 'end' | 'isFixable'>> {
  /** Overrides the rule's severity, as the context of a finding may lower it. */
  severity?: FindingSeverity
  detail?: string | undefined
  remedy?: string | undefined
}

/** Reports a violation, by default at the start of the file. */
export const createDiagnostic = (rule: string, file: string, more: More = {}): Diagnostic => {
  const found = RULES[rule]
  if (found === undefined) throw new Error(`no rule ${rule}`)
  const { line = 1, column = 1, end = { line, column }, detail, isFixable = false } = more
  return {
    file,
    line,
    column,
    end,
    rule,
    severity: more.severity === undefined ? found.severity : AS_DIAGNOSTIC[more.severity],
    message: detail === undefined ? found.message : `${found.message}: ${detail}`,
    remedy: more.remedy ?? found.remedy,
    isFixable,
  }
}
