import type { Block } from '../guest/read.ts'
import { findShallowest } from '../guest/host.ts'
import type { PartName } from '../../catalog/parts.ts'
import { listJoined, normalizeHeading, partOfHeading } from './headings.ts'
import type { Passage } from './passages.ts'

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
const HAS_GAP = /\[[^\]]+\](?!\()|\{\{?[^}]+\}|<[a-z][^>]*>|\$\{/i

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
