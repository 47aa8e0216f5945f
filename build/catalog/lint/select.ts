import { showValue } from '../../../src/catalog/text.ts'
import { findNearest } from '../../../src/api/nearest-name.ts'
import { UsageError } from '../cli/errors.ts'
import type { IsWanted } from './fix.ts'
import { RULES } from './rules.ts'

const readIds = (option: string, list: string | undefined): string[] => {
  const ids = (list ?? '')
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean)
  const unknown = ids.find((id) => !Object.hasOwn(RULES, id))
  if (unknown === undefined) return ids
  const nearest = findNearest(unknown, Object.keys(RULES))
  throw new UsageError(
    `${option} ${showValue(unknown)} is no rule; did you mean ${nearest}? lint --rules lists them.`,
  )
}

/** Reads which rules are asked for: some alone, or all but some. Throws UsageError. */
export const parseSelection = (only: string | undefined, ignored: string | undefined): IsWanted => {
  const wanted = new Set(readIds('--rule', only))
  const unwanted = new Set(readIds('--ignore', ignored))
  return (rule) => (wanted.size === 0 || wanted.has(rule)) && !unwanted.has(rule)
}
