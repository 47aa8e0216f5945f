import type { Nodes, PhrasingContent, RootContent, Root } from 'mdast'
import { isAscii, isOrdinaryText, revealHidden } from '../../catalog/text.ts'
import { markdownToMdast } from 'satteri'

/** CommonMark with GitHub's extensions, without front matter and footnotes. */
export const DIALECT = { frontmatter: false, gfm: { footnotes: false } }

/** Parses Markdown into a tree whose nodes have their positions in the text, in UTF-16 units. */
export const readTree = (markdown: string): Root =>
  markdownToMdast(markdown, { features: DIALECT }) as Root

/** Longest text that is shown in a page, in characters; of a longer one the page only links to the file. */
export const GUEST_LIMIT = 1_048_576

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

/** A block of a stranger's text at its top level. */
export interface Block {
  type: RootContent['type']
  /** Its Markdown, as written in the text. */
  raw: string
  /** Depth that the author gave a heading; 0 for other blocks. */
  depth: number
  /** Words of a heading, as Markdown; empty for other blocks. */
  text: string
  /** Line of the text that it begins on, from 1. */
  line: number
  /** Undefined after hosting, if the page shows nothing of it. */
  node: RootContent | undefined
}

/** A stranger's text, read once for both its place in a page and the parts that are taken from it. */
interface Guest {
  source: string
  /** Undefined where reading would cost too much. */
  blocks: readonly Block[] | undefined
}

const sourceOf = (node: Nodes, source: string): string =>
  node.position ? source.slice(node.position.start.offset, node.position.end.offset) : ''

const sourceOfAll = (nodes: readonly PhrasingContent[], source: string): string =>
  source.slice(nodes[0]?.position?.start.offset, nodes.at(-1)?.position?.end.offset)

const toBlock = (node: RootContent, source: string): Block => ({
  type: node.type,
  raw: sourceOf(node, source),
  depth: node.type === 'heading' ? node.depth : 0,
  text:
    node.type === 'heading' && node.children.length > 0 ? sourceOfAll(node.children, source) : '',
  line: node.position?.start.line ?? 1,
  node,
})

// Controls other than tab and newline show nothing and may control a terminal.
const CONTROLS = /[^\P{Cc}\t\n]/gu

/** The text of a body: LF, hidden characters spelt out, other controls as U+FFFD. */
export const normalizeBody = (body: string): string =>
  isOrdinaryText(body)
    ? body.trim()
    : revealHidden(body.replace(/\r\n?/g, '\n').toWellFormed()).replace(CONTROLS, '\uFFFD').trim()

/** Reads a stranger's Markdown, with hidden characters made visible. */
export const readGuest = (body: string): Guest => {
  const source = normalizeBody(body)
  const blocks = isTooCostly(source)
    ? undefined
    : readTree(source).children.map((node) => toBlock(node, source))
  return { source, blocks }
}

/** The Markdown of a list's items, with and without their markers. */
export const readItems = ({ raw, node }: Block): { raw: string; text: string }[] => {
  const start = node?.position?.start.offset ?? 0
  const items = node?.type === 'list' ? node.children : []
  return items.map(({ position, children }) => {
    const end = (position?.end.offset ?? start) - start
    const from = (position?.start.offset ?? start) - start
    const words = children[0]?.position?.start.offset
    return {
      raw: raw.slice(from, end),
      text: raw.slice(words === undefined ? end : words - start, end),
    }
  })
}
