import { html, joinHtml } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { codeSpan, joinBlocks, link, list, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'

/** Text as Markdown and as HTML. The function needs both, because it cannot render Markdown. */
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

/** Template tag for the registry's own plain text. Values are escaped for each form, unless they are phrases. */
export const phrase = (literals: TemplateStringsArray, ...values: readonly Value[]): Phrase => ({
  markdown: md(literals, ...values.map((value) => pick(value, 'markdown'))),
  html: html(literals, ...values.map((value) => pick(value, 'html'))),
})

/** Creates a link. `path` is an address of this site, so it is not checked. */
export const linked = (label: string, path: string): Phrase => ({
  markdown: link(label, path),
  html: html`<a href="${path}">${label}</a>`,
})

export const inCode = (text: string): Phrase => ({
  markdown: codeSpan(text),
  html: html`<code>${text}</code>`,
})

export const inStrong = (text: string): Phrase => ({
  markdown: md`**${text}**`,
  html: html`<strong>${text}</strong>`,
})

export const withCommas = (all: readonly Phrase[]): Phrase[] =>
  all.map((item, at) => phrase`${at > 0 ? ', ' : ''}${item}`)

export const paragraphs = (...lines: readonly Phrase[]): Phrase => ({
  markdown: joinBlocks(lines.map((line) => line.markdown)),
  html: joinHtml(lines.map((line) => html`<p>${line.html}</p>`)),
})

export const bullets = (items: readonly Phrase[]): Phrase => ({
  markdown: list(items.map((item) => item.markdown)),
  html: html`<ul>${items.map((item) => html`<li>${item.html}</li>`)}</ul>`,
})

/** Returns the two fields of a document for a lead in both forms. */
export const asLead = (lead: Phrase): { lead: Markdown; leadHtml: Html } => ({
  lead: lead.markdown,
  leadHtml: lead.html,
})
