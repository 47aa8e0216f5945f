/** A test's request: method and address in one line. */
export interface Asked {
  line: string
  headers: Record<string, string>
}

/** Method and request target of what is asked. */
export const splitLine = ({ line }: Pick<Asked, 'line'>): { method: string; target: string } => {
  const blank = line.indexOf(' ')
  return { method: line.slice(0, blank), target: line.slice(blank + 1) }
}

/**
 * Whether a request can be asked only of a host that sees the target as it was sent: a parsed address has no dot
 * segments, fragment or backslash, and names no other host. TRACE cannot be sent by `fetch` either.
 */
export const needsRawTarget = (asked: Pick<Asked, 'line'>): boolean => {
  const { method, target } = splitLine(asked)
  const { pathname, search, hash } = new URL(target, 'http://any.example')
  return method === 'TRACE' || pathname + search + hash !== target || hash !== ''
}

/** The answer, independent of the transport. */
export interface Answered {
  status: number
  headers: Headers
  body: Buffer
}

/** One line of the contract: a request, and what its answer has. */
export interface ContractClause extends Asked {
  /** Status, and for an envelope its code: `400 INVALID_SORT`. */
  gives: string
  /** Expected header fields: an exact value, a pattern, or null if absent. */
  has: Record<string, string | RegExp | null>
  /** The body exactly, or a pattern in it. */
  body: string | RegExp | Uint8Array | undefined
}

/** Writes a clause as one line. */
export const clause = (
  line: string,
  gives: string,
  has: ContractClause['has'] = {},
  body?: ContractClause['body'],
  headers: Asked['headers'] = {},
): ContractClause => ({ line, gives, has, body, headers })

/** The header field of every 204 and 405. */
export const ALLOW_FIELD = { allow: 'GET, HEAD, OPTIONS' }
