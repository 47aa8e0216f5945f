import { isOrdinaryText, nameCodePoint, replaceHidden } from './text.ts'

// One way to cut a text into lines. Programs disagree about what ends a line: a shell knows LF, Python also CR, JavaScript also
// U+2028 and U+2029, editors also VT, FF and U+0085. All of them count, so that no line hides in another.

const ODD_ENDS = '\\v\\f\\r\\u0085\\u2028\\u2029'

const HAS_ODD_END = new RegExp(`[${ODD_ENDS}]`)
const ODD_END = new RegExp(`\\r\\n|[${ODD_ENDS}]`, 'g')
const LINE = new RegExp(`[^\\n${ODD_ENDS}]*(?:\\r\\n|[\\n${ODD_ENDS}])|[^\\n${ODD_ENDS}]+$`, 'g')

/** Replaces all line ends with LF. */
export const unifyLineEnds = (text: string): string =>
  HAS_ODD_END.test(text) ? text.replace(ODD_END, '\n') : text

/** Splits a text into lines. Each keeps its end. */
export const splitLines = (text: string): string[] => text.match(LINE) ?? []

/** The 0-based numbers of lines that end neither with LF nor with CR LF: for a shell, the next line continues them. */
export const findOddEnds = (text: string): ReadonlySet<number> => {
  const found = new Set<number>()
  if (!HAS_ODD_END.test(text.replaceAll('\r\n', '\n'))) return found
  for (const [at, line] of splitLines(text).entries())
    if (!line.endsWith('\n') && HAS_ODD_END.test(line)) found.add(at)
  return found
}

/** Controls other than tab and line feed, and line separators. CR LF is a line end. */
const UNSEEN = /(?!\r\n)[^\P{Cc}\t\n]|[\u2028\u2029]/gu

/** Spells all characters that a reader would not see, such as `[U+200B]` or `[U+000D]`. */
export const spellUnseen = (text: string): string =>
  isOrdinaryText(text)
    ? text
    : replaceHidden(text.toWellFormed(), nameCodePoint).replace(UNSEEN, nameCodePoint)
