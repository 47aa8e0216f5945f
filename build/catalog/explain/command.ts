import { showValue } from '../../../src/catalog/text.ts'
import type { Command, Given, Surroundings } from '../cli/command.ts'
import { CONTENT_OPTION, readContentOption } from '../cli/command.ts'
import { UsageError } from '../cli/errors.ts'
import { renderJson } from '../cli/report.ts'
import { explainCategory } from './explain.ts'
import { renderExplanation } from './report.ts'

const USAGE = 'npm run catalog -- explain <slug> [--content <content folder>] [--json]'

const readSlug = ({ positionals: [slug, ...more] }: Given): string => {
  if (slug === undefined) throw new UsageError(`Name the skill to explain.\nUsage: ${USAGE}`)
  if (more.length === 0) return slug
  throw new UsageError(
    `One skill at a time; ${showValue(more[0])} is one too many.\nUsage: ${USAGE}`,
  )
}

const run = async (given: Given, { print }: Surroundings): Promise<void> => {
  const explanation = explainCategory(readContentOption(given), readSlug(given))
  print(given.switches.has('json') ? renderJson(explanation) : renderExplanation(explanation))
}

/** `explain`: why a skill has its category. */
export const explainCommand: Command = {
  name: 'explain',
  usage: USAGE,
  summary: 'Says why a skill has its category: which words, where, and how much they weigh',
  options: {
    ...CONTENT_OPTION,
    json: { help: 'Prints one JSON object; call npm with -s to get it alone' },
  },
  help: [
    'A word weighs 3 where it all but names the job, 2 where it speaks for it, 1 where it hints; in the name 2.5 times as much, in the first sentence of the description 1.5 times. The body is asked where name and description leave it open.',
    'What an author chooses always wins: `category` in the skill.json, or in the front matter of a SKILL.md that is imported.',
  ],
  run,
}
