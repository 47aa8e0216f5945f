import type { Token, Tokens } from 'marked'
import { BARE_STEP, findShallowest, isBlank, isHeading, isOfWhole } from './part-blocks.ts'
import type { Passage, Passages } from './part-blocks.ts'
import { PART_NAMES, isSureHeading, normalizeHeading, partOfHeading } from './part-headings.ts'
import type { PartName } from './part-headings.ts'
import { findLabelled } from './part-labels.ts'
import { findSteps } from './part-steps.ts'

/** Headings below a part that are no part of it. */
const ASIDE =
  /^(?:further reading|references?|resources|additional resources|see also|related(?: \p{L}+)?|notes?|tips|learn more|next steps|troubleshooting)$/u

const isAside = (text: string): boolean =>
  ASIDE.test(normalizeHeading(text)) || BARE_STEP.test(text)

const DEEPEST = 6

/** The depth at which a text's sections begin: below a title that stands alone. */
const findTopDepth = (headings: readonly Tokens.Heading[]): number => {
  const [first] = headings
  const rest = headings.slice(1)
  const isTitle = first?.depth === 1 && rest.length > 0 && rest.every(({ depth }) => depth > 1)
  return findShallowest(isTitle ? rest : headings)
}

const readBelow = (tokens: readonly Token[], at: number): Passage => {
  const heading = tokens[at] as Tokens.Heading
  const blocks: Token[] = []
  const below: Tokens.Heading[] = []
  // No copy of what follows: a hostile text has as many headings as lines.
  for (let next = at + 1; next < tokens.length; next += 1) {
    const token = tokens[next] as Token
    if (isHeading(token)) {
      if (token.depth <= heading.depth) break
      below.push(token)
    } else if (below.length === 0 && !isBlank(token)) blocks.push(token)
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

const listHeaded = (tokens: readonly Token[], top: number): Found[] => {
  let isWhole = true
  return tokens.flatMap((token, at) => {
    if (!isHeading(token) || token.depth > top + 1) return []
    if (token.depth <= top) isWhole = isOfWhole(token, top)
    const name = partOfHeading(token.text)
    if (name === undefined) return []
    // Deeper down most headings speak of their section, not of the skill.
    if (token.depth > top && !isWhole && !isSureHeading(token.text)) return []
    const passage = readBelow(tokens, at)
    const isFound = holds(passage) && isFit(name, passage) && !isOnlyAbove(name, passage)
    return isFound ? [Object.assign(passage, { name, depth: token.depth })] : []
  })
}

/** Takes the first of the shallowest; one of several deeper ones would stand for its section alone. */
const pickHeaded = (found: readonly Found[], top: number): Found | undefined => {
  const first = found.find(({ depth }) => depth <= top)
  return first ?? (found.length === 1 ? found[0] : undefined)
}

/** Finds the passages of a SKILL.md that carry parts: by headings, by introducing lines, by steps. */
export const findPassages = (tokens: readonly Token[]): Passages => {
  const top = findTopDepth(tokens.filter(isHeading))
  const headed = listHeaded(tokens, top)
  const labelled = findLabelled(tokens, top)
  const passages: Passages = {}
  for (const name of PART_NAMES) {
    const passage =
      pickHeaded(
        headed.filter((one) => one.name === name),
        top,
      ) ?? labelled.get(name)
    if (passage) passages[name] = passage
  }
  const steps = passages.howItWorks ?? findSteps(tokens, top)
  return steps ? { ...passages, howItWorks: steps } : passages
}
