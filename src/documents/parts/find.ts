import type { List, PhrasingContent } from 'mdast'
import type { Block } from '../guest/read.ts'
import { readItems } from '../guest/read.ts'
import { findShallowest } from '../guest/host.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { listQuotes } from './description.ts'
import { normalizeHeading, partOfHeading } from './headings.ts'
import { DOES, IS_ORDER, IS_RULE } from './words.ts'

/** A place of a SKILL.md that carries a part. */
export interface Passage {
  /** The heading above it; none where it stands before the first. */
  heading?: Block | undefined
  blocks: readonly Block[]
  /** What stands below headings one level down. */
  below: readonly Passage[]
  /** Words picked from the blocks, where not the blocks themselves are the part. */
  words?: readonly string[]
}

/** A heading with what stands below it, as far as the next. */
interface Section extends Passage {
  blocks: Block[]
  below: Section[]
  /** 0 of the title and of what stands before it, 1 of the sections of the text. */
  level: number
  parent: Section | undefined
  part: PartName | undefined
  /** Speaks of the skill as a whole. */
  isWhole: boolean
  /** Belongs to an example, or to a template of something that the skill makes. */
  isSample: boolean
}

interface Found {
  name: PartName
  passage: Passage
}

/** Blocks that say nothing, and places that a program fills in before an assistant reads them. */
const isBlank = (block: Block): boolean =>
  ['thematicBreak', 'html', 'definition'].includes(block.type) ||
  (block.type === 'paragraph' && /^[`*"<[{]*\$?[A-Z_]{4,}[`*">\]}]*$/.test(block.raw.trim()))

const WHOLE =
  /^(?:overview|about|about this skill|introduction|intro|summary|description|context|background|instructions|usage|getting started|quick start|quickstart|general|basics|skill overview|purpose|notes|important notes?|important|quick reference|概述|简介|概要|소개|개요|überblick|übersicht|aperçu|présentation|descripción general|resumen|visão geral|resumo)$/

const SAMPLE =
  /\b(?:examples?|samples?|templates?|boilerplate|snippets?|mock|demo|scenario)\b|示例|模板|样例|テンプレート|サンプル|例$|예시|템플릿|vorlage|beispiel|plantilla|ejemplo|modelo|exemplo|modèle|exemple/i

/** A heading that is to be filled in. */
const HAS_GAP = /\[[^\]]+\](?!\()|\{\{?[^}]+\}|<[a-z][^>]*>|\$\{/i

/** Sections that a title which shares its depth, or is not of depth 1, has below it; else it is a section. */
const SECTIONS_OF_TITLE = 3

/** Finds the first heading where it is the text's title and no section of it. */
const findTitle = (headings: readonly Block[]): Block | undefined => {
  const [first, ...rest] = headings
  if (!first || rest.length === 0) return undefined
  const end = rest.findIndex(({ depth }) => depth <= first.depth)
  if (first.depth === 1 && end < 0) return first
  const isSection =
    partOfHeading(first.text) !== undefined ||
    WHOLE.test(normalizeHeading(first.text)) ||
    SAMPLE.test(first.text)
  const below = end < 0 ? rest : rest.slice(0, end)
  const top = findShallowest(below)
  const count = below.filter(({ depth }) => depth === top).length
  return !isSection && count >= SECTIONS_OF_TITLE ? first : undefined
}

/** Lists the sections of a text in their order, what stands before the first heading at their head. */
const listSections = (blocks: readonly Block[], skillName: string): Section[] => {
  const title = findTitle(blocks.filter(({ type }) => type === 'heading'))
  const root: Section = {
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
  for (const block of blocks) {
    if (block.type !== 'heading') {
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
      isWhole: level === 0 || (level === 1 && WHOLE.test(normalizeHeading(block.text))),
      isSample:
        parent.isSample ||
        (parent.level > 0 && SAMPLE.test(parent.heading?.text ?? '')) ||
        (level > 0 && HAS_GAP.test(block.text)),
    }
    parent.below.push(current)
    sections.push(current)
  }
  return sections
}

/** What prerequisites name; elsewhere setup and requirements are often those of what the skill makes. */
const NEEDED =
  /\binstall(?:ed|ing|ation)?\b|must be (?:available|running|present|provided|set)|\b(?:api|access) (?:keys?|tokens?)\b|\baccounts?\b|subscription|credential|\blog(?:ged)? in\b|\blogin\b|\brequire[sd]?\b|\bmcp\b|\bcli\b|version \d|\d\.\d+\s*(?:\+|or (?:later|newer|higher))|\d\+|[>≥]=?\s*v?\d|[A-Z]{2}_(?:KEY|TOKEN)|安装|需要|インストール|必要|설치|필요|installier|benötigt|requiere|instala|requer|nécessite/i

/** Headings that name nothing but what a skill needs. */
const SURELY_NEEDED =
  /prereq|pre requisit|^before (?:you|first)|what you need$|^requires|voraussetzung|前置|前提|前置|전제|prérequis/

const ROLE =
  /^\W*(?:you are|you're|act as|your (?:role|job) is|你是|あなたは|당신은|du bist|eres|você é|tu es)\b/i

/** Words in brackets that are to be filled in: no link, no box of a task. */
const GAP = /\[(?![ xX]\]|[^\]]*\]\()[^\]]{2,}\]|\{\{?[\w\s-]+\}?\}|<[a-z][\w\s-]*>/gi

const PLACEHOLDERS = 3

/** Whether a text is a form to be filled in rather than words. */
const isForm = (text: string): boolean => {
  const gaps = text.match(GAP) ?? []
  const filled = gaps.reduce((sum, { length }) => sum + length, 0)
  return filled * 2 > text.length || (gaps.length >= PLACEHOLDERS && filled * 4 > text.length)
}

/** Characters of a passage that are looked at to judge what it is. */
const LOOKED_AT = 4_000

const textOf = (passage: Passage): string => {
  let text = ''
  for (const { raw } of passage.blocks) {
    if (text.length > LOOKED_AT) break
    text += `${raw.slice(0, LOOKED_AT)}\n`
  }
  for (const one of passage.below) {
    if (text.length > LOOKED_AT) break
    text += `${one.heading?.text.slice(0, LOOKED_AT) ?? ''}\n${textOf({ ...one, below: [] })}`
  }
  return text
}

/** Items of lists, and paragraphs, without their marks. */
const listWords = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => {
    if (block.type === 'list') return readItems(block).map(({ text }) => text)
    return block.type === 'paragraph' && !/[:：]\s*$/.test(block.raw) ? [block.raw] : []
  })

const isMostly = (words: readonly string[], pattern: RegExp): boolean =>
  words.length > 0 && words.filter((one) => pattern.test(one)).length * 2 > words.length

const isRules = (passage: Passage): boolean =>
  isMostly(
    [passage, ...passage.below].flatMap(({ blocks }) => listWords(blocks)),
    IS_RULE,
  )

const isNeeded = (passage: Passage): boolean => {
  const heading = normalizeHeading(passage.heading?.text ?? '')
  if (SURELY_NEEDED.test(heading)) return true
  if (!/requirement|anforderung|requisito|要求/.test(heading)) return NEEDED.test(textOf(passage))
  const words = [passage, ...passage.below].flatMap(({ blocks }) => listWords(blocks))
  return isMostly(words, NEEDED)
}

const isRole = ({ blocks }: Passage): boolean => ROLE.test(blocks[0]?.raw ?? '')

/** A list of boxes to tick, step by step, as skills give it to an assistant to copy. */
const isChecklist = (block: Block): boolean =>
  block.node?.type === 'code' &&
  (block.raw.match(/^\s*- \[ \] \S/gm)?.length ?? 0) >= STEPS_AT_LEAST

/** A command alone tells no way of working; a list of boxes to tick does. */
const isToldInWords = (block: Block): boolean =>
  block.type === 'list' ||
  block.type === 'table' ||
  (block.type === 'paragraph' && (!/[:：]\W*$/.test(block.raw) || NUMBERED.test(block.raw))) ||
  isChecklist(block)

/** A table of what goes wrong, which is not what cannot be done. */
const tellsMistakes = ({ type, raw }: Block): boolean =>
  type === 'table' && /^[^\n]*\b(?:mistake|error|symptom|problem|fix|issue|cause)s?\b/i.test(raw)

/** A heading that is what a user says. */
const isQuoted = ({ heading }: Passage): boolean => /^\W*["“「『„«]/.test(heading?.text ?? '')

/** What a passage must be to carry a part, beyond the heading that says so. */
const FITS: Readonly<Partial<Record<PartName, (passage: Passage) => boolean>>> = {
  capabilities: (passage) => !isRole(passage) && !isRules(passage) && !passage.below.some(isQuoted),
  howItWorks: (passage) =>
    !isRole(passage) && (passage.below.length > 0 || passage.blocks.some(isToldInWords)),
  prerequisites: isNeeded,
  limitations: (passage) => !isRules(passage) && !passage.blocks.some(tellsMistakes),
}

const holds = ({ blocks, below, words = [] }: Passage): boolean =>
  blocks.length > 0 || below.length > 0 || words.length > 0

const IS_TEXT: ReadonlySet<PartName> = new Set(
  PARTS.flatMap(({ name, below }) => (below === 'text' ? [name] : [])),
)

/** A heading over nothing but headings, one of which carries the part itself, has no names to list. */
const isOnlyAbove = (name: PartName, { blocks, below }: Passage): boolean =>
  !IS_TEXT.has(name) &&
  blocks.length === 0 &&
  below.some((one) => one.heading !== undefined && partOfHeading(one.heading.text) === name)

const isFit = ({ name, passage }: Found): boolean =>
  holds(passage) &&
  !isOnlyAbove(name, passage) &&
  (FITS[name]?.(passage) ?? true) &&
  (name === 'examples' || name === 'outputs' || !isForm(textOf(passage)))

/** Headings below a part that are no part of it. */
const ASIDE =
  /^(?:further reading|references?|resources|additional resources|see also|related(?: \p{L}+)?|notes?|tips|learn more|next steps|troubleshooting|examples?)$/u

/** A heading that names no more than its number tells nothing without its text. */
const BARE_STEP = /^\W*(?:step|phase|stage|part|example)\s*\d*\W*$/i

const isAside = ({ heading }: Passage): boolean =>
  heading === undefined || ASIDE.test(normalizeHeading(heading.text))

/** Whether a heading is no more than the number of a step. */
export const isBareStep = ({ heading }: Passage): boolean => BARE_STEP.test(heading?.text ?? '')

const isNamed = (passage: Passage): boolean => !isAside(passage) && !isBareStep(passage)

const STEP =
  /^\W*(?:(?:step|phase|stage|schritt|étape|paso|passo|fase|etapa)\s*\d|第.{1,3}[步阶段]|步骤\s*[\d一二三四五六七八九十]|阶段\s*[\d一二三四五六七八九十]|ステップ\s*\d|手順\s*\d|フェーズ\s*\d|\d{1,2}\s*단계|단계\s*\d)/iu

const NUMBERED = /^\W*\d{1,2}(?:[.):：、]|\s[-–—])\s*\S/

const afterNumber = (text: string): string => text.replace(/^[\W\d]+/, '')

/** Headings of a section whose steps are those of the skill; others tell one thing of many. */
const TELLS_STEPS =
  /^(?!.*\b(?:example|sample|troubleshooting|common|next)\b)(?!\W*(?:workflow|process|method|strategy)\s*(?:\d|[a-d]\b)).*(?:workflow|\bprocess\b|procedure|\bflow\b|\b(?:steps|phases|stages|passes)\b|how (?:it|this|the)|\bthe loop\b|playbook|instructions|strategy|method|how to|onboarding|protocol|pipeline|procedure|when invoked|流程|步骤|手順|フロー|절차|단계|ablauf|schritte|étapes|pasos|passos)/i

const STEPS_AT_LEAST = 3

/** Headings that are the steps of what stands above them. */
const listSteps = (sections: readonly Section[], tellsSteps: boolean): Section[] => {
  const bare = sections.filter(isBareStep)
  if (tellsSteps && bare.length >= STEPS_AT_LEAST) return bare
  const named = sections.filter(isNamed)
  const titles = (pattern: RegExp): Section[] =>
    named.filter(({ heading }) => pattern.test(heading?.text ?? ''))
  const steps = titles(STEP)
  if (steps.length >= STEPS_AT_LEAST || (tellsSteps && steps.length > 1)) return steps
  const numbered = titles(NUMBERED)
  const orders = named.filter(({ heading }) => IS_ORDER.test(afterNumber(heading?.text ?? '')))
  if (numbered.length >= STEPS_AT_LEAST) {
    const ordered = numbered.filter((one) => orders.includes(one)).length
    if (tellsSteps || ordered * 3 >= numbered.length * 2) return numbered
  }
  return tellsSteps && named.length > 1 && orders.length === named.length ? named : []
}

const toSteps = ({ heading, blocks, below }: Section): Passage => ({
  heading,
  blocks,
  below: listSteps(below, TELLS_STEPS.test(heading?.text ?? '')),
})

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

const toPassage = (name: PartName, section: Section, skillName: string): Passage => {
  if (name === 'howItWorks') return toSteps(section)
  const named = section.below.filter(
    ({ part }, at) =>
      isNamed(section.below[at] as Section) &&
      (part === undefined || part === name || !areRelated(part, name)),
  )
  const { heading } = section
  const blocks = withoutOthers(name, section.blocks, skillName).filter(
    ({ node }) => node?.type !== 'code' || !IN_WORDS.has(name) || !node.lang,
  )
  // One name alone is an aside of its section, or its whole.
  return {
    heading,
    blocks,
    below: IS_TEXT.has(name) || named.length > 1 || blocks.length === 0 ? named : [],
  }
}

/** Deepest level at which headings may speak of the skill without naming it. */
const DEEPEST_LEVEL_READ = 2

const NAMES_SKILL = /\bthis skill\b/i

/** Parts that stand under one heading: when to use a skill, and when not. */
const USES: ReadonlySet<PartName> = new Set(['activation', 'whenToUse', 'whenNotToUse'])

const areRelated = (one: PartName | undefined, other: PartName): boolean =>
  one === other || (one !== undefined && USES.has(one) && USES.has(other))

/** Headings that speak of the whole skill wherever they stand. */
const SURE =
  /^(?:prerequisites?|(?:known )?limitations?|(?:example|sample) (?:prompts?|requests|questions|queries|conversation)|.*\bthis skill\b.*|triggers?|trigger (?:phrases|words|conditions)|out of scope|non goals|installation|install|installing|api key setup|environment variables|dependencies|gather (?:information|inputs?|requirements|context)|intake|clarifying questions|(?:expected |final )?outputs?(?: format| formats| structure| template)|deliverables?|(?:key |core )?capabilities|analysis steps|execution steps)$/

const listHeaded = (sections: readonly Section[], skillName: string): Found[] =>
  sections.flatMap((section) => {
    const { part, level, isSample } = section
    return part && level === 1 && !isSample
      ? [{ name: part, passage: toPassage(part, section, skillName) }]
      : []
  })

/** Deeper down most headings speak of their section, and one of several would stand for its section alone. */
/** Parts that a step of the work may be: the first gathers what is given, the last writes what comes back. */
const OF_A_STEP: ReadonlySet<PartName> = new Set(['inputs', 'outputs', 'prerequisites'])

const listDeeper = (sections: readonly Section[], skillName: string): Found[] => {
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
    const isOne = found.filter((one) => one.part === part).length === 1
    const isPlain = /\bthis skill\b/i.test(section.heading?.text ?? '')
    return part && (isOne || isPlain)
      ? [{ name: part, passage: toPassage(part, section, skillName) }]
      : []
  })
}

/** How a line that introduces a list begins, where it says more than a heading would. */
const BEGINNINGS: readonly (readonly [PartName, RegExp])[] = [
  [
    'whenNotToUse',
    /^(?:please )?(?:do not|don t|never) (?:use|invoke|apply|load|trigger|activate) (?:this skill|this|it|when|for|if)\b/,
  ],
  ['whenNotToUse', /^(?:this skill is )?not (?:for|intended for|meant for|suitable for)\b/],
  [
    'whenToUse',
    /^(?:use|invoke|apply|activate|load|trigger) (?:this skill|this|it|when|the skill)\b/,
  ],
  [
    'whenToUse',
    /^this skill (?:should be|is|applies|activates|triggers|can be) ?(?:used|for|when|useful)?\b/,
  ],
  ['whenToUse', /^(?:当|在以下|以下).*(?:使用|适用|触发)/],
  ['limitations', /^(?:this skill|it) (?:does not|doesn t|cannot|can t|will not)\b/],
  [
    'capabilities',
    /^this (?:skill|guide|agent|command) (?:provides|covers|enables|helps|supports|can|includes|handles|offers|will)\b/,
  ],
  [
    'inputs',
    /^(?:please )?(?:ask|gather|collect|get|request|clarify|confirm|elicit|understand) .*\b(?:user|context|information|info|details|inputs?|following)\b/,
  ],
  ['inputs', /^before (?:\p{L}+ ){1,4}(?:understand|gather|ask|collect|clarify)$/u],
  [
    'inputs',
    /^(?:the )?user (?:provides|must provide|should provide|gives|may provide|can provide)\b/,
  ],
  [
    'outputs',
    /^(?:(?:this|this skill|the skill|the script) (?:will )?(?:creates?|generates?|produces?|outputs?|writes?|returns?)\b|(?:always )?(?:output|return|respond|reply|present|report|deliver|structure|format|provide|produce) (?:the |your |a |an |all )?(?:following|results?|findings|output|outputs|response|report|answer|summary|review|deliverables?|with|in this|using this|as)\b)/,
  ],
]

const LONGEST_LABEL = 120

const readLabel = (block: Block, skillName: string): PartName | undefined => {
  if (block.type !== 'paragraph' || block.raw.length > 2 * LONGEST_LABEL) return undefined
  const text = block.raw.trim()
  if (text.length > LONGEST_LABEL || text.includes('\n')) return undefined
  const isBold = /^(?:\*\*[^*]+\*\*|__[^_]+__)[:：]?$/.test(text)
  if (!isBold && !/[:：]\W*$/.test(text)) return undefined
  const part = partOfHeading(text, skillName)
  if (part !== undefined) return part
  const label = normalizeHeading(text)
  return BEGINNINGS.find(([, begins]) => begins.test(label))?.[0]
}

/** What is asked of a reader wherever it stands; other labels speak of their section alone. */
const isSureLabel = (name: PartName, text: string): boolean =>
  NAMES_SKILL.test(text) || (name === 'inputs' && /\buser\b|^\W*(?:gather|before)\b/i.test(text))

const FOLLOWS_LABEL = new Set(['list', 'table', 'code'])

/** Finds lists that a line in bold or with a colon introduces: `Use this skill when:`. */
const listLabelled = (sections: readonly Section[], skillName: string): Found[] =>
  sections
    .filter(({ isSample }) => !isSample)
    .flatMap((section) =>
      section.blocks.flatMap((block, at): Found[] => {
        const name = readLabel(block, skillName)
        if (name === undefined) return []
        if (
          !section.isWhole &&
          !(section.level === 1 && areRelated(section.part, name)) &&
          !isSureLabel(name, block.raw)
        )
          return []
        const next = section.blocks[at + 1]
        if (next && FOLLOWS_LABEL.has(next.type) && !isRulesOf(name, next)) {
          return [{ name, passage: { heading: section.heading, blocks: [next], below: [] } }]
        }
        // What is asked for may stand below headings: `Gather this context:` and `### Goals`.
        return name === 'inputs' && !next && section.below.length > 1
          ? [{ name, passage: { heading: section.heading, blocks: [], below: section.below } }]
          : []
      }),
    )

const isRulesOf = (name: PartName, block: Block): boolean =>
  name === 'limitations' && isMostly(listWords([block]), IS_RULE)

/** `**Requires:** Node 20`: a label and what it introduces on one line. */
const INLINE_LABEL = /^(?:>\s*)?(?:\*\*|__)([^*_\n]{3,60}?)[.:：]?(?:\*\*|__)\s*[:：—–-]?\s*(?=\S)/

const LONGEST_SAYING = 600

const SAYINGS: readonly (readonly [PartName, RegExp])[] = [
  [
    'whenNotToUse',
    /^(?:please )?(?:do not|don['’]t|never) (?:use|invoke|trigger|activate|apply|load) (?:this skill|this|it|for|when)\b|^(?:this skill|it) is not (?:for|intended|meant|suitable|a replacement)\b/i,
  ],
  [
    'limitations',
    /^(?:this skill|it|the skill|the (?:script|tool)) (?:currently )?(?:does not|doesn['’]t|cannot|can['’]t|only (?:works|supports)|is limited to)\b/i,
  ],
  [
    'prerequisites',
    /^(?:this skill |it |the skill )?(?:requires|depends on)\b|^this skill needs\b|^(?:make sure|ensure) (?:that )?[^.]{2,80}\b(?:is|are) (?:installed|configured|authenticated|logged in|running|available)\b|^you(?:['’]ll| will)? need\b/i,
  ],
  [
    'whenToUse',
    /^(?:use|invoke|apply|activate|load|trigger) (?:this skill|this|it)? ?(?:when|whenever|if|for|to)\b|^this skill (?:should be used|is (?:used|intended|designed|meant|ideal|useful)|applies|activates|triggers)\b/i,
  ],
  [
    'outputs',
    /^(?:this skill |it |the skill )(?:produces|outputs|returns|delivers)\b|^(?:the )?(?:final )?(?:output|result|deliverable)s? (?:is|are|will be)\b/i,
  ],
  [
    'inputs',
    /^(?:this skill |it |the skill )(?:takes|accepts|expects)\b|^the user (?:will )?(?:provides?|gives?|supplies)\b/i,
  ],
]

const plainStart = (raw: string): string => raw.replace(/^[>\s*_#-]+/, '')

/** Splits a paragraph whose lines begin with labels of their own. */
const splitLines = (block: Block): readonly Block[] => {
  const { node, raw } = block
  if (node?.type !== 'paragraph' || !/\n(?:\*\*|__)[^*_\n]{3,60}(?:\*\*|__)/.test(raw))
    return [block]
  const lines: PhrasingContent[][] = []
  let before: PhrasingContent | undefined
  for (const word of node.children) {
    const begins = before?.type === 'text' && before.value.endsWith('\n')
    if (before === undefined || (word.type === 'strong' && begins)) lines.push([])
    lines.at(-1)?.push(word)
    before = word
  }
  const starts = lines.flatMap(([first]) => first?.position?.start.offset ?? [])
  if (starts.length < lines.length) return [block]
  const [origin = 0] = starts
  const { type, depth, line, text } = block
  return lines.map((children, at) => ({
    type,
    depth,
    line,
    text,
    raw: raw.slice((starts[at] ?? 0) - origin, (starts[at + 1] ?? Infinity) - origin),
    node: { type: 'paragraph', children },
  }))
}

/** Finds paragraphs of the whole that state a part in words. */
const listSaid = (sections: readonly Section[], skillName: string): Found[] =>
  sections
    .filter(({ isSample }) => !isSample)
    .flatMap((section) =>
      section.blocks.flatMap(splitLines).flatMap((block): Found[] => {
        const { raw, type } = block
        if ((type !== 'paragraph' && type !== 'blockquote') || raw.length > LONGEST_SAYING)
          return []
        if (/[:：]\W*$/.test(raw)) return []
        if (!section.isWhole && !(NAMES_SKILL.test(raw) && section.level <= 1)) return []
        const label = INLINE_LABEL.exec(raw)?.[1]
        const name =
          (label === undefined ? undefined : partOfHeading(label, skillName)) ??
          SAYINGS.find(([, says]) => says.test(plainStart(raw)))?.[0]
        if (name === undefined || name === 'examples') return []
        return [{ name, passage: { heading: section.heading, blocks: [block], below: [] } }]
      }),
    )

const countOrdered = (blocks: readonly Block[]): number =>
  blocks.reduce(
    (sum, { node }) => sum + (node?.type === 'list' && node.ordered ? node.children.length : 0),
    0,
  )

const isOrderedSteps = (block: Block): boolean =>
  countOrdered([block]) >= STEPS_AT_LEAST &&
  isMostly(
    readItems(block).map(({ text }) => plainStart(text)),
    IS_ORDER,
  )

/** Finds steps: headings, of the whole text or of a section; a numbered list where the heading says steps. */
const listTold = (sections: readonly Section[]): Found[] => {
  const found: Passage[] = []
  const tops = sections.filter(({ level }) => level === 1)
  const whole = listSteps(
    tops.filter(({ isSample }) => !isSample),
    false,
  )
  if (whole.length > 0) found.push({ blocks: [], below: whole })
  for (const section of sections) {
    const { heading, blocks, isSample, level, isWhole } = section
    if (isSample || level > 1) continue
    const title = heading?.text ?? ''
    if (level === 1 && TELLS_STEPS.test(title)) {
      const steps = toSteps(section)
      if (steps.below.length >= STEPS_AT_LEAST) found.push({ ...steps, blocks: [] })
      else if (countOrdered(blocks) >= STEPS_AT_LEAST) found.push({ ...steps, below: [] })
      const list = blocks.find(isChecklist)
      if (list) found.push({ heading, blocks: [list], below: [] })
    }
    const list = isWhole ? blocks.find(isOrderedSteps) : undefined
    if (list) found.push({ heading, blocks: [list], below: [] })
  }
  return found.map((passage) => ({ name: 'howItWorks', passage }))
}

/** Keeps some items of a list; undefined where none is left. */
const keepItems = (block: Block, keeps: (text: string) => boolean): Block | undefined => {
  if (block.node?.type !== 'list') return keeps(block.raw) ? block : undefined
  const items = readItems(block)
  const children = block.node.children.filter((_, at) => keeps(items[at]?.text ?? ''))
  if (children.length === items.length) return block
  return children.length > 0 ? { ...block, node: { ...block.node, children } as List } : undefined
}

/** Headings of sections that ask for what a skill is given, or show what it gives back. */
const LIKE: readonly (readonly [PartName, RegExp])[] = [
  [
    'inputs',
    /^(?:gather|collect|get|clarify|understand|elicit|identify|ask|confirm|determine|capture) .*\b(?:context|requirements|information|info|inputs?|details|needs|user|questions)\b/,
  ],
  [
    'outputs',
    /\b(?:output|report|response|deliverables?) (?:format|template|structure|style|schema|specification|files?|location|format template|format and structure)$/,
  ],
  [
    'prerequisites',
    /^(?:install|installing|set up|setting up|configure|authenticate) .*\b(?:cli|mcp|server|api key|credentials|dependencies|environment|token|packages?|access)\b/,
  ],
]

const listAlike = (sections: readonly Section[], skillName: string): Found[] =>
  sections.flatMap((section): Found[] => {
    const { heading, level, isSample, part } = section
    if (!heading || level === 0 || level > DEEPEST_LEVEL_READ || isSample || part) return []
    const words = normalizeHeading(heading.text).replace(/^(?:step|phase|stage) /, '')
    const name = LIKE.find(([, like]) => like.test(words))?.[0]
    if (name === undefined) return []
    if (
      name === 'inputs' &&
      !section.blocks.some(({ type }) => type === 'list' || type === 'table')
    )
      return []
    return [{ name, passage: toPassage(name, section, skillName) }]
  })

const IS_NEGATIVE =
  /^\W*(?:not (?:for|when|if|suitable)\b|do not|don['’]t|never use|avoid (?:this|using this)|skip (?:this|if|when)|不(?:适用|要用|用于)|请勿)/i

const keepWords = (passage: Passage, keeps: (text: string) => boolean): Passage => ({
  ...passage,
  blocks: passage.blocks.flatMap((block) => keepItems(block, keeps) ?? []),
})

const isNegative = (text: string): boolean => IS_NEGATIVE.test(text)

/** Items that say when not to use a skill, among those that say when. */
const listNegatives = (found: readonly Found[]): Found[] =>
  found
    .filter(({ name }) => name === 'whenToUse')
    .map(({ passage }) => ({
      name: 'whenNotToUse' as const,
      passage: { ...keepWords(passage, isNegative), below: [] },
    }))
    .filter(({ passage }) => passage.blocks.length > 0)

/** Prompts that stand as quotations where a text says what starts a skill. */
const listSpoken = (found: readonly Found[]): Found[] =>
  found
    .filter(({ name }) => name === 'activation' || name === 'whenToUse')
    .flatMap(({ passage }): Found[] => {
      const said = passage.blocks.filter(({ type }) => type === 'list' || type === 'paragraph')
      const words = listQuotes(textOf({ blocks: said, below: [] }))
      return words.length > 0
        ? [
            {
              name: 'examples',
              passage: { heading: passage.heading, blocks: [], below: [], words },
            },
          ]
        : []
    })

const ASKED =
  /\b(?:users?|they|someone) (?:says?|asks?|requests?|types|might say|may say)\b|\bthings like\b|\b(?:user|you) (?:says?|asks?|request|query|prompt|input|intent)\b|用户(?:说|请求|输入)|ユーザー(?:が|の)|사용자/i

/** Prompts in quotation marks where a text tells what users say, in words or in a table. */
const listAsked = (sections: readonly Section[]): Found[] => {
  const asked = sections
    .filter(({ level }) => level < 3)
    .flatMap(({ heading, blocks }) =>
      blocks
        .filter(({ type, raw }) => type !== 'code' && ASKED.test(raw.slice(0, LOOKED_AT)))
        .map(({ raw }) => ({ heading, words: listQuotes(raw.slice(0, LOOKED_AT)) })),
    )
  const words = [...new Set(asked.flatMap((one) => one.words))]
  const heading = asked.find((one) => one.words.length > 0)?.heading
  return words.length > 1
    ? [{ name: 'examples', passage: { heading, blocks: [], below: [], words } }]
    : []
}

/** Prompts that are headings, each above what is then done. */
const listSpokenHeadings = (sections: readonly Section[]): Found[] =>
  sections.flatMap((section): Found[] => {
    const words = section.below
      .filter(isQuoted)
      .flatMap(({ heading }) => listQuotes(heading?.text ?? ''))
    if (words.length < 2) return []
    return [
      { name: 'examples', passage: { heading: section.heading, blocks: [], below: [], words } },
    ]
  })

/** A call of the skill by its name, and no path of a file. */
const CALLS = /^(?:\/[\w:-]+(?:[ \t]+\S.*)?(?:\n|$))+$/

const listCalls = (sections: readonly Section[]): Found[] =>
  sections.flatMap(({ heading, blocks }) =>
    blocks
      .filter(({ node }) => node?.type === 'code' && CALLS.test(`${node.value.trim()}\n`))
      .map((block) => ({
        name: 'examples' as const,
        passage: { heading, blocks: [block], below: [] },
      })),
  )

/** Longest paragraph that says in short what a skill does. */
const LONGEST_INTRODUCTION = 500

const WORDS = /[\p{L}\p{N}]{3,}/gu

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(WORDS) ?? [])

/** Share of words of the one that the other has too, above which the two say the same. */
const SAYS_SAME = 0.6

const saysSame = (one: string, other: string): boolean => {
  const words = wordsOf(one)
  const others = wordsOf(other)
  const shared = [...words].filter((word) => others.has(word)).length
  return shared > SAYS_SAME * Math.min(words.size, others.size)
}

/** Finds the paragraph at the beginning that says what the skill does, where the description does not say it. */
const listIntroduced = (sections: readonly Section[], description: string): Found[] =>
  sections
    .filter(({ isWhole, isSample, blocks }) => isWhole && !isSample && blocks.length > 0)
    .slice(0, 2)
    .flatMap(({ heading, blocks }): Found[] => {
      const block = blocks.find(({ type }) => type === 'paragraph')
      if (!block || block.raw.length > LONGEST_INTRODUCTION || /[:：]\W*$/.test(block.raw))
        return []
      const start = plainStart(block.raw)
      if (!DOES.test(start) || SAYINGS.some(([, says]) => says.test(start))) return []
      if (saysSame(block.raw, description)) return []
      return [{ name: 'capabilities', passage: { heading, blocks: [block], below: [] } }]
    })

/** What a text is read for: its blocks, and what is known of the skill without it. */
interface FindInput {
  blocks: readonly Block[]
  /** The skill's name, as headings are normalized. */
  skillName: string
  description: string
}

/** Finds the passages of a SKILL.md that carry parts, the surest way first; no block carries two parts. */
export const findPassages = (input: FindInput): Partial<Record<PartName, Passage>> => {
  const sections = listSections(input.blocks, input.skillName)
  const sure = [
    ...listHeaded(sections, input.skillName),
    ...listLabelled(sections, input.skillName),
    ...listDeeper(sections, input.skillName),
  ]
  const said = listSaid(sections, input.skillName)
  const found = [
    ...sure,
    ...listNegatives(sure),
    ...listSpoken(sure),
    ...said,
    ...listAlike(sections, input.skillName),
    ...listTold(sections),
    ...listSpokenHeadings(sections),
    ...listAsked(sections),
    ...listCalls(sections),
    ...listIntroduced(sections, input.description),
  ].filter(isFit)
  const passages: Partial<Record<PartName, Passage>> = {}
  const taken = new Set<Block | undefined>()
  const listUsed = ({ blocks, below }: Passage): (Block | undefined)[] => [
    ...blocks,
    ...below.map(({ heading }) => heading),
  ]
  for (const { name } of PARTS) {
    const first = found.find(
      (one) => one.name === name && !listUsed(one.passage).some((block) => taken.has(block)),
    )
    if (!first) continue
    const { passage } = first
    for (const block of listUsed(passage)) taken.add(block)
    passages[name] =
      name === 'whenToUse' ? keepWords(passage, (text) => !isNegative(text)) : passage
  }
  return passages
}
