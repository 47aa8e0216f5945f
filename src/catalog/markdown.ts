import { Lexer, Tokenizer } from 'marked'
import type { MarkedToken, Tokens } from 'marked'
import { runInTime } from './in-time.ts'
import type { TimedResult } from './in-time.ts'
import { showNumber } from './text.ts'

/** Time limit for one text, in milliseconds; the slowest of 1,080 real texts takes 74. */
export const TEXT_TIME = 2_000

/** Longest text that is parsed as Markdown, in UTF-16 units. */
export const MARKDOWN_LIMIT = 524_288

/** Maximum number of table cells in a text; 1,080 real texts together have fewer than 30,000. */
const CELL_LIMIT = 100_000

/** Maximum nesting of tokens; a list and its item are two levels. */
const LEVEL_LIMIT = 100

/** The tokens directly inside a token; for a table, the tokens of its cells. */
export const childrenOf = (token: MarkedToken): readonly MarkedToken[] => {
  if (token.type === 'list') return token.items
  if (token.type === 'table')
    return [token.header, ...token.rows].flat().flatMap(({ tokens }) => tokens as MarkedToken[])
  return 'tokens' in token ? ((token.tokens ?? []) as MarkedToken[]) : []
}

const isDeeper = (tokens: readonly MarkedToken[], levels: number): boolean =>
  tokens.some((token) => {
    const children = childrenOf(token)
    return children.length > 0 && (levels === 0 || isDeeper(children, levels - 1))
  })

const countPipes = (line: string): number => line.split('|').length - 1

/** An upper bound for the table cells of a text. Every row counts as the widest, because marked fills up short rows. */
const countCells = (text: string): number => {
  let cells = 0
  for (const block of text.split(/\n[ \t>]*\n/)) {
    if (!block.includes('|')) continue
    const lines = block.split('\n')
    cells += lines.length * lines.reduce((widest, line) => Math.max(widest, countPipes(line)), 0)
  }
  return cells
}

/** Leaves GitHub's footnotes as text. CommonMark would read the note `[^1]: https://…` as the address of a link `[^1]`. */
class PlainNotes extends Tokenizer {
  override def(text: string): Tokens.Def | undefined {
    return /^ {0,3}\[\^/.test(text) ? undefined : super.def(text)
  }
}

/** Parses the registry's own Markdown (CommonMark with GitHub's extensions) into tokens. */
export const lexMarkdown = (text: string): MarkedToken[] =>
  // New objects each time, because marked stores its state in them.
  Lexer.lex(text, { gfm: true, tokenizer: new PlainNotes() }) as MarkedToken[]

const refuse = (fault: string) => ({ fault, isLate: false })

/**
 * Parses untrusted Markdown into tokens. A text that would need too much time or memory is refused; the fault says why.
 * A caller that stops after `TEXT_TIME` itself passes a `call` without a limit.
 */
export const readMarkdown = (text: string, call = runInTime): TimedResult<MarkedToken[]> => {
  if (text.length > MARKDOWN_LIMIT)
    return refuse(`is longer than ${showNumber(MARKDOWN_LIMIT)} characters`)
  if (countCells(text) > CELL_LIMIT)
    return refuse(`has tables of more than ${showNumber(CELL_LIMIT)} cells`)
  return call(TEXT_TIME, () => {
    const tokens = lexMarkdown(text)
    if (isDeeper(tokens, LEVEL_LIMIT)) throw new RangeError('nested too deeply')
    return tokens
  })
}

const REFERENCES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
}

/** Decodes common character references, which marked leaves in words and addresses. */
export const decodeReferences = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => REFERENCES[name]!)
    : text
