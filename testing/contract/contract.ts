import { API_GROUPS } from './api-clauses.ts'
import { CLIENT_GROUPS } from './client-clauses.ts'
import type { ContractClause } from './clause.ts'
import { SITE_GROUPS } from './site-clauses.ts'

/** What every host owes every request, by what is asked for. */
export const CONTRACT_GROUPS: Readonly<Record<string, readonly ContractClause[]>> = {
  ...API_GROUPS,
  ...SITE_GROUPS,
  ...CLIENT_GROUPS,
}

/** All clauses of the contract. */
export const CONTRACT = Object.values(CONTRACT_GROUPS).flat()
