import type { Sort } from '../catalog/browse.ts'
import type { ListedSkill } from '../catalog/skill.ts'
import { CONTROL_CHARACTERS, showValue } from '../catalog/text.ts'
import { CLAWHUB_API_PATH, CLAWHUB_PATH } from '../documents/paths.ts'
import type { DiscoveryEntry } from './discovery.ts'
import { ApiError } from './errors.ts'
import { DEFAULT_LIMIT, LISTING_PARAMETERS, OFFSET, parseQuery } from './query.ts'
import type { ParameterReader } from './query.ts'

/* Requests and answers of the ClawHub CLI (0.23.3), which prints the body of an error as it is. */

/** A request about one skill. */
export interface ClawhubSkillRequest {
  what: 'skill' | 'resolve' | 'download'
  slug: string
  owner?: string | undefined
  version?: string | undefined
}

/** A request of the ClawHub CLI with its defaults filled in. */
export type ClawhubRequest =
  | { what: 'search'; q: string; limit: number; isExact: boolean }
  | { what: 'list'; prefix: string; sort: Sort; limit: number; offset: number }
  | ClawhubSkillRequest

const refuse =
  (name: string, hint: string) =>
  (text: string): ApiError =>
    new ApiError('BAD_REQUEST', `${name} ${showValue(text)} is not allowed.`, hint)

const readText = (name: string): ParameterReader<string> => ({
  read: (text) => (text.trim() === '' || CONTROL_CHARACTERS.test(text) ? undefined : text.trim()),
  refuse: refuse(name, `Give ${name} as UTF-8, not blank and without control characters.`),
})

const readChoice = <Value>(
  name: string,
  values: Readonly<Record<string, Value>>,
): ParameterReader<Value> => ({
  read: (text) => (Object.hasOwn(values, text) ? values[text] : undefined),
  refuse: refuse(name, `Allowed values: ${Object.keys(values).join(', ')}.`),
})

/** Sort orders of the CLI. We have none by day or by stars; those become `popular`. */
const SORTS: Readonly<Record<string, Sort>> = {
  createdAt: 'popular',
  updated: 'popular',
  stars: 'popular',
  trending: 'popular',
  downloads: 'installs',
  installs: 'installs',
}

const { q, limit, offset } = LISTING_PARAMETERS
const ownerHandle = readText('ownerHandle')
const slug = readText('slug')

/** The parameters of each address, in the order their values are checked. */
const PARAMETERS = {
  search: { q, limit, mode: readChoice('mode', { exact: true }) },
  list: { prefix: q, sort: readChoice('sort', SORTS), limit, cursor: offset },
  skill: { ownerHandle },
  resolve: { slug, ownerHandle, hash: readText('hash') },
  download: { slug, ownerHandle, version: readText('version') },
} as const

export const noClawhubAddress = (path: string): ApiError =>
  new ApiError(
    'NOT_FOUND',
    `There is nothing at ${showValue(path)}.`,
    `Below ${CLAWHUB_API_PATH} are search, skills, skills/{slug}, resolve and download.`,
  )

const namedSkill = (
  what: ClawhubSkillRequest['what'],
  { slug: named, ownerHandle: owner, version }: Record<string, string | undefined>,
): ClawhubSkillRequest => {
  if (named === undefined)
    throw new ApiError('BAD_REQUEST', 'No skill is named.', 'Name one by slug.')
  return { what, slug: named, owner: owner?.replace(/^@+/, ''), version }
}

/**
 * Parses a request from the decoded path segments below the API's address and the raw query string. Throws NOT_FOUND,
 * or the errors of `parseQuery`.
 */
export const parseClawhub = (segments: readonly string[], rawQuery: string): ClawhubRequest => {
  const [room, name] = segments
  const address = segments.length === 1 ? room : segments.length === 2 && `${room}/`
  switch (address) {
    case 'search': {
      const asked = parseQuery(rawQuery, PARAMETERS.search)
      const { q: words = '', limit: most = DEFAULT_LIMIT, mode = false } = asked
      return { what: 'search', q: words, limit: most, isExact: mode }
    }
    case 'skills': {
      const asked = parseQuery(rawQuery, PARAMETERS.list)
      return {
        what: 'list',
        prefix: asked.prefix?.trim().toLowerCase() ?? '',
        sort: asked.sort ?? 'popular',
        limit: asked.limit ?? DEFAULT_LIMIT,
        offset: asked.cursor ?? OFFSET.minimum,
      }
    }
    case 'skills/':
      return namedSkill('skill', { ...parseQuery(rawQuery, PARAMETERS.skill), slug: name })
    case 'resolve':
    case 'download':
      return namedSkill(address, parseQuery(rawQuery, PARAMETERS[address]))
    default:
      throw noClawhubAddress(`${CLAWHUB_API_PATH}/${segments.join('/')}`)
  }
}

/** What is known about a skill besides its row; undefined if its text is not in its zip. */
type Known = Pick<DiscoveryEntry, 'updated' | 'licence'> | undefined

/** The CLI updates to a greater semver version, so the day of the last change is written as one, without leading zeros. */
export const versionOf = (known: Known): string =>
  known?.updated === undefined ? '0.0.1' : known.updated.split('-').map(Number).join('.')

const millisecondsOf = (known: Known): number =>
  known?.updated === undefined ? 0 : Date.parse(`${known.updated}T00:00:00Z`)

/** The CLI prints "MIT-0" for every skill, so the real licence goes into the summary, which it prints as sent. */
const summarize = (description: string, known: Known): string =>
  known?.licence === undefined ? description : `${description} Licence: ${known.licence}.`

const describeOwner = (author: string) => ({ handle: author, displayName: author, image: null })

const describeVersion = (known: Known) => ({
  version: versionOf(known),
  createdAt: millisecondsOf(known),
  changelog: '',
})

const describeSkill = (named: string, displayName: string, description: string, known: Known) => ({
  slug: named,
  displayName,
  summary: summarize(description, known),
  tags: { latest: versionOf(known) },
  stats: {},
  createdAt: millisecondsOf(known),
  updatedAt: millisecondsOf(known),
})

/** Renders search results. The CLI wants a score; ours only reflects the order. */
export const renderClawhubResults = (rows: readonly ListedSkill[]): string =>
  JSON.stringify({
    results: rows.map(({ slug: named, name, description, author, installs }, place) => ({
      slug: named,
      displayName: name,
      summary: description,
      score: 1 / (place + 1),
      ownerHandle: author,
      owner: describeOwner(author),
      downloads: installs,
    })),
  })

/** Renders a page of a list; `next` is the offset of the one after it. */
export const renderClawhubList = (
  rows: readonly { row: ListedSkill; known: Known }[],
  next: number | undefined,
): string =>
  JSON.stringify({
    items: rows.map(({ row, known }) =>
      Object.assign(describeSkill(row.slug, row.name, row.description, known), {
        latestVersion: describeVersion(known),
      }),
    ),
    nextCursor: next === undefined ? null : String(next),
  })

/** Renders one skill. Moderation is null: otherwise the CLI would refuse skills marked for review, in words that are not ours. */
export const renderClawhubSkill = (entry: DiscoveryEntry): string =>
  JSON.stringify({
    skill: describeSkill(entry.name, entry.name, entry.description, entry),
    latestVersion: describeVersion(entry),
    metadata: null,
    owner: describeOwner(entry.author),
    moderation: null,
  })

/** Renders the current version; the CLI knows which one is installed. */
export const renderClawhubVersion = (entry: DiscoveryEntry): string =>
  JSON.stringify({ match: null, latestVersion: { version: versionOf(entry) } })

/** Renders the file in which the CLI looks up the address of the API. */
export const renderClawhubFile = (origin: string): string =>
  `${JSON.stringify({ apiBase: origin + CLAWHUB_PATH, minCliVersion: '0.1.0' })}\n`
