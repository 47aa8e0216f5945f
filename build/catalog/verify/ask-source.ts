import { join } from 'node:path'
import { z } from 'zod'
import { isGitHub } from '../import/address.ts'
import type { StoredRecord } from '../store/records.ts'
import { readBeside } from '../store/records.ts'
import { renderRecord, writeWhole } from '../store/write.ts'
import type { Client, Clock } from './client.ts'
import { NoAnswerError } from './client.ts'

interface Dependent {
  slug: string
  /** Its source address, as the record has it. */
  url: string
  status: 'alive' | 'copied' | 'gone' | 'untraced'
  /** What follows the address of the repository in it. */
  rest: string
}

/** One thing to ask: a repository, or an address on the web. */
export interface VerifiedSource {
  kind: 'git' | 'web'
  /** Address of the repository, or the address itself. */
  address: string
  /** What git wants after the address of the repository. */
  suffix: string
  skills: Dependent[]
}

/** How repositories show in paths, in order of trust: the repository, then what follows it. */
const FORMS = [
  // GitLab has groups within groups, a dash after the repository, and git's endpoints behind `.git`.
  { path: /^(\/.+?)(\/-\/(?:tree|blob)\/.+)$/, suffix: '.git' },
  { path: /^(\/.+?\.git)(\/.*)?$/, suffix: '' },
  { path: /^(\/[^/]+\/[^/]+)(\/(?:tree|blob|src)\/.+)$/, suffix: '' },
]
const GITHUB_FORMS = [{ path: /^(\/[^/]+\/[^/]+)(\/.*)?$/, suffix: '' }]

/** Finds the repository in a source address; one that names none is asked as it is. */
const nameSource = (address: string): Omit<VerifiedSource, 'skills'> & Pick<Dependent, 'rest'> => {
  const url = new URL(address)
  const [forms, origin] = isGitHub(url) ? [GITHUB_FORMS, 'https://github.com'] : [FORMS, url.origin]
  for (const { path, suffix } of forms) {
    const [, repository, rest = ''] = path.exec(url.pathname) ?? []
    if (repository === undefined) continue
    return { kind: 'git', address: origin + repository, suffix, rest: rest + url.search }
  }
  return { kind: 'web', address, suffix: '', rest: '' }
}

/** Gathers the skills of each source; each source is asked once, whatever comes from it. */
export const gatherSources = (records: readonly StoredRecord[]): VerifiedSource[] => {
  const sources = new Map<string, VerifiedSource>()
  for (const { slug, record } of records) {
    if (record.source.kind === 'own') continue
    const { url, status } = record.source
    const { rest, ...named } = nameSource(url)
    // GitHub's owners and repositories are case-insensitive.
    const key = isGitHub(new URL(url)) ? named.address.toLowerCase() : named.address
    const source = sources.get(key) ?? { ...named, skills: [] }
    source.skills.push({ slug, url, status, rest })
    sources.set(key, source)
  }
  return [...sources.values()]
}

/** Interleaves sources round-robin by host. */
export const mixHosts = (sources: readonly VerifiedSource[]): VerifiedSource[] => {
  const turns = new Map<string, number>()
  const byTurn = Map.groupBy(sources, ({ address }) => {
    const { host } = new URL(address)
    const turn = (turns.get(host) ?? 0) + 1
    turns.set(host, turn)
    return turn
  })
  // Rounds first appear in ascending order, so the map is ordered.
  return [...byTurn.values()].flat()
}

/** Validators for a conditional request. */
type Validators = Pick<SourceState, 'etag' | 'lastModified'>

export type SourceAnswer =
  | { kind: 'alive'; movedTo?: string; validators: Validators }
  /** Absent; a single such answer may be a mistake. */
  | { kind: 'absent'; status: number }
  /** A repository that neither git nor a browser finds. */
  | { kind: 'deleted' }
  | { kind: 'unknown'; reason: string }

type SourceLocation = Omit<VerifiedSource, 'skills'>

const ABSENT = new Set([404, 410])

/** Statuses with which hosts hide private or deleted repositories. */
const HIDDEN = new Set([401, 403])

/** The first request of `git ls-remote` (gitprotocol-http(5), "Discovering references"). */
export const DISCOVERY = '/info/refs?service=git-upload-pack'

/** Beginnings of the answer in protocol versions 1 and 2. */
const ADVERTISEMENT = /^(?:[0-9a-f]{4}# service=git-upload-pack\n|000eversion 2\n)/

const HEAD = 64

const unknown = (reason: string): SourceAnswer => ({ kind: 'unknown', reason })

const isShort = (value: string | undefined): value is string =>
  value !== undefined && value.length <= VALIDATOR_LIMIT

type FinalResponse = Awaited<ReturnType<Client['get']>>

const readValidators = ({ header }: FinalResponse): Validators => {
  const [etag, lastModified] = [header('etag'), header('last-modified')]
  return { ...(isShort(etag) && { etag }), ...(isShort(lastModified) && { lastModified }) }
}

const conditionsOf = ({ etag, lastModified }: Validators): Record<string, string> => ({
  ...(etag === undefined ? {} : { 'If-None-Match': etag }),
  ...(lastModified === undefined ? {} : { 'If-Modified-Since': lastModified }),
})

/** Requests a page; `known` has the validators of the last answer. */
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
  // Hosts often redirect removed pages permanently to the front page.
  if (isMoved && url.pathname === '/' && new URL(address).pathname !== '/') {
    return unknown(`it leads to the front page of ${url.host}`)
  }
  const validators = { ...(isSame ? known : {}), ...readValidators(response) }
  return { kind: 'alive', validators, ...(isMoved ? { movedTo: url.href } : {}) }
}

/** The repository's current address, from its discovery address; an added `.git` is not a move. */
const repositoryAt = (
  { url, isMoved }: FinalResponse,
  { address }: SourceLocation,
): string | undefined => {
  if (!isMoved || !url.href.endsWith(DISCOVERY)) return undefined
  const found = url.href.slice(0, -DISCOVERY.length)
  const repository = address.endsWith('.git') ? found : found.replace(/\.git$/, '')
  return repository === address ? undefined : repository
}

const askRepository = async (source: SourceLocation, client: Client): Promise<SourceAnswer> => {
  const { address, suffix } = source
  const discovery = new URL(`${address}${suffix}${DISCOVERY}`)
  const response = await client.get(discovery, { headers: {}, bodyLimit: HEAD })
  const { status, head } = response
  if (status === 200 && ADVERTISEMENT.test(head.toString('latin1'))) {
    const movedTo = repositoryAt(response, source)
    return { kind: 'alive', validators: {}, ...(movedTo === undefined ? {} : { movedTo }) }
  }
  if (status === 200) return unknown('it answered what no repository answers')
  if (!ABSENT.has(status) && !HIDDEN.has(status)) return unknown(`it answered ${status}`)
  const page = await askPage(address, {}, client)
  if (page.kind === 'absent') return { kind: 'deleted' }
  return page.kind === 'alive' ? unknown(`it has a page, and answers git ${status}`) : page
}

/** Checks whether a source still exists; `unknown`, with the reason, if the answer is not clear. */
export const askSource = async (
  source: SourceLocation,
  known: Validators,
  client: Client,
): Promise<SourceAnswer> => {
  try {
    return source.kind === 'git'
      ? await askRepository(source, client)
      : await askPage(source.address, known, client)
  } catch (error) {
    if (error instanceof NoAnswerError) return unknown(error.message)
    throw error
  }
}

export type Verdict =
  | { kind: 'alive' }
  | { kind: 'moved'; movedTo: string }
  | { kind: 'gone' }
  /** Absent for less than a day. */
  | { kind: 'missing'; since: string }
  | { kind: 'unknown'; reason: string }

/**
 * Derives the verdict from an answer and the known state; `next` is the state to keep. `isGone` is the status in the
 * records.
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
  const isSure = answer.kind === 'deleted' || isGone || now - Date.parse(since) >= GONE_AFTER
  const verdict: Verdict = isSure ? { kind: 'gone' } : { kind: 'missing', since }
  return { verdict, next: { missingSince: since } }
}

/** Minimum time between two answers that confirm an absence, in milliseconds. */
export const GONE_AFTER = 24 * 60 * 60 * 1_000

/** Longest validator that is kept, in characters. */
const VALIDATOR_LIMIT = 1_000

/** Stored beside the records; losing it delays the detection of gone sources by a day. */
const STATE_FILE = 'verify.state.json'

const time = z.iso.datetime()
const validator = z.string().max(VALIDATOR_LIMIT)

const sourceState = z.strictObject({
  /** What the last answer can be told from (RFC 9110 8.8). */
  etag: validator.optional(),
  lastModified: validator.optional(),
  /** Start of the current absence. */
  missingSince: time.optional(),
})

const stateRecord = z.strictObject({
  /** An unfinished run: its start, and the sources already checked. */
  run: z.strictObject({ started: time, settled: z.array(z.string()) }).optional(),
  sources: z.record(z.string(), sourceState),
})

/** What is kept of a source for the next run. */
type SourceState = z.infer<typeof sourceState>

/** Milliseconds between saves of the state; a kill loses at most the checks of that time. */
const WRITE_EVERY = 1_000

/**
 * Keeps what a run learns, so that the next one knows it, also where this one is killed. A run that
 * was stopped less than a day ago is taken up again.
 */
export class VerifyState {
  readonly #clock: Clock
  /** Where the state is written; undefined for a dry run. */
  readonly #path: string | undefined
  readonly #started: string
  /** What the stopped run settled, and what is settled by now. */
  readonly #before: ReadonlySet<string>
  readonly #settled: Set<string>
  readonly #sources: Map<string, SourceState>
  #writtenAt = 0

  /** Reads what earlier runs left. Throws ContentError. */
  constructor(content: string, clock: Clock, dryRun: boolean) {
    const { run, sources } = readBeside(content, STATE_FILE, stateRecord) ?? { sources: {} }
    const isOpen = run !== undefined && clock.now() - Date.parse(run.started) < GONE_AFTER
    this.#clock = clock
    this.#path = dryRun ? undefined : join(content, STATE_FILE)
    this.#started = isOpen ? run.started : new Date(clock.now()).toISOString()
    this.#before = new Set(isOpen ? run.settled : [])
    this.#settled = new Set(this.#before)
    this.#sources = new Map(Object.entries(sources))
  }

  recall(address: string): SourceState {
    return this.#sources.get(address) ?? {}
  }

  /** Whether a run that was stopped settled this source already. */
  isSettled(address: string): boolean {
    return this.#before.has(address)
  }

  /** Keeps what is known of a source; `isSettled` where the run need not ask it again. */
  settle(address: string, state: SourceState, isSettled: boolean): void {
    this.#sources.set(address, state)
    if (isSettled) this.#settled.add(address)
    if (this.#clock.now() - this.#writtenAt < WRITE_EVERY) return
    this.#write({ started: this.#started, settled: [...this.#settled] })
  }

  /** Ends the run; sources that are no longer there are forgotten. */
  finish(addresses: ReadonlySet<string>): void {
    for (const address of this.#sources.keys()) {
      if (!addresses.has(address)) this.#sources.delete(address)
    }
    this.#write()
  }

  #write(run?: z.infer<typeof stateRecord>['run']): void {
    const known = [...this.#sources]
      .filter(([, state]) => Object.keys(state).length > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const text = renderRecord({ ...(run && { run }), sources: Object.fromEntries(known) })
    if (this.#path !== undefined) writeWhole(this.#path, text)
    this.#writtenAt = this.#clock.now()
  }
}
