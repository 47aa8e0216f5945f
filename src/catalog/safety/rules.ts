import type { SafetyRule } from './rule.ts'
import { CODE_RULES } from './rules/code.ts'
import { FLOW_RULES } from './rules/flows.ts'
import { HIDDEN_RULES } from './rules/hidden.ts'
import { INSTALL_RULES } from './rules/installs.ts'
import { LURE_RULES } from './rules/lures.ts'
import { ORDER_RULES } from './rules/orders.ts'
import { SECRET_RULES } from './rules/secrets.ts'
import { SETTINGS_RULES } from './rules/settings.ts'

/** Rules about files themselves, not their text. */
const FILE_RULES: readonly SafetyRule[] = [
  {
    id: 'executable-file',
    group: 'Disguised code',
    severity: 'medium',
    where: ['file'],
    finds: 'a program in machine code, by its first bytes, and Python bytecode',
    says: 'is a program that nobody can read',
    remedy: 'Build it from source, or take it from its vendor.',
    fooled: 'Programs inside of archives are not looked for.',
  },
  {
    id: 'archive-file',
    group: 'Disguised code',
    severity: 'note',
    where: ['file'],
    finds: 'an archive inside the skill',
    says: 'is an archive, which the scan does not open',
    remedy: 'Look into it before anything of it is used.',
    fooled: 'Office documents and fonts are archives as well, and left out.',
  },
]

/** Every rule of the scan, in the order of the documentation. */
export const SAFETY_RULES: readonly SafetyRule[] = [
  ...HIDDEN_RULES,
  ...LURE_RULES,
  ...INSTALL_RULES,
  ...SECRET_RULES,
  ...FLOW_RULES,
  ...SETTINGS_RULES,
  ...ORDER_RULES,
  ...CODE_RULES,
  ...FILE_RULES,
]

const BY_ID = new Map(SAFETY_RULES.map((rule) => [rule.id, rule]))

/** The rule of a finding. */
export const ruleOf = (id: string): SafetyRule => {
  const rule = BY_ID.get(id)
  if (!rule) throw new Error(`no rule ${id}`)
  return rule
}
