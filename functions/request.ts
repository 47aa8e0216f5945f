import type { Address } from './route.ts'

/** The parts of a request that an answer depends on; the user agent is never one (registry-api 4.3). */
export interface SiteRequest extends Address {
  ifNoneMatch?: string | undefined
  range?: string | undefined
  ifRange?: string | undefined
}

/** Takes the parts of a web-standard Request. */
export const readRequest = ({ method, url, headers }: Request): SiteRequest => {
  const { pathname, search } = new URL(url)
  const field = (name: string): string | undefined => headers.get(name) ?? undefined
  return {
    method,
    target: pathname + search,
    accept: field('Accept'),
    ifNoneMatch: field('If-None-Match'),
    range: field('Range'),
    ifRange: field('If-Range'),
  }
}
