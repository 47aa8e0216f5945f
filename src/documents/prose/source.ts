import { splitLines } from '../../catalog/lines.ts'
import { HIDDEN, isOrdinaryText, lazily } from '../../catalog/text.ts'
import { spellTags } from '../../catalog/safety/quote.ts'
import type { FileFinding, FileSource } from '../document.ts'
import { rulePath } from '../paths.ts'
import { escapeText, html, joinHtml } from './markup.ts'
import type { Html } from './markup.ts'
import { fenceText } from './md.ts'

/** A run of hidden characters, control characters and line separators. */
const anyUnseen = lazily(() => new RegExp(`(?:${HIDDEN}|[^\\P{Cc}\\t]|[\\u2028\\u2029])+`, 'gu'))

/** At most this many pieces of a run are named; the others are counted. */
const MOST_NAMED_PIECES = 8

/** Splits a run of hidden characters into pieces: tag characters, which spell a text, or one repeated character. */
const PIECES = /[\u{E0020}-\u{E007E}]{2,}|([^])\1*/gu

const namePiece = (piece: string): string => {
  const [first = '', ...others] = piece
  if (others.length > 0 && others[0] !== first) return spellTags(piece)
  const code = first.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
  return `[U+${code}${others.length > 0 ? ` ×${others.length + 1}` : ''}]`
}

/** Names hidden characters: `[U+200B]`, `[U+200B ×12]`, or `[invisible: text]` for text spelt in tag characters. */
const nameHidden = (run: string): string => {
  const pieces = run.match(PIECES) ?? []
  const unnamed = pieces.length - MOST_NAMED_PIECES
  return `${pieces.slice(0, MOST_NAMED_PIECES).map(namePiece).join('')}${unnamed > 0 ? `[and ${unnamed} more]` : ''}`
}

// HTML parsers turn a carriage return into a line feed, unless it is a character reference.
const escapeHidden = (run: string): string => escapeText(run).replaceAll('\r', '&#13;')

/** Escapes a line. Hidden characters get an element, for which the styles show their name. */
const renderText = (line: string): string => {
  if (isOrdinaryText(line)) return escapeText(line)
  let escaped = ''
  let from = 0
  for (const { 0: run, index } of line.matchAll(anyUnseen())) {
    escaped += `${escapeText(line.slice(from, index))}<bdi data-sign="${escapeText(nameHidden(run))}">${escapeHidden(run)}</bdi>`
    from = index + run.length
  }
  return escaped + escapeText(line.slice(from))
}

// The note is an `aria-label`, because the text content must be exactly that of the file.
const renderNote = ({ label, rule, isSevere }: FileFinding): Html =>
  html`<a class="${isSevere ? 'warn' : ''}" href="${rulePath(rule)}" aria-label="${label}: ${rule}"></a>`

/** Returns the line ending. A carriage return in CRLF is part of it, so it does not count as hidden. */
const endOf = (line: string): string => /\r?\n$/.exec(line)?.[0] ?? ''

/** Counts hidden characters, and returns the 1-based numbers of lines that have some. */
export const findHidden = (lines: readonly string[]): { count: number; lines: number[] } => {
  let count = 0
  const found: number[] = []
  for (const [at, line] of lines.entries()) {
    const text = line.slice(0, line.length - endOf(line).length)
    if (isOrdinaryText(text)) continue
    const before = count
    for (const [run] of text.matchAll(anyUnseen())) count += Array.from(run).length
    if (count > before) found.push(at + 1)
  }
  return { count, lines: found }
}

/** Renders a file line by line. The text content is exactly that of the file. Line 34 has the id `L34`. */
export const renderSource = ({ text, findings }: FileSource): Html => {
  const noted = Map.groupBy(findings, ({ line }) => line)
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

/** Writes a file as a Markdown code block, in the language of its extension. */
export const printSource = (text: string, path: string): string =>
  fenceText(text, /\.([a-z0-9]{1,12})$/i.exec(path)?.[1]?.toLowerCase())
