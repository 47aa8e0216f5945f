import type { Nodes, PhrasingContent, RootContent } from 'mdast'
import { isTooCostly, readTree } from '../../catalog/markdown.ts'
import { isOrdinaryText, revealHidden } from '../../catalog/text.ts'

/** Longest text that is shown in a page, in characters; of a longer one the page only links to the file. */
export const GUEST_LIMIT = 1_048_576

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
