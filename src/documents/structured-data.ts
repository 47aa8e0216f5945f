import type { Document, Work } from './document.ts'
import type { Html } from './html.ts'
import { HOME_PATH, SKILLS_PATH } from './paths.ts'
import { listBreadcrumbs } from './trail.ts'

/** A thing in the words of schema.org. */
type Thing = Record<string, unknown>

/** What a page is told with besides its document. */
interface Surroundings {
  origin: string
  siteName: string
}

const siteId = (origin: string): string => `${origin}${HOME_PATH}#site`

const describeHome = ({ description }: Document, { origin, siteName }: Surroundings): Thing => ({
  '@type': 'WebSite',
  '@id': siteId(origin),
  url: origin + HOME_PATH,
  name: siteName,
  description,
  potentialAction: {
    '@type': 'SearchAction',
    target: {
      '@type': 'EntryPoint',
      urlTemplate: `${origin}${SKILLS_PATH}?q={search_term_string}`,
    },
    'query-input': 'required name=search_term_string',
  },
})

/** What every page but the first is. */
const describePage = (
  type: string,
  { heading, path, description }: Document,
  { origin }: Surroundings,
): Thing => ({
  '@type': type,
  url: origin + path,
  name: heading,
  description,
  isPartOf: { '@id': siteId(origin) },
})

const describeListing = (document: Document, around: Surroundings): Thing => {
  const entries = document.sections.find((section) => section.entries?.length)?.entries
  if (!entries) return describePage('WebPage', document, around)
  return {
    ...describePage('CollectionPage', document, around),
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: entries.length,
      itemListElement: entries.map(({ title, path }, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name: title,
        url: around.origin + path,
      })),
    },
  }
}

/** What a work says of itself; nothing that is not known. */
const describeWork = (
  { author, published, modified, licence, repository, download, keywords }: Work,
  origin: string,
): Thing => ({
  author,
  datePublished: published,
  dateModified: modified,
  license: licence,
  codeRepository: repository,
  keywords,
  ...(download !== undefined && {
    encoding: {
      '@type': 'MediaObject',
      encodingFormat: 'application/zip',
      contentUrl: origin + download,
    },
  }),
})

const describeAs =
  (type: string) =>
  (document: Document, around: Surroundings): Thing => ({
    ...describePage(type, document, around),
    ...describeWork(document.work ?? {}, around.origin),
  })

const describeArticle =
  (type: string) =>
  (document: Document, around: Surroundings): Thing => ({
    ...describeAs(type)(document, around),
    headline: document.heading,
  })

const describeProse = (document: Document, around: Surroundings): Thing =>
  document.path.startsWith('/docs/')
    ? describeArticle('TechArticle')(document, around)
    : describeAs('WebPage')(document, around)

const KINDS: Partial<
  Record<Document['kind'], (document: Document, around: Surroundings) => Thing>
> = {
  home: describeHome,
  skills: describeListing,
  listing: describeListing,
  blog: describeListing,
  skill: describeAs('SoftwareSourceCode'),
  post: describeArticle('BlogPosting'),
  reference: describeArticle('TechArticle'),
  prose: describeProse,
}

const describeTrail = (document: Document, origin: string): Thing[] => {
  const trail = listBreadcrumbs(document)
  if (trail.length === 0) return []
  const crumbs = [...trail, { label: document.heading, path: document.path }]
  return [
    {
      '@type': 'BreadcrumbList',
      itemListElement: crumbs.map(({ label, path }, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        name: label,
        item: origin + path,
      })),
    },
  ]
}

/**
 * Tells machines what a page is, as JSON-LD for a script element: from the document that its twin is printed from, and
 * nothing that it does not say. No text can end the element, since none holds a `<`.
 */
export const renderData = (document: Document, around: Surroundings): Html => {
  const describe = document.isIndexable ? KINDS[document.kind] : undefined
  const graph = [
    ...(describe ? [describe(document, around)] : []),
    ...describeTrail(document, around.origin),
  ]
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
  return { html: json.replaceAll('<', '\\u003c') }
}
