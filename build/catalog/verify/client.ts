import { lookup as resolve } from 'node:dns'
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import { Agent, request } from 'undici'

/** The IPv6 block of global unicast addresses (RFC 4291 2.4). */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

const isLoopback = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'loopback'

/**
 * Whether an address of the network is public: in none of the blocks for special purposes (RFC
 * 6890 and its successors), be they private, reserved, for documentation or for tunnels. An
 * IPv4-mapped IPv6 address is not public.
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
}

/** Restricts requests to public addresses. */
interface Guard {
  /** Refuses an address before anything is sent. Throws NoAnswerError. */
  check(url: URL): void
  /** Resolves a host for a socket, which then connects only to the checked address. */
  lookup: LookupFunction
}

/** Looks all addresses of a host up; a test may give another. */
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

/** With `allowLoopback` this machine may be asked too. */
export const createGuard = (allowLoopback: boolean, resolver: Resolver = resolveAll): Guard => {
  const isAllowed = (address: string): boolean =>
    isPublic(address) || (allowLoopback && isLoopback(address))
  return {
    check: ({ protocol, hostname, username, password }) => {
      if (!PROTOCOLS.has(protocol)) throw new NoAnswerError(`${protocol} is not asked`)
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

/** Pacing and retries; times in milliseconds. */
interface Retries {
  /** Pause between requests to a host. */
  interval: number
  /** Timeout of a request, from DNS lookup to the last byte. */
  timeout: number
  /** Maximum attempts until a conclusive answer. */
  attempts: number
  /** Wait after the first failure; doubles each time. */
  backoff: number
  /** Maximum wait for Retry-After. */
  longestWait: number
}

/** A clock that tests replace. */
export interface Clock {
  now(): number
  wait(milliseconds: number): Promise<void>
}

/** The system clock. */
export const CLOCK: Clock = { now: Date.now, wait: (milliseconds) => delay(milliseconds) }

interface RequestOptions {
  headers: Readonly<Record<string, string>>
  /** Number of body bytes to read; nothing is decompressed. */
  bodyLimit: number
  /** Called with each redirect before it is followed; may throw NoAnswerError. */
  onRedirect?: (to: URL) => void
  /** Ends a request at once; its reason is thrown. */
  signal?: AbortSignal
}

interface Response {
  status: number
  /** A header field; undefined if missing or repeated. */
  header: (name: string) => string | undefined
  head: Buffer
}

/** The response at the end of redirects. */
interface FinalResponse extends Response {
  url: URL
  /** Whether all redirects were permanent; false without redirects. */
  isMoved: boolean
}

const SECOND = 1_000

/** The date of HTTP that is in use (RFC 9110 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Reads how many milliseconds Retry-After asks to wait; undefined if it is unclear. */
export const parseRetryAfter = (value: string | undefined, now: number): number | undefined => {
  const text = value?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND
  if (!HTTP_DATE.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}

const HUNG_UP = 'it hung up without an answer'

/** Descriptions of connection errors by code, or by message for ambiguous codes. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host has no address',
  EAI_AGAIN: 'the look-up of its host failed',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: HUNG_UP,
  EPIPE: HUNG_UP,
  'other side closed': HUNG_UP,
  ETIMEDOUT: 'no connection',
  UND_ERR_CONNECT_TIMEOUT: 'no connection',
  EHOSTUNREACH: 'no way there',
  ENETUNREACH: 'no way there',
  UND_ERR_HEADERS_OVERFLOW: 'header fields without end',
}

const describeError = (error: unknown, timeout: number): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return `no answer in ${timeout / SECOND} seconds`
  }
  const { code = '' } = error as NodeJS.ErrnoException
  const reason = REASONS[code] ?? REASONS[error.message]
  if (reason !== undefined) return reason
  return /SSL|TLS|CERT|EPROTO/.test(code) ? `no trusted connection (${code})` : error.message
}

/** Temporary statuses: too many requests, a timeout, and errors of the server. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

const PERMANENT = new Set([301, 308])
const REDIRECTS = new Set([...PERMANENT, 302, 303, 307])

const REDIRECT_LIMIT = 5

const nextUrl = ({ status, header }: Response, from: URL): URL | undefined => {
  const location = header('location')
  if (!REDIRECTS.has(status) || location === undefined) return undefined
  if (!URL.canParse(location, from)) throw new NoAnswerError('it leads to no address')
  return new URL(location, from)
}

/** Maximum size of response headers, in bytes. */
const HEADER_LIMIT = 32 * 1024

const USER_AGENT =
  'skill-registry-verify/1 (checks that the sources of listed skills are still there)'

/** Asks public addresses, each host at its own pace. */
export class Client {
  readonly clock: Clock
  readonly #guard: Guard
  readonly #retries: Retries
  readonly #agent: Agent
  /** Per host: time of the next request, and end of its Retry-After. */
  readonly #turns = new Map<string, number>()
  readonly #rests = new Map<string, number>()

  constructor(guard: Guard, retries: Retries, clock: Clock) {
    this.clock = clock
    this.#guard = guard
    this.#retries = retries
    this.#agent = new Agent({ connect: { lookup: guard.lookup }, maxHeaderSize: HEADER_LIMIT })
  }

  /** Waits for the host's next slot. Throws NoAnswerError if that is too far away. */
  async #waitForTurn(host: string): Promise<void> {
    const now = this.clock.now()
    const rest = this.#rests.get(host) ?? now
    if (rest - now > this.#retries.longestWait) {
      throw new NoAnswerError(`${host} asked to wait ${Math.ceil((rest - now) / SECOND)} seconds`)
    }
    const turn = Math.max(now, rest, this.#turns.get(host) ?? now)
    this.#turns.set(host, turn + this.#retries.interval)
    if (turn > now) await this.clock.wait(turn - now)
  }

  /** Sends a GET and disconnects after the bytes to read. */
  async #send(url: URL, { headers, bodyLimit, signal }: RequestOptions): Promise<Response> {
    this.#guard.check(url)
    const timeout = AbortSignal.timeout(this.#retries.timeout)
    const response = await request(url, {
      dispatcher: this.#agent,
      headers: { 'User-Agent': USER_AGENT, 'Accept-Encoding': 'identity', ...headers },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      reset: true,
    })
    const body: AsyncIterable<Buffer> = response.body
    // Hanging up on purpose is not an error.
    response.body.on('error', () => undefined)
    let head = Buffer.alloc(0)
    try {
      if (bodyLimit > 0) {
        for await (const chunk of body) {
          head = Buffer.concat([head, chunk])
          if (head.length >= bodyLimit) break
        }
      }
    } finally {
      response.body.destroy()
    }
    const header = (name: string): string | undefined => {
      const value = response.headers[name]
      return typeof value === 'string' ? value : undefined
    }
    return { status: response.statusCode, header, head: head.subarray(0, bodyLimit) }
  }

  /** Retries until a conclusive answer; respects Retry-After. */
  async #ask(url: URL, options: RequestOptions): Promise<Response> {
    const { attempts, backoff, longestWait, timeout } = this.#retries
    for (let attempt = 1; ; attempt += 1) {
      await this.#waitForTurn(url.host)
      let wait = backoff * 2 ** (attempt - 1)
      let reason: string
      try {
        const response = await this.#send(url, options)
        if (!isPassing(response.status)) return response
        const now = this.clock.now()
        wait = parseRetryAfter(response.header('retry-after'), now) ?? wait
        this.#rests.set(url.host, Math.max(this.#rests.get(url.host) ?? 0, now + wait))
        reason = `it answered ${response.status}`
      } catch (error) {
        if (error instanceof NoAnswerError) throw error
        options.signal?.throwIfAborted()
        reason = describeError(error, timeout)
      }
      if (attempt >= attempts || wait > longestWait) throw new NoAnswerError(reason)
      await this.clock.wait(wait)
    }
  }

  /** Requests an address and follows redirects, each with the same checks. Throws NoAnswerError. */
  async get(address: URL, options: RequestOptions): Promise<FinalResponse> {
    let url = address
    let isPermanent = true
    for (let redirects = 0; redirects <= REDIRECT_LIMIT; redirects += 1) {
      const response = await this.#ask(url, options)
      const next = nextUrl(response, url)
      if (!next) return { ...response, url, isMoved: redirects > 0 && isPermanent }
      options.onRedirect?.(next)
      isPermanent &&= PERMANENT.has(response.status)
      url = next
    }
    throw new NoAnswerError(`more than ${REDIRECT_LIMIT} redirects`)
  }
}
