import { API_CLAUSES } from './api-clauses.ts'
import { CLIENT_CLAUSES } from './client-clauses.ts'
import type { ContractClause } from './clause.ts'
import { SITE_CLAUSES } from './site-clauses.ts'
import { VERSION_CLAUSES } from './version-clauses.ts'

/** The required answer to every request, asked of the fixture. */
export const CONTRACT: readonly ContractClause[] = [
  ...API_CLAUSES,
  ...SITE_CLAUSES,
  ...CLIENT_CLAUSES,
  ...VERSION_CLAUSES,
]

/** What no cache stores, but for the styles and scripts in a reader's browser. */
const UNSHARED = /^private, (?:no-store|max-age=\d+, immutable)$/

/** The clauses of a private registry: the same, except for the header fields for caches and robots. */
export const asPrivate = (clauses: readonly ContractClause[]): ContractClause[] =>
  clauses.map((clause) => ({
    ...clause,
    has: { ...clause.has, 'cache-control': UNSHARED, 'x-robots-tag': 'noindex' },
  }))
