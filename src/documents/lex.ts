import { Lexer, Marked, Parser } from 'marked'
import type { RendererObject, Token, Tokens, TokensList } from 'marked'
import { QuickTokenizer } from './tokenizer.ts'

/** One engine for every Markdown text: GitHub's dialect, without extensions. */
export const markdown = new Marked({ gfm: true })

/** A sign that makes an inline text more than its characters, or may. */
const SIGNS = /[\\<[`*~_@&]|:\/\/|www\.|(?:mailto|xmpp):| {2}\n/

/** Inline texts remembered before all are forgotten; a page has some hundred. */
const REMEMBERED = 4_000

const remembered = new Map<string, readonly Token[]>()

const remember = (source: string, tokens: readonly Token[]): void => {
  if (remembered.size >= REMEMBERED) remembered.clear()
  remembered.set(source, tokens)
}

const hasLinks = ({ tokens }: Lexer): boolean => {
  for (const _ in tokens.links) return true
  return false
}

/**
 * marked's lexer, which reads an inline text once: a page reads each twice or more, in its author's
 * form, as printed, and in the part that is lifted out of it. Inline tokens depend on nothing but
 * the text where no reference is defined and no link or raw block is open.
 */
class RememberingLexer extends Lexer {
  private readonly quick: QuickTokenizer

  constructor() {
    const quick = new QuickTokenizer()
    super({ ...markdown.defaults, tokenizer: quick })
    this.quick = quick
  }

  private readInline(source: string, tokens: Token[]): Token[] {
    const before = this.quick.look(source)
    try {
      return super.inlineTokens(source, tokens)
    } finally {
      this.quick.isPlain = before
    }
  }

  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    const { state } = this
    if (!state.inRawBlock && !SIGNS.test(source)) {
      if (source !== '') tokens.push({ type: 'text', raw: source, text: source, escaped: false })
      return tokens
    }
    if (state.inLink || state.inRawBlock || hasLinks(this)) {
      return this.readInline(source, tokens)
    }
    const known = remembered.get(source)
    if (known) {
      tokens.push(...known)
      return tokens
    }
    const start = tokens.length
    this.readInline(source, tokens)
    if (!state.inLink && !state.inRawBlock) remember(source, tokens.slice(start))
    return tokens
  }
}

const createLexer = (): Lexer => new RememberingLexer()

const isPlainLine = (text: string): boolean => /^[A-Za-z][^\n\r]*$/.test(text) && !SIGNS.test(text)

const asParagraph = (text: string): TokensList => {
  const tokens = [{ type: 'text', raw: text, text, escaped: false }]
  return Object.assign([{ type: 'paragraph', raw: text, text, tokens }], { links: {} })
}

// marked 18.2.1 throws a TypeError where `> * ` is followed by a line that ends the quote in an item.
const asCode = (text: string): TokensList =>
  Object.assign([{ type: 'code', raw: text, text } satisfies Tokens.Code], { links: {} })

/** Reads Markdown into tokens, which are shared and never changed; what meets a fault of marked's is code. */
export const lexBlocks = (text: string): TokensList => {
  if (isPlainLine(text)) return asParagraph(text)
  try {
    return createLexer().lex(text)
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
