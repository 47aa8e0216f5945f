import type { Heading, PhrasingContent, RootContent } from 'mdast'
import type { Document, LinePiece, Section } from './document.ts'
import { escapeAttribute, escapeContent, toId } from './escape.ts'
import { drawFigure } from './figure.ts'
import { renderBlocks, renderNode } from './html.ts'
import type { Html } from './html.ts'
import { openProse } from './prose.ts'
import { renderData } from './structured-data.ts'
import { listBreadcrumbs } from './trail.ts'
import { viewFact } from './view.ts'

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
const listSubheadings = (section: Section): { entries: Html }[] => {
  const entries = renderBelow(section)
  return entries.html === '' ? [] : [{ entries }]
}

/** Up to these lengths, in characters, a line is set in a size at which it takes 7 lines at most at 360 px. */
const LINE_LENGTHS = { short: 215, usual: 285, long: 332, longest: Infinity }

const lengthOf = (line: readonly LinePiece[]): string => {
  const length = line
    .flatMap((piece) =>
      typeof piece === 'string'
        ? piece.length
        : Math.max(...Object.values(piece).map((words) => words.length)),
    )
    .reduce((sum, one) => sum + one, 0)
  return Object.entries(LINE_LENGTHS).find(([, most]) => length <= most)![0]
}

/** Styles show the words of the choice that is made; `hidden` ones are for readers without them. */
const renderChoices = (piece: Readonly<Record<string, string>>): string =>
  Object.entries(piece)
    .map(([choice, words], at) => {
      const hidden = at === 0 ? '' : ' hidden'
      return (
        words &&
        `<span data-for="${escapeAttribute(choice)}"${hidden}>${escapeContent(words)}</span>`
      )
    })
    .join('')

const renderLinePieces = (line: readonly LinePiece[]): Html => ({
  html: line
    .map((piece) => (typeof piece === 'string' ? escapeContent(piece) : renderChoices(piece)))
    .join(''),
})

/** Views the lines that install a skill. */
const viewInstall = (
  { id, heading = '', blocks = [], lines }: Section,
  { moreFacts = [], pick }: Pick<Document, 'moreFacts' | 'pick'>,
) =>
  lines
    ? [
        {
          id,
          heading,
          lines: lines
            .filter(({ choice }) => choice !== 'npx')
            .map(({ choice, line }) => ({
              choice,
              line: renderLinePieces(line),
              length: lengthOf(line),
            })),
          npx: lines
            .filter(({ choice }) => choice === 'npx')
            .map(({ line }) => ({ line: renderLinePieces(line) })),
          body: renderBlocks(blocks.slice(lines.some(({ choice }) => choice === 'npx') ? 2 : 1)),
          picks: pick === undefined ? [] : [{ slug: pick }],
          facts: moreFacts.map(viewFact),
        },
      ]
    : []

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
const renderText = (markdown: string, blocks: readonly RootContent[]): Html =>
  markdown.length > UNFOLDED ? renderFolds(blocks) : renderBlocks(blocks)

/** What only pages printed by the build need. `functions/fetch.ts` does without it and is 2 KB smaller (gzip). */
export const PRINTED = {
  openProse,
  renderData,
  drawFigure,
  viewInstall,
  listSubheadings,
  renderText,
  listBreadcrumbs,
}
