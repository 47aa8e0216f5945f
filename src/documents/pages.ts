import { pageDayOf } from '../catalog/skill.ts'
import { writeMissingDocument } from './on-request/page.ts'
import type { ApiDescription } from './api-page.ts'
import { writeApiDocument } from './api-page.ts'
import { writeDocsDocument } from './docs-page.ts'
import type { Document, DocumentPlan, Section } from './document.ts'
import { writeHomeDocument } from './home-page.ts'
import { listTitles, planAuthors, planCategories, planSkills, postEntry } from './lists/listings.ts'
import { PATHS, postPath, prosePath } from './paths.ts'
import { writeDirectoriesDocument } from './skill/clients.ts'
import { writeSafetyDocument } from './skill/findings.ts'
import { latestDay } from './site.ts'
import type { Site } from './site.ts'
import { Markdown } from './prose/md.ts'
import { readMarkdown } from '../catalog/markdown.ts'
import { countOf, showValue } from '../catalog/text.ts'
import type { Prose } from '../catalog/load.ts'
import { ContentError, refuseFile } from '../catalog/problems.ts'
import { factLine, phrase } from './prose/phrases.ts'
import { renderHtml } from './prose/render.ts'

/**
 * Plans every page of the site except skill pages; the 404 page comes last. HTML, Markdown twins and the sitemap are
 * all made from this list, so they have the same pages.
 */
export function* planSitePages(site: Site, api: ApiDescription): Generator<DocumentPlan> {
  const { catalog } = site
  const shows = { skills: [], pages: 1 }
  yield { path: PATHS.home, write: () => writeHomeDocument(site) }
  yield* planSkills(site)
  yield* planCategories(site)
  yield* planAuthors(site)
  if (catalog.posts.length > 0)
    yield { path: PATHS.blog, shows, write: () => writeBlogDocument(site) }
  for (const post of catalog.posts) {
    const path = postPath(post.slug)
    yield { path, shows, write: () => writePostDocument(site, post) }
  }
  const updated = latestDay(site.listed.map(pageDayOf))
  // The example uses the lowest id, because that id stays the lowest when skills are added.
  const least = site.listed.reduce((lowest, { id }) => Math.min(lowest, id), Infinity)
  const skill = least < Infinity ? least : 1
  yield {
    path: PATHS.apiDocs,
    shows: { ...shows, otherData: `${updated} ${skill}` },
    write: () =>
      writeApiDocument(api, { updated, skill, isPrivate: catalog.site.private === true }),
  }
  yield {
    path: PATHS.docs,
    shows: { ...shows, otherData: JSON.stringify(site.sampleLabel?.annotated) },
    write: () => writeDocsDocument(site),
  }
  yield { path: PATHS.safetyDocs, shows, write: () => writeSafetyDocument() }
  yield { path: PATHS.directories, shows, write: writeDirectoriesDocument }
  for (const page of catalog.pages) {
    const path = prosePath(page.slug)
    yield { path, shows, write: () => writePageDocument(site, page) }
  }
  yield {
    path: PATHS.notFound,
    shows,
    write: () => writeMissingDocument(catalog.site.name),
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

/** Anchors in layouts, in labels and in elements that scripts add. */
const LAYOUT_ANCHORS = ['content', 'find', 'offers', 'places', 'page-text', 'label']

/** Writes a page: facts, a text of the registry, then `below`. Throws ContentError if the text would break the page. */
const writeProse = (
  site: Site,
  prose: Prose,
  { path, file }: { path: string; file: string },
  facts: Parameters<typeof factLine>[0],
  below: readonly Section[] = [],
): Document => {
  const text = adaptToSite(prose.markdown, site).replaceAll('\r\n', '\n').trim()
  const fault = findHeadingFault(text)
  if (fault !== undefined) {
    const remedy = 'simplify its headings, lists and HTML'
    throw new ContentError([refuseFile(file, `its text ${fault}`, remedy)])
  }
  const markdown = new Markdown(text)
  const usedAnchors = [...LAYOUT_ANCHORS, ...below.map(({ id }) => id)]
  return {
    kind: 'article',
    path,
    heading: prose.title,
    lead: phrase`${prose.description}`,
    description: prose.description,
    updated: prose.updated,
    isUnindexed: false,
    below: factLine(facts),
    sections: [{ id: 'text', markdown, html: renderHtml(markdown, usedAnchors) }, ...below],
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

const writePostDocument = (site: Site, post: Prose): Document =>
  writeProse(
    site,
    post,
    { path: postPath(post.slug), file: `blog/${post.slug}.md` },
    [
      `by ${post.author ?? site.catalog.site.name}`,
      `published ${post.date}`,
      post.updated !== post.date && `updated ${post.updated}`,
    ],
    listOthers(site, post),
  )

const writePageDocument = (site: Site, page: Prose): Document =>
  writeProse(site, page, { path: prosePath(page.slug), file: `pages/${page.slug}.md` }, [
    page.author !== undefined && `by ${page.author}`,
  ])

const writeBlogDocument = ({ catalog }: Site): Document => ({
  kind: 'listing',
  path: PATHS.blog,
  heading: 'Blog',
  lead: phrase`How the registry works, and how to get the most out of it.`,
  description: `${countOf(catalog.posts.length, 'post')} about the registry, its search, and how to write skills that people find.`,
  updated: latestDay(catalog.posts.map(({ updated }) => updated)),
  isUnindexed: false,
  sections: [{ id: 'posts', heading: 'Posts', ...listTitles(catalog.posts.map(postEntry)) }],
})
