/** Deepest nesting of quotes and lists that is read. */
const DEEPEST_NESTING = 40
const LONGEST_INDENT = 200
const LONGEST_RUN = 2_000
const MARKS_IN_RUN = 200
const LONGEST_ADDRESS = 10_000

/** Characters of a stretch, which is read as one inline text: marked takes their square. */
const LONGEST_STRETCH = 65_536

/** Lines of a stretch inside an item, where marked reads each anew. */
const LINES_IN_ITEM = 1_000

const isPathologicalLine = (line: string): boolean => {
  const prefix = /^(?:[ \t>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/.exec(line)?.[0] ?? ''
  if (prefix.replace(/[ \t]/g, '').length > DEEPEST_NESTING) return true
  if (prefix.length > LONGEST_INDENT && prefix.trim() !== '') return true
  if (line.length <= LONGEST_RUN) return false
  for (const [run] of line.matchAll(/\S+/g)) {
    if (run.length <= LONGEST_RUN) continue
    if ((run.match(/[_*~@[\]`<!]/g)?.length ?? 0) > MARKS_IN_RUN) return true
    if (run.length > LONGEST_ADDRESS && run.includes('@')) return true
  }
  return false
}

// Only a line that is long, or begins with marks, can be.
const mayBePathological = (text: string, start: number, end: number): boolean =>
  end - start > LONGEST_RUN ||
  (end - start > DEEPEST_NESTING && /[\s>+*\-\d]/.test(text.charAt(start)))

/** The mark of an item. */
const ITEM = /(?:[-+*]|\d{1,9}[.)])(?=[ \t])/y

const isIndentOrQuote = (sign: string): boolean => sign === ' ' || sign === '\t' || sign === '>'

/** Lines that follow each other, none of which begins a block but the first. */
interface Stretch {
  start: number
  lines: number
  isInItem: boolean
}

/** Gives the stretch that a line belongs to, or none where it says nothing. */
const follow = (text: string, start: number, before: Stretch | undefined): Stretch | undefined => {
  let at = start
  while (isIndentOrQuote(text.charAt(at))) at += 1
  const sign = text.charAt(at)
  if (sign === '' || sign === '\n') return undefined
  ITEM.lastIndex = at
  const isItem = ITEM.test(text)
  // What is indented behind an empty line may still be an item's.
  // A row follows an item's words as words do, and is read anew with it.
  const isRow = sign === '|' && !before?.isInItem
  if (!before || isItem || sign === '#' || isRow) {
    return { start, lines: 0, isInItem: isItem || at > start + 1 }
  }
  before.lines += 1
  return before
}

const SMALL_A = 0x61
const CASE_BIT = 0x20
const LETTERS = 26

/** Most lines begin with a letter and are not long: they begin no block and nest nothing. */
const isOrdinary = (text: string, start: number, end: number): boolean => {
  const letter = (text.charCodeAt(start) | CASE_BIT) - SMALL_A
  return letter >= 0 && letter < LETTERS && end - start <= LONGEST_RUN
}

const isTooLong = ({ start, lines, isInItem }: Stretch, end: number): boolean =>
  end - start > LONGEST_STRETCH || (isInItem && lines > LINES_IN_ITEM)

/**
 * Says whether a text is made to exhaust a Markdown parser: nested or repeated beyond any use, or with so
 * much in one paragraph or item that reading it takes the square of its length.
 */
export const isPathological = (text: string): boolean => {
  let stretch: Stretch | undefined
  for (let start = 0; start <= text.length;) {
    const next = text.indexOf('\n', start)
    const end = next < 0 ? text.length : next
    if (stretch && isOrdinary(text, start, end)) stretch.lines += 1
    else {
      if (mayBePathological(text, start, end) && isPathologicalLine(text.slice(start, end))) {
        return true
      }
      stretch = follow(text, start, stretch)
    }
    if (stretch && isTooLong(stretch, end)) return true
    start = end + 1
  }
  return false
}
