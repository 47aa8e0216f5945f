import { Marked } from 'marked'
import type { MarkedToken, TokenizerAndRendererExtension } from 'marked'

// GitHub's footnotes, which marked does not read: `[^label]` in a text, and `[^label]: words` for what stands below it.

/** A note, wherever it is written. */
export interface Footnote {
  type: 'footnote'
  raw: string
  label: string
  tokens: MarkedToken[]
}

/** A mark in a text that leads to a note, if there is one of its label. */
export interface FootnoteMark {
  type: 'footnoteMark'
  raw: string
  label: string
  /** The mark adds nothing to the words around it. */
  text: ''
}

const LABEL = '\\[\\^([^\\]\\s[]{1,100})\\]'
/** The starts of other blocks, which end a note whose last line has no indent. */
const BLOCK_STARTS =
  '#{1,6}\\s|[>|<]|[-*+]\\s|\\d{1,9}[.)]\\s|```|~~~|\\[\\^[^\\]\\s[]{1,100}\\]:|(?:[-*_] *){3,}(?:\\n|$)'
const INDENTED = '(?:[ \\t]*\\n)*(?: {4}|\\t)[ \\t]*\\S'
const CONTINUED = `(?! {0,3}(?:${BLOCK_STARTS})) {0,3}\\S`
const NOTE = new RegExp(`^ {0,3}${LABEL}:([^\\n]*(?:\\n(?:${INDENTED}|${CONTINUED})[^\\n]*)*)`)
const NOTE_BELOW = new RegExp(`\\n {0,3}${LABEL}:`)
/** How far a paragraph is searched for a note that ends it, in UTF-16 units. */
const PARAGRAPH_LIMIT = 10_000
const MARK = new RegExp(`^${LABEL}(?!\\()`)

const toLabel = (written = ''): string => written.toLowerCase()

const NOTES: TokenizerAndRendererExtension = {
  name: 'footnote',
  level: 'block',
  // A note ends the paragraph above it.
  start: (text) => {
    const ahead = text.slice(0, PARAGRAPH_LIMIT)
    if (!ahead.includes('[^')) return undefined
    const end = ahead.indexOf('\n\n')
    return NOTE_BELOW.exec(end < 0 ? ahead : ahead.slice(0, end))?.index
  },
  tokenizer(text) {
    const [raw, label, words = ''] = NOTE.exec(text) ?? []
    if (raw === undefined) return undefined
    const { state } = this.lexer
    const { top } = state
    state.top = true
    const tokens = this.lexer.blockTokens(words.replace(/\n(?: {4}|\t)/g, '\n').trim(), [])
    state.top = top
    return { type: 'footnote', raw, label: toLabel(label), tokens }
  },
}

const MARKS: TokenizerAndRendererExtension = {
  name: 'footnoteMark',
  level: 'inline',
  tokenizer(text) {
    const [raw, label] = MARK.exec(text) ?? []
    return raw === undefined
      ? undefined
      : { type: 'footnoteMark', raw, label: toLabel(label), text: '' }
  },
}

/** The extensions of marked that read footnotes. */
export const FOOTNOTES =
  new Marked().use({ extensions: [NOTES, MARKS] }).defaults.extensions ?? null
