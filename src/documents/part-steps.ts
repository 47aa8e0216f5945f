import type { Block } from './guest/read.ts'
import { BARE_STEP } from './part-blocks.ts'
import type { Passage } from './part-blocks.ts'

const STEP = /^\W*(?:(?:step|phase|stage)\s*\d|第.{1,3}步|步骤\s*\d)/iu

const STEPS_AT_LEAST = 3

/** Headings of a section whose steps are those of the skill; others tell one thing of many. */
const TELLS_STEPS =
  /^(?!.*\b(?:example|sample)\b).*(?:workflow|process|procedure|\bflow|\bsteps|instructions|strategy|method|how to|onboarding|流程|步骤)/i

const hasSteps = ({ heading, subheadings }: Passage): boolean =>
  subheadings.length >= STEPS_AT_LEAST && (heading === undefined || TELLS_STEPS.test(heading.text))

/** Finds steps that are headings: of the whole text, or of its first section that has enough. */
export const findSteps = (blocks: readonly Block[], top: number): Passage | undefined => {
  const whole: string[] = []
  const sections: Passage[] = []
  let section: string[] = []
  for (const block of blocks) {
    if (block.type !== 'heading') continue
    if (block.depth <= top) {
      section = []
      sections.push({ heading: block, blocks: [], subheadings: section })
    }
    if (!STEP.test(block.text) || BARE_STEP.test(block.text)) continue
    if (block.depth === top) whole.push(block.text)
    if (block.depth === top + 1) section.push(block.text)
  }
  return [{ blocks: [], subheadings: whole }, ...sections].find(hasSteps)
}
