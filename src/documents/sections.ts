import { categorySlug } from '../catalog/categories.ts'
import type { Entry, EntryFact, FileSource, Pager, Section, TextRange } from './document.ts'
import { detectLanguage } from '../catalog/language.ts'
import { withLanguage } from './language.ts'
import { EMPTY_HTML, html, joinHtml } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'
import { aged } from './prose/phrases.ts'
import { renderSource } from './prose/source.ts'

const linkTo = (path: string | undefined, words: Html | string): Html =>
  path === undefined ? html`${words}` : html`<a href="${path}">${words}</a>`

const renderMarked = (text: string, ranges: readonly TextRange[] = []): Html => {
  let [marked, at] = [EMPTY_HTML, 0]
  for (const { from, to } of ranges) {
    marked = html`${marked}${text.slice(at, from)}<mark>${text.slice(from, to)}</mark>`
    at = to
  }
  return withLanguage(html`${marked}${text.slice(at)}`, text)
}

const renderEntryFact = ({ kind, text, path }: EntryFact): Html =>
  kind === 'day' || kind === 'since'
    ? html`<li class="${kind}">${aged(text).html}</li> `
    : html`<li class="${kind}">${kind === 'author' ? 'by ' : ''}${linkTo(path, text)}</li> `

/** Renders what sets an entry apart as one item. */
const renderFound = (facts: readonly EntryFact[]): Html => {
  if (facts.length === 0) return EMPTY_HTML
  const parts = facts.map(({ text, path, isWarning }, at) => {
    const words = isWarning ? html`<span class="warn">${text}</span>` : linkTo(path, text)
    return html`${at > 0 ? ', ' : ''}${words}`
  })
  return html`<li class="found">${parts}</li>`
}

const renderNotes = (facts: readonly EntryFact[]): Html => {
  const [found, plain] = [
    facts.filter(({ kind }) => kind === 'found'),
    facts.filter(({ kind }) => kind !== 'found'),
  ]
  if (facts.length === 0) return EMPTY_HTML
  return html`<ul class="notes">
    ${plain.map(renderEntryFact)}${renderFound(found)}
  </ul>`
}

const BESIDE_NAME: ReadonlySet<EntryFact['kind']> = new Set(['author', 'category', 'since'])

const isBesideName = ({ kind }: EntryFact): boolean => BESIDE_NAME.has(kind)

const renderEntryText = (text: string, ranges: readonly TextRange[] = []): Html =>
  text === '' ? EMPTY_HTML : html`<p dir="auto">${renderMarked(text, ranges)}</p>`

/** Draws the lines that a version adds and removes as two bars, on a logarithmic scale. */
const renderLines = ({ added, removed }: NonNullable<Entry['lines']>): Html => {
  const [plus, minus] = [added, removed].map((lines) => Math.min(59, 12 * Math.log2(1 + lines)))
  return html`<svg class="change" width="120" height="8" aria-hidden="true">
    <rect width="${plus}" height="8"></rect>
    <rect class="minus" x="${plus! + 2}" width="${minus}" height="8"></rect>
  </svg>`
}

/** Renders an entry as a row: who it is at the left, and what it is beside or below. */
const renderWide = (entry: Entry): Html => {
  const { title, path, text, facts, matches, hit, lines } = entry
  const beside = facts.filter(isBesideName)
  const sentence =
    hit && html`<p class="hit" dir="auto">${hit.before} ${renderMarked(hit.text, hit.matches)}</p>`
  return html`<div class="who">
      <a href="${path}" dir="auto">${renderMarked(title, matches?.title)}</a>
      ${beside.length > 0 ? html`<ul class="whose">${beside.map(renderEntryFact)}</ul>` : ''}
    </div>
    <div class="what">
      ${lines && renderLines(lines)}${renderEntryText(text, matches?.text)}${sentence}
      ${renderNotes(facts.filter((fact) => !isBesideName(fact)))}
    </div>`
}

/** Renders an entry as a cell of a grid, or as a title with its text. */
const renderCell = ({ title, path, text, isName, facts }: Entry): Html => {
  const notes = facts.filter(({ kind }) => kind === 'count' || kind === 'day')
  return html`<a class="${isName ? 'name' : 'title'}" href="${path}" dir="auto">${title}</a>
    ${renderNotes(notes)} ${renderEntryText(text)}`
}

const renderEntries = (entries: readonly Entry[], layout: 'rows' | 'cells' | 'titles'): Html => {
  const renderEntry = layout === 'rows' ? renderWide : renderCell
  const items = entries.map((entry) => {
    const { category } = entry
    return html`<li class="entry" data-hue="${category ? categorySlug(category) : 'none'}">
      ${renderEntry(entry)}
    </li> `
  })
  return entries.length === 0 ? EMPTY_HTML : html`<ul class="entries ${layout}">${items}</ul>`
}

const renderFileSource = (source: FileSource): Html =>
  html`<section class="source" aria-label="Source">
    <header><button type="button" class="copy" hidden>Copy</button></header>
    ${renderSource(source)}
  </section> `

const renderSection = (section: Section): Html => {
  const { id, heading, markdown, html: text, source, form, entries = [], list = 'rows' } = section
  if (source) return renderFileSource(source)
  if (form === 'label') return text
  const title = heading && html`<h2 id="${id}">${heading}</h2>`
  const words = { html: text.html.trim() }
  const body =
    form === 'bare' || form === 'install' || words.html === ''
      ? words
      : html`<div class="text" lang="${detectLanguage(String(markdown)) ?? 'en'}">${words}</div>`
  const isBeside = entries.length > 0 && title && words.html !== ''
  return html`<section class="${form === 'brief' ? form : 'part'}" data-part="${id}">
    ${isBeside ? html`<header class="spread">${title}${body}</header>` : html`${title}${body}`}
    ${renderEntries(entries, list)}
  </section> `
}

export const renderSections = (sections: readonly Section[]): Html =>
  joinHtml(sections.map(renderSection))

export const renderPager = ({ page, pages, previous, next }: Pager): Html =>
  html`<nav class="pager flow" aria-label="Pages">
    ${previous && html`<a href="${previous}" rel="prev">Previous page</a>`}
    <span>Page ${page} of ${pages}</span>
    ${next && html`<a href="${next}" rel="next">Next page</a>`}
  </nav>`
