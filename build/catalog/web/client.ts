import { Agent, interceptors, request } from 'undici'
import type { Dispatcher } from 'undici'
import { NoAnswerError } from './guard.ts'
import type { Guard } from './guard.ts'

/** Limits for attempts; times in milliseconds. */
interface Retries {
  /** Until the response's head arrives, and between two pieces of its body. */
  timeout: number
  attempts: number
  /** Wait after the first failure; it doubles each time. */
  backoff: number
  /** For a request, with all its attempts and redirects. */
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
/** Also limits `Retry-After`. */
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
  if (!URL.canParse(location, from)) throw new NoAnswerError('it redirects to an invalid address')
  return new URL(location, from)
}

const RETRIES: Retries = {
  timeout: 30 * SECOND,
  attempts: 3,
  backoff: SECOND,
  total: 300 * SECOND,
}

/** Temporary statuses: timeout, too many requests, and server errors. */
const TEMPORARY_STATUSES = [408, 429, 500, 502, 503, 504]
const TOO_MANY = 429

/** Sends requests, and retries temporary failures. */
export class Client {
  readonly #guard: Guard
  readonly #agent: string
  readonly #dispatcher: Dispatcher
  readonly #total: number
  /** Hosts that answered every attempt with 429. */
  readonly #throttled = new Set<string>()

  /** `agent` is sent as the User-Agent. */
  constructor(guard: Guard, agent: string, { timeout, attempts, backoff, total } = RETRIES) {
    this.#guard = guard
    this.#agent = agent
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
        statusCodes: TEMPORARY_STATUSES,
        throwOnError: false,
      }),
    )
  }

  /** Sends a GET and disconnects after `bodyLimit` bytes; nothing is decompressed. Throws NoAnswerError. */
  async #send(
    url: URL,
    bodyLimit: number,
    fields: Fields | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    this.#guard.check(url)
    if (this.#throttled.has(url.host))
      throw new NoAnswerError(`${url.host} asked for no more requests`)
    try {
      const { statusCode, headers, body } = await request(url, {
        dispatcher: this.#dispatcher,
        headers: { 'User-Agent': this.#agent, 'Accept-Encoding': 'identity', ...fields },
        signal,
        reset: !fields,
      })
      // Closing the connection early is not an error.
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
      if (statusCode === TOO_MANY) this.#throttled.add(url.host)
      const [location, etag] = [headers.location, headers.etag].map((value) => [value].flat()[0])
      const head = Buffer.concat(chunks).subarray(0, bodyLimit)
      return { status: statusCode, head, location, etag }
    } catch (error) {
      throw error instanceof NoAnswerError ? error : new NoAnswerError(describeError(error))
    }
  }

  /**
   * Requests an address and follows redirects, checking each. `fields` may contain a login: they are never sent to
   * another origin. With `fields`, the connection stays open for the next request. `time` limits the whole call, in
   * milliseconds. Throws NoAnswerError.
   */
  async get(
    address: URL,
    bodyLimit: number,
    fields?: Fields,
    time = this.#total,
  ): Promise<FinalResponse> {
    const signal = AbortSignal.timeout(time)
    let url = address
    let isPermanent = true
    for (let redirects = 0; redirects <= REDIRECT_LIMIT; redirects += 1) {
      const response = await this.#send(url, bodyLimit, fields, signal)
      const next = nextUrl(response, url)
      if (!next) return { ...response, url, isMoved: redirects > 0 && isPermanent }
      if (fields && next.origin !== url.origin) {
        // First refuse other protocols than http and https: their addresses have no origin to name.
        this.#guard.check(next)
        throw new NoAnswerError(
          `it redirects to ${next.origin}; if that is correct, use that address`,
        )
      }
      isPermanent &&= PERMANENT.has(response.status)
      url = next
    }
    throw new NoAnswerError(`more than ${REDIRECT_LIMIT} redirects`)
  }
}
