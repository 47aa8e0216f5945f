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
    .replace(/^(\s*)([-+#=:](?=\s|$|[-=#:])|[>|])/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

const escapeUnderscores = (words: string): string =>
  words.includes('_') ? words.replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_') : words

// A backslash before a sign, marks of code and emphasis, closing strikes, tags, entities, what may end a link.
const TAKEN_FOR_MORE =
  /\\(?=[!-/:-@[-`{-~\n]|$)|`|(?<!\s)\*|\*(?!\s)|(?<=\S)~|^~|~(?=~)|<(?=[A-Za-z/!?]|$)|&(?=#?\w{1,32};)|\](?=[([:]|$)|^\[/g

/** Escapes words inside a block, and no sign that stands for itself there; inside a link no bracket does. */
export const escapeWords = (words: string, isInLink = false): string => {
  const escaped = escapeUnderscores(words.replace(TAKEN_FOR_MORE, '\\$&'))
  if (isInLink) return escaped.replace(/(?<!\\)[[\]]/g, '\\$&')
  // An address that is no link must not become one: readers take whatever follows for a part of it.
  return escaped.replaceAll('://', ':&#47;/').replaceAll('www.', 'www&#46;')
}

/** Escapes a plain text so that Markdown shows it as it is, on one line, wherever it is put. */
export const escapeMarkdown = (text: string): string => {
  const line = (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text).trim()
  const escaped = line.replace(/[\\`*[\]<>|]|~(?=~)|&(?=[#\w])/g, '\\$&')
  return escapeLineStart(escapeUnderscores(escaped))
}

const isBlank = (character: string): boolean =>
  character === ' ' || character === '\t' || character === '\n' || character === '\r'

/**
 * Trims what Markdown calls blank, and nothing else of Unicode's white space: behind U+00A0 or U+2029 a `#`
 * begins no heading, and it must not come to stand at the margin.
 */
export const trimBlanks = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charAt(start))) start += 1
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Writes an address as the destination of a Markdown link; it reads back the same, whatever signs it holds. */
export const printAddress = (address: string): string => {
  const plain = address
    .replace(/\s/g, encodeURIComponent)
    .replace(/[\\<>]|&(?=#?\w{1,32};)/g, '\\$&')
  return /[()]/.test(plain) ? `<${plain}>` : plain.replace(/[[\]*`]/g, '\\$&')
}
