import type { Block } from '../guest/read.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'
import { isFit } from './fits.ts'
import { listAlike, listDeeper, listHeaded } from './headed.ts'
import { listLabelled } from './labels.ts'
import { keepWords } from './passages.ts'
import type { FoundPart, Passage } from './passages.ts'
import { listAsked, listCalls, listConversed, listSpoken } from './prompts.ts'
import { listSections } from './sections.ts'
import { listIntroduced, listStated } from './sentences.ts'
import { listTold } from './steps.ts'

const IS_NEGATIVE =
  /^\W*(?:not (?:for|when|if|suitable)\b|do not|don['’]t|never use|avoid (?:this|using this)|skip (?:this|if|when)|不(?:适用|要用|用于)|请勿)/i

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

/** Finds the passages of a SKILL.md that carry parts, the surest way first; no block carries two parts. */
export const findPassages = (input: FindInput): Partial<Record<PartName, Passage>> => {
  const sections = listSections(input.blocks, input.skillName)
  const sure = [
    ...listHeaded(sections, input.skillName),
    ...listLabelled(sections, input.skillName),
    ...listDeeper(sections, input.skillName),
  ]
  const found = [
    ...sure,
    ...listNegatives(sure),
    ...listSpoken(sure),
    ...listAlike(sections, input.skillName),
    ...listStated(sections, input.skillName),
    ...listTold(sections),
    ...listAsked(sections),
    ...listConversed(sections),
    ...listCalls(sections),
    ...listIntroduced(sections, input.description),
  ].filter(isFit)
  const passages: Partial<Record<PartName, Passage>> = {}
  const taken = new Set<Block | undefined>()
  /** Blocks that a part has sentences or items of; another part may have others. */
  const partly = new Set<Block | undefined>()
  for (const { name } of PARTS) {
    const first = found.find(
      ({ name: part, passage: one }) =>
        part === name &&
        !listUsed(one).some((block) => taken.has(block) || (!one.of && partly.has(block))),
    )
    if (!first) continue
    const { passage } = first
    for (const block of listUsed(passage)) (passage.of ? partly : taken).add(block)
    passages[name] =
      name === 'whenToUse' ? keepWords(passage, (text) => !isNegative(text)) : passage
  }
  return passages
}
