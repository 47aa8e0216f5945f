import type { SafetyRule } from './rule.ts'
import { CODE_RULES } from './rules/code.ts'
import { FLOW_RULES } from './rules/flows.ts'
import { HIDDEN_RULES } from './rules/hidden.ts'
import { INSTALL_RULES } from './rules/installs.ts'
import { LURE_RULES } from './rules/lures.ts'
import { ORDER_RULES } from './rules/orders.ts'
import { SECRET_RULES } from './rules/secrets.ts'
import { SETTINGS_RULES } from './rules/settings.ts'
import measured from './measured.json' with { type: 'json' }

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
]

const BY_ID = new Map(SAFETY_RULES.map((rule) => [rule.id, rule]))

/** The rule of a finding. */
export const ruleOf = (id: string): SafetyRule => {
  const rule = BY_ID.get(id)
  if (!rule) throw new Error(`no rule ${id}`)
  return rule
}

/** How many skills of a set need a review, and in how many each rule had a severe finding. */
export interface MeasuredSet {
  n: number
  flagged: number
  /** Whether the rules were tuned on some of them, which makes the share too favourable. */
  isTuned: boolean
  rules: Readonly<Record<string, number>>
}

/** Accuracy of the rules on labelled skills, written by `bench:safety`. */
export interface Measurement {
  /** Day of the measurement. */
  date: string
  /** Goals: the largest share of benign skills flagged, the least of malicious ones. */
  floors: { benign: number; malicious: number | null }
  /** Undefined or null if no set of the kind was run. */
  benign: MeasuredSet | null
  malicious: MeasuredSet | null
  /** Findings on benign skills judged by a person, by rule: right, arguable, wrong. */
  readings: Readonly<Record<string, readonly number[]>>
}

export const MEASUREMENT: Measurement = measured

/** Standard deviations that cover 95 % of a normal distribution. */
const Z = 1.96

/** The 95 % confidence interval of a share (Wilson, 1927). */
export const intervalOf = (flagged: number, n: number): readonly [number, number] => {
  if (n === 0) return [0, 1]
  const share = flagged / n
  const middle = share + Z ** 2 / (2 * n)
  const half = Z * Math.sqrt((share * (1 - share)) / n + Z ** 2 / (4 * n ** 2))
  const whole = 1 + Z ** 2 / n
  return [Math.max(0, (middle - half) / whole), Math.min(1, (middle + half) / whole)]
}

/** What no static rule can see; published beside the rules. */
export const BLIND_SPOTS: readonly string[] = [
  'Instructions that are plausible and wrong: a check that is weakened, a step that is left out. In a study that tried such rules they found none of 67.',
  'What is harmless here and hostile at its address: a linked page, a package, an MCP server or a script that changes after it was read.',
  'Behaviour that is split over files or steps, or waits for a time, a user, a host or a file name.',
  'Names: a package whose name looks like that of a popular one.',
  'Intent: a backup and a theft can be the same line. Text in pictures, PDF, archives and programs, which are only listed. Most prose in other languages than English.',
  'An author who knows the rules: variables, strings put together, or a heading “Never do this” above the command, which lowers the severity on purpose. New wordings: sentences that nobody foresaw are often missed.',
  'Files whose name begins with a dot: they are neither read nor in the zip, but may lie in the repository it comes from.',
]
