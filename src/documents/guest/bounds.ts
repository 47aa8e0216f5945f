/** Longest text that is set as Markdown, in characters; a longer one is linked to as a file. */
export const GUEST_LIMIT = 1_048_576

/** Deepest nesting of a tree that is walked, in levels; a list and its item are two. */
export const DEEPEST_LEVEL = 100

/**
 * What a page may grow by beyond its text, in characters: for the addresses that references and relative links
 * lead to, and for the cells that fill up short rows. A text of `[a]` could else grow a thousandfold.
 */
export const ROOM_TO_GROW = 2 * GUEST_LIMIT

/** Marks of quotes and items that one line may begin with. */
const MARKS_AT_START = 40

const LONGEST_RUN = 2_000
const SIGNS_IN_RUN = 200
const ADDRESSES = 20_000

/** Signs of which satteri 0.10.5 takes the square where thousands stand in one word: 64 KB of `_a` take a second. */
const COSTLY_SIGNS = /_|:\/\/|www\./g

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const beginsTooDeep = (line: string): boolean => {
  const marks = /^(?:[ \t>]|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/.exec(line)?.[0] ?? ''
  return countMatches(marks, /[^ \t]/g) > MARKS_AT_START
}

const hasCostlyRun = (line: string): boolean =>
  line
    .split(/\s+/)
    .some((run) => run.length > LONGEST_RUN && countMatches(run, COSTLY_SIGNS) > SIGNS_IN_RUN)

/**
 * Whether a text is made to exhaust a parser: nested deeper than any use, or repeating what the parser takes
 * the square of. A text of no such shape is read in time that grows with its length.
 */
export const isTooCostly = (text: string): boolean => {
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('\n', start)
    const end = next < 0 ? text.length : next
    if (end - start > MARKS_AT_START) {
      const line = text.slice(start, end)
      if (beginsTooDeep(line) || (line.length > LONGEST_RUN && hasCostlyRun(line))) return true
    }
    start = end + 1
  }
  return text.includes('www.') && countMatches(text, /www\./g) > ADDRESSES
}
