import { HIDDEN_CHARACTERS, isOrdinaryText } from '../../catalog/text.ts'
import { spellTags } from '../../catalog/safety/quote.ts'
import type { LineNote, Section } from '../document.ts'
import { escapeText, html, joinHtml } from './markup.ts'
import type { Html } from './markup.ts'
import { fenceText } from './md.ts'

/** Characters in a row that show nothing, or change how others are shown: hidden ones, controls, line separators. */
const HIDDEN = new RegExp(`(?:${HIDDEN_CHARACTERS.source}|[^\\P{Cc}\\t]|[\\u2028\\u2029])+`, 'gu')

// Most lines hold none, and this finds that 30 times as fast.
const mayHoldHidden = (line: string): boolean =>
  !isOrdinaryText(line) || /[\u2028\u2029]/.test(line)

/** Groups of such characters in a row that are named. */
const NAMED = 8

/** Tag characters, which spell a text, or a run of one character. */
const PIECES = /[\u{E0020}-\u{E007E}]{2,}|([^])\1*/gu

const namePiece = (piece: string): string => {
  const [first = '', ...others] = piece
  if (others.length > 0 && others[0] !== first) return spellTags(piece)
  const code = first.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `[U+${code}${others.length > 0 ? ` ×${others.length + 1}` : ''}]`
}

/** Names characters that nobody sees: `[U+200B]`, `[U+200B ×12]`, `[invisible: what tags spell]`. */
const nameHidden = (run: string): string => {
  const pieces = run.match(PIECES) ?? []
  const rest = pieces.length - NAMED
  return `${pieces.slice(0, NAMED).map(namePiece).join('')}${rest > 0 ? `[and ${rest} more]` : ''}`
}

// Parsers of HTML turn a carriage return into a line feed, unless it is written so.
const escapeHidden = (run: string): string => escapeText(run).replaceAll('\r', '&#13;')

/** Escapes a line; hidden characters get an element of their own, which the styles name. */
const renderText = (line: string): string => {
  if (!mayHoldHidden(line)) return escapeText(line)
  let escaped = ''
  let from = 0
  for (const { 0: run, index } of line.matchAll(HIDDEN)) {
    escaped += `${escapeText(line.slice(from, index))}<bdi data-sign="${escapeText(nameHidden(run))}">${escapeHidden(run)}</bdi>`
    from = index + run.length
  }
  return escaped + escapeText(line.slice(from))
}

// Its words are a label, since the text of the lines is that of the file and nothing else.
const renderNote = ({ label, path, isWarning }: LineNote): Html =>
  html`<a class="${isWarning ? 'warning' : ''}" href="${path}" aria-label="${label}"></a>`

/** Splits a text into its lines, each with its end; the last may have none. */
export const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** A carriage return before a line feed is a part of the end, and hides nothing. */
const endOf = (line: string): string => /\r?\n$/.exec(line)?.[0] ?? ''

/** Finds the lines with characters that nobody sees, and how many there are of these. */
export const findHidden = (lines: readonly string[]): { count: number; lines: number[] } => {
  let count = 0
  const found: number[] = []
  for (const [at, line] of lines.entries()) {
    const text = line.slice(0, line.length - endOf(line).length)
    if (!mayHoldHidden(text)) continue
    const before = count
    for (const [run] of text.matchAll(HIDDEN)) count += Array.from(run).length
    if (count > before) found.push(at + 1)
  }
  return { count, lines: found }
}

/** Renders a file line by line. The text content is exactly that of the file, and `L34` is its line 34. */
export const renderSource = ({ text, notes }: NonNullable<Section['source']>): Html => {
  const noted = Map.groupBy(notes, ({ line }) => line)
  let lines = ''
  let number = 0
  for (const line of splitLines(text)) {
    number += 1
    const end = endOf(line)
    const marks = joinHtml(noted.get(number)?.map(renderNote) ?? []).html
    const shown = line.slice(0, line.length - end.length)
    lines += `<span id="L${number}">${marks}${renderText(shown)}${escapeHidden(end)}</span>`
  }
  return { html: `<pre tabindex="0"><code>${lines}</code></pre>` }
}

/** Prints a file as one block of code, in the language of its extension. */
export const printSource = (text: string, path: string): string =>
  fenceText(text, /\.([a-z0-9]{1,12})$/i.exec(path)?.[1]?.toLowerCase())
