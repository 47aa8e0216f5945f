import { METHODS, TARGET_LIMIT } from '../src/api/endpoints.ts'
import { addressTooLong, badRequest, methodNotAllowed } from '../src/api/errors.ts'
import type { ListingQuery } from '../src/api/query.ts'
import { routeApi } from './route-api.ts'
import { routeSite } from './route-site.ts'
import { chooseForm } from './negotiate.ts'
import type { Form } from './negotiate.ts'
import { isApiTarget, parseTarget } from './target.ts'

/** Which file or function answers a request. Files and pages may turn out not to exist. */
export type Route =
  | { kind: 'options' }
  | { kind: 'listing'; query: ListingQuery }
  | { kind: 'download'; id: number }
  /** `page` is the address without its `/`; that of `/` is `index`. */
  | { kind: 'page'; page: string; form: Form }
  /** `file` lies under `public/`; `form` is that of the page that says it is missing. */
  | { kind: 'file'; file: string; policy: 'asset' | 'siteFile' | 'skillFile'; form: Form }
  /** The page has another address, where it exists. */
  | { kind: 'moved'; page: string; form: Form; location: string }
  | { kind: 'missing'; form: Form }

/** What a route is found by; nothing else of a request changes which one it is. */
export interface Address {
  method: string
  /** The request target as it was sent, in ASCII. */
  target: string
  accept?: string | undefined
}

/** Finds the route of a request. Throws the ApiError of a request that is at fault itself. */
export const findRoute = ({ method, target, accept }: Address): Route => {
  if (target.length > TARGET_LIMIT) throw addressTooLong()
  if (!(METHODS as readonly string[]).includes(method)) throw methodNotAllowed(method)
  if (method === 'OPTIONS') return { kind: 'options' }
  const parsed = parseTarget(target)
  if (!parsed) throw badRequest('The address is not a path', target)
  return isApiTarget(target) ? routeApi(parsed) : routeSite(parsed, chooseForm(accept))
}
