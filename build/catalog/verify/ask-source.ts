import type { Client, FinalResponse } from './client.ts'
import { NoAnswer } from './guard.ts'
import type { VerifiedSource } from './sources.ts'
import { A_DAY, VALIDATOR_LIMIT } from './state.ts'
import type { SourceState } from './state.ts'

/** What shows later whether an answer is still the same. */
type Validators = Pick<SourceState, 'etag' | 'lastModified'>

export type SourceAnswer =
  | { kind: 'alive'; movedTo?: string; validators: Validators }
  /** It says that it is not there; once may be a mistake. */
  | { kind: 'absent'; status: number }
  /** A repository that neither git nor a browser finds. */
  | { kind: 'deleted' }
  | { kind: 'unknown'; reason: string }

type Asked = Omit<VerifiedSource, 'skills'>

const ABSENT = new Set([404, 410])

/** Statuses with which hosts of repositories hide what is private, or was deleted. */
const HIDDEN = new Set([401, 403])

/** The first request of `git ls-remote` (gitprotocol-http(5), "Discovering references"). */
const DISCOVERY = '/info/refs?service=git-upload-pack'

/** How its answer begins, in the older protocol and in the second. */
const ADVERTISEMENT = /^(?:[0-9a-f]{4}# service=git-upload-pack\n|000eversion 2\n)/

const HEAD = 64

const unknown = (reason: string): SourceAnswer => ({ kind: 'unknown', reason })

const isShort = (value: string | undefined): value is string =>
  value !== undefined && value.length <= VALIDATOR_LIMIT

const readValidators = ({ header }: FinalResponse): Validators => {
  const [etag, lastModified] = [header('etag'), header('last-modified')]
  return { ...(isShort(etag) && { etag }), ...(isShort(lastModified) && { lastModified }) }
}

const conditionsOf = ({ etag, lastModified }: Validators): Record<string, string> => ({
  ...(etag === undefined ? {} : { 'If-None-Match': etag }),
  ...(lastModified === undefined ? {} : { 'If-Modified-Since': lastModified }),
})

/** Asks for a page; `known` is what the last answer can be told from. */
const askPage = async (
  address: string,
  known: Validators,
  client: Client,
): Promise<SourceAnswer> => {
  const headers = conditionsOf(known)
  const response = await client.get(new URL(address), { headers, bodyLimit: 0 })
  const { status, url, isMoved } = response
  if (ABSENT.has(status)) return { kind: 'absent', status }
  const isSame = status === 304 && Object.keys(headers).length > 0
  if (!isSame && (status < 200 || status > 299)) return unknown(`it answered ${status}`)
  // Where a page was buried, everything often leads to the front page for good.
  if (isMoved && url.pathname === '/' && new URL(address).pathname !== '/') {
    return unknown(`it leads to the front page of ${url.host}`)
  }
  const validators = { ...(isSame ? known : {}), ...readValidators(response) }
  return { kind: 'alive', validators, ...(isMoved ? { movedTo: url.href } : {}) }
}

/** Where a repository is now, from where its discovery was found; a `.git` more is no move. */
const repositoryAt = ({ url, isMoved }: FinalResponse, { address }: Asked): string | undefined => {
  if (!isMoved || !url.href.endsWith(DISCOVERY)) return undefined
  const found = url.href.slice(0, -DISCOVERY.length)
  const repository = address.endsWith('.git') ? found : found.replace(/\.git$/, '')
  return repository === address ? undefined : repository
}

const askRepository = async (asked: Asked, client: Client): Promise<SourceAnswer> => {
  const { address, suffix } = asked
  const discovery = new URL(`${address}${suffix}${DISCOVERY}`)
  const response = await client.get(discovery, { headers: {}, bodyLimit: HEAD })
  const { status, head } = response
  if (status === 200 && ADVERTISEMENT.test(head.toString('latin1'))) {
    const movedTo = repositoryAt(response, asked)
    return { kind: 'alive', validators: {}, ...(movedTo === undefined ? {} : { movedTo }) }
  }
  if (status === 200) return unknown('it answered what no repository answers')
  if (!ABSENT.has(status) && !HIDDEN.has(status)) return unknown(`it answered ${status}`)
  const page = await askPage(address, {}, client)
  if (page.kind === 'absent') return { kind: 'deleted' }
  return page.kind === 'alive' ? unknown(`it has a page, and answers git ${status}`) : page
}

/** Asks a source whether it is still there; `unknown`, with the reason, where no answer is clear. */
export const askSource = async (
  asked: Asked,
  known: Validators,
  client: Client,
): Promise<SourceAnswer> => {
  try {
    return asked.kind === 'git'
      ? await askRepository(asked, client)
      : await askPage(asked.address, known, client)
  } catch (error) {
    if (error instanceof NoAnswer) return unknown(error.message)
    throw error
  }
}

export type Verdict =
  | { kind: 'alive' }
  | { kind: 'moved'; movedTo: string }
  | { kind: 'gone' }
  /** Absent for the first time, or not yet for a day. */
  | { kind: 'missing'; since: string }
  | { kind: 'unknown'; reason: string }

/**
 * Judges a source by what it answered, and by what is known from before; `next` is what to know the
 * next time. `isGone` is what the records say.
 */
export const judge = (
  answer: SourceAnswer,
  known: SourceState,
  isGone: boolean,
  now: number,
): { verdict: Verdict; next: SourceState } => {
  if (answer.kind === 'unknown') return { verdict: answer, next: known }
  if (answer.kind === 'alive') {
    const { movedTo, validators: next } = answer
    return { verdict: movedTo === undefined ? { kind: 'alive' } : { kind: 'moved', movedTo }, next }
  }
  const since = known.missingSince ?? new Date(now).toISOString()
  const isSure = answer.kind === 'deleted' || isGone || now - Date.parse(since) >= A_DAY
  const verdict: Verdict = isSure ? { kind: 'gone' } : { kind: 'missing', since }
  return { verdict, next: { missingSince: since } }
}
