import type { RootContent } from 'mdast'
import { renderBlocks, renderNode } from './html.ts'
import type { Html } from './html.ts'

/** The shallowest depth of which a text has several headings. */
const findFoldDepth = (nodes: readonly RootContent[]): number | undefined =>
  [3, 4, 5, 6].find(
    (depth) => nodes.filter((node) => node.type === 'heading' && node.depth === depth).length > 1,
  )

/** Folds what stands below each of the main headings. */
const renderFolds = (nodes: readonly RootContent[]): Html => {
  const depth = findFoldDepth(nodes)
  if (depth === undefined) return renderBlocks(nodes)
  let html = ''
  let isOpen = false
  for (const node of nodes) {
    const ends = node.type === 'heading' && node.depth <= depth
    if (ends && isOpen) html += '</details>\n'
    if (ends) isOpen = node.depth === depth
    const printed = renderNode(node)
    html += ends && isOpen ? `<details class="fold">\n<summary>${printed}</summary>\n` : printed
  }
  return { html: isOpen ? `${html}</details>\n` : html }
}

/** Longest text that a page shows unfolded, in characters of Markdown. */
const UNFOLDED = 60_000

/** Renders a text of a page, folded where it is long. */
export const renderText = (markdown: string, blocks: readonly RootContent[]): Html =>
  markdown.length > UNFOLDED ? renderFolds(blocks) : renderBlocks(blocks)
