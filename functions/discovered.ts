import { skillNotFound, unavailable } from '../src/api/errors.ts'
import { DISCOVERY_PATH, renderDiscovery } from '../src/api/discovery.ts'
import type { DiscoveryEntry } from '../src/api/discovery.ts'
import { PATHS, authorPath, skillPath } from '../src/documents/paths.ts'
import { SLUG } from './site.ts'
import type { ServedSite } from './site.ts'
import { readBody } from './store.ts'

/** A requested index: of a skill by slug or id, or of an author. */
export type Discovery = { slug: string } | { id: number } | { author: string }

/** Reads the entries of an index of the build; empty if there is no such file. Throws UNAVAILABLE if it is damaged. */
export const readEntries = async (
  name: string,
  { store }: ServedSite,
): Promise<readonly DiscoveryEntry[]> => {
  const file = await store.read(name)
  if (!file) return []
  try {
    const bytes = await readBody(await file.body())
    const { skills } = JSON.parse(new TextDecoder().decode(bytes)) as { skills: DiscoveryEntry[] }
    if (!skills.every((entry) => typeof entry.name === 'string' && Array.isArray(entry.files)))
      throw new Error('no build writes it so')
    return skills
  } catch (cause) {
    throw unavailable(new Error(`${name} cannot be read: ${String(cause)}`, { cause }))
  }
}

/**
 * Reads the entry of a skill. Undefined if the skill or its text is not here. Throws UNAVAILABLE
 * if its index is damaged.
 */
export const readEntry = async (
  slug: string,
  site: ServedSite,
): Promise<DiscoveryEntry | undefined> => {
  if (!SLUG.test(slug)) return undefined
  const [entry] = await readEntries(`public${skillPath(slug)}${DISCOVERY_PATH}`, site)
  return entry
}

/** Most skills examined of an author without an index; at most one of them has an entry. */
const SKILLS_EXAMINED = 100

/** Reads the index of an author, or makes it from that of the only skill that has one. */
const readAuthor = async (author: string, site: ServedSite): Promise<string | undefined> => {
  const printed = await site.store.read(`public${authorPath(author)}${DISCOVERY_PATH}`)
  if (printed) return new TextDecoder().decode(await readBody(await printed.body()))
  const search = await site.search()
  const everything = { sort: 'popular', categories: [], offset: 0 } as const
  const { skills } = await search.find({ ...everything, author, limit: SKILLS_EXAMINED })
  const entries = await Promise.all(skills.map(({ slug }) => readEntry(slug, site)))
  const known = entries.filter((entry) => entry !== undefined)
  return known.length > 0 ? renderDiscovery(known) : undefined
}

/**
 * Finds an index, or its new address if the skill has moved. Undefined if there is neither. Throws
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
  const moves = await site.moves()
  if ('id' in discovery) {
    const { id } = discovery
    const next = moves.ids[id]
    if (next !== undefined) return { location: `${PATHS.download}/${next}${DISCOVERY_PATH}` }
    const download = await site.findDownload(id)
    const entry = download && (await readEntry(download.slug, site))
    if (!entry) throw skillNotFound(String(id))
    return { text: renderDiscovery([entry]) }
  }
  const { slug } = discovery
  const entry = await readEntry(slug, site)
  if (entry) return { text: renderDiscovery([entry]) }
  const next = Object.hasOwn(moves.slugs, slug) ? moves.slugs[slug] : undefined
  if (next === undefined) return undefined
  return { location: `${skillPath(next)}${DISCOVERY_PATH}` }
}
