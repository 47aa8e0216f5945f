import type { Heading, PhrasingContent } from 'mdast'
import { escapeAttribute, escapeContent, toId } from './escape.ts'
import type { Section } from './document.ts'
import type { Html } from './html.ts'

/** Least depth of the headings inside a section's text. */
const SHALLOWEST = 3

/** Most HTML for the headings of one text, in characters: hostile texts have thousands of headings, or very long ones. */
const OUTLINE_BUDGET = 1_800
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

/** Lists the headings with an anchor, as those of a SKILL.md have. */
const listAnchored = ({ blocks = [] }: Section): Named[] =>
  blocks.flatMap((node) => {
    if (node.type !== 'heading') return []
    const { id } = (node.data ?? {}) as { id?: string }
    return id === undefined ? [] : [{ id, depth: node.depth, node }]
  })

// The most frequent level needs no class: a text may have forty such entries.
const renderEntry = ({ id, depth, node }: Named): string => {
  const words = wordsOf(node.children).slice(0, WORDS_LIMIT).toWellFormed()
  const mark = depth === SHALLOWEST ? '' : ` class="d${depth}"`
  return `<li${mark}><a href="#${escapeAttribute(toId(id))}">${escapeContent(words)}</a></li>`
}

const sizeOf = (entries: readonly string[]): number =>
  entries.reduce((sum, { length }) => sum + length, 0)

/** Renders as many levels as fit; if the first level alone is too long, as many entries as fit. */
const renderBelow = (section: Section): Html => {
  const all = listAnchored(section)
  const depths = [...new Set(all.map(({ depth }) => depth))].sort()
  let shown: string[] = []
  for (const most of depths) {
    const entries = all.filter(({ depth }) => depth <= most).map(renderEntry)
    if (shown.length > 0 && sizeOf(entries) > OUTLINE_BUDGET) break
    shown = entries
  }
  let left = OUTLINE_BUDGET
  return { html: shown.filter(({ length }) => (left -= length) >= 0).join('') }
}

/** Lists the headings below one of a page; of a stranger's text as many levels as a reader can take in. */
export const listSubheadings = (section: Section): { entries: Html }[] => {
  const entries = renderBelow(section)
  return entries.html === '' ? [] : [{ entries }]
}
