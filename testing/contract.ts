import { API_CLAUSES } from './contract-api.ts'
import { SITE_CLAUSES } from './contract-site.ts'

/** What every host owes every request; the suite holds it in process and over HTTP. */
export const CONTRACT = [...API_CLAUSES, ...SITE_CLAUSES]
