import { isSafeHref } from './links.ts'
import { html, joinHtml } from './markup.ts'
import type { Html } from './markup.ts'
import { codeSpan, joinBlocks, link, list, md } from './md.ts'
import type { Markdown } from './md.ts'

/** A text of the registry in both forms of a page. The words of pages are phrases: nothing parses their Markdown. */
export interface Phrase {
  markdown: Markdown
  html: Html
}

type Value = string | number | Phrase | readonly Phrase[]

const pick = <Form extends keyof Phrase>(
  value: Value,
  form: Form,
): string | number | Phrase[Form] | readonly Phrase[Form][] => {
  if (typeof value === 'string' || typeof value === 'number') return value
  return 'markdown' in value ? value[form] : value.map((item) => item[form])
}

/** The literals of each template as HTML. */
const marked = new WeakMap<TemplateStringsArray, readonly string[]>()

const markWords = (literals: TemplateStringsArray): readonly string[] => {
  const known = marked.get(literals)
  if (known) return known
  const written = literals.map((text) =>
    text
      .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
      .replace(/`([^`]+)`/g, '<code>$1</code>'),
  )
  marked.set(literals, written)
  return written
}

/**
 * Template tag for the registry's own text, which can have `code` and **strong** words. Values are escaped for each
 * form, unless they are phrases.
 */
export const phrase = (literals: TemplateStringsArray, ...values: readonly Value[]): Phrase => ({
  markdown: md(literals, ...values.map((value) => pick(value, 'markdown'))),
  html: html(markWords(literals), ...values.map((value) => pick(value, 'html'))),
})

/** No text, as of a section that has only entries. */
export const NO_WORDS = phrase``

/** Creates a link, or only its label if the address is unsafe. Search engines do not follow links to other sites. */
export const linked = (label: string | Phrase, path: string): Phrase => {
  const words = typeof label === 'string' ? phrase`${label}` : label
  if (!isSafeHref(path)) return words
  const rel = /^https?:/i.test(path) ? html` rel="nofollow noopener ugc"` : html``
  return {
    markdown: link(typeof label === 'string' ? label : label.markdown, path),
    html: html`<a href="${path}"${rel}>${words.html}</a>`,
  }
}

export const inCode = (text: string): Phrase => ({
  markdown: codeSpan(text),
  html: html`<code>${text}</code>`,
})

/** Writes a plain text in which words between two backticks are code. */
export const withCode = (text: string): Phrase => {
  const pieces = text.split(/`([^`]+)`/)
  return phrase`${pieces.map((piece, at) => (at % 2 === 0 ? phrase`${piece}` : inCode(piece)))}`
}

export const inStrong = (text: string): Phrase => ({
  markdown: md`**${text}**`,
  html: html`<strong>${text}</strong>`,
})

export const inWarning = (text: string): Phrase => ({
  markdown: md`${text}`,
  html: html`<span class="warn">${text}</span>`,
})

/** Shows a day, after which browsers say how long ago it was. */
export const aged = (day: string): Phrase => ({
  markdown: md`${day}`,
  html: html`<time datetime="${day}">${day}</time><age-of data-day="${day}"></age-of>`,
})

/** A phrase or a plain text that can be absent. Lists leave it out. */
type Maybe = Phrase | string | false | undefined

const present = (all: readonly Maybe[]): Phrase[] =>
  all.flatMap((one) => (typeof one === 'string' ? phrase`${one}` : one || []))

/** Joins phrases on one line. `omitted` is the number of further ones. */
export const joinPhrases = (all: readonly Maybe[], separator = ', ', omitted = 0): Phrase =>
  phrase`${present(all).map((item, at) => phrase`${at > 0 ? separator : ''}${item}`)}${omitted > 0 ? ` and ${omitted} more` : ''}`

/** Puts blocks below each other. */
export const stacked = (blocks: readonly Maybe[]): Phrase => ({
  markdown: joinBlocks(present(blocks).map(({ markdown }) => markdown)),
  html: joinHtml(present(blocks).map((block) => block.html)),
})

export const paragraphs = (...lines: readonly Maybe[]): Phrase =>
  stacked(
    present(lines).map((line) => ({ markdown: line.markdown, html: html`<p>${line.html}</p>` })),
  )

export const bullets = (items: readonly Maybe[]): Phrase => ({
  markdown: list(present(items).map((item) => item.markdown)),
  html: html`<ul>${present(items).map((item) => html`<li>${item.html}</li>`)}</ul>`,
})

/** Folds a text behind a label, which Markdown puts before it. */
export const folded = (label: string, text: Phrase): Phrase => ({
  markdown: joinBlocks([md`${label}:`, text.markdown]),
  html: html`<details>
    <summary>${label}</summary>
    ${text.html}
  </details> `,
})

export const factLine = (all: readonly Maybe[]): Phrase => {
  const facts = present(all)
  if (facts.length === 0) return NO_WORDS
  return {
    markdown: joinPhrases(facts, ' · ').markdown,
    html: html`<p class="byline flow">
      ${facts.map((fact) => html`<span>${fact.html}</span> `)}
    </p>`,
  }
}
