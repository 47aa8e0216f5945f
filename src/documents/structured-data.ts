import { listBreadcrumbs } from './breadcrumbs.ts'
import type { Document } from './document.ts'
import { EMPTY_HTML } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'
import { PATHS } from './paths.ts'

/** A schema.org object. */
type Thing = Record<string, unknown>

/** Values for structured data that are not part of a document. */
interface Surroundings {
  origin: string
  siteName: string
}

const siteId = (origin: string): string => `${origin}${PATHS.home}#site`

const describeHome = ({ description }: Document, { origin, siteName }: Surroundings): Thing => ({
  '@type': 'WebSite',
  '@id': siteId(origin),
  url: origin + PATHS.home,
  name: siteName,
  description,
})

const describeSkill = (
  { heading, path, description, work }: Document,
  { origin }: Surroundings,
): Thing => ({
  '@type': 'SoftwareSourceCode',
  url: origin + path,
  name: heading,
  description,
  isPartOf: { '@id': siteId(origin) },
  ...work,
})

const KINDS: Partial<Record<Document['kind'], typeof describeSkill>> = {
  home: describeHome,
  skill: describeSkill,
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

/** Describes a page and its breadcrumbs to search engines as JSON-LD. Empty if the page should not be indexed. */
export const renderData = (document: Document, around: Surroundings): Html => {
  if (document.isUnindexed) return EMPTY_HTML
  const graph = [
    KINDS[document.kind]?.(document, around) ?? [],
    describeTrail(document, around.origin),
  ].flat()
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
  // Without a `<`, no text can end the script element.
  return { html: `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>` }
}
