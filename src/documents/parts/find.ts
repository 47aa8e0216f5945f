import type { Block } from '../guest/read.ts'
import { normalizeHeading, partOfHeading } from './headings.ts'
import type { PartName } from '../../catalog/parts.ts'
import { findShallowest } from '../guest/host.ts'
import { PARTS } from '../../catalog/parts.ts'

/** A place of a SKILL.md that carries a part. */
export interface Passage {
  /** The heading above it; none where it stands before the first. */
  heading?: Block | undefined
  blocks: readonly Block[]
  /** Texts of the headings one level below, whose own text is left out. */
  subheadings: readonly string[]
}

/** Blocks that say nothing, and places that a program fills in before an assistant reads them. */
const isBlank = (block: Block): boolean =>
  ['thematicBreak', 'html', 'definition'].includes(block.type) ||
  (block.type === 'paragraph' && /^[`*"<[{]*\$?[A-Z_]{4,}[`*">\]}]*$/.test(block.raw.trim()))

/** A heading that names no more than its number tells nothing without its text. */
const BARE_STEP = /^\W*(?:step|phase|stage|part|example)\s*\d*\W*$/i

const WHOLE =
  /^(?:overview|about|introduction|intro|summary|description|context|background|instructions)$/

/** Whether a heading is the title, or of a section that speaks of the skill as a whole. */
const isOfWhole = ({ depth, text }: Block, top: number): boolean =>
  depth < top || (depth === top && WHOLE.test(normalizeHeading(text)))

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
const findLabelled = (blocks: readonly Block[], top: number): Map<PartName, Passage> => {
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

const STEP = /^\W*(?:(?:step|phase|stage)\s*\d|第.{1,3}步|步骤\s*\d)/iu

const STEPS_AT_LEAST = 3

/** Headings of a section whose steps are those of the skill; others tell one thing of many. */
const TELLS_STEPS =
  /^(?!.*\b(?:example|sample)\b).*(?:workflow|process|procedure|\bflow|\bsteps|instructions|strategy|method|how to|onboarding|流程|步骤)/i

const hasSteps = ({ heading, subheadings }: Passage): boolean =>
  subheadings.length >= STEPS_AT_LEAST && (heading === undefined || TELLS_STEPS.test(heading.text))

/** Finds steps that are headings: of the whole text, or of its first section that has enough. */
const findSteps = (blocks: readonly Block[], top: number): Passage | undefined => {
  const whole: string[] = []
  const sections: Passage[] = []
  let section: string[] = []
  for (const block of blocks) {
    if (block.type !== 'heading') continue
    if (block.depth <= top) {
      section = []
      sections.push({ heading: block, blocks: [], subheadings: section })
    }
    if (!STEP.test(block.text) || BARE_STEP.test(block.text)) continue
    if (block.depth === top) whole.push(block.text)
    if (block.depth === top + 1) section.push(block.text)
  }
  return [{ blocks: [], subheadings: whole }, ...sections].find(hasSteps)
}

/** Headings below a part that are no part of it. */
const ASIDE =
  /^(?:further reading|references?|resources|additional resources|see also|related(?: \p{L}+)?|notes?|tips|learn more|next steps|troubleshooting)$/u

const isAside = (text: string): boolean =>
  ASIDE.test(normalizeHeading(text)) || BARE_STEP.test(text)

const DEEPEST = 6

/** The depth at which a text's sections begin: below a title that stands alone. */
const findTopDepth = (headings: readonly Block[]): number => {
  const [first] = headings
  const rest = headings.slice(1)
  const isTitle = first?.depth === 1 && rest.length > 0 && rest.every(({ depth }) => depth > 1)
  return findShallowest(isTitle ? rest : headings)
}

const readBelow = (all: readonly Block[], at: number): Passage => {
  const heading = all[at] as Block
  const blocks: Block[] = []
  const below: Block[] = []
  // No copy of what follows: a hostile text has as many headings as lines.
  for (let next = at + 1; next < all.length; next += 1) {
    const block = all[next] as Block
    if (block.type === 'heading') {
      if (block.depth <= heading.depth) break
      below.push(block)
    } else if (below.length === 0 && !isBlank(block)) blocks.push(block)
  }
  const depth = below.reduce((least, one) => Math.min(least, one.depth), DEEPEST)
  const direct = below.filter((one) => one.depth === depth).map(({ text }) => text)
  const kept = direct.filter((text) => !isAside(text))
  // One alone is an aside of its section, or its whole.
  return { heading, blocks, subheadings: kept.length > 1 ? kept : [] }
}

const holds = ({ blocks, subheadings }: Passage): boolean =>
  blocks.length > 0 || subheadings.length > 0

/** What prerequisites name; "Requirements" without it are asked of the result. */
const NEEDED =
  /\binstalled\b|must be (?:available|running|present|provided|set)|\b(?:api|access) keys?\b|\baccount\b|subscription|credential|logged in|version \d|\d\.\d+\s*(?:\+|or (?:later|newer|higher))|\d\+|[>≥]=?\s*v?\d|[A-Z]{2}_(?:KEY|TOKEN)|安装/i

const isNeeded = ({ heading, blocks, subheadings }: Passage): boolean =>
  !/requirements/i.test(heading?.text ?? '') ||
  NEEDED.test([...blocks.map(({ raw }) => raw), ...subheadings].join(' '))

const ROLES: ReadonlySet<PartName> = new Set(['capabilities', 'howItWorks'])

/** Who an assistant should play is nothing that it can do, and no step. */
const isRole = ({ blocks }: Passage): boolean =>
  /^\W*(?:you are|act as)\b/i.test(blocks[0]?.raw ?? '')

/** What the text below a heading must be for the heading to mean the part. */
const isFit = (name: PartName, passage: Passage): boolean =>
  (name !== 'prerequisites' || isNeeded(passage)) && (!ROLES.has(name) || !isRole(passage))

/** A heading over nothing but headings, one of which carries the part itself. */
const isOnlyAbove = (name: PartName, { blocks, subheadings }: Passage): boolean =>
  blocks.length === 0 && subheadings.some((text) => partOfHeading(text) === name)

/** Headings that speak of the whole skill wherever they stand. */
const SURE =
  /^(?:prerequisites?|(?:known )?limitations?|(?:example|sample) (?:prompts?|requests|questions|queries|conversation)|.*\bthis skill\b.*|triggers?|trigger (?:phrases|words|conditions)|out of scope|non goals|(?:key |core )?capabilities|analysis steps|execution steps)$/

const isSureHeading = (text: string): boolean => SURE.test(normalizeHeading(text))

interface Found extends Passage {
  name: PartName
  depth: number
}

const listHeaded = (blocks: readonly Block[], top: number): Found[] => {
  let isWhole = true
  return blocks.flatMap((block, at) => {
    if (block.type !== 'heading' || block.depth > top + 1) return []
    if (block.depth <= top) isWhole = isOfWhole(block, top)
    const name = partOfHeading(block.text)
    if (name === undefined) return []
    // Deeper down most headings speak of their section, not of the skill.
    if (block.depth > top && !isWhole && !isSureHeading(block.text)) return []
    const passage = readBelow(blocks, at)
    const isFound = holds(passage) && isFit(name, passage) && !isOnlyAbove(name, passage)
    return isFound ? [Object.assign(passage, { name, depth: block.depth })] : []
  })
}

/** Takes the first of the shallowest; one of several deeper ones would stand for its section alone. */
const pickHeaded = (found: readonly Found[], top: number): Found | undefined => {
  const first = found.find(({ depth }) => depth <= top)
  return first ?? (found.length === 1 ? found[0] : undefined)
}

/** Finds the passages of a SKILL.md that carry parts: by headings, by introducing lines, by steps. */
export const findPassages = (blocks: readonly Block[]): Partial<Record<PartName, Passage>> => {
  const top = findTopDepth(blocks.filter(({ type }) => type === 'heading'))
  const headed = listHeaded(blocks, top)
  const labelled = findLabelled(blocks, top)
  const passages: Partial<Record<PartName, Passage>> = {}
  for (const { name } of PARTS) {
    const passage =
      pickHeaded(
        headed.filter((one) => one.name === name),
        top,
      ) ?? labelled.get(name)
    if (passage) passages[name] = passage
  }
  const steps = passages.howItWorks ?? findSteps(blocks, top)
  return steps ? { ...passages, howItWorks: steps } : passages
}
