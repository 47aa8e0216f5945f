import { Marked } from 'marked'
import type { MarkedToken, TokenizerAndRendererExtension } from 'marked'

// GitHub's footnotes, which marked does not support: `[^label]` in a text, and `[^label]: words` for the note.

/** A note, at its place in the source text. */
export interface Footnote {
  type: 'footnote'
  raw: string
  label: string
  tokens: MarkedToken[]
}

/** A reference in a text to the note with this label, which can be missing. */
export interface FootnoteMark {
  type: 'footnoteMark'
  raw: string
  label: string
  /** Empty: the mark adds no words to the text around it. */
  text: ''
}

const LABEL = '\\[\\^([^\\]\\s[]{1,100})\\]'
/** Starts of other blocks, which end a note unless they are indented. */
const BLOCK_STARTS =
  '#{1,6}\\s|[>|<]|[-*+]\\s|\\d{1,9}[.)]\\s|```|~~~|\\[\\^[^\\]\\s[]{1,100}\\]:|(?:[-*_] *){3,}(?:\\n|$)'
const INDENTED = '(?:[ \\t]*\\n)*(?: {4}|\\t)[ \\t]*\\S'
const CONTINUED = `(?! {0,3}(?:${BLOCK_STARTS})) {0,3}\\S`
const NOTE = new RegExp(`^ {0,3}${LABEL}:([^\\n]*(?:\\n(?:${INDENTED}|${CONTINUED})[^\\n]*)*)`)
const NOTE_BELOW = new RegExp(`\\n {0,3}${LABEL}:`)
/** Number of UTF-16 units of a paragraph that are searched for a note below it. */
const SEARCH_LIMIT = 10_000
const MARK = new RegExp(`^${LABEL}(?!\\()`)

const toLabel = (written = ''): string => written.toLowerCase()

const NOTES: TokenizerAndRendererExtension = {
  name: 'footnote',
  level: 'block',
  // A note ends the paragraph above it.
  start: (text) => {
    const ahead = text.slice(0, SEARCH_LIMIT)
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

/** Extensions of marked that parse footnotes. */
export const FOOTNOTES =
  new Marked().use({ extensions: [NOTES, MARKS] }).defaults.extensions ?? null
