import type { Token, Tokens } from 'marked'
import { normalizeHeading } from './part-headings.ts'
import type { PartName } from './part-headings.ts'

/** A place of a SKILL.md that carries a part. */
export interface Passage {
  /** The heading above it; none where it stands before the first. */
  heading?: Tokens.Heading | undefined
  blocks: readonly Token[]
  /** Texts of the headings one level below, whose own text is left out. */
  subheadings: readonly string[]
}

/** What was found in a SKILL.md, by part. */
export type Passages = Partial<Record<PartName, Passage>>

/** Says whether a token is a heading. */
export const isHeading = (token: Token | undefined): token is Tokens.Heading =>
  token?.type === 'heading'

/** Gives the least depth of headings; not spread into one call, which takes fewer arguments than a text has lines. */
export const findShallowest = (headings: readonly Tokens.Heading[]): number =>
  headings.reduce((least, { depth }) => Math.min(least, depth), Infinity)

/** Blocks that say nothing, and places that a program fills in before an assistant reads them. */
export const isBlank = (token: Token): boolean =>
  ['space', 'hr', 'html', 'def'].includes(token.type) ||
  (token.type === 'paragraph' && /^[`*"<[{]*\$?[A-Z_]{4,}[`*">\]}]*$/.test(token.raw.trim()))

/** A heading that names no more than its number tells nothing without its text. */
export const BARE_STEP = /^\W*(?:step|phase|stage|part|example)\s*\d*\W*$/i

const WHOLE =
  /^(?:overview|about|introduction|intro|summary|description|context|background|instructions)$/

/** Says whether a heading is the title, or of a section that speaks of the skill as a whole. */
export const isOfWhole = ({ depth, text }: Tokens.Heading, top: number): boolean =>
  depth < top || (depth === top && WHOLE.test(normalizeHeading(text)))
