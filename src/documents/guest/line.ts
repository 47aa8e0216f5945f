import { escapeLineStart, escapeMarkdown } from '../escape.ts'
import { printBlocks } from '../print.ts'
import { readTree } from '../tree.ts'
import { isTooCostly } from './bounds.ts'
import { settleLine } from './host.ts'
import { isSafeHref } from './links.ts'

const placeLink = (href: string): string | undefined =>
  /^https?:/i.test(href) && isSafeHref(href) ? href : undefined

/**
 * Writes one line of Markdown by a catalog author for a page: emphasis, code and links stay, and what would
 * begin a block is text.
 */
export const hostInline = (line: string): string => {
  const plain = line.replace(/\s+/g, ' ').trim()
  const source = escapeLineStart(plain)
  const [block, ...others] = isTooCostly(source) ? [] : readTree(source).children
  if (block?.type !== 'paragraph' || others.length > 0) return escapeMarkdown(plain)
  return printBlocks(settleLine(block, placeLink), source) || escapeMarkdown(plain)
}
