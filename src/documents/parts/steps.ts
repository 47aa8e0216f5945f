import type { Block } from '../guest/read.ts'
import { readItems } from '../guest/read.ts'
import { SAMPLE, normalizeHeading } from './sections.ts'
import { IS_ORDER, introduces, isMostly, plainStart } from './passages.ts'
import type { FoundPart, Passage } from './passages.ts'
import type { TextSection } from './sections.ts'

/** Headings below a part that are no part of it. */
const ASIDE =
  /^(?:further reading|references?|resources|additional resources|see also|related(?: \p{L}+)?|notes?|tips|learn more|next steps|troubleshooting|examples?)$/u

/** A heading that names no more than its number tells nothing without its text. */
const BARE_STEP = /^\W*(?:step|phase|stage|part|example)\s*\d*[^\p{L}\p{N}]*$/iu

const isAside = ({ heading }: Passage): boolean =>
  heading === undefined || ASIDE.test(normalizeHeading(heading.text))

/** Whether a heading is no more than the number of a step. */
export const isBareStep = ({ heading }: Passage): boolean => BARE_STEP.test(heading?.text ?? '')

export const isNamed = (passage: Passage): boolean => !isAside(passage) && !isBareStep(passage)

const STEP =
  /^\W*(?:(?:step|phase|stage|schritt|étape|paso|passo|fase|etapa)\s*\d|第.{1,3}[步阶段]|步骤\s*[\d一二三四五六七八九十]|阶段\s*[\d一二三四五六七八九十]|ステップ\s*\d|手順\s*\d|フェーズ\s*\d|\d{1,2}\s*단계|단계\s*\d)/iu

export const isStep = ({ heading }: Passage): boolean => STEP.test(heading?.text ?? '')

const NUMBERED = /^\W*\d{1,2}(?:[.):：、]|\s[-–—])\s*\S/

const afterNumber = (text: string): string => text.replace(/^[\W\d]+/, '')

/** Headings of a section whose steps are those of the skill; others tell one thing of many. */
const TELLS_STEPS =
  /^(?!.*\b(?:example|sample|troubleshooting(?! (?:method|workflow|process))|common|next|available|workflows)\b)(?!\W*(?:workflow|process|method|strategy)\s*(?:\d|[a-d]\b)).*(?:workflow|\bprocess\b|procedure|\bflow\b|\b(?:steps|phases|stages|passes)\b|how (?:it|this|the)\b|\bthe loop\b|playbook|instructions|strategy|method|how to|onboarding|protocol|pipeline|procedure|when invoked|流程|步骤|手順|フロー|절차|단계|ablauf|schritte|étapes|pasos|passos)/i

/** What one process of many is for: the steps of a skill only where the skill is for that. */
const IS_NARROW =
  /\b(?:migrat|discover|approv|rollback|batch|releas|cancel|escalat|arbitrat|debug|incident|upgrad|publish|merg|contribut|maint|recover|backup|cleanup|validat|verif|review|best practices)/

const isOfSkill = (title: string, about: string): boolean => {
  const [topic] = IS_NARROW.exec(normalizeHeading(title)) ?? []
  return topic === undefined || about.includes(topic)
}

/** Whether a section tells the work that the skill does, or a step of it. */
const describesWork = ({ heading, part, level, parent }: TextSection): boolean => {
  const title = heading?.text ?? ''
  if (part === 'howItWorks' || STEP.test(title)) return true
  return level === 1 ? TELLS_STEPS.test(title) : parent?.part === 'howItWorks'
}

/** Headings of the steps that make what comes back. */
const MAKES_RESULT =
  /output|save|writ|report|deliver|generat|creat|produc|result|present|export|final|summar/i

/** Whether a section tells the work, or that part of it which ends it. */
export const isEnd = (section: TextSection): boolean =>
  describesWork(section) &&
  (section.part === 'howItWorks' || MAKES_RESULT.test(section.heading?.text ?? ''))

const STEPS_AT_LEAST = 3

/** A list of boxes to tick, step by step, as skills give it to an assistant to copy. */
const isChecklist = (block: Block): boolean =>
  block.node?.type === 'code' &&
  block.raw.includes('- [ ] ') &&
  (block.raw.match(/^\s*- \[ \] \S/gm)?.length ?? 0) >= STEPS_AT_LEAST

/** Numbered steps that stand in a fence of text. */
const isTextSteps = ({ node }: Block): boolean =>
  node?.type === 'code' &&
  /^(?:|text|txt|markdown|md|plaintext)$/.test(node.lang ?? '') &&
  (node.value.match(/^ {0,3}(?:(?:step|phase)\s)?\d{1,2}[.):] +\p{L}.*\s/gimu)?.length ?? 0) >=
    STEPS_AT_LEAST

/** A command or an address alone tells no way of working; a list of boxes to tick does. */
export const describesSteps = (block: Block): boolean =>
  block.type === 'list' ||
  block.type === 'table' ||
  (block.type === 'paragraph' &&
    (NUMBERED.test(block.raw) || (!introduces(block) && !/^[^\n]*:\/\/\S+$/.test(block.raw)))) ||
  isChecklist(block) ||
  isTextSteps(block)

/** Headings that are the steps of what stands above them. */
const listSteps = (sections: readonly TextSection[], tellsSteps: boolean): TextSection[] => {
  const bare = sections.filter(isBareStep)
  if (tellsSteps && bare.length >= STEPS_AT_LEAST) return bare
  const named = sections.filter(isNamed)
  const titles = (pattern: RegExp): TextSection[] =>
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

export const toSteps = ({ heading, blocks, below }: TextSection): Passage => {
  const steps = listSteps(below, TELLS_STEPS.test(heading?.text ?? ''))
  // Boxes to tick name again the steps that are told below them.
  const [first, ...others] = blocks
  if (first && isChecklist(first) && others.some(describesSteps))
    return { heading, blocks: others, below: steps }
  // What stands above the steps are rules for all of them.
  return { heading, blocks: steps.length < STEPS_AT_LEAST ? blocks : [], below: steps }
}

const PUTS_UP =
  /\b(?:install|quick ?start|set ?up|getting started|example|sample|custom|creating|migrat|best|practices|principles|rules|tips|patterns|common|troubleshooting$|checklist|concepts|before)|\b(?:layer|level|mode|option|part|workflow)\W*(?:\d|[a-d]\b)|规则|示例/i

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

/** Whether the only steps in a text, deeper than its sections, are told as such. */
const tellsAll = (section: TextSection): boolean =>
  !section.isSample &&
  !SAMPLE.test(section.heading?.text ?? '') &&
  !PUTS_UP.test(section.heading?.text ?? '') &&
  !PUTS_UP.test(section.parent?.heading?.text ?? '')

/** Finds steps: headings, of the whole text or of a section; a numbered list where the heading says steps. */
export const listDescribedSteps = (
  sections: readonly TextSection[],
  about: string,
): FoundPart[] => {
  const found: Passage[] = []
  const tops = sections.filter(({ level }) => level === 1)
  const whole = listSteps(
    tops.filter(({ isSample }) => !isSample),
    false,
  )
  if (whole.length > 0) found.push({ blocks: [], below: whole })
  // Steps below one section alone are those of the skill, but for how something is put up.
  const groups = tops.filter(({ below }) => listSteps(below, false).length > 0)
  const [only, ...others] = groups
  if (only && others.length === 0 && tellsAll(only) && TELLS_STEPS.test(only.heading?.text ?? ''))
    found.push({ heading: only.heading, blocks: [], below: listSteps(only.below, false) })
  const told = tops.flatMap((section): Passage[] => {
    if (section.isSample || !TELLS_STEPS.test(section.heading?.text ?? '')) return []
    const steps = toSteps(section)
    if (steps.below.length >= STEPS_AT_LEAST) return [{ ...steps, blocks: [] }]
    return countOrdered(section.blocks) >= STEPS_AT_LEAST ? [{ ...steps, below: [] }] : []
  })
  // One of several is not how the skill works.
  if (told.length === 1) found.push(...told)
  for (const { heading, blocks, isSample, isWhole } of sections) {
    const list = isWhole && !isSample ? blocks.find(isOrderedSteps) : undefined
    if (list) found.push({ heading, blocks: [list], below: [] })
  }
  return found
    .filter(({ heading }) => isOfSkill(heading?.text ?? '', about))
    .map((passage) => ({ name: 'howItWorks', passage }))
}
