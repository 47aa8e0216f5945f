import type { RuleTable } from './rule.ts'

/** What can be wrong with a catalog; the loader's own words say what it is. */
export const CATALOG_RULES = {
  'catalog-record': {
    severity: 'error',
    message: 'a record that the build refuses',
    remedy: 'mend it',
  },
} as const satisfies RuleTable
