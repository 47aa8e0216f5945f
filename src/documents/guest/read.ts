import type { Nodes, PhrasingContent, RootContent } from 'mdast'
import { isOrdinaryText, revealHidden } from '../../catalog/text.ts'
import { readTree } from '../tree.ts'
import { isTooCostly } from './bounds.ts'

/** A block of a stranger's text at its top level. */
export interface Block {
  type: RootContent['type']
  /** Its Markdown, as it stands in the text. */
  raw: string
  /** Depth of a heading in the author's own count; 0 of all else. */
  depth: number
  /** Words of a heading, as Markdown; empty of all else. */
  text: string
  /** None once it is hosted where a page shows nothing of it. */
  node: RootContent | undefined
}

/** A stranger's text that was read once: for its place in a page, and for the parts lifted out of it. */
export interface Guest {
  source: string
  /** None where reading would cost too much. */
  blocks: readonly Block[] | undefined
}

/** Gives the Markdown of a node that was read from a text. */
export const sourceOf = (node: Nodes, source: string): string =>
  node.position ? source.slice(node.position.start.offset, node.position.end.offset) : ''

/** Gives the Markdown between the first and the last of some nodes. */
export const sourceOfAll = (nodes: readonly PhrasingContent[], source: string): string =>
  source.slice(nodes[0]?.position?.start.offset, nodes.at(-1)?.position?.end.offset)

const toBlock = (node: RootContent, source: string): Block => ({
  type: node.type,
  raw: sourceOf(node, source),
  depth: node.type === 'heading' ? node.depth : 0,
  text:
    node.type === 'heading' && node.children.length > 0 ? sourceOfAll(node.children, source) : '',
  node,
})

// Controls other than tab and newline show nothing and may steer a terminal.
const CONTROLS = /[^\P{Cc}\t\n]/gu

const normalizeBody = (body: string): string =>
  isOrdinaryText(body)
    ? body.trim()
    : revealHidden(body.replace(/\r\n?/g, '\n').toWellFormed()).replace(CONTROLS, '\uFFFD').trim()

/** Reads a stranger's Markdown, hidden characters made visible. */
export const readGuest = (body: string): Guest => {
  const source = normalizeBody(body)
  const blocks = isTooCostly(source)
    ? undefined
    : readTree(source).children.map((node) => toBlock(node, source))
  return { source, blocks }
}

/** Gives the Markdown of a list's items, with and without their marks. */
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
