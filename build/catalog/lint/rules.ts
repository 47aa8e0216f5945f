import { SAFETY_RULES } from '../../../src/catalog/safety.ts'
import type { Diagnostic, RuleTable } from './diagnostic.ts'
import { BODY_RULES } from './rules/body.ts'
import { FIELD_RULES } from './rules/fields.ts'
import { FRONT_MATTER_RULES } from './rules/front-matter.ts'
import { TEXT_RULES } from './rules/text.ts'
import { YAML_RULES } from './rules/yaml.ts'

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
    message: 'a file that no skill may have',
    remedy: 'remove it',
  },
  'folder-unread': {
    severity: 'warning',
    message: 'a folder that is not looked into',
    remedy: 'name the folder it leads to',
  },
  'catalog-record': {
    severity: 'error',
    message: 'a record that the build refuses',
    remedy: 'correct it',
  },
} as const satisfies RuleTable

/** Rules of the safety scan that show in many a good skill: a person should know, and need not act. */
const OFTEN_HARMLESS = new Set(['hidden-comment', 'live-markup', 'root-rights'])

const SCAN_RULES: RuleTable = Object.fromEntries(
  SAFETY_RULES.map(({ rule, message }) => [
    rule,
    {
      severity: OFTEN_HARMLESS.has(rule) ? 'note' : 'warning',
      message,
      remedy: 'read it with a human’s eye; the page names it under "Safety"',
    },
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

/** What a diagnostic may say beside its rule: where, and what more exactly. */
interface More extends Partial<Pick<Diagnostic, 'line' | 'column' | 'end' | 'isFixable'>> {
  detail?: string | undefined
  remedy?: string | undefined
}

/** Reports a broken rule of a file, at its start where no place is given. */
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
    severity: found.severity,
    message: detail === undefined ? found.message : `${found.message}: ${detail}`,
    remedy: more.remedy ?? found.remedy,
    isFixable,
  }
}
