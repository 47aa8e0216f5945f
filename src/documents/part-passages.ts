import type { Block } from './guest/read.ts'
import { findShallowest } from './guest/host.ts'
import { BARE_STEP, isBlank, isOfWhole } from './part-blocks.ts'
import type { Passage, Passages } from './part-blocks.ts'
import { PARTS } from '../catalog/parts.ts'
import { isSureHeading, normalizeHeading, partOfHeading } from './part-headings.ts'
import type { PartName } from '../catalog/parts.ts'
import { findLabelled } from './part-labels.ts'
import { findSteps } from './part-steps.ts'

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
export const findPassages = (blocks: readonly Block[]): Passages => {
  const top = findTopDepth(blocks.filter(({ type }) => type === 'heading'))
  const headed = listHeaded(blocks, top)
  const labelled = findLabelled(blocks, top)
  const passages: Passages = {}
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
