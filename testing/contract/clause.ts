/** A test's request: method and address in one line. */
export interface TestRequest {
  line: string
  headers: Record<string, string>
}

/** Splits the line of a request into method and target. */
export const splitLine = ({
  line,
}: Pick<TestRequest, 'line'>): { method: string; target: string } => {
  const blank = line.indexOf(' ')
  return { method: line.slice(0, blank), target: line.slice(blank + 1) }
}

/**
 * Whether a request needs a host that receives the raw target: parsing changes dot segments, fragments, backslashes,
 * and targets with a host. `fetch` cannot send TRACE either.
 */
export const needsRawTarget = (request: Pick<TestRequest, 'line'>): boolean => {
  const { method, target } = splitLine(request)
  const { pathname, search, hash } = new URL(target, 'http://any.example')
  return method === 'TRACE' || pathname + search + hash !== target || hash !== ''
}

/** The answer, independent of the transport. */
export interface TestAnswer {
  status: number
  headers: Headers
  body: Buffer
}

/** One clause of the contract: a request and the required answer. */
export interface ContractClause extends TestRequest {
  /** The status, and the code if the body is an envelope: `400 INVALID_SORT`. */
  outcome: string
  /** Expected header fields: an exact value, a pattern, or null if absent. */
  has: Record<string, string | RegExp | null>
  /** The exact body, or a pattern that matches it. */
  body: string | RegExp | Uint8Array | undefined
}

/** Makes a clause. */
export const clause = (
  line: string,
  outcome: string,
  has: ContractClause['has'] = {},
  body?: ContractClause['body'],
  headers: TestRequest['headers'] = {},
): ContractClause => ({ line, outcome, has, body, headers })

/** The header field of every 204 and 405. */
export const ALLOW_FIELD = { allow: 'GET, HEAD, OPTIONS' }

/** The header fields of pages that the function renders. */
export const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}
export const TWIN = { ...PAGE, 'content-type': 'text/markdown; charset=utf-8' }

/** Where clients look for an index below an address. */
export const INDEX_PATH = '.well-known/agent-skills/index.json'

export const moved = (address: string, location: string): ContractClause =>
  clause(`GET ${address}`, '308', { location })

export const missing = (address: string): ContractClause =>
  clause(`GET ${address}`, '404', { 'cache-control': 'no-store' })
