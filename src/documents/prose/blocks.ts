import { renderCode } from './highlight.ts'
import { html } from './markup.ts'
import { codeFence, md, table } from './md.ts'
import type { Phrase } from './phrases.ts'

// The blocks of the registry's own documents. Their HTML is what the renderer makes of their Markdown.

/** Writes a text as a code block. */
export const fenced = (text: string, language = ''): Phrase => ({
  markdown: codeFence(text, language),
  html: renderCode(text, language),
})

/** Writes a heading within a section. */
export const titled = (id: string, heading: string): Phrase => ({
  markdown: md`### ${heading}`,
  html: html`<h3 id="${id}">${heading}</h3>`,
})

/** Writes a table that can scroll. */
export const tabled = (
  header: readonly string[],
  rows: readonly (readonly Phrase[])[],
): Phrase => ({
  markdown: table(
    header,
    rows.map((row) => row.map(({ markdown }) => markdown)),
  ),
  html: html`<div class="table" tabindex="0" role="group" aria-label="Table"><table>
<thead>
<tr>${header.map((name) => html`<th scope="col">${name}</th>`)}</tr>
</thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell.html}</td>`)}</tr>`)}</tbody>
</table></div>`,
})
