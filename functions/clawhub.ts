import { readEntry } from './discovered.ts'
import { SLUG } from './site.ts'
import type { ServedSite } from './site.ts'
import type { DiscoveryEntry } from '../src/api/discovery.ts'
import { ApiError } from '../src/api/errors.ts'
import { DEFAULT_LIMIT, LISTING_PARAMETERS, OFFSET, parseQuery } from '../src/api/query.ts'
import type { ParameterReader } from '../src/api/query.ts'
import { DEFAULT_SORT, compareCodePoints } from '../src/catalog/browse.ts'
import type { Sort } from '../src/catalog/browse.ts'
import { CONTROL_CHARACTERS, showValue } from '../src/catalog/text.ts'
import { PATHS, skillPath } from '../src/documents/paths.ts'
import type { SearchBackend } from '../src/search/index.ts'

/* Requests and answers of the ClawHub CLI (0.23.3), which prints the body of an error as it is. */

/** A request about one skill. */
interface ClawhubSkillRequest {
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

const refuseValue =
  (name: string, hint: string) =>
  (text: string): ApiError =>
    new ApiError('BAD_REQUEST', `${name} ${showValue(text)} is not allowed.`, hint)

const readText = (name: string): ParameterReader<string> => ({
  read: (text) => (text.trim() === '' || CONTROL_CHARACTERS.test(text) ? undefined : text.trim()),
  refuse: refuseValue(name, `Give ${name} as UTF-8, not blank and without control characters.`),
})

const readChoice = <Value>(
  name: string,
  values: Readonly<Record<string, Value>>,
): ParameterReader<Value> => ({
  read: (text) => (Object.hasOwn(values, text) ? values[text] : undefined),
  refuse: refuseValue(name, `Allowed values: ${Object.keys(values).join(', ')}.`),
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

const { q: QUERY, limit: LIMIT, offset: CURSOR } = LISTING_PARAMETERS
const NAMED = { slug: readText('slug'), ownerHandle: readText('ownerHandle') }

/** The parameters of each address, in the order their values are checked. */
const PARAMETERS = {
  search: { q: QUERY, limit: LIMIT, mode: readChoice('mode', { exact: true }) },
  list: { prefix: QUERY, sort: readChoice('sort', SORTS), limit: LIMIT, cursor: CURSOR },
  skill: { ownerHandle: NAMED.ownerHandle },
  resolve: { ...NAMED, hash: readText('hash') },
  download: { ...NAMED, version: readText('version') },
} as const

export const noClawhubAddress = (path: string): ApiError =>
  new ApiError(
    'NOT_FOUND',
    `There is nothing at ${showValue(path)}.`,
    `Below ${PATHS.clawhubApi} are search, skills, skills/{slug}, resolve and download.`,
  )

const namedSkill = (
  what: ClawhubSkillRequest['what'],
  { slug, ownerHandle: owner, version }: Record<string, string | undefined>,
): ClawhubSkillRequest => {
  if (slug === undefined)
    throw new ApiError('BAD_REQUEST', 'No skill is named.', 'Name one by slug.')
  return { what, slug, owner: owner?.replace(/^@+/, ''), version }
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
      const parsed = parseQuery(rawQuery, PARAMETERS.search)
      const { q = '', limit = DEFAULT_LIMIT, mode = false } = parsed
      return { what: 'search', q, limit, isExact: mode }
    }
    case 'skills': {
      const parsed = parseQuery(rawQuery, PARAMETERS.list)
      return {
        what: 'list',
        prefix: parsed.prefix?.trim().toLowerCase() ?? '',
        sort: parsed.sort ?? 'popular',
        limit: parsed.limit ?? DEFAULT_LIMIT,
        offset: parsed.cursor ?? OFFSET.minimum,
      }
    }
    case 'skills/':
      return namedSkill('skill', { ...parseQuery(rawQuery, PARAMETERS.skill), slug: name })
    case 'resolve':
    case 'download':
      return namedSkill(address, parseQuery(rawQuery, PARAMETERS[address]))
    default:
      throw noClawhubAddress(`${PATHS.clawhubApi}/${segments.join('/')}`)
  }
}

/** What is known about a skill besides its row; undefined if its text is not in its zip. */
type Known = Pick<DiscoveryEntry, 'updated' | 'licence'> | undefined

/** The CLI updates to a greater semver version, so the day of the last change is written as one, without leading zeros. */
const versionOf = (known: Known): string =>
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

const describeSkill = (slug: string, displayName: string, description: string, known: Known) => ({
  slug,
  displayName,
  summary: summarize(description, known),
  tags: { latest: versionOf(known) },
  stats: {},
  createdAt: millisecondsOf(known),
  updatedAt: millisecondsOf(known),
})

/** Renders one skill. Moderation is null: otherwise the CLI would refuse skills marked for review, in words that are not ours. */
const renderSkill = (entry: DiscoveryEntry): string =>
  JSON.stringify({
    skill: describeSkill(entry.name, entry.name, entry.description, entry),
    latestVersion: describeVersion(entry),
    metadata: null,
    owner: describeOwner(entry.author),
    moderation: null,
  })

const EVERYTHING = { sort: DEFAULT_SORT, categories: [], offset: 0 } as const

const findResults = async (
  { q, limit, isExact }: Extract<ClawhubRequest, { what: 'search' }>,
  search: SearchBackend,
): Promise<string> => {
  const { skills } = await search.find({ ...EVERYTHING, q, limit })
  const typed = q.trim().toLowerCase()
  // A skill that the query names ranks first, so `limit` never cuts it off.
  const found = skills.filter(
    ({ slug, name }) => !isExact || slug === typed || name.toLowerCase() === typed,
  )
  const results = found.map(({ slug, name, description, author, installs }, place) => ({
    slug,
    displayName: name,
    summary: description,
    // The CLI wants a score; ours only reflects the order.
    score: 1 / (place + 1),
    ownerHandle: author,
    owner: describeOwner(author),
    downloads: installs,
  }))
  return JSON.stringify({ results })
}

/** Binary search in the order of names for the first that is not before `prefix`: some 17 reads for 100,000 skills. */
const findFirst = async (prefix: string, search: SearchBackend): Promise<number> => {
  const look = (offset: number) => search.find({ ...EVERYTHING, sort: 'name', limit: 1, offset })
  let [low, high] = [0, (await look(0)).total]
  while (low < high) {
    const middle = (low + high) >>> 1
    const [row] = (await look(middle)).skills
    if (row && compareCodePoints(row.name.toLowerCase(), prefix) < 0) low = middle + 1
    else high = middle
  }
  return low
}

const findList = async (
  { prefix, sort, limit, offset: from }: Extract<ClawhubRequest, { what: 'list' }>,
  site: ServedSite,
): Promise<string> => {
  const search = await site.search()
  const offset = prefix !== '' && from === 0 ? await findFirst(prefix, search) : from
  const { skills } = await search.find({
    ...EVERYTHING,
    sort: prefix === '' ? sort : 'name',
    limit: limit + 1,
    offset,
  })
  const found = skills.filter(({ name }) => name.toLowerCase().startsWith(prefix))
  const items = found.slice(0, limit).map(async ({ slug, name, description }) => {
    const known = await readEntry(slug, site)
    return Object.assign(describeSkill(slug, name, description, known), {
      latestVersion: describeVersion(known),
    })
  })
  return JSON.stringify({
    items: await Promise.all(items),
    nextCursor: found.length > limit ? String(offset + limit) : null,
  })
}

const refuse = (message: string, hint: string): never => {
  throw new ApiError('SKILL_NOT_FOUND', message, hint)
}

/** Throws the reason why a skill cannot be installed. */
const refuseSkill = async (slug: string, site: ServedSite): Promise<never> => {
  const { slugs } = await site.moves()
  const next = Object.hasOwn(slugs, slug) ? slugs[slug] : undefined
  if (next !== undefined)
    return refuse(`The skill ${showValue(slug)} is now ${showValue(next)}.`, 'Install that.')
  if (SLUG.test(slug) && (await site.store.read(`public${skillPath(slug)}.html`)))
    return refuse(
      `The text of ${showValue(slug)} is not here to install.`,
      `Why, and where its source is or was: ${site.origin}${skillPath(slug)}`,
    )
  return refuse(`There is no skill ${showValue(slug)}.`, 'Look for it with: clawhub search')
}

const findSkill = async (
  { slug, owner, version }: ClawhubSkillRequest,
  site: ServedSite,
): Promise<DiscoveryEntry> => {
  const entry = await readEntry(slug, site)
  if (!entry) return refuseSkill(slug, site)
  if (owner !== undefined && owner.toLowerCase() !== entry.author.toLowerCase())
    return refuse(
      `The skill ${showValue(slug)} is not by ${showValue(owner)}.`,
      `It is by ${showValue(entry.author)}.`,
    )
  if (version !== undefined && version !== versionOf(entry))
    return refuse(
      `There is no version ${showValue(version)} of ${showValue(slug)}.`,
      `The one that is here is ${versionOf(entry)}.`,
    )
  return entry
}

/** Answers a request of the ClawHub CLI with JSON of a list or of one skill, or the address of a zip. Throws ApiError. */
export const findClawhub = async (
  request: ClawhubRequest,
  site: ServedSite,
): Promise<{ list: string } | { one: string } | { zip: string }> => {
  switch (request.what) {
    case 'search':
      return { list: await findResults(request, await site.search()) }
    case 'list':
      return { list: await findList(request, site) }
    case 'skill':
      return { one: renderSkill(await findSkill(request, site)) }
    case 'resolve': {
      // The CLI knows which version is installed.
      const version = versionOf(await findSkill(request, site))
      return { one: JSON.stringify({ match: null, latestVersion: { version } }) }
    }
    case 'download':
      return { zip: (await findSkill(request, site)).url }
  }
}
