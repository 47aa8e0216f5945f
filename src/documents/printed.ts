import type { Document, Fact, Section } from './document.ts'
import { EMPTY_HTML, html, joinHtml } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'
import { linkTo, renderSections } from './sections.ts'
import type { MarkdownRenderer } from './sections.ts'
import type { PageView } from './template.ts'
import { viewDocument } from './view.ts'
import type { SiteFrame } from './view.ts'

// Only the build uses this file. The function does not need it, which keeps the code of the function small.

/** Renders the example searches as links. */
const renderExamples = (facts: readonly Fact[]): Html =>
  facts.length === 0
    ? EMPTY_HTML
    : html`<p class="flow tries">
        <span>${facts[0]!.label}</span>
        ${facts.map(({ value, path }) => html`${linkTo(path, value)} `)}
      </p>`

const renderInner = (inner: NonNullable<Section['inner']>): Html =>
  html`<ol>
    ${inner.map(({ id, text }) => html`<li><a href="#${id}" dir="auto">${text}</a></li> `)}
  </ol>`

const renderContents = (sections: readonly Section[]): Html =>
  joinHtml(
    sections.flatMap(({ id, heading, inner = [] }) => {
      if (heading === undefined) return []
      const below = inner.length > 0 ? renderInner(inner) : EMPTY_HTML
      return html`<li><a href="#${id}">${heading}</a>${below}</li> `
    }),
  )

const HEADING = /<h2 id="([^"]*)">([^]*?)<\/h2>/g

/** A text with fewer headings gets no table of contents. */
const FEWEST_HEADINGS = 3

/** Lists the headings of rendered HTML, because their ids are chosen while rendering. */
const listHeadings = ({ html: text }: Html): Html => {
  const items = Array.from(text.matchAll(HEADING), ([, id, words = '']) => ({
    html: `<li><a href="#${id}">${words.replace(/<[^>]*>/g, '')}</a></li> `,
  }))
  return items.length < FEWEST_HEADINGS ? EMPTY_HTML : joinHtml(items)
}

/** Renders the table of contents, if the page's kind has one. */
const renderTableOfContents = ({ kind, sections }: Document, body: Html): Html => {
  if (kind === 'prose' || kind === 'post') return listHeadings(body)
  return kind === 'skill' || kind === 'reference' ? renderContents(sections) : EMPTY_HTML
}

/** Turns a document of the build into the HTML values that its layout shows. */
export const viewPrinted = (
  document: Document,
  site: SiteFrame,
  renderMarkdown: MarkdownRenderer,
): PageView => {
  const { kind, facts, below, sections } = document
  const view = viewDocument(document, site, renderMarkdown)
  const renderForm = (form: Section['form']): Html =>
    renderSections(
      sections.filter((section) => section.form === form),
      renderMarkdown,
    )
  return {
    ...view,
    facts: below?.html ?? (kind === 'home' ? renderExamples(facts) : view.facts),
    label: renderForm('label'),
    install: renderForm('install'),
    contents: renderTableOfContents(document, view.body),
  }
}
