import type { Block } from '../guest/read.ts'
import type { PartName } from '../../catalog/parts.ts'
import { IS_TEXT } from './fits.ts'
import { normalizeHeading, rankOfHeading } from './headings.ts'
import { readLabel } from './labels.ts'
import type { FoundPart, Passage } from './passages.ts'
import { areRelated, DEEPEST_LEVEL_READ, NAMES_SKILL } from './sections.ts'
import type { TextSection } from './sections.ts'
import { isNamed, isStep, toSteps } from './steps.ts'

/** Leaves out what a line among the blocks gives to another part: `Do not use it for:` and its list. */
const withoutOthers = (name: PartName, blocks: readonly Block[], skillName: string): Block[] => {
  let other = false
  return blocks.filter((block, at) => {
    const label = readLabel(block, skillName)
    if (label !== undefined) other = label !== name && areRelated(label, name)
    else if (block.type === 'paragraph' && blocks[at - 1]?.type !== 'paragraph') other = false
    return !other
  })
}

/** Parts that code says nothing of: a graph of decisions is for a program. */
const IN_WORDS: ReadonlySet<PartName> = new Set([
  'activation',
  'capabilities',
  'whenToUse',
  'whenNotToUse',
  'limitations',
])

const isGraph = ({ node }: Block): boolean =>
  node?.type === 'code' && /^(?:dot|graphviz|mermaid)$/.test(node.lang ?? '')

/** `Your task is to compare $ARGUMENTS`: what is done, above what it is done with. */
const ROLE_WITH_GAP = /^\W*(?:your task is|you are|act as|you['’]re)\b[^]*\$(?:ARGUMENTS|\{)/i

const toPassage = (name: PartName, section: TextSection, skillName: string): Passage => {
  if (name === 'howItWorks') return toSteps(section)
  const named = section.below.filter(
    ({ part }, at) =>
      isNamed(section.below[at] as TextSection) &&
      (name !== 'inputs' || !isStep(section.below[at] as TextSection)) &&
      (part === undefined || part === name || !areRelated(part, name)),
  )
  const { heading } = section
  const own = withoutOthers(name, section.blocks, skillName).filter(
    ({ node }) => node?.type !== 'code' || !IN_WORDS.has(name) || !node.lang,
  )
  // What a graph says, the words beside it do not.
  if (IN_WORDS.has(name) && section.blocks.some(isGraph)) return { heading, blocks: [], below: [] }
  const given = name === 'inputs' ? own.filter(({ raw }) => !ROLE_WITH_GAP.test(raw)) : own
  const blocks = given.length > 0 ? given : own
  // One name alone is an aside of its section, or its whole.
  return {
    heading,
    blocks,
    below:
      blocks.length === 0 || (name !== 'whenNotToUse' && (IS_TEXT.has(name) || named.length > 1))
        ? named
        : [],
  }
}

/** Headings that speak of the whole skill wherever they stand. */
const SURE =
  /^(?:prerequisites?|(?:known )?limitations?|(?:example|sample) (?:prompts?|requests|questions|queries|conversation)|.*\bthis skill\b.*|triggers?|trigger (?:phrases|words|conditions)|out of scope|non goals|installation|install|installing|api key setup|environment variables|dependencies|gather (?:information|inputs?|requirements|context)|intake|clarifying questions|(?:expected |final )?outputs?(?: format| formats| structure| template)|deliverables?|(?:key |core )?capabilities|analysis steps|execution steps|setup and (?:installation|authentication)|authentication setup|required environment variables|you(?: will|ll)? need|what you need|report (?:format|template|structure)|response (?:format|template)|summary format|input parameters|required inputs?)$/

export const listPartsByHeading = (
  sections: readonly TextSection[],
  skillName: string,
): FoundPart[] =>
  sections
    .filter(({ part, level, isSample }) => part && level === 1 && !isSample)
    .map((section) => ({ section, rank: rankOfHeading(section.heading?.text ?? '') }))
    .sort((one, other) => one.rank - other.rank)
    .flatMap(({ section }) => {
      const { part } = section
      return part ? [{ name: part, passage: toPassage(part, section, skillName) }] : []
    })

/** Parts that a step of the work may be: the first gathers what is given, the last writes what comes back. */
const OF_A_STEP: ReadonlySet<PartName> = new Set(['inputs', 'outputs', 'prerequisites'])

/** Deeper down most headings speak of their section, and one of several would stand for its section alone. */

export const listDeeper = (sections: readonly TextSection[], skillName: string): FoundPart[] => {
  const found = sections.filter(
    ({ part, level, isSample, parent, heading }) =>
      part !== undefined &&
      level > 1 &&
      (level === DEEPEST_LEVEL_READ || NAMES_SKILL.test(heading?.text ?? '')) &&
      !isSample &&
      (parent?.isWhole === true ||
        (parent?.part === 'howItWorks' && OF_A_STEP.has(part)) ||
        areRelated(parent?.part, part) ||
        SURE.test(normalizeHeading(heading?.text ?? ''))),
  )
  return found.flatMap((section) => {
    const { part } = section
    const same = found.filter((one) => one.part === part)
    const isOne =
      same[0] === section &&
      same.every(
        ({ parent }) => parent === section.parent && (same.length === 1 || parent?.isWhole),
      )
    return part && (isOne || NAMES_SKILL.test(section.heading?.text ?? ''))
      ? [{ name: part, passage: toPassage(part, section, skillName) }]
      : []
  })
}

/** Headings that say a part in more words than the table has. */
const LIKE: Readonly<Partial<Record<PartName, RegExp>>> = {
  outputs:
    /\b(?:output|report|response|deliverables?) (?:format|template|structure|style|schema|specification|files?|location|format template|format and structure)$/,
  limitations:
    /^what .{2,40} (?:can ?not|can t|does not|doesn t|won t) (?:do|support|cover|handle|include)$/,
  examples: /\b(?:sample|example|test(?:ing)?) (?:prompts|requests|queries)$/,
}

export const listAlike = (sections: readonly TextSection[], skillName: string): FoundPart[] =>
  sections.flatMap((section): FoundPart[] => {
    const { heading, level, isSample, part } = section
    if (!heading || level === 0 || level > DEEPEST_LEVEL_READ || isSample || part) return []
    const words = normalizeHeading(heading.text).replace(/^(?:step|phase|stage) /, '')
    const name = (Object.keys(LIKE) as PartName[]).find((one) => LIKE[one]?.test(words))
    if (name === undefined) return []
    return [{ name, passage: toPassage(name, section, skillName) }]
  })
