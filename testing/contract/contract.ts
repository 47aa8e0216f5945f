import { API_CLAUSES } from './api-clauses.ts'
import { CLIENT_CLAUSES } from './client-clauses.ts'
import type { ContractClause } from './clause.ts'
import { SITE_CLAUSES } from './site-clauses.ts'

/** What every host owes every request, asked of the fixture. */
export const CONTRACT: readonly ContractClause[] = [
  ...API_CLAUSES,
  ...SITE_CLAUSES,
  ...CLIENT_CLAUSES,
]

/** Answers that shared caches must not store. */
const UNSHARED = /^(?:private, (?!.*s-maxage)|no-store$)/

const toPrivate = (directive: string | RegExp | null | undefined): string | RegExp => {
  if (typeof directive !== 'string') return UNSHARED
  return directive.startsWith('s-maxage')
    ? 'private, no-store'
    : directive.replace(/^public/, 'private')
}

/** What a private registry owes instead: the same, but for what caches are told. */
export const asPrivate = (clauses: readonly ContractClause[]): ContractClause[] =>
  clauses.map((clause) => ({
    ...clause,
    has: { ...clause.has, 'cache-control': toPrivate(clause.has['cache-control']) },
  }))
