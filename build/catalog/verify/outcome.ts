import { NoAnswer } from './ask.ts'
import type { Wire } from './ask.ts'
import { follow } from './follow.ts'
import type { Found } from './follow.ts'
import type { Answer } from './request.ts'
import type { Source } from './sources.ts'

/** What an answer can be told from later (RFC 9110 8.8). */
export interface Validators {
  etag?: string | undefined
  lastModified?: string | undefined
}

/** Longest validator that is kept, in characters. */
export const VALIDATOR_LIMIT = 1_000

/** What asking a source gave. */
export type Outcome =
  | { kind: 'alive'; movedTo?: string; validators: Validators }
  /** It says that it is not there; once may be a mistake. */
  | { kind: 'absent'; status: number }
  /** A repository that neither git nor a browser finds. */
  | { kind: 'deleted' }
  | { kind: 'unknown'; reason: string }

type Asked = Omit<Source, 'skills'>

const ABSENT = new Set([404, 410])

/** Statuses with which hosts of repositories hide what is private, or was deleted. */
const HIDDEN = new Set([401, 403])

/** The first request of `git ls-remote` (gitprotocol-http(5), "Discovering references"). */
const DISCOVERY = '/info/refs?service=git-upload-pack'

/** How its answer begins, in the older protocol and in the second. */
const ADVERTISEMENT = /^(?:[0-9a-f]{4}# service=git-upload-pack\n|000eversion 2\n)/

const HEAD = 64

const UNKNOWN = (status: number): Outcome => ({
  kind: 'unknown',
  reason: `it answered ${status}`,
})

const isShort = (value: string | undefined): value is string =>
  value !== undefined && value.length <= VALIDATOR_LIMIT

const readValidators = ({ headers }: Answer): Validators => ({
  ...(isShort(headers.etag) ? { etag: headers.etag } : {}),
  ...(isShort(headers['last-modified']) ? { lastModified: headers['last-modified'] } : {}),
})

const conditionsOf = ({ etag, lastModified }: Validators): Record<string, string> => ({
  ...(etag === undefined ? {} : { 'If-None-Match': etag }),
  ...(lastModified === undefined ? {} : { 'If-Modified-Since': lastModified }),
})

/** Asks for a page; `known` is what the last answer can be told from. */
const askPage = async (address: string, known: Validators, wire: Wire): Promise<Outcome> => {
  const headers = conditionsOf(known)
  const { answer, url, isMoved } = await follow(new URL(address), { headers, bodyLimit: 0 }, wire)
  const { status } = answer
  if (ABSENT.has(status)) return { kind: 'absent', status }
  const isSame = status === 304 && Object.keys(headers).length > 0
  if (!isSame && (status < 200 || status > 299)) return UNKNOWN(status)
  // Where a page was buried, everything often leads to the front page for good.
  if (isMoved && url.pathname === '/' && new URL(address).pathname !== '/') {
    return { kind: 'unknown', reason: `it leads to the front page of ${url.host}` }
  }
  const validators = { ...(isSame ? known : {}), ...readValidators(answer) }
  return { kind: 'alive', validators, ...(isMoved ? { movedTo: url.href } : {}) }
}

/** Gives where a repository is now, from where its discovery was found; a `.git` more is no move. */
const repositoryAt = ({ url, isMoved }: Found, { address }: Asked): string | undefined => {
  if (!isMoved || !url.href.endsWith(DISCOVERY)) return undefined
  const found = url.href.slice(0, -DISCOVERY.length)
  const repository = address.endsWith('.git') ? found : found.replace(/\.git$/, '')
  return repository === address ? undefined : repository
}

const askRepository = async (asked: Asked, wire: Wire): Promise<Outcome> => {
  const { address, suffix } = asked
  const discovery = new URL(`${address}${suffix}${DISCOVERY}`)
  const found = await follow(discovery, { headers: {}, bodyLimit: HEAD }, wire)
  const { status, head } = found.answer
  if (status === 200 && ADVERTISEMENT.test(head.toString('latin1'))) {
    const movedTo = repositoryAt(found, asked)
    return { kind: 'alive', validators: {}, ...(movedTo === undefined ? {} : { movedTo }) }
  }
  if (!ABSENT.has(status) && !HIDDEN.has(status)) {
    return status === 200
      ? { kind: 'unknown', reason: 'it answered what no repository answers' }
      : UNKNOWN(status)
  }
  const page = await askPage(address, {}, wire)
  if (page.kind === 'absent') return { kind: 'deleted' }
  if (page.kind === 'alive') {
    return { kind: 'unknown', reason: `it has a page, and answers git ${status}` }
  }
  return page
}

/** Asks whether something is at an address; what cannot be told is unknown, with the reason. */
const settle = async (ask: () => Promise<Outcome>): Promise<Outcome> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof NoAnswer) return { kind: 'unknown', reason: error.message }
    throw error
  }
}

/** Asks a source whether it is still there. */
export const askSource = (asked: Asked, known: Validators, wire: Wire): Promise<Outcome> =>
  settle(() =>
    asked.kind === 'git' ? askRepository(asked, wire) : askPage(asked.address, known, wire),
  )

/** Asks whether the page of a source address is there. */
export const askAddress = (address: string, wire: Wire): Promise<Outcome> =>
  settle(() => askPage(address, {}, wire))
