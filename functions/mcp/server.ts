import { McpServer } from '@modelcontextprotocol/server'
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills'
import { z } from 'zod'
import { DEFAULT_SORT } from '../../src/catalog/browse.ts'
import { CATEGORIES } from '../../src/catalog/categories.ts'
import { SLUG_RULE, isSlug } from '../../src/catalog/text.ts'
import { categoryPath, skillPath, twinPath } from '../../src/documents/paths.ts'
import type { ServedSite } from '../site.ts'
import { readBody } from '../store.ts'
import { findNearestSkills } from '../named-skills.ts'
import { openSkillSource } from './skill-source.ts'

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
  const asked = { q: query, sort: DEFAULT_SORT, categories, limit, offset }
  const { skills, total } = await search.find(asked)
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
        install: `npx skills add ${page}`,
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
    })),
  }
}

/** Returns the page of a skill in Markdown. */
const getSkill = async (slug: string, site: ServedSite) => {
  const { slugs } = await site.moves()
  const now = Object.hasOwn(slugs, slug) ? slugs[slug]! : slug
  const file = await site.store.read(`public${twinPath(skillPath(now))}`)
  if (file) {
    const text = new TextDecoder().decode(await readBody(await file.body()))
    return { content: [{ type: 'text' as const, text }] }
  }
  const { skills } = await findNearestSkills(slug, site)
  const nearest = skills.map((one) => one.slug).join(', ')
  return refuse(
    `No skill has the slug "${slug}".${nearest === '' ? '' : ` Near it: ${nearest}.`} Slugs come from search_skills.`,
  )
}

/** Makes a read-only server of one site for one request. */
export const createMcpServer = (site: ServedSite, siteName: string): McpServer => {
  const server = new McpServer(
    { name: siteName, version: VERSION },
    {
      instructions:
        'A public, read-only registry of agent skills. Search by the words of a task, read a skill before you use it, and tell the user what its findings say before you install it.',
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
    async (asked) => give(await searchSkills(asked, site)),
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
