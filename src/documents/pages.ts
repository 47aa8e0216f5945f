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
import { latestDay } from './site.ts'
import { proposalAddress } from './contact.ts'
import type { Site } from './site.ts'
import { Markdown, codeFence, codeSpan, joinBlocks, link, md } from './prose/md.ts'
import { readMarkdown } from '../catalog/markdown.ts'
import { countOf, showNumber, showValue } from '../catalog/text.ts'
import type { Prose } from '../catalog/load.ts'
import { ContentError } from '../catalog/problems.ts'
import { phrase } from './prose/phrases.ts'

/**
 * Plans every page of the site except skill pages; the 404 page comes last. HTML, Markdown twins and the sitemap are
 * all made from this list, so they have the same pages.
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
  // The example uses the lowest id, because that id stays the lowest when skills are added.
  const least = site.listed.reduce((lowest, { id }) => Math.min(lowest, id), Infinity)
  const skill = least < Infinity ? least : 1
  yield {
    kind: 'reference',
    path: PATHS.apiDocs,
    shows: { ...shows, otherData: `${updated} ${skill}` },
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

/** Writes a link to propose a skill, if the contact is a repository. */
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
  const access = catalog.site.private ? 'returns JSON' : 'needs no key'
  const ways = isStatic
    ? md`Every page is also Markdown: add ${codeSpan('.md')} to its address. Programs can read all skills from ${link('one file', PATHS.dump)}, and download the ${api}.`
    : md`Every page is also Markdown: send ${codeSpan('Accept: text/markdown')}, or add ${codeSpan('.md')} to its address. The ${api} ${access}.`
  return joinBlocks([
    ways,
    codeFence(requests.join('\n'), 'sh'),
    md`Programs can start at ${link('llms.txt', PATHS.llms)} or the ${link('OpenAPI description', PATHS.openapi)}.`,
  ])
}

/** Writes the box that says how to connect an agent, and what to ask it. */
const writeAgentBox = ({ origin, isStatic, catalog: { site } }: Site): Section => {
  const line = isStatic
    ? `${curlOf({ isPrivate: site.private })} ${origin}${PATHS.llms}`
    : `claude mcp add --transport http skills ${origin}/mcp`
  const more = link('For agents and scripts', '#for-agents')
  const account = site.private
    ? 'If a login is needed, send it in a header.'
    : 'No account, no key.'
  const then = isStatic
    ? md`Your agent can read the list there. ${more}.`
    : md`Then ask it: “Find a skill that sends email.” It reads the same labels. ${account} ${more}.`
  return {
    id: 'your-agent',
    heading: 'Or let your agent look',
    markdown: joinBlocks([codeFence(line, 'sh'), then]),
  }
}

/** Lists the skills that changed most recently, by as many different authors as possible. */
const listLatest = ({ listed }: Site): SkillFacts[] =>
  pickOnePerAuthor(listed.toSorted(byNewest), RECENT_SKILLS).sort(byNewest)

const listExamples = ({ catalog: { site } }: Site): Fact[] =>
  (site.examples ?? []).map((q) => ({
    label: 'Try',
    value: q,
    path: `${PATHS.skills}?${new URLSearchParams({ q })}`,
  }))

/** Writes the size of the catalog, the day of its last update, and the number of skills to review. */
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
    markdown: md`${skills} by ${authors}${updated}. ${scan} found ${found}.`,
  }
}

/** Writes the home page: example searches, how to connect an agent, a sample label, categories, recent skills. */
const writeHomeDocument = (site: Site): Document => {
  const { catalog, listed } = site
  const recent = listLatest(site)
  return {
    kind: 'home',
    path: PATHS.home,
    heading: catalog.site.tagline,
    lead: phrase`A skill is a SKILL.md that teaches an agent one task. Each of these ${showNumber(listed.length)} shows its source and what it does on your machine.`,
    description: catalog.site.description.replace(/\s+/g, ' '),
    updated: latestDay([...listed.map(pageDayOf), ...catalog.posts.map(({ updated }) => updated)]),
    isIndexable: true,
    hasFeed: true,
    facts: listExamples(site),
    sections: [
      ...(site.sampleLabel ? [{ id: 'label', form: 'label' as const, ...site.sampleLabel }] : []),
      writeAgentBox(site),
      writeNumbers(site),
      { ...listCategories(site), heading: 'Categories' },
      {
        id: 'recently-updated',
        heading: recent.some(({ updated }) => updated) ? 'Last changed' : 'A few of the skills',
        markdown: md``,
        entries: recent.map(skillEntry),
        list: 'cells',
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

/**
 * Matches a block of a page for one kind of site: with the API, static, private, or with an npm package. Blocks that
 * `npm run commands` writes from the code are for all sites.
 */
const FOR_SITE = /^<!-- (api|static|private|npm|code-[a-z]+) -->\s*(.*?)^<!-- \/\1 -->\s*/gms

/** Links between the registry's own pages, which lead to files on a code host. */
const PAGE_LINKS = /\]\(docs-([a-z]+)\.md(?=[)#])/g

/** Removes the blocks for other kinds of sites, and fills in links and the values of this site. */
const adaptToSite = (text: string, { origin, isStatic, catalog: { site } }: Site): string => {
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
  const keepBlocks = (part: string): string =>
    part.replace(FOR_SITE, (_, kind: string, block: string) =>
      kind.startsWith('code-') || kinds[kind] ? keepBlocks(block) : '',
    )
  return Object.entries(values).reduce(
    (filled, [name, value]) => filled.replaceAll(`{${name}}`, value),
    keepBlocks(text).replace(PAGE_LINKS, `](${PATHS.docs}/$1`),
  )
}

const SENTINEL = 'end of the text'

/** Explains why a text would break the page around it: the page's heading above it, and the sections below it. */
const findHeadingFault = (text: string): string | undefined => {
  const reading = readMarkdown(`${text}\n\n## ${SENTINEL}`)
  if ('fault' in reading) return reading.fault
  const headings = reading.result.filter((token) => token.type === 'heading')
  let above = 1
  for (const { depth, text: words } of headings) {
    if (depth === 1 || depth > above + 1)
      return `has a heading of level ${depth}, ${showValue(words)}, right below a heading of level ${above}`
    above = depth
  }
  return headings.at(-1)?.text === SENTINEL ? undefined : 'has unclosed code or HTML'
}

/** Writes a page: a text of the registry, then `below`. Throws ContentError if the text would break the page. */
const writeProse = (
  site: Site,
  prose: Prose,
  { kind, path, file }: { kind: DocumentKind; path: string; file: string },
  below: readonly Section[] = [],
): Document => {
  const text = adaptToSite(prose.markdown, site).replaceAll('\r\n', '\n').trim()
  const fault = findHeadingFault(text)
  if (fault !== undefined) {
    const remedy = `its text ${fault}; simplify its headings, lists and HTML`
    throw new ContentError([{ file, field: '', remedy }])
  }
  return {
    kind,
    path,
    heading: prose.title,
    lead: phrase`${prose.description}`,
    description: prose.description,
    updated: prose.updated,
    isIndexable: true,
    facts: [],
    sections: [{ id: 'text', markdown: new Markdown(text) }, ...below],
  }
}

const POSTS_BELOW = 5

/** Writes a list of the newest other posts, if there are any. */
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

/** Writes the page that lists all documentation. */
const writeDocsDocument = (site: Site): Document => {
  const { site: about, pages } = site.catalog
  return {
    kind: 'prose',
    path: PATHS.docs,
    heading: 'Documents',
    lead: phrase`How to use ${about.name}, and how it works.`,
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
  lead: phrase`How the registry works, and how to get the most out of it.`,
  description: `${countOf(catalog.posts.length, 'post')} about the registry, its search, and how to write skills that people find.`,
  updated: latestDay(catalog.posts.map(({ updated }) => updated)),
  isIndexable: true,
  facts: [],
  sections: [{ id: 'posts', heading: 'Posts', ...listTitles(catalog.posts.map(postEntry)) }],
})
