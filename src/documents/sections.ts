import { categorySlug } from '../catalog/categories.ts'
import type { Entry, EntryFact, EvidenceRow, Fact, Pager, Section, TextRange } from './document.ts'
import { detectLanguage } from '../catalog/language.ts'
import { withLanguage } from './language.ts'
import { EMPTY_HTML, html, joinHtml } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'
import { list } from './prose/md.ts'
import type { Markdown } from './prose/md.ts'
import { renderSource } from './prose/source.ts'

/** Renders Markdown of a page. No heading gets an anchor in `usedAnchors`. */
export type MarkdownRenderer = (markdown: Markdown, usedAnchors: readonly string[]) => Html

export const linkTo = (path: string | undefined, words: Html | string): Html =>
  path === undefined ? html`${words}` : html`<a href="${path}">${words}</a>`

const renderFact = ({ label, value, path, isWarning, isCode }: Fact): Html => {
  const shown = isCode ? html`<code>${value}</code>` : value
  const words =
    path !== undefined && isWarning
      ? html`<a class="warning" href="${path}">${value}</a>`
      : linkTo(path, shown)
  return html`<div>
    <dt>${label}</dt>
    <dd>${words}</dd>
  </div> `
}

export const renderFacts = (facts: readonly Fact[]): Html =>
  facts.length === 0 ? EMPTY_HTML : html`<dl class="facts">${facts.map(renderFact)}</dl>`

const renderMarked = (text: string, ranges: readonly TextRange[] = []): Html => {
  let [marked, at] = [EMPTY_HTML, 0]
  for (const { from, to } of ranges) {
    marked = html`${marked}${text.slice(at, from)}<mark>${text.slice(from, to)}</mark>`
    at = to
  }
  return withLanguage(html`${marked}${text.slice(at)}`, text)
}

const renderEntryFact = ({ kind, text, path }: EntryFact): Html =>
  html`<li class="${kind}">${linkTo(path, text)}</li> `

const renderNames = (names: NonNullable<Entry['examples']>): Html =>
  html`<ul class="names">
    ${names.map(({ title, path }) => html`<li>${linkTo(path, title)}</li> `)}
  </ul>`

/** Whether a fact is the author or the category, which are shown beside the name. */
const isBesideName = ({ kind }: EntryFact): boolean => kind === 'author' || kind === 'category'

const renderEntry = (entry: Entry): Html => {
  const { title, path, text, category, facts, examples = [], matches } = entry
  const [beside, others] = [facts.filter(isBesideName), facts.filter((fact) => !isBesideName(fact))]
  return html`<li class="entry" data-hue="${category ? categorySlug(category) : 'none'}">
    <a href="${path}" dir="auto">${renderMarked(title, matches?.title)}</a>
    ${beside.length > 0 ? html`<ul class="whose">${beside.map(renderEntryFact)}</ul>` : ''}
    <p dir="auto">${renderMarked(text, matches?.text)}</p>
    <ul class="notes">
      ${others.map(renderEntryFact)}
    </ul>
    ${examples.length > 0 ? renderNames(examples) : ''}
  </li> `
}

const renderFileSource = (source: NonNullable<Section['source']>): Html =>
  html`<section class="source" aria-label="Source">
    <header><button type="button" class="copy" hidden>Copy</button></header>
    ${renderSource(source)}
  </section> `

/** Matches a day in running text, but not in an address or a name. Browsers would wrap a day at its hyphens. */
const DAY = /(?<![\w"/.@-])\d{4}-\d\d-\d\d(?![\w"/@-])(?=[^<>]*(?:<|$))/g

/** Renders one line of Markdown without the paragraph around it. Days in it cannot wrap. */
export const renderLine = (line: Markdown, renderMarkdown: MarkdownRenderer): Html => {
  const { html: paragraph } = renderMarkdown(line, [])
  const words = paragraph.replace(/^<p(?: [^>]*)?>|<\/p>\s*$/g, '')
  return { html: words.replace(DAY, '<span class="day">$&</span>') }
}

/** Renders rows of evidence. If a row has a lead, its items are folded. */
const renderEvidence = (rows: readonly EvidenceRow[], renderMarkdown: MarkdownRenderer): Html => {
  const renderRow = ({ label, lead, items }: EvidenceRow): Html => {
    const names = renderMarkdown(list(items), [])
    const fold = html`<details>
      <summary>${lead ?? ''}</summary>
      ${names}
    </details>`
    return html`<div>
      <dt>${label}</dt>
      <dd>${lead === undefined ? names : fold}</dd>
    </div> `
  }
  return html`<dl class="needs">${rows.map(renderRow)}</dl>`
}

/** Renders the folded part of a section. */
export const renderFold = (
  { label, markdown }: NonNullable<Section['folded']>,
  usedAnchors: readonly string[],
  renderMarkdown: MarkdownRenderer,
): Html => html`<details>
<summary>${label}</summary>
${renderMarkdown(markdown, usedAnchors)}</details>
`

/** Anchors in the layouts (`Page.astro`, `templates/skill.astro`) and in elements that scripts add. */
const LAYOUT_ANCHORS = ['content', 'find', 'find-offers', 'places', 'page-text', 'label', 'similar']

/** Lists the anchors that a page uses outside the texts of its sections. */
export const listAnchors = (sections: readonly Pick<Section, 'id' | 'heading'>[]): string[] => [
  ...LAYOUT_ANCHORS,
  ...sections.flatMap(({ id, heading }) => (heading === undefined ? [] : id)),
]

/** Renders sections of a page. The install box is rendered elsewhere. */
export const renderSections = (
  sections: readonly Section[],
  renderMarkdown: MarkdownRenderer,
): Html => {
  const usedAnchors = listAnchors(sections)
  const renderSection = (section: Section): Html => {
    const { id, heading, markdown, source, folded, entries = [], list: layout = 'rows' } = section
    if (source) return renderFileSource(source)
    const language = detectLanguage(String(markdown)) ?? 'en'
    const evidence = section.rows ? renderEvidence(section.rows, renderMarkdown) : EMPTY_HTML
    const text = [
      section.html ?? renderMarkdown(markdown, usedAnchors),
      folded ? renderFold(folded, usedAnchors, renderMarkdown) : EMPTY_HTML,
    ]
    const rows = html`<ul class="entries ${layout}">
      ${entries.map(renderEntry)}
    </ul>`
    return html`<section class="part" data-part="${id}">
      ${heading && html`<h2 id="${id}">${heading}</h2>`}
      <div class="text" lang="${language}">${text}</div>
      ${evidence} ${entries.length > 0 ? rows : ''}
    </section> `
  }
  return joinHtml(sections.map(renderSection))
}

export const renderPager = ({ page, pages, previous, next }: Pager): Html =>
  html`<nav class="pager" aria-label="Pages">
    ${previous && html`<a href="${previous}" rel="prev">Previous page</a>`}
    <span>Page ${page} of ${pages}</span>
    ${next && html`<a href="${next}" rel="next">Next page</a>`}
  </nav>`
