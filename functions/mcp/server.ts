import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import {
  SkillCatalogError,
  SkillsExtension,
  skillEntry,
} from '@modelcontextprotocol/server/ext/skills'
import type { SkillReadResult, SkillSource } from '@modelcontextprotocol/server/ext/skills'
import { z } from 'zod'
import { answerBytes } from '../answers.ts'
import type { Answer } from '../answers.ts'
import { readEntries, readEntry } from '../discovered.ts'
import { findNearestSkills } from '../pages.ts'
import { BODY_LIMIT, MCP_ALLOW, MCP_PATH } from '../route.ts'
import type { SiteRequest } from '../route.ts'
import type { ServedSite } from '../site.ts'
import { rawTypeOf, readBody } from '../store.ts'
import { DISCOVERY_PATH } from '../../src/api/discovery.ts'
import type { DiscoveryEntry } from '../../src/api/discovery.ts'
import { POLICIES } from '../../src/api/policies.ts'
import { DEFAULT_SORT } from '../../src/catalog/browse.ts'
import { CATEGORIES } from '../../src/catalog/categories.ts'
import { SKILL_MD } from '../../src/catalog/skill.ts'
import { SLUG_RULE, isSlug } from '../../src/catalog/text.ts'
import { categoryPath, skillFilePath, skillPath, twinPath } from '../../src/documents/paths.ts'

/** Popular skills in a listing after the starter set; `get` and `read` find all skills. */
const LISTED = 500

/** Skills on one page of the listing. Each costs two file reads. */
const PAGE = 25

/** Largest file that is sent, in bytes; a larger one is answered by its address. */
const SENT_LIMIT = 512 * 1024

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

/** Says where a file that is too large to be sent can be downloaded. */
const referTo = (path: string, size: number, { origin }: ServedSite): string =>
  `This file has ${size} bytes; at most ${SENT_LIMIT} are sent here. Download it from ${origin}${path}`

/**
 * Describes a skill with the digests of its index. Undefined if its SKILL.md is too large to be sent or breaks a rule
 * of the extension, such as a name that differs from its folder's.
 */
const describe = async (entry: DiscoveryEntry, site: ServedSite): Promise<Skill | undefined> => {
  const { name: slug, files } = entry
  const file = await readFile(slug, SKILL_MD, site)
  if (!file || file.size > SENT_LIMIT) return undefined
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
const openSkillSource = (site: ServedSite): SkillSource => ({
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
    if (file.size > SENT_LIMIT) {
      const text = referTo(skillFilePath(named.slug, named.path), file.size, site)
      return { text, mimeType: 'text/plain; charset=utf-8' }
    }
    return toResult(await readBody(await file.body()), await rawTypeOf(named.path, file))
  },
})

const VERSION = '1.0.0'

/** Most results of one search. */
const MOST_RESULTS = 50
const LONGEST_QUERY = 1_000

/** No tool changes anything, and equal calls give equal results until the next build. */
const READ_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const

const CATEGORY = z.enum(CATEGORIES)

const SEARCHED = z.object({
  query: z
    .string()
    .max(LONGEST_QUERY)
    .optional()
    .describe('Words of the task; left out, the popular skills are listed'),
  category: CATEGORY.optional().describe('Only skills of this category'),
  limit: z.number().int().min(1).max(MOST_RESULTS).default(10),
  offset: z.number().int().min(0).max(1_000_000).default(0),
})

const FOUND = z.object({
  skills: z.array(
    z.object({
      slug: z.string(),
      name: z.string(),
      author: z.string(),
      category: z.string(),
      description: z.string(),
      page: z.url(),
      install: z.string(),
    }),
  ),
  total: z.number().int(),
})

const COUNTED = z.object({
  categories: z.array(z.object({ name: z.string(), skills: z.number().int(), page: z.url() })),
})

const give = <Result extends object>(result: Result) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(result) }],
  structuredContent: { ...result },
})

const refuse = (text: string) => ({ content: [{ type: 'text' as const, text }], isError: true })

const searchSkills = async (
  { query, category, limit, offset }: z.infer<typeof SEARCHED>,
  site: ServedSite,
): Promise<z.infer<typeof FOUND>> => {
  const search = await site.search()
  const categories = category ? [category] : []
  const request = { q: query, sort: DEFAULT_SORT, categories, limit, offset }
  const { skills, total } = await search.find(request)
  return {
    skills: skills.map(({ slug, name, author, category: of, description }) => {
      const page = site.origin + skillPath(slug)
      return {
        slug,
        name,
        author,
        category: of,
        description,
        page,
        install: `npx skills add ${page} -y`,
      }
    }),
    total,
  }
}

const countCategories = async (site: ServedSite): Promise<z.infer<typeof COUNTED>> => {
  const search = await site.search()
  const everything = { sort: DEFAULT_SORT, categories: [], limit: 1, offset: 0 } as const
  const { categoryCounts } = await search.findPage(everything)
  return {
    categories: CATEGORIES.map((name, at) => ({
      name,
      skills: categoryCounts[at] ?? 0,
      page: site.origin + categoryPath(name),
    })).filter(({ skills }) => skills > 0),
  }
}

/** Returns the page of a skill in Markdown. */
const getSkill = async (slug: string, site: ServedSite) => {
  const { slugs } = await site.moves()
  const now = Object.hasOwn(slugs, slug) ? slugs[slug]! : slug
  const path = twinPath(skillPath(now))
  const file = await site.store.read(`public${path}`)
  if (file) {
    const text =
      file.size > SENT_LIMIT
        ? referTo(path, file.size, site)
        : new TextDecoder().decode(await readBody(await file.body()))
    return { content: [{ type: 'text' as const, text }] }
  }
  const { skills } = await findNearestSkills(slug, site)
  const nearest = skills.map((one) => one.slug).join(', ')
  return refuse(
    `No skill has the slug "${slug}".${nearest === '' ? '' : ` Near it: ${nearest}.`} Slugs come from search_skills.`,
  )
}

/** Makes a read-only server of one site for one request. */
const createMcpServer = (site: ServedSite, siteName: string): McpServer => {
  const server = new McpServer(
    { name: siteName, version: VERSION },
    {
      instructions: `A ${site.isPrivate ? 'private' : 'public'}, read-only registry of agent skills. Search by the words of a task, read a skill before you use it, and tell the user what its findings say before you install it.`,
    },
  )
  server.registerTool(
    'search_skills',
    {
      title: 'Search skills',
      description: 'Find skills by the words of a task, the best first.',
      inputSchema: SEARCHED,
      outputSchema: FOUND,
      annotations: READ_ONLY,
    },
    async (input) => give(await searchSkills(input, site)),
  )
  server.registerTool(
    'get_skill',
    {
      title: 'Read a skill',
      description:
        'The page of a skill in Markdown: what it does and needs, what a scan found in it, how to install it, and its whole text.',
      inputSchema: z.object({
        slug: z.string().refine(isSlug, SLUG_RULE),
      }),
      annotations: READ_ONLY,
    },
    async ({ slug }) => getSkill(slug, site),
  )
  server.registerTool(
    'list_categories',
    {
      title: 'List categories',
      description: 'The categories of the registry, and how many skills each has.',
      inputSchema: z.object({}),
      outputSchema: COUNTED,
      annotations: READ_ONLY,
    },
    async () => give(await countCategories(site)),
  )
  new SkillsExtension({ source: openSkillSource(site), onWarning: () => undefined }).attach(server)
  return server
}

/** Whether a body is a JSON array; a message is an object. */
const isBatch = (body: Uint8Array): boolean =>
  new TextDecoder().decode(body).trimStart().startsWith('[')

/** Refuses a batch, which the protocol no longer has and which could ask for many files at once. */
const refuseBatch = (): Answer => {
  const message =
    'Invalid Request: a batch is not answered; send each message in a request of its own'
  const refusal = { jsonrpc: '2.0', error: { code: -32600, message }, id: null }
  return answerBytes(JSON.stringify(refusal), 400, {
    ...POLICIES.mcp.headers,
    'Content-Type': 'application/json',
  })
}

type Handle = McpHttpHandler['fetch']

const handlers = new WeakMap<ServedSite, Promise<Handle>>()

/** Answers the older protocol as JSON; the library itself would always send an event stream. */
const handleOlder = async (request: Request, server: McpServer): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: BODY_LIMIT,
  })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request)
  } finally {
    await server.close()
  }
}

const openHandler = async (site: ServedSite): Promise<Handle> => {
  const { siteName } = await site.answered()
  const newer = createMcpHandler(() => createMcpServer(site, siteName), {
    // No streams: the site changes only by a build, and each stream would hold a connection.
    maxSubscriptions: 0,
    maxRequestBodySize: BODY_LIMIT,
  })
  return async (request) =>
    request.method === 'POST' && (await isLegacyRequest(request))
      ? handleOlder(request, createMcpServer(site, siteName))
      : newer.fetch(request)
}

const findHandler = (site: ServedSite): Promise<Handle> => {
  const known = handlers.get(site) ?? openHandler(site)
  handlers.set(site, known)
  known.catch(() => handlers.delete(site))
  return known
}

const TAKES_JSON = /(?:application|\*)\/(?:json|\*)/i

/** Adds event streams, which the library requires in Accept although every answer is JSON. */
const widenAccept = (accept = '*/*'): string =>
  TAKES_JSON.test(accept) ? 'application/json, text/event-stream' : accept

/** Answers a request of the Model Context Protocol (streamable HTTP, stateless) from one finished build. */
export const answerMcp = async (
  { method, posted }: SiteRequest,
  site: ServedSite,
): Promise<Answer> => {
  if (posted && posted.body === undefined)
    return answerBytes(
      `The body is larger than ${BODY_LIMIT} bytes.\n`,
      413,
      POLICIES.plain.headers,
    )
  if (posted?.body && isBatch(posted.body)) return refuseBatch()
  const handle = await findHandler(site)
  const response = await handle(
    new Request(site.origin + MCP_PATH, {
      method: method === 'HEAD' ? 'GET' : method,
      headers: { ...posted?.headers, accept: widenAccept(posted?.headers['accept']) },
      ...(posted?.body ? { body: posted.body } : {}),
    }),
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  const type = response.headers.get('Content-Type')
  return answerBytes(bytes, response.status, {
    ...POLICIES.mcp.headers,
    ...(type === null ? {} : { 'Content-Type': type }),
    ...(response.status === 405 ? { Allow: MCP_ALLOW } : {}),
  })
}
