import { byNewest } from '../catalog/browse.ts'
import { UNKNOWN_DAY, pageDayOf } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { writeMissingDocument } from './on-request/page.ts'
import type { ApiDescription } from './api-page.ts'
import { writeApiDocument } from './api-page.ts'
import type { Document, DocumentKind, DocumentPlan, Fact, Section } from './document.ts'
import {
  docEntries,
  listCategories,
  listTitles,
  pickOnePerAuthor,
  planAuthors,
  planSkills,
  postEntry,
} from './lists/listings.ts'
import { planCategories } from './lists/category-pages.ts'
import { skillEntry } from './lists/entries.ts'
import { PATHS, postPath, prosePath, skillPath, twinPath } from './paths.ts'
import { writeDirectoriesDocument } from './skill/clients.ts'
import { writeSafetyDocument } from './skill/findings.ts'
import { curlOf } from './skill/install.ts'
import { fillGenerated } from './generated.ts'
import { latestDay } from './site.ts'
import { proposalAddress } from './contact.ts'
import type { Site } from './site.ts'
import { Markdown, codeFence, codeSpan, joinBlocks, link, md } from './prose/md.ts'
import { readMarkdown } from '../catalog/markdown.ts'
import { countOf, showNumber, showValue } from '../catalog/text.ts'
import type { Prose } from '../catalog/load.ts'
import { ContentError } from '../catalog/problems.ts'

/**
 * Plans every page of the site except those of skills, the not-found page last. Twins, HTML and sitemap all
 * walk this list, so none can have a page that another lacks.
 */
export function* planSitePages(site: Site, api: ApiDescription): Generator<DocumentPlan> {
  const { catalog } = site
  const shows = { skills: [], pages: 1 }
  yield { kind: 'home', path: PATHS.home, write: () => writeHomeDocument(site) }
  yield* planSkills(site)
  yield* planCategories(site)
  yield* planAuthors(site)
  if (catalog.posts.length > 0)
    yield { kind: 'blog', path: PATHS.blog, shows, write: () => writeBlogDocument(site) }
  for (const post of catalog.posts) {
    const path = postPath(post.slug)
    yield { kind: 'post', path, shows, write: () => writePostDocument(site, post) }
  }
  const updated = latestDay(site.listed.map(pageDayOf))
  // The lowest id stays the same when skills are added.
  const least = site.listed.reduce((id, one) => Math.min(id, one.id), Infinity)
  const skill = least < Infinity ? least : 1
  yield {
    kind: 'reference',
    path: PATHS.apiDocs,
    shows: { ...shows, more: `${updated} ${skill}` },
    write: () =>
      writeApiDocument(api, { updated, skill, isPrivate: catalog.site.private === true }),
  }
  yield { kind: 'prose', path: PATHS.docs, shows, write: () => writeDocsDocument(site) }
  yield { kind: 'prose', path: PATHS.safetyDocs, shows, write: () => writeSafetyDocument() }
  yield { kind: 'prose', path: PATHS.directories, shows, write: writeDirectoriesDocument }
  for (const page of catalog.pages) {
    const path = prosePath(page.slug)
    yield { kind: 'prose', path, shows, write: () => writePageDocument(site, page) }
  }
  yield {
    kind: 'missing',
    path: PATHS.notFound,
    shows,
    write: () => writeMissingDocument(catalog.site.name),
  }
}

const RECENT_SKILLS = 6
const RECENT_POSTS = 3

/** Asks readers for skills, where the contact is a repository. */
const writeProposal = ({ catalog }: Site): Markdown => {
  const address = proposalAddress(catalog.site.contact)
  return address === undefined ? md`` : md` Missing one? ${link('Propose a skill', address)}.`
}

const writeAgentHelp = ({ origin, catalog, isStatic, listed: [example] }: Site): Markdown => {
  const page = example ? skillPath(example.slug) : PATHS.skills
  const curl = curlOf({ isPrivate: catalog.site.private })
  const requests = [
    `${curl} ${origin}${twinPath(page)}`,
    isStatic
      ? `${curl} ${origin}${PATHS.dump}`
      : `${curl} "${origin}${PATHS.listingApi}?q=code+review&limit=5"`,
  ]
  const api = link(isStatic ? 'zips' : 'API', PATHS.apiDocs)
  const access = catalog.site.private ? 'answers as JSON' : 'needs no key'
  const ways = isStatic
    ? md`Every page is Markdown too: add ${codeSpan('.md')} to the address. Programs find all skills in the ${link('dump', PATHS.dump)}, and fetch the ${api}.`
    : md`Every page is Markdown too: ask with ${codeSpan('Accept: text/markdown')}, or add ${codeSpan('.md')} to the address. The ${api} ${access}.`
  return joinBlocks([
    ways,
    codeFence(requests.join('\n'), 'sh'),
    md`Programs can start at ${link('llms.txt', PATHS.llms)} or the ${link('OpenAPI description', PATHS.openapi)}.`,
  ])
}

/** A box for those who have an agent: the line that connects it, and what to say then. */
const writeAgentBox = ({ origin, isStatic, catalog: { site } }: Site): Section => {
  const line = isStatic
    ? `${curlOf({ isPrivate: site.private })} ${origin}${PATHS.llms}`
    : `claude mcp add --transport http skills ${origin}/mcp`
  const more = link('For agents and scripts', '#for-agents')
  const account = site.private
    ? 'A login, if one is asked, goes into a header.'
    : 'No account, no key.'
  const then = isStatic
    ? md`Your agent reads the list there. ${more}.`
    : md`Then ask it: “Find a skill that sends email.” It reads the same labels. ${account} ${more}.`
  return {
    id: 'your-agent',
    heading: 'Or let your agent look',
    markdown: joinBlocks([codeFence(line, 'sh'), then]),
  }
}

/** Lists skills that changed last, the latest first, of as many authors as can be. */
const listLatest = ({ listed }: Site): SkillFacts[] =>
  pickOnePerAuthor(listed.toSorted(byNewest), RECENT_SKILLS).sort(byNewest)

const listExamples = ({ examples = [] }: Site): Fact[] =>
  examples.map(({ q, count }) => ({
    label: 'Try',
    value: q,
    path: `${PATHS.skills}?${new URLSearchParams({ q })}`,
    count,
  }))

/** Says how large the catalog is, when it was last updated, and how many skills to review. */
const writeNumbers = ({ listed, byAuthor }: Site): Section => {
  const skills = link(countOf(listed.length, 'skill'), PATHS.skills)
  const authors = link(countOf(byAuthor.size, 'author'), PATHS.authors)
  const last = latestDay(listed.flatMap(({ updated }) => updated ?? []))
  const updated = last > UNKNOWN_DAY ? `, last updated ${last}` : ''
  const flagged = listed.filter(({ safety }) => safety === 'Review').length
  const found = flagged === 0 ? 'nothing to review' : `${showNumber(flagged)} to review`
  const scan = link('The scan', PATHS.safetyDocs)
  return {
    id: 'numbers',
    markdown: md`${skills} by ${authors}${updated}. ${scan} found ${found}. ${link('More numbers', PATHS.stats)}.`,
  }
}

/** Writes the start page: example tasks, a way for agents, one label, categories, what is new. */
const writeHomeDocument = (site: Site): Document => {
  const { catalog, listed } = site
  const recent = listLatest(site)
  return {
    kind: 'home',
    path: PATHS.home,
    heading: catalog.site.tagline,
    lead: md`A skill is a SKILL.md that teaches an agent one task. Each of these ${showNumber(listed.length)} has its source and a label of what it does on your machine.`,
    label: site.specimen,
    description: catalog.site.description.replace(/\s+/g, ' '),
    updated: latestDay([...listed.map(pageDayOf), ...catalog.posts.map(({ updated }) => updated)]),
    isIndexable: true,
    hasFeed: true,
    facts: listExamples(site),
    sections: [
      writeAgentBox(site),
      writeNumbers(site),
      {
        // Their sentences say what they contain.
        ...listCategories(site, 0),
        heading: 'Categories',
      },
      {
        id: 'recently-updated',
        heading: recent.some(({ updated }) => updated) ? 'Last changed' : 'A few of the skills',
        markdown: md``,
        entries: recent.map(skillEntry),
      },
      {
        id: 'about-the-registry',
        heading: 'What this is',
        markdown: md`${catalog.site.description}${writeProposal(site)}`,
      },
      { id: 'for-agents', heading: 'For agents and scripts', markdown: writeAgentHelp(site) },
      ...(catalog.posts.length > 0
        ? [
            {
              id: 'from-the-blog',
              heading: 'From the blog',
              ...listTitles(catalog.posts.slice(0, RECENT_POSTS).map(postEntry)),
            },
          ]
        : []),
    ],
  }
}

/** Blocks of the registry's own prose for one kind of site: that which has the API, only files, a login, or a package. */
const FOR_SITE = /^<!-- (api|static|private|npm) -->\s*(.*?)^<!-- \/\1 -->\s*/gms

/** Leaves out the blocks for other sites, and fills in the values of this one. */
const fitSite = (text: string, { origin, isStatic, catalog: { site } }: Site): string => {
  const kinds: Readonly<Record<string, unknown>> = {
    api: !isStatic,
    static: isStatic,
    private: site.private,
    npm: site.npm,
  }
  const values = {
    origin,
    'site-host': new URL(origin).hostname,
    'site-npm': site.npm ?? '',
  }
  const fit = (part: string): string =>
    part.replace(FOR_SITE, (_, kind: string, block: string) => (kinds[kind] ? fit(block) : ''))
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(`{${name}}`, value),
    fit(text),
  )
}

const SENTINEL = 'end of the text'

/** Why a text cannot stand below the heading of its page, and before others. */
const findHeadingFault = (text: string): string | undefined => {
  const reading = readMarkdown(`${text}\n\n## ${SENTINEL}`)
  if ('fault' in reading) return reading.fault
  const headings = reading.result.filter((one) => one.type === 'heading')
  let above = 1
  for (const { depth, text: words } of headings) {
    if (depth === 1 || depth > above + 1)
      return `has ${showValue(words)} as a heading of level ${depth} below one of level ${above}`
    above = depth
  }
  return headings.at(-1)?.text === SENTINEL ? undefined : 'has code or HTML that does not end'
}

/** Writes a text of the registry and what follows it. Throws ContentError where it would break the page. */
const writeProse = (
  site: Site,
  prose: Prose,
  { kind, path, file }: { kind: DocumentKind; path: string; file: string },
  below: readonly Section[] = [],
): Document => {
  const text = fillGenerated(fitSite(prose.markdown, site)).replaceAll('\r\n', '\n').trim()
  const fault = findHeadingFault(text)
  if (fault !== undefined) {
    const remedy = `its text ${fault}; simplify its headings, lists and HTML`
    throw new ContentError([{ file, field: '', remedy }])
  }
  return {
    kind,
    path,
    heading: prose.title,
    lead: md`${prose.description}`,
    description: prose.description,
    updated: prose.updated,
    isIndexable: true,
    facts: [],
    sections: [{ id: 'text', markdown: new Markdown(text) }, ...below],
  }
}

const POSTS_BELOW = 5

/** The other posts, the newest first; where there is none, no list of them. */
const listOthers = ({ catalog }: Site, post: Prose): Section[] => {
  const others = catalog.posts.filter(({ slug }) => slug !== post.slug).slice(0, POSTS_BELOW)
  return others.length > 0
    ? [{ id: 'more', heading: 'Other posts', ...listTitles(others.map(postEntry)) }]
    : []
}

const writePostDocument = (site: Site, post: Prose): Document => {
  const place = { kind: 'post', path: postPath(post.slug), file: `blog/${post.slug}.md` } as const
  const document = writeProse(site, post, place, listOthers(site, post))
  const author = post.author ?? site.catalog.site.name
  return {
    ...document,
    facts: [
      { label: 'Author', value: author },
      { label: 'Published', value: post.date },
      ...(post.updated === post.date ? [] : [{ label: 'Updated', value: post.updated }]),
    ],
  }
}

const writePageDocument = (site: Site, page: Prose): Document => {
  const place = {
    kind: 'prose',
    path: prosePath(page.slug),
    file: `pages/${page.slug}.md`,
  } as const
  const facts = page.author === undefined ? [] : [{ label: 'Author', value: page.author }]
  return { ...writeProse(site, page, place), facts }
}

/** Writes the page that lists all documents about the registry. */
const writeDocsDocument = (site: Site): Document => {
  const { site: about, pages } = site.catalog
  return {
    kind: 'prose',
    path: PATHS.docs,
    heading: 'Documents',
    lead: md`How to use ${about.name}, and how it works.`,
    description: `All documents about ${about.name}: its API, its findings, and how to use it.`,
    updated: latestDay(pages.map(({ updated }) => updated)),
    isIndexable: true,
    facts: [],
    sections: [{ id: 'documents', ...listTitles(docEntries(site)) }],
  }
}

const writeBlogDocument = ({ catalog }: Site): Document => ({
  kind: 'blog',
  path: PATHS.blog,
  heading: 'Blog',
  lead: md`How the registry works, and how to get the most out of it.`,
  description: `${countOf(catalog.posts.length, 'post')} about the registry, its search and writing skills that are found.`,
  updated: latestDay(catalog.posts.map(({ updated }) => updated)),
  isIndexable: true,
  facts: [],
  sections: [{ id: 'posts', heading: 'Posts', ...listTitles(catalog.posts.map(postEntry)) }],
})
