import { categorySlug } from '../catalog/categories.ts'
import { renderTrail } from './breadcrumbs.ts'
import type { Document, Section } from './document.ts'
import type { NavigationLink } from '../catalog/schema.ts'
import { detectLanguage } from '../catalog/language.ts'
import { withLanguage } from './language.ts'
import { EMPTY_HTML, html, joinHtml } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'
import { PATHS, categoryPath, feedPath, previewPath, twinPath } from './paths.ts'
import { renderSearch, renderSearchForm } from './lists/search-form.ts'
import { renderPager, renderSections } from './sections.ts'
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

const twinOf = ({ path, query }: Document): string => twinPath(path) + (query ? `?${query}` : '')

const listNames = ({ category }: Document, siteName: string): string[] =>
  [category ?? [], siteName].flat()

/** Renders the head of a page. A page with a query has no canonical address, because it is not indexed. */
const renderHead = (document: Document, { origin, siteName, isPrivate }: SiteFrame): Html => {
  const { kind, path, query, heading, description, category } = document
  const list = listNames(document, siteName)
  const feed = document.hasFeed && feedPath(category && categoryPath(category))
  return html`<title>${writeTitle(document, siteName)}</title>
    <meta name="description" content="${description}" />
    ${document.isUnindexed || isPrivate ? html`<meta name="robots" content="noindex" />` : ''}
    ${query === undefined ? html`<link rel="canonical" href="${origin}${path}" />` : ''}
    <link rel="alternate" type="text/markdown" href="${twinOf(document)}" />
    ${kind === 'skill' ? html`<link rel="alternate" type="application/json" href="${path}.json" />` : ''}
    ${feed && html`<link rel="alternate" type="application/atom+xml" title="${list.join(' · ')}" href="${feed}" />`}
    <meta property="og:title" content="${heading}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:type" content="${path.startsWith(`${PATHS.blog}/`) ? 'article' : 'website'}" />
    <meta property="og:url" content="${origin}${path}" />
    <meta property="og:site_name" content="${siteName}" />
    <meta property="og:image" content="${origin}${previewPath(category)}" />
    <meta property="og:image:alt" content="${list.join(', ')}" />
    ${renderData(document, { origin, siteName })}`
}

const isBelow = (path: string, place: string): boolean => `${path}/`.startsWith(`${place}/`)

/** Renders the navigation. At most one entry is current. Most pages without an entry count as skill pages. */
const renderNavigation = ({ kind, path }: Document, { navigation }: SiteFrame): Html => {
  const places = navigation.map(({ to }) => to)
  const [entry] = places.filter((to) => isBelow(path, to)).sort((a, b) => b.length - a.length)
  const place = entry ?? (kind === 'home' || kind === 'article' ? '' : PATHS.skills)
  return joinHtml(
    navigation.map(
      ({ to, label }) =>
        html`<li><a href="${to}" aria-current="${String(to === place)}">${label}</a></li>`,
    ),
  )
}

/** Renders an item of the table of contents. */
const renderItem = (
  path: string,
  text: Html | string,
  isCurrent = false,
  below = EMPTY_HTML,
): Html =>
  html`<li><a href="${path}" dir="auto"${isCurrent ? html` aria-current="page"` : ''}>${text}</a>${below}</li>`

const HEADING = /<h2 id="([^"]*)">([^]*?)<\/h2>/g

/** Lists what a page has: other files, the headings of its text, whose ids are chosen while rendering, or its sections. */
const listContents = ({ kind, path, files = [], sections }: Document, body: Html): Html[] => {
  if (kind === 'file')
    return files.map((file) => renderItem(file.path, file.label, file.path === path))
  if (kind === 'article')
    return Array.from(body.html.matchAll(HEADING), ([, id, words = '']) =>
      renderItem(`#${id}`, { html: words.replace(/<[^>]*>/g, '') }),
    )
  return sections.flatMap(({ id, heading, inner = [] }) => {
    const items = inner.map((one) => renderItem(`#${one.id}`, one.text))
    const below = items.length > 0 ? html`<ol>${items}</ol>` : EMPTY_HTML
    return heading === undefined ? [] : renderItem(`#${id}`, heading, false, below)
  })
}

/** The fewest items of a table of contents. Other kinds of pages have none. */
const FEWEST_ITEMS: Partial<Record<Document['kind'], number>> = {
  file: 2,
  article: 3,
  skill: 1,
}

const renderContents = (document: Document, body: Html): Html => {
  const fewest = FEWEST_ITEMS[document.kind]
  if (fewest === undefined) return EMPTY_HTML
  const items = listContents(document, body)
  if (items.length < fewest) return EMPTY_HTML
  const title = document.kind === 'file' ? 'Files of this skill' : 'On this page'
  return html`<a class="hidden" href="#page-text">Skip the contents</a>
    <nav class="contents" aria-label="${title}">
      <details>
        <summary>${title}</summary>
        <ol>${items}</ol>
      </details>
    </nav>`
}

/** Kinds of pages whose heading is a name that people type, which is set in monospace. */
const NAMED: ReadonlySet<Document['kind']> = new Set(['skill', 'file'])

const renderHeader = (document: Document): Html => {
  const { kind, category, heading, lead, description, below, notice } = document
  return html`<header class="heading bare" data-hue="${category ? categorySlug(category) : 'none'}">
      <h1${NAMED.has(kind) ? html` class="name"` : ''} dir="auto" lang="${detectLanguage(heading) ?? 'en'}">${heading}</h1>
      <p class="lead" dir="auto">${withLanguage(lead.html, description)}</p>
      ${below?.html}
    </header>
    ${notice && html`<div class="notice bare">${notice.html}</div>`}`
}

/** The values of a site that frame every page. Most titles end in `siteName`. */
export interface SiteFrame {
  origin: string
  siteName: string
  navigation: readonly NavigationLink[]
  isPrivate?: boolean | undefined
}

/** Turns a document into the HTML values of its layout. */
export const viewDocument = (document: Document, site: SiteFrame): PageView => {
  const { kind, heading, lead, below, sections, pager, search } = document
  const renderForm = (...forms: Section['form'][]): Html =>
    renderSections(sections.filter(({ form }) => forms.includes(form)))
  const body = renderForm(undefined, 'brief', 'bare')
  return {
    head: renderHead(document, site),
    twin: html`${twinOf(document)}`,
    navigation: renderNavigation(document, site),
    trail: renderTrail(document),
    header: renderHeader(document),
    heading: html`${heading}`,
    lead: lead.html,
    below: below?.html ?? EMPTY_HTML,
    label: renderForm('label'),
    install: renderForm('install'),
    contents: renderContents(document, body),
    search: search ? renderSearchForm(search) : kind === 'home' ? renderSearch('') : EMPTY_HTML,
    body,
    pager: pager && pager.pages > 1 ? renderPager(pager) : EMPTY_HTML,
  }
}
