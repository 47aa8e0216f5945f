import { Tokenizer } from 'marked'
import type { Tokens } from 'marked'
import { ADDRESS_OR_BREAK } from './plain-inline.ts'
import { findPlainList, tokenizePlainList } from './plain-list.ts'

const SPACE = 0x20
const TAB = 0x09
const NEWLINE = 0x0a

/** Deepest indent at which a block still starts, in spaces. */
const DEEPEST_START = 3

/** Gives the code of the sign that a line starts with, behind as many spaces as a block may have. */
const codeAtStart = (source: string, line = 0): number => {
  let at = line
  while (at < line + DEEPEST_START && source.charCodeAt(at) === SPACE) at += 1
  return source.charCodeAt(at)
}

const codesOf = (signs: string): ReadonlySet<number> =>
  new Set([...signs].map((sign) => sign.charCodeAt(0)))

const FENCES = codesOf('`~')
const RULES = codesOf('-_*')
const BULLETS = codesOf('*+-0123456789')
const TABLE_RULES = codesOf('|:-')
const UNDERLINES = codesOf('=-')
const HEADING = '#'.charCodeAt(0)
const QUOTE = '>'.charCodeAt(0)
const TAG = '<'.charCodeAt(0)
const BRACKET = '['.charCodeAt(0)

/** A list that may follow words without an empty line between. */
const INTERRUPTS = /^(?:[*+-]|1[.)])/

const isBlankCode = (code: number): boolean => code === SPACE || code === TAB || code === NEWLINE

/** Lines that are looked at for an underline; behind them marked's own look, which ends with the words, is cheaper. */
const LINES_LOOKED_AT = 50

/** Says whether a line that could underline a heading may follow before an empty one. */
const mayUnderline = (source: string): boolean => {
  let line = source.indexOf('\n') + 1
  for (let looked = 0; line > 0 && source.charCodeAt(line) !== NEWLINE; looked += 1) {
    if (looked === LINES_LOOKED_AT || UNDERLINES.has(codeAtStart(source, line))) return true
    line = source.indexOf('\n', line) + 1
  }
  return false
}

const mayRuleTable = (source: string): boolean => {
  const line = source.indexOf('\n') + 1
  return line > 0 && TABLE_RULES.has(codeAtStart(source, line))
}

const EMPHASIS = codesOf('*_~')

/** Marks of emphasis that words follow; before a space they open none. */
const OPENS = /^(?:\*+|_+|~+)(?=\S)/

const LETTER = /[A-Za-z0-9]/

/** An inline text that is read. */
interface InlineText {
  source: string
  /** It holds no address without brackets and no break of spaces. */
  isPlain: boolean
}

/** A text up to the next sign that may begin something, where there are no addresses and breaks. */
const TEXT = /^(?:`+|~+|[^`~])[^\\<![`*~_]*/

/**
 * marked's tokenizer, which asks the first sign before it tries a rule: each of its expressions costs
 * more than that to find that it does not match. What it reads is the same.
 */
export class QuickTokenizer extends Tokenizer {
  /** What reading may still take, in characters looked at. */
  effort = Infinity

  private read: InlineText = { source: '', isPlain: false }

  /** Looks at a whole inline text before its parts are read; gives the one around it. */
  look(source: string): InlineText {
    const before = this.read
    this.read = { source, isPlain: !ADDRESS_OR_BREAK.test(source) }
    return before
  }

  /** Goes on with the inline text around the one that was read. */
  goBack(text: InlineText): void {
    this.read = text
  }

  /** Throws RangeError where more would be looked at than reading may take. */
  spend(characters: number): void {
    this.effort -= characters
    if (this.effort < 0) throw new RangeError('The text would take too long to read.')
  }

  // marked asks for code where it found no emphasis: it looked for its end in all that follows.
  override codespan(source: string): Tokens.Codespan | undefined {
    if (EMPHASIS.has(source.charCodeAt(0)) && this.mayOpen(source)) this.spend(source.length)
    return super.codespan(source)
  }

  private mayOpen(rest: string): boolean {
    const { source } = this.read
    const isInWord =
      rest.startsWith('_') && LETTER.test(source.charAt(source.length - rest.length - 1))
    return !isInWord && OPENS.test(rest)
  }

  override space(source: string): Tokens.Space | undefined {
    return isBlankCode(source.charCodeAt(0)) ? super.space(source) : undefined
  }

  override code(source: string): Tokens.Code | undefined {
    return isBlankCode(source.charCodeAt(0)) ? super.code(source) : undefined
  }

  override fences(source: string): Tokens.Code | undefined {
    return FENCES.has(codeAtStart(source)) ? super.fences(source) : undefined
  }

  override heading(source: string): Tokens.Heading | undefined {
    return codeAtStart(source) === HEADING ? super.heading(source) : undefined
  }

  override hr(source: string): Tokens.Hr | undefined {
    return RULES.has(codeAtStart(source)) ? super.hr(source) : undefined
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return codeAtStart(source) === QUOTE ? super.blockquote(source) : undefined
  }

  override list(source: string): Tokens.List | undefined {
    if (!BULLETS.has(codeAtStart(source))) return undefined
    const plain = findPlainList(source)
    return plain && (!this.isInWords || INTERRUPTS.test(source))
      ? tokenizePlainList(plain, this.lexer)
      : super.list(source)
  }

  private get isInWords(): boolean {
    return this.lexer.state.lastToken?.type === 'text'
  }

  override html(source: string): Tokens.HTML | undefined {
    return codeAtStart(source) === TAG ? super.html(source) : undefined
  }

  override def(source: string): Tokens.Def | undefined {
    return codeAtStart(source) === BRACKET ? super.def(source) : undefined
  }

  override table(source: string): Tokens.Table | undefined {
    return mayRuleTable(source) ? super.table(source) : undefined
  }

  override lheading(source: string): Tokens.Heading | undefined {
    return mayUnderline(source) ? super.lheading(source) : undefined
  }

  override url(source: string): Tokens.Link | undefined {
    return this.read.isPlain ? undefined : super.url(source)
  }

  override inlineText(source: string): Tokens.Text | undefined {
    const { inRawBlock } = this.lexer.state
    const raw = this.read.isPlain && !inRawBlock ? TEXT.exec(source)?.[0] : undefined
    if (raw === undefined || raw.includes('&')) return super.inlineText(source)
    return { type: 'text', raw, text: raw, escaped: false }
  }
}
