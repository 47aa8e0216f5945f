import type { Block } from '../guest/read.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { isSuitable } from './fits.ts'
import { listNamedInputs } from './gaps.ts'
import { listAlike, listDeeper, listPartsByHeading } from './headed.ts'
import { listLabelled } from './labels.ts'
import { listMentioned } from './mentions.ts'
import { introduces, keepWords, saysSame, textOfPassage } from './passages.ts'
import type { FoundPart, Passage } from './passages.ts'
import { listSections } from './sections.ts'
import { listStated } from './sentences.ts'
import { isBareStep, listDescribedSteps } from './steps.ts'
import { listTabled } from './tables.ts'

const IS_NEGATIVE =
  /^\W*(?:not (?:for|when|if|suitable)\b|(?:do not|don['’]t|never) (?:use|invoke|trigger|activate|apply|load|reach)\b|avoid (?:this|using this)|skip (?:this|if|when)|不(?:适用|要用|用于)|请勿)/i

const isNegative = (text: string): boolean => IS_NEGATIVE.test(text)

/** Items that say when not to use a skill, among those that say when. */
const listNegatives = (found: readonly FoundPart[]): FoundPart[] =>
  found
    .filter(({ name }) => name === 'whenToUse')
    .map(({ passage }) => ({
      name: 'whenNotToUse' as const,
      passage: { ...keepWords(passage, isNegative), below: [] },
    }))
    .filter(({ passage }) => passage.blocks.length > 0)

/** What a text is read for: its blocks, and what is known of the skill without it. */
interface FindInput {
  blocks: readonly Block[]
  /** The skill's name, as headings are normalized. */
  skillName: string
  description: string
}

const listUsed = ({ blocks, below, of }: Passage): (Block | undefined)[] => [
  ...(of ?? blocks),
  ...below.map(({ heading }) => heading),
]

/** The text of steps that have only a number is shown with them. */
const listShown = (passage: Passage): (Block | undefined)[] => [
  ...listUsed(passage),
  ...passage.below.filter(isBareStep).flatMap(({ blocks }) => blocks),
]

type Taken = ReadonlySet<Block | undefined>

/** What of a passage no other part has; undefined where that is not the part any more. */
const leave = ({ name, passage }: FoundPart, taken: Taken, partly: Taken): Passage | undefined => {
  const { blocks, below, of } = passage
  const isFree = (block: Block | undefined): boolean =>
    !taken.has(block) && (of !== undefined || !partly.has(block))
  if (listUsed(passage).every(isFree)) return passage
  // A table, a list or a sample without the words that introduce it, or the reverse, is no part.
  const isSet = name === 'howItWorks' || name === 'inputs' || name === 'outputs'
  if (isSet && !of) return undefined
  const left: Passage = {
    ...passage,
    blocks: blocks.filter((_, at) => isFree((of ?? blocks)[at])),
    ...(of && { of: of.filter(isFree) }),
    below: below.filter(({ heading }) => isFree(heading)),
  }
  const isSaid = left.below.length > 0 || left.blocks.some((block) => !introduces(block))
  return isSaid && isSuitable({ name, passage: left }) ? left : undefined
}

/** Parts that are more than their words: the order of steps, what is needed, what is asked for. */
const IS_MORE: ReadonlySet<PartName> = new Set([
  'howItWorks',
  'inputs',
  'prerequisites',
  'examples',
])

/** Share of a passage's words that the description has too, above which it only repeats that. */
const REPEATS = { paragraph: 0.6, more: 0.75 }

/** Whether a passage says what the description says, which stands whole under Activation. */
const repeats = ({ name, passage }: FoundPart, description: string): boolean => {
  const isParagraph = passage.blocks.length === 1 && passage.blocks[0]?.type === 'paragraph'
  const isOne = isParagraph && passage.below.length === 0
  const shown = {
    ...passage,
    below: passage.below.map((one) => ({ ...one, blocks: [], below: [] })),
  }
  return (
    !IS_MORE.has(name) &&
    saysSame(textOfPassage(shown), description, isOne ? REPEATS.paragraph : REPEATS.more)
  )
}

/** What is read of a text: passages that carry parts, and parts that it only speaks of. */
export interface TextParts {
  passages: Partial<Record<PartName, Passage>>
  mentioned: ReadonlySet<PartName>
}

/** Finds the passages of a SKILL.md that carry parts, the surest way first; no block carries two parts. */
export const findPassages = (input: FindInput): TextParts => {
  const sections = listSections(input.blocks, input.skillName)
  const about = `${input.skillName} ${input.description}`.toLowerCase()
  const sure = [
    ...listPartsByHeading(sections, input.skillName),
    ...listLabelled(sections, input.skillName),
    ...listDeeper(sections, input.skillName),
  ]
  // A finder of one part is asked only where those before it found none that fits.
  const finders: readonly (readonly [PartName | undefined, () => readonly FoundPart[]])[] = [
    [undefined, () => listTabled(sections)],
    [undefined, () => sure],
    ['whenNotToUse', () => listNegatives(sure)],
    [undefined, () => listAlike(sections, input.skillName)],
    [undefined, () => listStated(sections, input.skillName)],
    ['inputs', () => listNamedInputs(sections)],
    ['howItWorks', () => listDescribedSteps(sections, about)],
  ]
  const found: (readonly FoundPart[])[] = []
  const passages: Partial<Record<PartName, Passage>> = {}
  const taken = new Set<Block | undefined>()
  /** Blocks that a part has sentences or items of; another part may have others. */
  const partly = new Set<Block | undefined>()
  for (const { name } of PARTS) {
    let passage: Passage | undefined
    // Below a passage that the description repeats, the next would be a lesser one: recipes for capabilities.
    let isKnown = false
    for (const [at, [only, find]] of finders.entries()) {
      if (passage || isKnown) break
      if (only !== undefined && only !== name) continue
      for (const one of (found[at] ??= find())) {
        if (one.name !== name || !isSuitable(one)) continue
        isKnown = repeats(one, input.description)
        if (!isKnown) passage = leave(one, taken, partly)
        if (passage || isKnown) break
      }
    }
    if (!passage) continue
    for (const block of listShown(passage)) (passage.of ? partly : taken).add(block)
    passages[name] = passage
  }
  const { whenToUse } = passages
  if (whenToUse) {
    const positive = keepWords(whenToUse, (text) => !text.split('\n').some(isNegative))
    if (positive.blocks.length + positive.below.length > 0) passages.whenToUse = positive
    else delete passages.whenToUse
  }
  const missing = PARTS.map(({ name }) => name).filter((name) => passages[name] === undefined)
  return { passages, mentioned: listMentioned(sections, input.description, missing) }
}
