import { readAddress } from '../../../src/catalog/address.ts'
import type { StoredRecord } from '../store/records.ts'
import type { Client } from '../web/client.ts'
import { NoAnswerError } from '../web/guard.ts'

interface Dependent {
  slug: string
  /** The source address in its record. */
  url: string
  status: 'alive' | 'copied' | 'gone' | 'untraced'
  /** The part of the source address after the repository. */
  rest: string
}

/** A source to check: a repository or a web page. */
export interface VerifiedSource {
  /** The address of the repository or page. */
  address: string
  /** Added to the address of a repository for git; undefined for a web page. */
  suffix: '' | '.git' | undefined
  skills: Dependent[]
}

/** Groups skills by source, so that each source is checked once. */
export const gatherSources = (records: readonly StoredRecord[]): VerifiedSource[] => {
  const sources = new Map<string, VerifiedSource>()
  for (const { slug, record } of records) {
    if (record.source.kind === 'own') continue
    const { url, status } = record.source
    const { isGitHub, repository, dash, rest } = readAddress(url)
    const address = repository ?? url
    // GitHub's owners and repositories are case-insensitive.
    const key = isGitHub ? address.toLowerCase() : address
    // GitLab serves git only with the suffix `.git`.
    const suffix = repository === undefined ? undefined : dash === '' ? '' : '.git'
    const source = sources.get(key) ?? { address, suffix, skills: [] }
    source.skills.push({ slug, url, status, rest: repository === undefined ? '' : rest })
    sources.set(key, source)
  }
  return [...sources.values()]
}

export type SourceAnswer =
  | { kind: 'alive' }
  | { kind: 'moved'; movedTo: string }
  /** Not found; a single answer may be a mistake of the host. */
  | { kind: 'absent' }
  /** A repository that neither git nor a browser finds. */
  | { kind: 'deleted' }
  | { kind: 'unknown'; reason: string }

type SourceLocation = Omit<VerifiedSource, 'skills'>

const ABSENT = new Set([404, 410])

/** Statuses that hosts return for private and deleted repositories. */
const HIDDEN = new Set([401, 403])

/** The first request of `git ls-remote` (gitprotocol-http(5), "Discovering references"). */
const DISCOVERY = '/info/refs?service=git-upload-pack'

/** The start of the response in protocol versions 1 and 2. */
const ADVERTISEMENT = /^(?:[0-9a-f]{4}# service=git-upload-pack\n|000eversion 2\n)/

/** How many bytes of the response are read. */
const HEAD = 64

const unknown = (reason: string): SourceAnswer => ({ kind: 'unknown', reason })

const answerFound = (movedTo: string | undefined): SourceAnswer =>
  movedTo === undefined ? { kind: 'alive' } : { kind: 'moved', movedTo }

type FinalResponse = Awaited<ReturnType<Client['get']>>

const queryPage = async (address: string, client: Client): Promise<SourceAnswer> => {
  const { status, url, isMoved } = await client.get(new URL(address), 0)
  if (ABSENT.has(status)) return { kind: 'absent' }
  if (status < 200 || status > 299) return unknown(`it answered ${status}`)
  // Hosts often redirect removed pages permanently to the front page.
  if (isMoved && url.pathname === '/' && new URL(address).pathname !== '/') {
    return unknown(`it leads to the front page of ${url.host}`)
  }
  return answerFound(isMoved ? url.href : undefined)
}

/** The new address of a repository after a redirect; undefined if only `.git` was added. */
const findNewAddress = (
  { url, isMoved }: FinalResponse,
  { address }: SourceLocation,
): string | undefined => {
  if (!isMoved || !url.href.endsWith(DISCOVERY)) return undefined
  const found = url.href.slice(0, -DISCOVERY.length)
  const repository = address.endsWith('.git') ? found : found.replace(/\.git$/, '')
  return repository === address ? undefined : repository
}

const queryRepository = async (source: SourceLocation, client: Client): Promise<SourceAnswer> => {
  const { address, suffix } = source
  const discovery = new URL(`${address}${suffix}${DISCOVERY}`)
  const response = await client.get(discovery, HEAD)
  const { status, head } = response
  if (status === 200 && ADVERTISEMENT.test(head.toString('latin1'))) {
    return answerFound(findNewAddress(response, source))
  }
  if (status === 200) return unknown('its answer is not from a git repository')
  if (!ABSENT.has(status) && !HIDDEN.has(status)) return unknown(`it answered ${status}`)
  const page = await queryPage(address, client)
  if (page.kind === 'absent') return { kind: 'deleted' }
  return page.kind === 'unknown' ? page : unknown(`it has a page, but answers git with ${status}`)
}

/** Checks whether a source still exists; an unclear answer is `unknown`, with the reason. */
export const querySource = async (
  source: SourceLocation,
  client: Client,
): Promise<SourceAnswer> => {
  try {
    return source.suffix === undefined
      ? await queryPage(source.address, client)
      : await queryRepository(source, client)
  } catch (error) {
    if (error instanceof NoAnswerError) return unknown(error.message)
    throw error
  }
}
