import { byUpdated } from '../catalog/browse.ts'
import { pageDayOf } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { writeMissingDocument } from './answered/missing.ts'
import type { ApiDescription } from './api-page.ts'
import { writeApiDocument } from './api-page.ts'
import type { Document, DocumentKind, DocumentPlan, Section } from './document.ts'
import { planListings, postEntry, categoryEntries } from './listings.ts'
import { skillEntry } from './entries.ts'
import {
  postPath,
  prosePath,
  skillPath,
  API_DOCS_PATH,
  BLOG_PATH,
  HOME_PATH,
  NOT_FOUND_PATH,
  LISTING_API_PATH,
  LLMS_PATH,
  OPENAPI_PATH,
  SAFETY_DOCS_PATH,
  SKILLS_PATH,
} from './paths.ts'
import { writeSafetyDocument } from './safety-page.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'
import { escapeMarkdown } from './escape.ts'
import { countOf } from '../catalog/text.ts'
import { installCommand } from './install.ts'
import type { Prose } from '../catalog/load.ts'
import { shiftHeadings } from './prose.ts'

/**
 * Plans every page of the site except those of skills, the not-found page last. Twins, HTML and sitemap all
 * walk this list, so none can have a page that another lacks.
 */
export function* planSitePages(site: Site, api: ApiDescription): Generator<DocumentPlan> {
  const { catalog } = site
  yield { kind: 'home', path: HOME_PATH, write: () => writeHomeDocument(site) }
  yield* planListings(site)
  yield { kind: 'blog', path: BLOG_PATH, write: () => writeBlogDocument(site) }
  for (const post of catalog.posts) {
    yield { kind: 'post', path: postPath(post.slug), write: () => writePostDocument(site, post) }
  }
  const latest = latestDay(site.listed.map(pageDayOf))
  // The lowest id stays when others come.
  const skill = site.listed.reduce((least, { id }) => Math.min(least, id), Infinity)
  yield {
    kind: 'reference',
    path: API_DOCS_PATH,
    write: () => writeApiDocument(api, { updated: latest, skill: skill < Infinity ? skill : 1 }),
  }
  yield { kind: 'prose', path: SAFETY_DOCS_PATH, write: () => writeSafetyDocument() }
  for (const page of catalog.pages) {
    yield { kind: 'prose', path: prosePath(page.slug), write: () => writePageDocument(site, page) }
  }
  yield {
    kind: 'missing',
    path: NOT_FOUND_PATH,
    write: () => writeMissingDocument(catalog.site.name),
  }
}

const RECENT_SKILLS = 8
const RECENT_POSTS = 3

const writeAgentHelp = (site: Site): string => {
  const { origin } = site
  const [example] = site.listed
  const page = example ? `${origin}${skillPath(example.slug)}` : `${origin}${SKILLS_PATH}`
  return [
    `Every page is Markdown too: ask with \`Accept: text/markdown\`, or add \`.md\` to the address. The [API](${API_DOCS_PATH}) needs no key.`,
    '',
    '```sh',
    `curl -H "Accept: text/markdown" ${page}`,
    `curl "${origin}${LISTING_API_PATH}?q=code+review&limit=5"`,
    '```',
    '',
    `Machines start at [llms.txt](${LLMS_PATH}) or the [OpenAPI description](${OPENAPI_PATH}).`,
  ].join('\n')
}

const writeInstallHelp = (site: Site): string => {
  const [example] = site.listed
  const line = example ? `\n\n\`\`\`sh\n${installCommand(example, site.origin)}\n\`\`\`` : ''
  return `A skill is a folder with a SKILL.md that a coding assistant loads when a task fits. Each skill's page has one line that puts it in place; read [what the scan found](${SAFETY_DOCS_PATH}) first.${line}`
}

const byDay = (a: SkillFacts, b: SkillFacts): number => byUpdated(a, b) || b.id - a.id

/** Lists the skills that changed last, the latest first, without sorting all. */
const listLatest = (skills: readonly SkillFacts[], count: number): SkillFacts[] => {
  const latest: SkillFacts[] = []
  for (const skill of skills) {
    const last = latest[count - 1]
    if (last && byDay(skill, last) > 0) continue
    latest.push(skill)
    latest.sort(byDay).splice(count)
  }
  return latest
}

/** Writes the start page: what the registry is, its categories, what is new, how to use it. */
const writeHomeDocument = (site: Site): Document => {
  const { catalog, listed } = site
  const recent = listLatest(listed, RECENT_SKILLS)
  return {
    kind: 'home',
    path: HOME_PATH,
    heading: catalog.site.name,
    lead: [catalog.site.tagline],
    description: catalog.site.description.replace(/\s+/g, ' '),
    updated: latestDay([...listed.map(pageDayOf), ...catalog.posts.map(({ updated }) => updated)]),
    isIndexable: true,
    facts: [
      { label: 'Skills', value: String(listed.length), path: SKILLS_PATH },
      { label: 'Authors', value: String(site.byAuthor.size) },
    ],
    sections: [
      {
        id: 'about-the-registry',
        heading: 'What this is',
        markdown: escapeMarkdown(catalog.site.description),
      },
      {
        id: 'categories',
        heading: 'Categories',
        markdown: '',
        entries: categoryEntries(site),
      },
      {
        id: 'recently-updated',
        heading: 'Recently updated',
        markdown: '',
        entries: recent.map(skillEntry),
      },
      { id: 'install-a-skill', heading: 'Install a skill', markdown: writeInstallHelp(site) },
      { id: 'for-agents', heading: 'For agents and scripts', markdown: writeAgentHelp(site) },
      ...(catalog.posts.length > 0
        ? [
            {
              id: 'from-the-blog',
              heading: 'From the blog',
              markdown: '',
              entries: catalog.posts.slice(0, RECENT_POSTS).map(postEntry),
            },
          ]
        : []),
    ],
  }
}

/** Stands in the registry's own prose for the origin of the site, which the same content may have another of. */
const ORIGIN = '{origin}'

const writeProse = (
  { origin }: Site,
  prose: Prose,
  kind: DocumentKind,
  path: string,
): Document => ({
  kind,
  path,
  heading: prose.title,
  lead: [prose.description],
  description: prose.description,
  updated: prose.updated,
  isIndexable: true,
  facts: [],
  sections: [{ id: 'text', markdown: shiftHeadings(prose.markdown.replaceAll(ORIGIN, origin), 1) }],
  work: { published: prose.date, modified: prose.updated },
})

const POSTS_BELOW = 5

/** The other posts, the newest first; where there is none, no list of them. */
const listOthers = ({ catalog }: Site, post: Prose): Section[] => {
  const others = catalog.posts.filter(({ slug }) => slug !== post.slug).slice(0, POSTS_BELOW)
  return others.length > 0
    ? [{ id: 'more', heading: 'Other posts', markdown: '', entries: others.map(postEntry) }]
    : []
}

const writePostDocument = (site: Site, post: Prose): Document => {
  const document = writeProse(site, post, 'post', postPath(post.slug))
  const author = post.author ?? site.catalog.site.name
  return {
    ...document,
    facts: [
      { label: 'Author', value: author },
      { label: 'Published', value: post.date },
      ...(post.updated === post.date ? [] : [{ label: 'Updated', value: post.updated }]),
    ],
    sections: [...document.sections, ...listOthers(site, post)],
    work: { ...document.work, author },
  }
}

const writePageDocument = (site: Site, page: Prose): Document =>
  writeProse(site, page, 'prose', prosePath(page.slug))

const writeBlogDocument = ({ catalog }: Site): Document => ({
  kind: 'blog',
  path: BLOG_PATH,
  heading: 'Blog',
  lead: ['How the registry works, and how to get the most out of it.'],
  description: `${countOf(catalog.posts.length, 'post')} about the registry, its search and writing skills that are found.`,
  updated: latestDay(catalog.posts.map(({ updated }) => updated)),
  isIndexable: true,
  facts: [],
  sections: [
    { id: 'posts', heading: 'Posts', markdown: '', entries: catalog.posts.map(postEntry) },
  ],
})
