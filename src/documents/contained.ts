import type { Token, Tokens } from 'marked'
import { keepBlock } from './kept-blocks.ts'
import type { PrintedBlock } from './kept-blocks.ts'
import { lexBlocks } from './lex.ts'
import { isAbsoluteHref, isSafeHref } from './links.ts'

const SENTINEL = 'end-of-guest'

/** Reads printed Markdown; undefined where it does not end before the heading that follows. */
const readClosed = (printed: string): Token[] | undefined => {
  const tokens = lexBlocks(`${printed}\n\n# ${SENTINEL}`)
  const last = tokens.at(-1)
  return last?.type === 'heading' && last.text === SENTINEL ? tokens.slice(0, -1) : undefined
}

const isPlacedHref = (href: string): boolean =>
  isSafeHref(href) && (/^[/#]/.test(href) || isAbsoluteHref(href))

/** Says whether a token by itself stays in a section of a depth. */
const isInside = (token: Token, depth: number): boolean => {
  switch (token.type) {
    case 'html':
    case 'def':
    case 'image':
      return false
    case 'heading':
      return token.depth > depth
    // Every link was placed by the host, so none is relative: one that is came from reading anew.
    case 'link':
      return isPlacedHref(token.href)
    default:
      return true
  }
}

const childrenOf = (token: Token): readonly Token[] => {
  if (token.type === 'list') return (token as Tokens.List).items
  if (token.type !== 'table') return ('tokens' in token && token.tokens) || NO_TOKENS
  const { header, rows } = token as Tokens.Table
  return [header, ...rows].flatMap((cells) => cells.flatMap(({ tokens }) => tokens))
}

const NO_TOKENS: readonly Token[] = []

/** Says whether nothing of tokens leaves a section of a depth: no HTML, heading above it or odd address. */
const staysInside = (tokens: readonly Token[], depth: number): boolean =>
  tokens.every((token) => isInside(token, depth) && staysInside(childrenOf(token), depth))

// Two lists that follow each other are read as one, whatever marks they had.
const isListLike = ({ text }: PrintedBlock): boolean => /^(?:[*+-]|\d{1,9}[.)])(?:\s|$)/.test(text)

// A reference that is defined, and a link left open, change how the rest of a text is read.
const isReadAsAWhole = ({ token, text }: PrintedBlock): boolean =>
  token.type === 'def' ||
  (text.startsWith('[') && text.includes(']:')) ||
  token.raw.includes('<a ') ||
  token.raw.includes('<A ')

/**
 * Reads printed blocks, of which those that print as they were read need not be read again. A block
 * ends at the blank line behind it and starts at the margin, so each reads alone as it does among
 * the others; what was printed anew shows that it ends when it is read.
 */
const readBlocks = (blocks: readonly PrintedBlock[]): Token[] | undefined => {
  if (blocks.some(isReadAsAWhole)) return undefined
  const shown = blocks.filter(({ text }) => text !== '')
  const tokens: Token[] = []
  let anew: string[] = []
  for (const [at, block] of shown.entries()) {
    const next = shown[at + 1]
    // What was printed anew may end in a list, whatever it was.
    const mayJoin =
      isListLike(block) && (anew.length > 0 || (next !== undefined && isListLike(next)))
    // What ends the text was read without the blank line that ends it now.
    const kept = mayJoin || next === undefined ? undefined : keepBlock(block)
    if (kept === undefined) anew.push(block.text)
    if (anew.length > 0 && (kept !== undefined || next === undefined)) {
      const read = readClosed(anew.join('\n\n'))
      if (!read) return undefined
      for (const token of read) tokens.push(token)
      anew = []
    }
    if (kept !== undefined) tokens.push(kept)
  }
  return tokens
}

/** Joins printed blocks into the text they are. */
export const joinBlocks = (blocks: readonly PrintedBlock[]): string =>
  blocks
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n')

/** Reads printed blocks as one text; undefined where HTML, a heading out of place or an open end shows. */
export const readWhole = (
  blocks: readonly PrintedBlock[],
  depth: number,
): readonly Token[] | undefined => {
  const tokens = readClosed(joinBlocks(blocks))
  return tokens && staysInside(tokens, depth) ? tokens : undefined
}

/** Gives what readWhole gives, but reads only what was printed anew where that tells the same. */
export const readContained = (
  blocks: readonly PrintedBlock[],
  depth: number,
): readonly Token[] | undefined => {
  const tokens = readBlocks(blocks)
  return tokens && staysInside(tokens, depth) ? tokens : readWhole(blocks, depth)
}
