import type { Root } from 'mdast'
import { markdownToMdast } from 'satteri'
import { isAscii } from './text.ts'

/** CommonMark with GitHub's extensions, without front matter and footnotes. */
export const DIALECT = { frontmatter: false, gfm: { footnotes: false } }

/** Parses Markdown into a tree whose nodes have their positions in the text, in UTF-16 units. */
export const readTree = (markdown: string, hasFrontMatter = false): Root =>
  markdownToMdast(markdown, { features: { ...DIALECT, frontmatter: hasFrontMatter } }) as Root

/** Markers of quotes and list items that one line may begin with. */
const MARKS_AT_START = 40

const LONGEST_RUN = 2_000
const SIGNS_IN_RUN = 200
/** Times of `www.`: satteri takes quadratic time where tags or emphasis stand between them; 4,000 take 600 ms. */
const ADDRESSES = 3_000
/** Character references in a paragraph cost satteri quadratic time and memory: 8,000 take 250 ms. */
const REFERENCES = 4_000

/** satteri 0.10.5 takes quadratic time where a word holds thousands of these: 64 KB of `_a` take a second. */
const COSTLY_SIGNS = /_|:\/\/|www\./g

/**
 * satteri 0.10.5 counts a line from its start for each place in it, unless all of it is ASCII: 1 to 4 ns times
 * characters times signs. Of 1,080 real skills none has such a line over 2,000 characters.
 */
const COUNTED = 50_000_000
const SIGNS = /[!#$%&*+/:<=>?@[\\\]^_`{|}~]/g

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
 * Whether a text would exhaust the parser: it is nested too deeply, or repeats what costs quadratic time. Any
 * other text is read in time that grows with its length.
 */
export const isTooCostly = (text: string): boolean => {
  let counted = 0
  for (let start = 0; start < text.length;) {
    const next = text.indexOf('\n', start)
    const end = next < 0 ? text.length : next
    if (end - start > MARKS_AT_START) {
      const line = text.slice(start, end)
      if (beginsTooDeep(line) || (line.length > LONGEST_RUN && hasCostlyRun(line))) return true
      if (line.length > LONGEST_RUN && !isAscii(line)) {
        counted += line.length * countMatches(line, SIGNS)
        if (counted > COUNTED) return true
      }
    }
    start = end + 1
  }
  return countMatches(text, /www\./g) > ADDRESSES || countMatches(text, /&[#\w]+;/g) > REFERENCES
}
