import { Lexer, Marked, Parser } from 'marked'
import type { RendererObject, Token, Tokens, TokensList } from 'marked'
import { readPlainInline } from './plain-inline.ts'
import { QuickTokenizer } from './tokenizer.ts'

/** One engine for every Markdown text: GitHub's dialect, without extensions. */
export const markdown = new Marked({ gfm: true })

/**
 * What reading the inline texts of a stranger's Markdown may take, in characters looked at: about a second.
 * The costliest of a thousand real ones takes a two-hundredth.
 */
export const GUEST_EFFORT = 20_000_000

/** Of breaks and backticks marked takes the square, but so small a part of it. */
const PART_OF_SQUARE = 512

/** marked's lexer, which reads plain inline texts by a quicker way to the same tokens. */
class QuickLexer extends Lexer {
  private readonly quick: QuickTokenizer

  constructor(effort: number) {
    const quick = new QuickTokenizer()
    quick.effort = effort
    super({ ...markdown.defaults, tokenizer: quick })
    this.quick = quick
  }

  private readInline(source: string, tokens: Token[]): Token[] {
    const before = this.quick.look(source)
    try {
      return super.inlineTokens(source, tokens)
    } finally {
      this.quick.goBack(before)
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const { inLink, inRawBlock } = this.state
    const plain = inLink || inRawBlock ? undefined : readPlainInline(source)
    if (!plain) {
      this.quick.spend(source.length ** 2 / PART_OF_SQUARE)
      return this.readInline(source, tokens)
    }
    // Not spread into one call: a text may have more pieces than a call takes arguments.
    for (const token of plain) tokens.push(token)
    return tokens
  }
}

const createLexer = (effort = Infinity): Lexer => new QuickLexer(effort)

/** A line that begins no block but a paragraph: with a letter, a code span or a link. */
const PARAGRAPH_LINE = /^(?:[A-Za-z]|`[^`]|\[[A-Za-z])[^\n\r]*$/

const readPlainLine = (text: string): TokensList | undefined => {
  const tokens = PARAGRAPH_LINE.test(text) ? readPlainInline(text) : undefined
  return tokens && Object.assign([{ type: 'paragraph', raw: text, text, tokens }], { links: {} })
}

// marked 18.2.1 throws a TypeError where `> * ` is followed by a line that ends the quote in an item.
const asCode = (text: string): TokensList =>
  Object.assign([{ type: 'code', raw: text, text } satisfies Tokens.Code], { links: {} })

/**
 * Reads Markdown into tokens, which are shared and never changed; what meets a fault of marked's is code.
 * Throws RangeError where the text would take more than an effort, if one is given.
 */
export const lexBlocks = (text: string, effort?: number): TokensList => {
  try {
    return readPlainLine(text) ?? createLexer(effort).lex(text)
  } catch (error) {
    if (error instanceof TypeError) return asCode(text)
    throw error
  }
}

/** Reads one line of Markdown into tokens; they are shared and never changed. */
export const lexInline = (text: string): Token[] => createLexer().inlineTokens(text)

/** Makes a parser that turns tokens into HTML with a renderer of ours. */
export const createParser = (renderer: RendererObject): Parser =>
  new Parser(new Marked({ gfm: true, renderer }).defaults)
