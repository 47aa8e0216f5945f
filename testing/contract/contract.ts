import { API_CLAUSES } from './api-clauses.ts'
import { CLIENT_CLAUSES } from './client-clauses.ts'
import type { ContractClause } from './clause.ts'
import { SITE_CLAUSES } from './site-clauses.ts'
import { VERSION_CLAUSES } from './version-clauses.ts'

/** Requests to the fixture, each with the required answer. */
export const CONTRACT: readonly ContractClause[] = [
  ...API_CLAUSES,
  ...SITE_CLAUSES,
  ...CLIENT_CLAUSES,
  ...VERSION_CLAUSES,
]

/** Cache-Control of a private registry: only a reader's browser stores anything, and only styles and scripts. */
const PRIVATE_CACHING = /^private, (?:no-store|max-age=\d+, immutable)$/

/** The clauses of a private registry: the same, except for the header fields for caches, robots and other origins. */
export const asPrivate = (clauses: readonly ContractClause[]): ContractClause[] =>
  clauses.map((clause) => ({
    ...clause,
    has: {
      ...clause.has,
      'cache-control': PRIVATE_CACHING,
      'x-robots-tag': 'noindex',
      ...('cross-origin-resource-policy' in clause.has && {
        'cross-origin-resource-policy': 'same-origin',
      }),
      'access-control-allow-origin': null,
      'access-control-allow-methods': null,
    },
  }))
