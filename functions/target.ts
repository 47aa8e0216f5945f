/** The parts of a request target that an answer depends on, both still percent-encoded. */
export interface Target {
  path: string
  query: string
}

/** An address of http or https with a host: what a proxy sends (RFC 9112 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i

/**
 * Splits a request target into path and query (RFC 9112 3.2). A whole address counts by its path,
 * since one server serves one site. Undefined where it is no target of a resource: `*`, a
 * fragment, or anything that does not begin with `/`.
 */
export const parseTarget = (target: string): Target | undefined => {
  const rest = target.replace(ABSOLUTE_FORM, '')
  const local = rest !== target && !rest.startsWith('/') ? `/${rest}` : rest
  if (!local.startsWith('/') || local.includes('#')) return undefined
  const mark = local.indexOf('?')
  return mark < 0
    ? { path: local, query: '' }
    : { path: local.slice(0, mark), query: local.slice(mark + 1) }
}

/** Gives a query for the end of a `Location`: nothing but visible ASCII may stand in a header field. */
export const renderQuery = (query: string): string =>
  query === '' ? '' : `?${query.replace(/[^!-~]/g, '')}`

/**
 * Says whether a failure at this target owes the error envelope (registry-api 7): its path is
 * `/api` or below. Looks through escapes leniently, as the path may be too broken to decode.
 */
export const isApiTarget = (target: string): boolean => {
  const path = target.replace(ABSOLUTE_FORM, '').replace(/[?#].*$/s, '')
  const shown = path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return shown === '/api' || shown.startsWith('/api/')
}
