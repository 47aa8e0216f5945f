import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { isAscii, remember } from '../../catalog/text.ts'
import { findShallowest } from '../guest/host.ts'
import type { Block } from '../guest/read.ts'
import type { Passage } from './passages.ts'

/** Words before a heading that only decorate it. */
const QUALIFIERS =
  /^(?:the|key|core|main|common|known|general|important|standard|recommended|default|basic|overall|primary|typical|detailed|required|expected|suggested|optional|global|critical|high level|quick|my|your|skill|hard|honest|shared|mandatory|minimum|additional|supported|accepted|generated|specific) (?=\S)/

/** Words after one. */
const AFTERWORDS = / (?:for|of|with|in) (?:this|the) (?:skill|agent|command|workflow)$/

/**
 * What stands between the words of a heading in ASCII: all but letters, and whatever is in brackets. Those
 * that are far apart are none: to look for the end of each that has none would take the square of the length.
 */
const BETWEEN_ASCII = /(?:\([^)]{0,200}\)|[^a-z(]|\()+/g
const BRACKETS = /\([^)]{0,200}\)|（[^）]{0,200}）/g

const normalize = (text: string): string => {
  const lower = text.toLowerCase().replaceAll(' & ', ' and ')
  // What a letter is of all Unicode is a long question, of ASCII a short one.
  const words = isAscii(lower)
    ? lower.replace(BETWEEN_ASCII, ' ')
    : lower
        .replace(BRACKETS, ' ')
        .replace(/[^\p{L}\s]/gu, ' ')
        .replace(/\s+/g, ' ')
  return words.trim()
}

interface PartHeading {
  name: PartName
  /** Place among the headings of its part, the plainest first. */
  rank: number
}

const PART_OF_HEADING: ReadonlyMap<string, PartHeading> = new Map(
  PARTS.flatMap(({ name, headings }) =>
    headings
      .split('|')
      .map((heading, rank) => [heading.replace(/\s+/g, ' ').trim(), { name, rank }] as const),
  ),
)

/** A number's own word before a heading: `Step 2: Output`, `Phase 1 - Prerequisites`. */
const STEP_WORD = /^(?:step|phase|stage|part|section) (?=\S)/

const findPart = (words: string): PartHeading | undefined => {
  const plain = words.replace(AFTERWORDS, '')
  return (
    PART_OF_HEADING.get(words) ??
    PART_OF_HEADING.get(plain) ??
    PART_OF_HEADING.get(plain.replace(STEP_WORD, '').replace(QUALIFIERS, ''))
  )
}

/** `Inputs & Outputs`, `Setup / Install`; a name of one part may have an "and" of its own. */
const JOINED =
  /^(?:\d[\d.]*\W\s*)?([^&+/,]{3,40}?)\s*(?:&|\+|\/|\sand\s|\sund\s|\set\s|\sy\s|\se\s|和|と)\s*([^&+/,]{3,40})$/i

const findHalves = (text: string): PartHeading[] => {
  const [, ...halves] = JOINED.exec(text.trim()) ?? []
  const parts = halves.flatMap((half) => findPart(normalize(half)) ?? [])
  return parts.length === 2 ? parts : []
}

const readHeading = remember((text) => {
  const words = normalize(text)
  const part = findPart(words)
  const halves = part ? [] : findHalves(text)
  const [one, other] = halves
  const isOne = one && one.name === other?.name
  return { words, part: isOne ? one : part, joined: isOne ? [] : halves.map(({ name }) => name) }
})

/** The parts of a heading that carries two: `Inputs & Outputs`. */
export const listJoined = (text: string): readonly PartName[] => readHeading(text).joined

/** A heading as the table of parts has it. */
export const normalizeHeading = (text: string): string => readHeading(text).words

/** The part that a heading carries; `skillName`, normalized, is left out of it: `When to use csv-clean`. */
export const partOfHeading = (text: string, skillName = ''): PartName | undefined => {
  const { words, part } = readHeading(text)
  if (part !== undefined || skillName === '' || !words.includes(skillName)) return part?.name
  const ofSkill = ` ${words} `.replace(` ${skillName} `, ' this skill ').trim()
  return findPart(ofSkill.replace(/^this skill /, ''))?.name
}

/** How plainly a heading says its part: 0 is the plainest. */
export const rankOfHeading = (text: string): number =>
  readHeading(text).part?.rank ?? Number.MAX_SAFE_INTEGER

/** A heading with what stands below it, as far as the next. */
export interface TextSection extends Passage {
  blocks: Block[]
  below: TextSection[]
  /** 0 of the title and of what stands before it, 1 of the sections of the text. */
  level: number
  parent: TextSection | undefined
  part: PartName | undefined
  /** Speaks of the skill as a whole. */
  isWhole: boolean
  /** Belongs to an example, or to a template of something that the skill makes. */
  isSample: boolean
}

/** Blocks that say nothing, and places that a program fills in before an assistant reads them. */
const isBlank = (block: Block): boolean =>
  ['thematicBreak', 'html', 'definition'].includes(block.type) ||
  (block.type === 'paragraph' && /^[`*"<[{]*\$?[A-Z_]{4,}[`*">\]}]*$/.test(block.raw.trim()))

const WHOLE =
  /^(?:overview|about|about this skill|introduction|intro|summary|description|context|background|instructions|usage|getting started|quick start|quickstart|general|basics|skill overview|purpose|notes|important notes?|important|quick reference|概述|简介|概要|소개|개요|überblick|übersicht|aperçu|présentation|descripción general|resumen|visão geral|resumo)$/

export const SAMPLE =
  /\b(?:examples?|samples?|templates?|boilerplate|snippets?|mock|demo|scenario)\b|示例|模板|样例|テンプレート|サンプル|例$|예시|템플릿|vorlage|beispiel|plantilla|ejemplo|modelo|exemplo|modèle|exemple/i

/** What announces that the sections below are those of what is to be written. */
const LISTS_SECTIONS = /\bwith the following (?:sections|headings|structure)[:：]\W*$/i

/** A heading that is to be filled in. */
const HAS_GAP = /\[[^\]]{1,200}\](?!\()|\{\{?[^}]{1,200}\}|<[a-z][^>]{0,200}>|\$\{/i

/** Sections that a title which shares its depth has below it; else it is a section. Alone, it needs one less. */
const SECTIONS_OF_TITLE = 3

/** Finds the first heading where it is the text's title and no section of it. */
const findTitle = (headings: readonly Block[]): Block | undefined => {
  const [first, ...rest] = headings
  if (!first || (rest.length === 0 && first.depth > 1)) return undefined
  const end = rest.findIndex(({ depth }) => depth <= first.depth)
  if (first.depth === 1 && end < 0 && rest.length > 0) return first
  const isSection =
    partOfHeading(first.text) !== undefined ||
    WHOLE.test(normalizeHeading(first.text)) ||
    SAMPLE.test(first.text)
  const below = end < 0 ? rest : rest.slice(0, end)
  const top = findShallowest(below)
  const count = below.filter(({ depth }) => depth === top).length
  return !isSection && (rest.length === 0 || count >= SECTIONS_OF_TITLE - Number(end < 0))
    ? first
    : undefined
}

/** Lists the sections of a text in their order, what stands before the first heading at their head. */
export const listSections = (blocks: readonly Block[], skillName: string): TextSection[] => {
  const title = findTitle(blocks.filter(({ type }) => type === 'heading'))
  const root: TextSection = {
    heading: undefined,
    blocks: [],
    below: [],
    level: 0,
    parent: undefined,
    part: undefined,
    isWhole: true,
    isSample: false,
  }
  const sections = [root]
  let current = root
  let isTemplate = false
  for (const block of blocks) {
    if (block.type !== 'heading') {
      if (current.level === 0 && LISTS_SECTIONS.test(block.raw)) isTemplate = true
      if (!isBlank(block)) current.blocks.push(block)
      continue
    }
    let parent = current
    while (parent.parent && (parent.heading?.depth ?? 0) >= block.depth) parent = parent.parent
    const level = block === title ? 0 : parent.level + 1
    current = {
      heading: block,
      blocks: [],
      below: [],
      level,
      parent,
      part: level === 0 ? undefined : partOfHeading(block.text, skillName),
      isWhole:
        level === 0 ||
        (level === 1 &&
          (WHOLE.test(normalizeHeading(block.text)) || listJoined(block.text).length > 0)),
      isSample:
        isTemplate ||
        parent.isSample ||
        (parent.level > 0 && SAMPLE.test(parent.heading?.text ?? '')) ||
        (level > 0 && HAS_GAP.test(block.text)),
    }
    parent.below.push(current)
    sections.push(current)
  }
  return sections
}

/** Deepest level at which headings may speak of the skill without naming it. */
export const DEEPEST_LEVEL_READ = 2

export const NAMES_SKILL = /\bthis skill\b/i

/** Parts that stand under one heading: when to use a skill, and when not. */
const USES: ReadonlySet<PartName> = new Set(['activation', 'whenToUse', 'whenNotToUse'])

export const areRelated = (one: PartName | undefined, other: PartName): boolean =>
  one === other || (one !== undefined && USES.has(one) && USES.has(other))
