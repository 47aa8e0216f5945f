import { ForbiddenAddress } from './guard.ts'
import type { Guard } from './guard.ts'
import { RestingHost } from './pacer.ts'
import type { Clock, Pacer } from './pacer.ts'
import { requestOnce } from './request.ts'
import type { Answer, RequestOptions } from './request.ts'
import { parseRetryAfter } from './retry-after.ts'

/** How patiently sources are asked; times in milliseconds. */
export interface Patience {
  timeout: number
  /** Times an address is asked until it answers something that means anything. */
  attempts: number
  /** Wait after the first failure; it doubles with each. */
  backoff: number
  /** Longest wait for one host that Retry-After can bring about. */
  longestWait: number
}

/** What requests are made with. */
export interface Wire {
  guard: Guard
  pacer: Pacer
  clock: Clock
  patience: Patience
}

/** What is wanted of an address. */
export type Wanted = Pick<RequestOptions, 'headers' | 'bodyLimit'>

/** Says why no answer came that means anything. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
}

/** Statuses that pass: too many requests, a timeout, and faults of the server. */
const isPassing = (status: number): boolean => status === 408 || status === 429 || status >= 500

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host has no address',
  EAI_AGAIN: 'the look-up of its host failed',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it hung up without an answer',
  EPIPE: 'it hung up without an answer',
  ETIMEDOUT: 'no connection',
  EHOSTUNREACH: 'no way there',
  ENETUNREACH: 'no way there',
  HPE_HEADER_OVERFLOW: 'header fields without end',
}

const describe = (error: unknown, timeout: number): string => {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'AbortError' || error.name === 'TimeoutError') {
    return `no answer in ${timeout / 1_000} seconds`
  }
  const { code = '' } = error as NodeJS.ErrnoException
  if (REASONS[code] !== undefined) return REASONS[code]
  return /SSL|TLS|CERT|EPROTO/.test(code) ? `no trusted connection (${code})` : error.message
}

const waitFor = ({ headers }: Answer, wire: Wire, attempt: number): number =>
  parseRetryAfter(headers['retry-after'], wire.clock.now()) ?? backOff(wire, attempt)

const backOff = ({ patience }: Wire, attempt: number): number =>
  patience.backoff * 2 ** (attempt - 1)

/** Asks once; undefined where the connection failed in a way that may pass. */
const tryOnce = async (url: URL, wanted: Wanted, wire: Wire): Promise<Answer | NoAnswer> => {
  const { guard, pacer, patience } = wire
  try {
    await pacer.turn(url.host)
    return await requestOnce(url, { guard, timeout: patience.timeout, ...wanted })
  } catch (error) {
    const isFinal = error instanceof ForbiddenAddress || error instanceof RestingHost
    if (isFinal) throw new NoAnswer(error.message, { cause: error })
    return new NoAnswer(describe(error, patience.timeout), { cause: error })
  }
}

/**
 * Asks an address until it gives an answer that means something, at its host's pace, and waits as long
 * as Retry-After says. Throws NoAnswer.
 */
export const askPatiently = async (url: URL, wanted: Wanted, wire: Wire): Promise<Answer> => {
  const { clock, pacer, patience } = wire
  for (let attempt = 1; ; attempt += 1) {
    const answer = await tryOnce(url, wanted, wire)
    const isFailure = answer instanceof NoAnswer
    if (!isFailure && !isPassing(answer.status)) return answer
    const wait = isFailure ? backOff(wire, attempt) : waitFor(answer, wire, attempt)
    if (!isFailure) pacer.rest(url.host, wait)
    if (attempt >= patience.attempts || wait > patience.longestWait) {
      throw isFailure ? answer : new NoAnswer(`it answered ${answer.status}`)
    }
    await clock.wait(wait)
  }
}
