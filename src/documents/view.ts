import { categorySlug } from '../catalog/categories.ts'
import { renderTrail } from './breadcrumbs.ts'
import type { Document } from './document.ts'
import type { NavigationLink } from '../catalog/schema.ts'
import { detectLanguage } from '../catalog/language.ts'
import { withLanguage } from './language.ts'
import { EMPTY_HTML, html, joinHtml } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'
import { PATHS, categoryPath, feedPath, previewPath, twinPath } from './paths.ts'
import { renderSearchForm } from './lists/search-form.ts'
import { renderFacts, renderPager, renderSections } from './sections.ts'
import type { MarkdownRenderer } from './sections.ts'
import { renderData } from './structured-data.ts'
import type { PageView } from './template.ts'

/** Longest title, in characters. Search results and tabs cut longer titles. */
const TITLE_LIMIT = 70

const writeTitle = ({ kind, heading, partOf }: Document, siteName: string): string => {
  if (kind === 'home') return siteName
  const names = [heading, ...(partOf ? [partOf.label] : []), siteName]
  // A file path is long: drop the name of the site first, which readers need least.
  const fewest = partOf ? 1 : names.length
  while (names.length > fewest && names.join(' · ').length > TITLE_LIMIT) names.pop()
  return names.join(' · ')
}

const listNames = ({ category }: Document, siteName: string): string[] =>
  [category ?? [], siteName].flat()

const renderFeedLink = ({ category }: Document, title: string): Html =>
  html`<link
    rel="alternate"
    type="application/atom+xml"
    title="${title}"
    href="${feedPath(category && categoryPath(category))}"
  />`

const renderHead = (document: Document, { origin, siteName, isPrivate }: SiteFrame): Html => {
  const { kind, path, canonical: shown = path, query, hasFeed, isIndexable } = document
  const feed = hasFeed && renderFeedLink(document, listNames(document, siteName).join(' · '))
  // A page with a query has no canonical address, because it is not indexed.
  const canonical = query === undefined && html`<link rel="canonical" href="${origin}${shown}" />`
  const json =
    kind === 'skill' && html`<link rel="alternate" type="application/json" href="${path}.json" />`
  return joinHtml([
    isIndexable && !isPrivate ? EMPTY_HTML : html`<meta name="robots" content="noindex" />`,
    canonical || EMPTY_HTML,
    feed ?? EMPTY_HTML,
    json || EMPTY_HTML,
    renderData(document, { origin, siteName }),
  ])
}

const isBelow = (path: string, place: string): boolean => `${path}/`.startsWith(`${place}/`)

/** Renders the navigation. At most one entry is current. Most pages without an entry count as skill pages. */
const renderNavigation = ({ kind, path }: Document, { navigation }: SiteFrame): Html => {
  const places = navigation.map(({ to }) => to)
  const [entry] = places.filter((to) => isBelow(path, to)).sort((a, b) => b.length - a.length)
  const place = entry ?? (['home', 'missing', 'prose', 'post'].includes(kind) ? '' : PATHS.skills)
  return joinHtml(
    navigation.map(
      ({ to, label }) =>
        html`<li><a href="${to}" aria-current="${String(to === place)}">${label}</a></li>`,
    ),
  )
}

/** Renders links to the files of a skill; none if there is only one. */
const renderFiles = ({ files = [], path: current }: Document): Html =>
  files.length < 2
    ? EMPTY_HTML
    : joinHtml(
        files.map(
          ({ label, path }) =>
            html`<li>
              <a href="${path}" dir="auto" ${path === current ? html`aria-current="page"` : ''}
                >${label}</a
              >
            </li> `,
        ),
      )

/** The default, for the function: it cannot render Markdown, so its documents contain the HTML. */
const escapeMarkdown: MarkdownRenderer = (markdown) => html`${String(markdown)}`

/** The values of a site that frame every page. Most titles end in `siteName`. */
export interface SiteFrame {
  origin: string
  siteName: string
  navigation: readonly NavigationLink[]
  isPrivate?: boolean | undefined
}

/** Turns a document into the HTML values of its layout. `viewPrinted` adds the values that only a build needs. */
export const viewDocument = (
  document: Document,
  site: SiteFrame,
  renderMarkdown = escapeMarkdown,
): PageView => {
  const { heading, path, kind, notice, facts, sections, pager, query, search } = document
  const { origin, siteName } = site
  const shown = sections.filter(({ form }) => form !== 'install' && form !== 'label')
  return {
    title: html`${writeTitle(document, siteName)}`,
    shareTitle: html`${heading}`,
    description: html`${document.description}`,
    address: html`${origin}${path}`,
    twin: html`${twinPath(path)}${query ? `?${query}` : ''}`,
    head: renderHead(document, site),
    shareType: html`${kind === 'post' ? 'article' : 'website'}`,
    image: html`${origin}${previewPath(document.category)}`,
    imageWords: html`${listNames(document, siteName).join(', ')}`,
    navigation: renderNavigation(document, site),
    trail: renderTrail(document),
    hue: html`${document.category ? categorySlug(document.category) : 'none'}`,
    heading: html`${heading}`,
    language: html`${detectLanguage(heading) ?? 'en'}`,
    lead: withLanguage(document.lead.html, document.description),
    notice: notice ? html`<div class="notice bare">${notice.html}</div>` : EMPTY_HTML,
    facts: renderFacts(facts),
    label: EMPTY_HTML,
    install: EMPTY_HTML,
    contents: renderFiles(document),
    search: search ? renderSearchForm(search) : EMPTY_HTML,
    body: renderSections(shown, renderMarkdown),
    pager: pager && pager.pages > 1 ? renderPager(pager) : EMPTY_HTML,
  }
}
