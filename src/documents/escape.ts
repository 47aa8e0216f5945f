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

/** Escapes a text for a double-quoted HTML attribute, exactly as Astro escapes one. */
export const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Escapes what would start a block of Markdown at the beginning of a line. */
export const escapeLineStart = (line: string): string =>
  line
    .replace(/^(\s*)([-+#=]|>)(?=\s|$|[-=#])/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** Escapes a plain text so that Markdown shows it as it is, on one line, markers untouched inside words. */
export const escapeMarkdown = (text: string): string => {
  const line = (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text).trim()
  const escaped = line.replace(/[\\`*[\]<>|]|~(?=~)|&(?=[#\w])/g, '\\$&')
  return escapeLineStart(
    escaped.includes('_')
      ? escaped.replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
      : escaped,
  )
}
