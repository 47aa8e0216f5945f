const TEXT_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes a text for HTML content, exactly as Astro escapes an expression. */
export const escapeText = (text: string): string =>
  /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (sign) => TEXT_ESCAPES[sign] ?? sign) : text

/** Escapes a text for HTML content, leaving quotes, which need no escape outside attributes. */
export const escapeContent = (text: string): string =>
  /[&<>]/.test(text) ? text.replace(/[&<>]/g, (sign) => TEXT_ESCAPES[sign] ?? sign) : text

/** Escapes a text for a double-quoted HTML attribute, exactly as Astro escapes one. */
export const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/**
 * Turns an anchor into an HTML id. HTML allows any, but CSS selectors and checkers want a letter first. No anchor has a
 * capital letter, so the prefix causes no collision. Markdown keeps anchors as GitHub makes them.
 */
export const toId = (anchor: string): string => (/^\p{L}/u.test(anchor) ? anchor : `At-${anchor}`)

/** Escapes the beginning of a line that would start a block of Markdown. */
export const escapeLineStart = (line: string): string =>
  line
    .replace(/^(\s*)([-+#=:](?=\s|$|[-=#:])|[>|])/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** Escapes each underscore that could begin or end emphasis. */
export const escapeUnderscores = (words: string): string =>
  words.includes('_') ? words.replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_') : words

const ADDRESS = /:\/\/|www\./i

/**
 * Breaks each bare address that contains an escape: parsers that autolink take the backslash as part of the address, so
 * the escaped character would become markup.
 */
export const preventLinks = (escaped: string): string =>
  ADDRESS.test(escaped)
    ? escaped.replace(/\S+/g, (word) => (word.includes('\\') ? preventLink(word) : word))
    : escaped

/** Writes an address so that no parser links it and readers see it whole. */
export const preventLink = (words: string): string =>
  words.replaceAll('://', ':\\//').replace(/(www)\./gi, '$1\\.')

/** Escapes a plain text so that Markdown shows it literally, on one line, in any context. */
export const escapeMarkdown = (text: string): string => {
  const line = (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text).trim()
  const escaped = line.replace(/[\\`*[\]<>|]|~(?=~)|&(?=[#\w])/g, '\\$&')
  return escapeLineStart(preventLinks(escapeUnderscores(escaped)))
}

/** Writes an address as the destination of a Markdown link, whatever characters it contains. */
export const printAddress = (address: string): string => {
  const plain = address
    .replace(/\s/g, encodeURIComponent)
    .replace(/[\\<>]|&(?=#?\w{1,32};)/g, '\\$&')
  return /[()]/.test(plain) ? `<${plain}>` : plain.replace(/[[\]*`]/g, '\\$&')
}
