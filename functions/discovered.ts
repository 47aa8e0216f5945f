import { skillNotFound } from '../src/api/errors.ts'
import { DISCOVERY_PATH, renderDiscovery } from '../src/api/discovery.ts'
import type { DiscoveryEntry } from '../src/api/discovery.ts'
import { PATHS, authorPath, skillPath } from '../src/documents/paths.ts'
import { ALL_SKILLS, SLUG, readJson, refuseWithdrawn } from './site.ts'
import type { ServedSite } from './site.ts'
import { readText } from './store.ts'

/** Names an index: of a skill, by slug or id, or of an author. */
export type Discovery = { slug: string } | { id: number } | { author: string }

/** Reads a skill's entry from its index. Undefined if the skill does not exist or its text is not in the registry. */
export const readEntry = async (
  slug: string,
  { store }: ServedSite,
): Promise<DiscoveryEntry | undefined> => {
  if (!SLUG.test(slug)) return undefined
  const name = `public${skillPath(slug)}${DISCOVERY_PATH}`
  return (await readJson<{ skills: DiscoveryEntry[] }>(store, name))?.skills[0]
}

/** Maximum number of skills examined for an author without an index. At most one of these skills has an entry. */
const SKILLS_EXAMINED = 100

/** Reads an author's index, or makes it if only one of the author's skills has an entry. */
const readAuthor = async (author: string, site: ServedSite): Promise<string | undefined> => {
  const stored = await site.store.read(`public${authorPath(author)}${DISCOVERY_PATH}`)
  if (stored) return readText(stored)
  const search = await site.search()
  const { skills } = await search.find({ ...ALL_SKILLS, author, limit: SKILLS_EXAMINED })
  const entries = await Promise.all(skills.map(({ slug }) => readEntry(slug, site)))
  const known = entries.filter((entry) => entry !== undefined)
  return known.length > 0 ? renderDiscovery(known) : undefined
}

/**
 * Finds an index, or its new address if another skill has replaced this one. Undefined if there is neither. Throws
 * WITHDRAWN, and SKILL_NOT_FOUND for an unknown id, since an address with an id belongs to the API.
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
