import { BODY_RULES } from './body-rules.ts'
import { CATALOG_RULES } from './catalog-rules.ts'
import { FIELD_RULES } from './field-rules.ts'
import { FOLDER_RULES } from './folder-rules.ts'
import type { Rule, RuleTable } from './rule.ts'
import { SCAN_RULES } from './safety-rules.ts'
import { SHAPE_RULES } from './shape-rules.ts'
import { TEXT_RULES } from './text-rules.ts'
import { BLANK_RULES } from './trailing-blanks.ts'
import { YAML_RULES } from './yaml-rules.ts'

/** Every rule of `lint`, by id: from the file as such to what it says, its folder and the catalog. */
export const RULES: RuleTable = {
  ...FOLDER_RULES,
  ...TEXT_RULES,
  ...SHAPE_RULES,
  ...BLANK_RULES,
  ...YAML_RULES,
  ...FIELD_RULES,
  ...BODY_RULES,
  ...SCAN_RULES,
  ...CATALOG_RULES,
}

/** Finds a rule that is known to be there. */
export const ruleOf = (id: string): Rule => {
  const rule = RULES[id]
  if (rule === undefined) throw new Error(`no rule ${id}`)
  return rule
}
