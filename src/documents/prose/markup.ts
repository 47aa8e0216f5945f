/** Trusted HTML: made by `html`, or checked by the Markdown renderer. */
export interface Html {
  readonly html: string
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML content and quoted attributes. */
export const escapeText = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char) : text

type Value = string | number | Html | readonly Html[] | undefined

const print = (value: Value): string => {
  if (typeof value === 'string') return escapeText(value)
  if (typeof value === 'number') return String(value)
  if (value === undefined) return ''
  return 'html' in value ? value.html : joinHtml(value).html
}

/** Template tag for HTML. Strings are escaped, `Html` is not, undefined is empty. Attributes must be quoted. */
export const html = (literals: readonly string[], ...values: readonly Value[]): Html => {
  let text = literals[0] ?? ''
  for (const [at, value] of values.entries()) text += print(value) + (literals[at + 1] ?? '')
  return { html: text }
}

export const EMPTY_HTML = html``

export const joinHtml = (parts: readonly Html[]): Html => ({
  html: parts.map((part) => part.html).join(''),
})
