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

/** Describes what a page is about. */
const describeSubject = (document: Document, { origin, siteName: name }: Surroundings): Thing[] => {
  const { kind, heading, path, description, work } = document
  const [id, url] = [`${origin}${PATHS.home}#site`, origin + path]
  if (kind === 'home') return [{ '@type': 'WebSite', '@id': id, url, name, description }]
  if (kind !== 'skill') return []
  const page = { '@type': 'SoftwareSourceCode', url, name: heading, description }
  return [{ ...page, isPartOf: { '@id': id }, ...work }]
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
  const graph = [...describeSubject(document, around), ...describeTrail(document, around.origin)]
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
  // Without a `<`, no text can end the script element.
  return { html: `<script type="application/ld+json">${json.replaceAll('<', '\\u003c')}</script>` }
}
