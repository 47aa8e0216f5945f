import { lookup as resolve } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, interceptors, request } from 'undici'
import type { Dispatcher } from 'undici'

/** The IPv6 block of global unicast addresses (RFC 4291 2.4). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'

/**
 * Whether an address of the network is public: in none of the blocks for special purposes (RFC
 * 6890 and its successors), be they private, reserved, for documentation or for tunnels. IPv4-mapped
 * IPv6 is not public.
 */
export const isPublic = (address: string): boolean => {
  // The library also accepts the legacy form 1.2.3.
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST)
}

/** No usable answer, and a retry would not help; the message says why. */
export class NoAnswerError extends Error {
  override name = 'NoAnswerError'
  /** Whether the address itself is refused, so that a later request would be no other. */
  isFinal = false
  /** Undici tries only errors of some codes again. */
  readonly code = 'NO_ANSWER'
}

/** Restricts requests to public addresses. */
interface Guard {
  /** Refuses an address before anything is sent. Throws NoAnswerError. */
  check(url: URL): void
  /** Resolves a host for a socket, which then connects only to the checked address. */
  lookup: LookupFunction
}

/** Looks up all addresses of a host. */
export type Resolver = (
  host: string,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

const resolveAll: Resolver = (host, callback) =>
  resolve(host, { all: true, verbatim: true }, callback)

const forbid = (host: string, address: string): NoAnswerError =>
  new NoAnswerError(
    host === address
      ? `${address} is not a public address`
      : `${host} is at ${address}, which is not a public address`,
  )

const PROTOCOLS = new Set(['http:', 'https:'])

/** With `allowLoopback` this machine may be asked too, with `isPrivate` any. */
export const createGuard = (
  allowLoopback = false,
  resolver: Resolver = resolveAll,
  isPrivate = false,
): Guard => {
  const isAllowed = (address: string): boolean =>
    isPrivate || isPublic(address) || (allowLoopback && isLoopback(address))
  return {
    check: ({ protocol, hostname, username, password }) => {
      if (!PROTOCOLS.has(protocol)) {
        const remedy = 'only addresses with http: and https: are'
        throw Object.assign(new NoAnswerError(`${protocol} is not asked, ${remedy}`), {
          isFinal: true,
        })
      }
      if (username !== '' || password !== '') {
        throw new NoAnswerError('an address with a user or password is not asked')
      }
      // Sockets do not look up IP addresses, so they are checked here.
      const host = hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !isAllowed(host)) throw forbid(host, host)
    },
    lookup: (host, options, callback) => {
      resolver(host, (error, addresses) => {
        if (error) return callback(error, '')
        // A name that mixes public and private addresses is an attack.
        const bad = addresses.find(({ address }) => !isAllowed(address))
        const [first] = addresses
        if (bad) return callback(forbid(host, bad.address), '')
        if (!first) return callback(new Error(`${host} has no address`), '')
        return options.all === true
          ? callback(null, addresses)
          : callback(null, first.address, first.family)
      })
    },
  }
}

/** How often to try, and how long; times in milliseconds. */
interface Retries {
  /** For the head of an answer, and between two pieces of its body. */
  timeout: number
  attempts: number
  /** Wait after the first failure; doubles each time. */
  backoff: number
  /** For one address, with all attempts. */
  hop: number
  /** For a request with all its redirects. */
  total: number
}

type Fields = Readonly<Record<string, string>>

interface Response {
  status: number
  head: Buffer
  location: string | undefined
  etag: string | undefined
}

/** The response at the end of redirects. */
interface FinalResponse extends Response {
  url: URL
  /** Whether all redirects were permanent; false without redirects. */
  isMoved: boolean
}

const SECOND = 1_000
/** Of a `Retry-After` too. */
const LONGEST_WAIT = 30 * SECOND

const describeError = (error: unknown): string => {
  const { name, message, code = '' } = error as NodeJS.ErrnoException
  if (/Abort|Timeout/.test(name)) return 'no answer in time'
  return /SSL|TLS|CERT|EPROTO/.test(code) ? `no trusted connection (${code})` : message || code
}

const PERMANENT = new Set([301, 308])
const REDIRECTS = new Set([...PERMANENT, 302, 303, 307])

const REDIRECT_LIMIT = 5

const nextUrl = ({ status, location }: Response, from: URL): URL | undefined => {
  if (!REDIRECTS.has(status) || location === undefined) return undefined
  if (!URL.canParse(location, from)) throw new NoAnswerError('it leads to no address')
  return new URL(location, from)
}

const RETRIES: Retries = {
  timeout: 30 * SECOND,
  attempts: 3,
  backoff: SECOND,
  hop: 180 * SECOND,
  total: 300 * SECOND,
}

/** Temporary statuses: too many requests, a timeout, and errors of the server. */
const PASSING = [408, 429, 500, 502, 503, 504]
const TOO_MANY = 429

const USER_AGENT =
  'skill-registry-verify/1 (checks that the sources of listed skills are still there)'

/** Asks public addresses, again where the answer may pass. */
export class Client {
  readonly #guard: Guard
  readonly #dispatcher: Dispatcher
  readonly #hop: number
  readonly #total: number
  /** Hosts that answered to all attempts that there were too many. */
  readonly #tired = new Set<string>()

  constructor(guard: Guard, { timeout, attempts, backoff, hop, total } = RETRIES) {
    this.#guard = guard
    this.#hop = hop
    this.#total = total
    this.#dispatcher = new Agent({
      connect: { lookup: guard.lookup, timeout },
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxHeaderSize: 32 * 1024,
    }).compose(
      interceptors.retry({
        maxRetries: attempts - 1,
        minTimeout: backoff,
        maxTimeout: LONGEST_WAIT,
        statusCodes: PASSING,
        throwOnError: false,
      }),
    )
  }

  /** Sends a GET and disconnects after the bytes to read; nothing is decompressed. Throws NoAnswerError. */
  async #send(
    url: URL,
    bodyLimit: number,
    fields: Fields | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    this.#guard.check(url)
    if (this.#tired.has(url.host)) throw new NoAnswerError(`${url.host} asked to be left alone`)
    try {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: this.#dispatcher,
        headers: { 'User-Agent': USER_AGENT, 'Accept-Encoding': 'identity', ...fields },
        signal,
        reset: !fields,
      })
      // Hanging up on purpose is not an error.
      body.on('error', () => undefined)
      const chunks: Buffer[] = []
      let length = 0
      try {
        if (bodyLimit > 0) {
          for await (const chunk of body as AsyncIterable<Buffer>) {
            chunks.push(chunk)
            length += chunk.length
            if (length >= bodyLimit) break
          }
        }
      } finally {
        body.destroy()
      }
      if (statusCode === TOO_MANY) this.#tired.add(url.host)
      const [location, etag] = [headers.location, headers.etag].map((value) => [value].flat()[0])
      const head = Buffer.concat(chunks).subarray(0, bodyLimit)
      return { status: statusCode, head, location, etag }
    } catch (error) {
      throw error instanceof NoAnswerError ? error : new NoAnswerError(describeError(error))
    }
  }

  /**
   * Requests an address and follows redirects, each with the same checks. Fields that are given, which may be a login,
   * are sent to no other origin, and the connection is kept for the next request. `time` is all that it may take, in
   * milliseconds. Throws NoAnswerError.
   */
  async get(
    address: URL,
    bodyLimit: number,
    fields?: Fields,
    time = this.#total,
  ): Promise<FinalResponse> {
    const whole = AbortSignal.timeout(time)
    let url = address
    let isPermanent = true
    for (let redirects = 0; redirects <= REDIRECT_LIMIT; redirects += 1) {
      const signal = AbortSignal.any([whole, AbortSignal.timeout(this.#hop)])
      const response = await this.#send(url, bodyLimit, fields, signal)
      const next = nextUrl(response, url)
      if (!next) return { ...response, url, isMoved: redirects > 0 && isPermanent }
      if (fields && next.origin !== url.origin) {
        // Only addresses of the web have an origin.
        this.#guard.check(next)
        throw new NoAnswerError(`it leads to ${next.origin}; name that address if it is right`)
      }
      isPermanent &&= PERMANENT.has(response.status)
      url = next
    }
    throw new NoAnswerError(`more than ${REDIRECT_LIMIT} redirects`)
  }
}
