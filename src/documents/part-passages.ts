import type { Token, Tokens } from 'marked'
import { PART_NAMES, isSureHeading, normalizeHeading, partOfHeading } from './part-headings.ts'
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

const isHeading = (token: Token | undefined): token is Tokens.Heading => token?.type === 'heading'

/** Blocks that say nothing, and places that a program fills in before an assistant reads them. */
const isBlank = (token: Token): boolean =>
  ['space', 'hr', 'html', 'def'].includes(token.type) ||
  (token.type === 'paragraph' && /^[`*"<[{]*\$?[A-Z_]{4,}[`*">\]}]*$/.test(token.raw.trim()))

/** Headings below a part that are no part of it. */
const ASIDE =
  /^(?:further reading|references?|resources|additional resources|see also|related(?: \p{L}+)?|notes?|tips|learn more|next steps|troubleshooting)$/u

/** A heading that names no more than its number tells nothing without its text. */
const BARE_STEP = /^\W*(?:step|phase|stage|part|example)\s*\d*\W*$/i

const isAside = (text: string): boolean =>
  ASIDE.test(normalizeHeading(text)) || BARE_STEP.test(text)

const DEEPEST = 6

/** The depth at which a text's sections begin: below a title that stands alone. */
const findTopDepth = (headings: readonly Tokens.Heading[]): number => {
  const [first] = headings
  const rest = headings.slice(1)
  const isTitle = first?.depth === 1 && rest.length > 0 && rest.every(({ depth }) => depth > 1)
  return Math.min(...(isTitle ? rest : headings).map(({ depth }) => depth))
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
  /\binstalled\b|must be (?:available|running|present|provided|set)|\b(?:api|access) keys?\b|\baccount\b|subscription|credential|logged in|version \d|\d\.\d+\s*(?:\+|or (?:later|newer|higher))|\d\+|[>≥]=?\s*v?\d|[A-Z]{2,}_(?:KEY|TOKEN)|安装/i

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

/** Sections that speak of the skill as a whole. */
const WHOLE =
  /^(?:overview|about|introduction|intro|summary|description|context|background|instructions)$/

const isOfWhole = ({ depth, text }: Tokens.Heading, top: number): boolean =>
  depth < top || (depth === top && WHOLE.test(normalizeHeading(text)))

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

/** Parts that stand under one heading: when to use a skill, and when not. */
const USES: ReadonlySet<PartName> = new Set(['activation', 'whenToUse', 'whenNotToUse'])

/** How a line that introduces a list begins, where it says more than a heading would. */
const BEGINNINGS: readonly (readonly [PartName, RegExp])[] = [
  ['whenNotToUse', /^(?:do not|don t|never) (?:use|invoke|apply|load) (?:this|it|when|for)\b/],
  ['whenToUse', /^(?:use|invoke|apply|activate|load) (?:this skill|this|it|when)\b/],
  ['whenToUse', /^this skill (?:should be|is) used (?:when|for|to)\b/],
]

const LONGEST_LABEL = 120

const readLabel = (token: Token): PartName | undefined => {
  const text = token.raw.trim()
  if (token.type !== 'paragraph' || text.length > LONGEST_LABEL || text.includes('\n')) {
    return undefined
  }
  const isBold = /^(?:\*\*[^*]+\*\*|__[^_]+__)[:：]?$/.test(text)
  if (!isBold && !/[:：]$/.test(text)) return undefined
  const label = normalizeHeading(text)
  return partOfHeading(text) ?? BEGINNINGS.find(([, begins]) => begins.test(label))?.[0]
}

const FOLLOWS_LABEL = new Set(['list', 'table', 'code'])

const findNext = (tokens: readonly Token[], at: number): Token | undefined => {
  let next = at + 1
  while (next < tokens.length && isBlank(tokens[next] as Token)) next += 1
  return tokens[next]
}

const listLabelled = (tokens: readonly Token[], top: number): Map<PartName, Passage> => {
  const found = new Map<PartName, Passage>()
  let heading: Tokens.Heading | undefined
  let isPreamble = true
  let carries: PartName | undefined
  for (const [at, token] of tokens.entries()) {
    if (isHeading(token)) {
      heading = token
      isPreamble = isOfWhole(token, top)
      carries = token.depth <= top ? partOfHeading(token.text) : undefined
    }
    const name = readLabel(token)
    if (name === undefined || found.has(name)) continue
    // Elsewhere such a line speaks of its section: "Use when:" below each of several patterns.
    if (
      !isPreamble &&
      !(carries === name || (carries !== undefined && USES.has(carries) && USES.has(name)))
    )
      continue
    const next = findNext(tokens, at)
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
const findSteps = (tokens: readonly Token[], top: number): Passage | undefined => {
  const whole: string[] = []
  const sections: Passage[] = []
  let section: string[] = []
  for (const token of tokens) {
    if (!isHeading(token)) continue
    if (token.depth <= top) {
      section = []
      sections.push({ heading: token, blocks: [], subheadings: section })
    }
    if (!STEP.test(token.text) || BARE_STEP.test(token.text)) continue
    if (token.depth === top) whole.push(token.text)
    if (token.depth === top + 1) section.push(token.text)
  }
  return [{ blocks: [], subheadings: whole }, ...sections].find(hasSteps)
}

/** Finds the passages of a SKILL.md that carry parts: by headings, by introducing lines, by steps. */
export const findPassages = (tokens: readonly Token[]): Passages => {
  const top = findTopDepth(tokens.filter(isHeading))
  const headed = listHeaded(tokens, top)
  const labelled = listLabelled(tokens, top)
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
