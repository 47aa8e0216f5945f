import type { Heading, PhrasingContent } from 'mdast'
import { toId } from './escape.ts'
import type { Section } from './document.ts'

/** A heading as the contents of a page list it. */
interface ContentsEntry {
  id: string
  heading: string
}

interface DeeperEntry extends ContentsEntry {
  depth: string
}

/** Headings below one section up to which another level of them is listed. */
const ENOUGH = 40

/** A text may have thousands of headings, and a name of one thousands of letters. */
const LISTED = 120
const WORDS_LIMIT = 120

const wordsOf = (nodes: readonly PhrasingContent[]): string =>
  nodes
    .map((node) => {
      if ('children' in node) return wordsOf(node.children)
      return 'value' in node ? node.value : ' '
    })
    .join('')

interface Named {
  id: string
  depth: Heading['depth']
  node: Heading
}

/** Headings with an anchor, which a SKILL.md's own have. */
const listAnchored = ({ blocks = [] }: Section): Named[] =>
  blocks.flatMap((node) => {
    if (node.type !== 'heading') return []
    const { id } = (node.data ?? {}) as { id?: string }
    return id === undefined ? [] : [{ id, depth: node.depth, node }]
  })

const listBelow = (section: Section): DeeperEntry[] => {
  const all = listAnchored(section)
  const depths = [...new Set(all.map(({ depth }) => depth))].sort()
  const deepest =
    depths.findLast((most) => all.filter(({ depth }) => depth <= most).length <= ENOUGH) ??
    depths[0]
  return all
    .filter(({ depth }) => deepest !== undefined && depth <= deepest)
    .slice(0, LISTED)
    .map(({ id, depth, node }) => ({
      id: toId(id),
      heading: wordsOf(node.children).slice(0, WORDS_LIMIT).toWellFormed(),
      depth: String(depth),
    }))
}

/** Lists the headings of a page; of a stranger's text as many levels as a reader can take in. */
export const listContents = (
  sections: readonly Section[],
): (ContentsEntry & { below: { entries: DeeperEntry[] }[] })[] =>
  sections.flatMap((section) => {
    if (section.heading === undefined) return []
    const entries = listBelow(section)
    const below = entries.length > 0 ? [{ entries }] : []
    return [{ id: section.id, heading: section.heading, below }]
  })
