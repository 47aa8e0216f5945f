import type { Block } from './guest/read.ts'
import { normalizeHeading } from './part-headings.ts'
import type { PartName } from '../catalog/parts.ts'

/** A place of a SKILL.md that carries a part. */
export interface Passage {
  /** The heading above it; none where it stands before the first. */
  heading?: Block | undefined
  blocks: readonly Block[]
  /** Texts of the headings one level below, whose own text is left out. */
  subheadings: readonly string[]
}

/** What was found in a SKILL.md, by part. */
export type Passages = Partial<Record<PartName, Passage>>

/** Blocks that say nothing, and places that a program fills in before an assistant reads them. */
export const isBlank = (block: Block): boolean =>
  ['thematicBreak', 'html', 'definition'].includes(block.type) ||
  (block.type === 'paragraph' && /^[`*"<[{]*\$?[A-Z_]{4,}[`*">\]}]*$/.test(block.raw.trim()))

/** A heading that names no more than its number tells nothing without its text. */
export const BARE_STEP = /^\W*(?:step|phase|stage|part|example)\s*\d*\W*$/i

const WHOLE =
  /^(?:overview|about|introduction|intro|summary|description|context|background|instructions)$/

/** Says whether a heading is the title, or of a section that speaks of the skill as a whole. */
export const isOfWhole = ({ depth, text }: Block, top: number): boolean =>
  depth < top || (depth === top && WHOLE.test(normalizeHeading(text)))
