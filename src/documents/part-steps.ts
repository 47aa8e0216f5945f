import type { Token } from 'marked'
import { BARE_STEP, isHeading } from './part-blocks.ts'
import type { Passage } from './part-blocks.ts'

const STEP = /^\W*(?:(?:step|phase|stage)\s*\d|第.{1,3}步|步骤\s*\d)/iu

const STEPS_AT_LEAST = 3

/** Headings of a section whose steps are those of the skill; others tell one thing of many. */
const TELLS_STEPS =
  /^(?!.*\b(?:example|sample)\b).*(?:workflow|process|procedure|\bflow|\bsteps|instructions|strategy|method|how to|onboarding|流程|步骤)/i

const hasSteps = ({ heading, subheadings }: Passage): boolean =>
  subheadings.length >= STEPS_AT_LEAST && (heading === undefined || TELLS_STEPS.test(heading.text))

/** Finds steps that are headings: of the whole text, or of its first section that has enough. */
export const findSteps = (tokens: readonly Token[], top: number): Passage | undefined => {
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
