import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { SkillCatalogError, skillEntry } from '@modelcontextprotocol/server/ext/skills'
import type { SkillReadResult, SkillSource } from '@modelcontextprotocol/server/ext/skills'
import { DISCOVERY_PATH } from '../../src/api/discovery.ts'
import type { DiscoveryEntry } from '../../src/api/discovery.ts'
import { SKILL_MD } from '../../src/catalog/skill.ts'
import { skillPath } from '../../src/documents/paths.ts'
import { readEntries, readEntry } from '../discovered.ts'
import { rawTypeOf, readBody } from '../store.ts'
import type { ServedSite } from '../site.ts'

/** Popular skills in a listing after the starter set; `get` and `read` find all skills. */
const LISTED = 500

/** Skills on one page of the listing. Each costs two file reads. */
const PAGE = 25

const SCHEME = 'skill://'

type Skill = Awaited<ReturnType<typeof skillEntry>>

const readFile = async (slug: string, path: string, { store }: ServedSite) =>
  store.read(`public${skillPath(slug)}/${path}`)

/** The slug and path in an address such as `skill://csv-clean/references/a%20b.md`. */
const parseAddress = (uri: string): { slug: string; path: string } | undefined => {
  if (!uri.startsWith(SCHEME)) return undefined
  try {
    const [slug = '', ...segments] = uri.slice(SCHEME.length).split('/').map(decodeURIComponent)
    return { slug, path: segments.join('/') }
  } catch {
    return undefined
  }
}

/** Resolves an address to the current slug and the path, since the skill may have moved. */
const findAddress = async (
  uri: string,
  site: ServedSite,
): Promise<{ slug: string; path: string; isMoved: boolean } | undefined> => {
  const named = parseAddress(uri)
  if (!named) return undefined
  const { slugs } = await site.moves()
  const isMoved = Object.hasOwn(slugs, named.slug)
  return { ...named, slug: isMoved ? slugs[named.slug]! : named.slug, isMoved }
}

/**
 * Describes a skill with the digests of its index. Undefined if its SKILL.md breaks a rule of the extension, such as
 * a name that differs from its folder's.
 */
const describe = async (entry: DiscoveryEntry, site: ServedSite): Promise<Skill | undefined> => {
  const { name: slug, files } = entry
  const file = await readFile(slug, SKILL_MD, site)
  if (!file) return undefined
  const skillMd = await readBody(await file.body())
  // Only the front matter is read from the file; sizes and digests are in the index.
  const contents = files.map(({ path }) => [path, path === SKILL_MD ? skillMd : ''] as const)
  try {
    const skill = await skillEntry(slug, Object.fromEntries(contents))
    const known = new Map(files.map((one) => [one.path, one]))
    const resources = Array.isArray(skill.resources) ? skill.resources : []
    return {
      ...skill,
      resources: resources.flatMap(({ uri }) => {
        const one = known.get(parseAddress(uri)?.path ?? '')
        return one ? { uri, size: one.size, digest: `sha256:${one.sha256}` } : []
      }),
    }
  } catch (error) {
    if (error instanceof SkillCatalogError) return undefined
    throw error
  }
}

/** Text unchanged, byte order mark included, so that its digest still matches; everything else as bytes. */
const toResult = (bytes: Uint8Array<ArrayBuffer>, mimeType: string): SkillReadResult => {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    return { text: decoder.decode(bytes), mimeType }
  } catch {
    return { bytes, mimeType }
  }
}

/** The slugs of a listing: the starter set, then the popular ones. */
const listSlugs = async (site: ServedSite): Promise<string[]> => {
  const starter = await readEntries(`public${DISCOVERY_PATH}`, site)
  const search = await site.search()
  const popular = await search.find({ sort: 'popular', categories: [], limit: LISTED, offset: 0 })
  const slugs = [...starter.map(({ name }) => name), ...popular.skills.map(({ slug }) => slug)]
  return [...new Set(slugs)]
}

const describeSlug = async (slug: string, site: ServedSite): Promise<Skill | undefined> => {
  const entry = await readEntry(slug, site)
  return entry && describe(entry, site)
}

/** Makes the source of skills for the Skills extension of MCP (SEP-2640). */
export const openSkillSource = (site: ServedSite): SkillSource => ({
  list: async ({ cursor }) => {
    const offset = /^\d{1,4}$/.test(cursor ?? '') ? Number(cursor) : 0
    const slugs = await listSlugs(site)
    const page = slugs.slice(offset, offset + PAGE)
    const skills = await Promise.all(page.map((slug) => describeSlug(slug, site)))
    const next = offset + PAGE
    return {
      skills: skills.filter((skill) => skill !== undefined),
      ...(next < slugs.length ? { nextCursor: String(next) } : {}),
    }
  },
  get: async (uri) => {
    const named = await findAddress(uri, site)
    if (named?.path !== SKILL_MD) return undefined
    // The extension rejects a skill whose address differs from the requested one.
    if (named.isMoved) {
      const now = `${SCHEME}${named.slug}/${SKILL_MD}`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${uri} is now ${now}`)
    }
    const skill = await describeSlug(named.slug, site)
    return skill?.uri === uri ? skill : undefined
  },
  read: async (uri) => {
    const named = await findAddress(uri, site)
    const entry = named && (await readEntry(named.slug, site))
    if (!named || !entry?.files.some(({ path }) => path === named.path)) return undefined
    const file = await readFile(named.slug, named.path, site)
    if (!file) return undefined
    return toResult(await readBody(await file.body()), await rawTypeOf(named.path, file))
  },
})
