import { foldLine } from '../../../src/catalog/text.ts'

/** Characters that end a line, in any system's spelling. */
const LINE_ENDS = /\r\n?|[\n\u0085\u2028\u2029]/

/**
 * Cuts a text at the last word that fits in `limit` UTF-16 units, the added `…` included: the
 * schema counts units, so a name of emoji is longer there than it looks.
 */
export const cutAtWord = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  let end = limit - 1
  // Never between the halves of one character.
  if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1
  const head = text.slice(0, end)
  const wordEnd = /\s/.test(text.charAt(end)) ? end : head.search(/\s\S*$/)
  // A text without blanks, as Chinese is, is cut where it must be.
  const cut = wordEnd > limit / 2 ? head.slice(0, wordEnd) : head
  return `${cut.replace(/[\s,;:.–—-]+$/u, '')}…`
}

/** Gives a text as lines of visible characters; its paragraphs stay paragraphs. */
export const cleanText = (text: string): string =>
  text
    .split(LINE_ENDS)
    .map(foldLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

const withoutBlanks = (text: string): string => text.replace(/\s+/g, '')

/** Says whether cleaning took more from a text than blanks. */
export const lostCharacters = (text: string, cleaned: string): boolean =>
  withoutBlanks(text) !== withoutBlanks(cleaned)
