import type { Block } from './guest/read.ts'
import { isBlank, isOfWhole } from './part-blocks.ts'
import type { Passage } from './part-blocks.ts'
import { normalizeHeading, partOfHeading } from './part-headings.ts'
import type { PartName } from '../catalog/parts.ts'

/** Parts that stand under one heading: when to use a skill, and when not. */
const USES: ReadonlySet<PartName> = new Set(['activation', 'whenToUse', 'whenNotToUse'])

/** How a line that introduces a list begins, where it says more than a heading would. */
const BEGINNINGS: readonly (readonly [PartName, RegExp])[] = [
  ['whenNotToUse', /^(?:do not|don t|never) (?:use|invoke|apply|load) (?:this|it|when|for)\b/],
  ['whenToUse', /^(?:use|invoke|apply|activate|load) (?:this skill|this|it|when)\b/],
  ['whenToUse', /^this skill (?:should be|is) used (?:when|for|to)\b/],
]

const LONGEST_LABEL = 120

const readLabel = (block: Block): PartName | undefined => {
  if (block.type !== 'paragraph' || block.raw.length > 2 * LONGEST_LABEL) return undefined
  const text = block.raw.trim()
  if (text.length > LONGEST_LABEL || text.includes('\n')) return undefined
  const isBold = /^(?:\*\*[^*]+\*\*|__[^_]+__)[:：]?$/.test(text)
  if (!isBold && !/[:：]$/.test(text)) return undefined
  const part = partOfHeading(text)
  if (part !== undefined) return part
  const label = normalizeHeading(text)
  return BEGINNINGS.find(([, begins]) => begins.test(label))?.[0]
}

const FOLLOWS_LABEL = new Set(['list', 'table', 'code'])

const findNext = (blocks: readonly Block[], at: number): Block | undefined => {
  let next = at + 1
  while (next < blocks.length && isBlank(blocks[next] as Block)) next += 1
  return blocks[next]
}

/** Finds lists that a line in bold or with a colon introduces: `Use this skill when:`. */
export const findLabelled = (blocks: readonly Block[], top: number): Map<PartName, Passage> => {
  const found = new Map<PartName, Passage>()
  let heading: Block | undefined
  let isPreamble = true
  let carries: PartName | undefined
  for (const [at, block] of blocks.entries()) {
    if (block.type === 'heading') {
      heading = block
      isPreamble = isOfWhole(block, top)
      carries = block.depth <= top ? partOfHeading(block.text) : undefined
    }
    const name = readLabel(block)
    if (name === undefined || found.has(name)) continue
    // Elsewhere such a line speaks of its section: "Use when:" below each of several patterns.
    if (
      !isPreamble &&
      !(carries === name || (carries !== undefined && USES.has(carries) && USES.has(name)))
    )
      continue
    const next = findNext(blocks, at)
    if (next && FOLLOWS_LABEL.has(next.type)) {
      found.set(name, { heading, blocks: [next], subheadings: [] })
    }
  }
  return found
}
