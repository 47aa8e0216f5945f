import { skillNotFound } from '../src/api/errors.ts'
import { DISCOVERY_PATH, renderDiscovery } from '../src/api/discovery.ts'
import type { DiscoveryEntry } from '../src/api/discovery.ts'
import { PATHS, authorPath, skillPath } from '../src/documents/paths.ts'
import { SLUG, readJson, refuseWithdrawn } from './site.ts'
import type { ServedSite } from './site.ts'
import { readText } from './store.ts'

/** A requested index: of a skill by slug or id, or of an author. */
export type Discovery = { slug: string } | { id: number } | { author: string }

/** Reads the entry of a skill. Undefined if the skill or its text is not here. */
export const readEntry = async (
  slug: string,
  { store }: ServedSite,
): Promise<DiscoveryEntry | undefined> => {
  if (!SLUG.test(slug)) return undefined
  const name = `public${skillPath(slug)}${DISCOVERY_PATH}`
  return (await readJson<{ skills: DiscoveryEntry[] }>(store, name))?.skills[0]
}

/** Most skills examined of an author without an index; at most one of them has an entry. */
const SKILLS_EXAMINED = 100

/** Reads the index of an author, or makes it from that of the only skill that has one. */
const readAuthor = async (author: string, site: ServedSite): Promise<string | undefined> => {
  const printed = await site.store.read(`public${authorPath(author)}${DISCOVERY_PATH}`)
  if (printed) return readText(printed)
  const search = await site.search()
  const everything = { sort: 'popular', categories: [], offset: 0 } as const
  const { skills } = await search.find({ ...everything, author, limit: SKILLS_EXAMINED })
  const entries = await Promise.all(skills.map(({ slug }) => readEntry(slug, site)))
  const known = entries.filter((entry) => entry !== undefined)
  return known.length > 0 ? renderDiscovery(known) : undefined
}

/**
 * Finds an index, or its new address if another skill has the place of this one. Undefined if there is neither. Throws
 * SKILL_NOT_FOUND for an unknown id, since that address belongs to the API.
 */
export const findIndex = async (
  discovery: Discovery,
  site: ServedSite,
): Promise<{ text: string } | { location: string } | undefined> => {
  if ('author' in discovery) {
    const text = await readAuthor(discovery.author, site)
    return text === undefined ? undefined : { text }
  }
  if ('slug' in discovery) {
    const entry = await readEntry(discovery.slug, site)
    if (!entry) refuseWithdrawn(site, discovery.slug)
    return entry && { text: renderDiscovery([entry]) }
  }
  const { id } = discovery
  refuseWithdrawn(site, id)
  const next = site.moves.ids[id]
  if (next !== undefined) return { location: `${PATHS.download}/${next}${DISCOVERY_PATH}` }
  const download = await site.findDownload(id)
  const entry = download && (await readEntry(download.slug, site))
  if (!entry) throw skillNotFound(String(id))
  return { text: renderDiscovery([entry]) }
}
