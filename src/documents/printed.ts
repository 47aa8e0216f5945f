import type { Document, Fact, LabelLine, LabelView, NearList, Section } from './document.ts'
import { EMPTY_HTML, html, joinHtml } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'
import { linkTo, listAnchors, renderFold, renderLine } from './sections.ts'
import type { MarkdownRenderer } from './sections.ts'
import { renderInstallBox } from './skill/install-box.ts'
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

/** Renders the line right below the lead of the home page or of a skill page. */
const renderFacts = (document: Document): Html | undefined => {
  const { kind, byline, facts } = document
  if (kind === 'home') return renderExamples(facts)
  if (byline === undefined) return undefined
  const parts = byline.map((part) => html`<span>${part.html}</span> `)
  return html`<p class="byline">${parts}</p>`
}

/** Number of lines in the first half of a label. */
const HALF = 6

const renderLabelLine = (
  { key, value, aside, isSoft, isWarning }: LabelLine,
  renderMarkdown: MarkdownRenderer,
): Html => {
  const words = renderLine(value, renderMarkdown)
  const more = aside && html` <small>(${renderLine(aside, renderMarkdown)})</small>`
  const kind = isSoft ? 'none' : isWarning ? 'warning' : 'found'
  return html`<div>
    <dt>${key}</dt>
    <dd class="${kind}">${words}${more}</dd>
  </div> `
}

/** Renders the label of a skill in two halves. */
const renderLabel = (
  { title, origin, lines }: LabelView,
  renderMarkdown: MarkdownRenderer,
): Html => {
  const rendered = lines.map((line) => renderLabelLine(line, renderMarkdown))
  return html`<section class="label" aria-labelledby="label">
    <header>
      <p class="title" id="label">${title}</p>
      <p>${renderLine(origin, renderMarkdown)}</p>
    </header>
    <div class="halves">
      <dl>${rendered.slice(0, HALF)}</dl>
      <dl>${rendered.slice(HALF)}</dl>
    </div>
  </section>`
}

const renderInstall = (document: Document, renderMarkdown: MarkdownRenderer): Html => {
  const { sections } = document
  const usedAnchors = listAnchors(sections)
  const boxes = sections.flatMap((section): Html[] => {
    const { install, folded } = section
    if (!install) return []
    const fold = folded ? renderFold(folded, usedAnchors, renderMarkdown) : EMPTY_HTML
    const text = renderMarkdown(install.below, usedAnchors)
    return [renderInstallBox(section, install.ways, { text, fold })]
  })
  return joinHtml(boxes)
}

/** Renders the list of similar skills beside a page. It has no heading, and the Markdown twin leaves it out. */
const renderNear = ({ skills, author }: NearList): Html =>
  html`<section class="near" aria-labelledby="similar">
    <p class="title" id="similar">Similar skills</p>
    <ul class="near-list">
      ${skills.map(
        ({ title, path, text }) =>
          html`<li>
            <a href="${path}" dir="auto">${title}</a>
            <p dir="auto">${text}</p>
          </li> `,
      )}
      <li class="more">
        <a href="#how-it-compares">Compare them</a> ·
        <a href="${author.path}">All by ${author.title}</a>
      </li>
    </ul>
  </section>`

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
  const view = viewDocument(document, site, renderMarkdown)
  const { label, near } = document
  return {
    ...view,
    facts: renderFacts(document) ?? view.facts,
    label: label ? renderLabel(label, renderMarkdown) : EMPTY_HTML,
    install: renderInstall(document, renderMarkdown),
    near: near ? renderNear(near) : EMPTY_HTML,
    contents: renderTableOfContents(document, view.body),
  }
}
