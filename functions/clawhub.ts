import {
  renderClawhubList,
  renderClawhubResults,
  renderClawhubSkill,
  renderClawhubVersion,
  versionOf,
} from '../src/api/clawhub.ts'
import type { ClawhubRequest, ClawhubSkillRequest } from '../src/api/clawhub.ts'
import type { DiscoveryEntry } from '../src/api/discovery.ts'
import { ApiError } from '../src/api/errors.ts'
import { DEFAULT_SORT, compareCodePoints } from '../src/catalog/browse.ts'
import { showValue } from '../src/catalog/text.ts'
import { skillPath } from '../src/documents/paths.ts'
import type { SearchBackend } from '../src/search/index.ts'
import { readEntry } from './discovered.ts'
import { SLUG } from './site.ts'
import type { ServedSite } from './site.ts'

/** JSON of a list or of one skill, or the address of a zip. */
type ClawhubAnswer = { list: string } | { one: string } | { zip: string }

const EVERYTHING = { sort: DEFAULT_SORT, categories: [], offset: 0 } as const

const findResults = async (
  { q, limit, isExact }: Extract<ClawhubRequest, { what: 'search' }>,
  search: SearchBackend,
): Promise<string> => {
  const { skills } = await search.find({ ...EVERYTHING, q, limit })
  const typed = q.trim().toLowerCase()
  // A skill that the query names ranks first, so `limit` never cuts it off.
  const isWanted = ({ slug, name }: { slug: string; name: string }): boolean =>
    !isExact || slug === typed || name.toLowerCase() === typed
  return renderClawhubResults(skills.filter(isWanted))
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
  { prefix, sort, limit, offset: given }: Extract<ClawhubRequest, { what: 'list' }>,
  site: ServedSite,
): Promise<string> => {
  const search = await site.search()
  const offset = prefix !== '' && given === 0 ? await findFirst(prefix, search) : given
  const { skills } = await search.find({
    ...EVERYTHING,
    sort: prefix === '' ? sort : 'name',
    limit: limit + 1,
    offset,
  })
  const wanted = skills.filter(({ name }) => name.toLowerCase().startsWith(prefix))
  const rows = await Promise.all(
    wanted.slice(0, limit).map(async (row) => ({ row, known: await readEntry(row.slug, site) })),
  )
  return renderClawhubList(rows, wanted.length > limit ? offset + limit : undefined)
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

/** Answers a request of the ClawHub CLI. Throws ApiError. */
export const findClawhub = async (
  asked: ClawhubRequest,
  site: ServedSite,
): Promise<ClawhubAnswer> => {
  switch (asked.what) {
    case 'search':
      return { list: await findResults(asked, await site.search()) }
    case 'list':
      return { list: await findList(asked, site) }
    case 'skill':
      return { one: renderClawhubSkill(await findSkill(asked, site)) }
    case 'resolve':
      return { one: renderClawhubVersion(await findSkill(asked, site)) }
    case 'download':
      return { zip: (await findSkill(asked, site)).url }
  }
}
