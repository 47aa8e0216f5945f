import { CONTENT_OPTION, JSON_OPTION, readContentOption } from '../cli/command.ts'
import type { Command, Given, CommandContext } from '../cli/command.ts'
import { UsageError } from '../cli/errors.ts'
import { renderJson } from '../cli/report.ts'
import { explainCategory, renderCategory } from './category.ts'

const run = async (given: Given, { print }: CommandContext): Promise<void> => {
  const { values, switches } = given
  const [slug = ''] = given.positionals
  const content = readContentOption(given)
  const { query } = values
  if (query === undefined) {
    const explained = explainCategory(content, slug)
    return print(switches.has('json') ? renderJson(explained) : renderCategory(explained))
  }
  // A blank query browses (registry-api 4.1), which asks nothing of a skill.
  if (query.trim() === '') throw new UsageError('--query is blank, so it finds every skill.')
  // The search is loaded only where it is asked.
  const { explainQuery, renderMatch } = await import('./query.ts')
  const match = explainQuery(content, query, slug)
  print(switches.has('json') ? renderJson(match) : renderMatch(match))
}

/** `explain`: why a skill has its category, or why a query finds it. */
export const explainCommand: Command = {
  name: 'explain',
  positionals: { usage: '<slug>', least: 1, most: 1 },
  summary: 'Shows why a skill has its category, or with --query why a query finds it or not',
  options: {
    query: { value: '<text>', help: 'The query to explain; several words stand in quotes' },
    ...CONTENT_OPTION,
    ...JSON_OPTION,
  },
  help: [
    'A word weighs 3 where it all but names the job, 2 where it speaks for it, 1 where it hints; in the name 2.5 times as much, in the first sentence of the description 1.5 times. The body is read where name and description leave it open. What an author chooses always wins: `category` in the skill.json, or in the front matter of a SKILL.md that is imported.',
    'With --query each line is one thing that was looked for: a word as typed, derived from some by the table of synonyms, completed from the last word, or corrected where too little was found. The score of a line is its weight times what it finds, field by field: how often, of how many distinct words.',
    'A skill is a result when its score reaches the floor, which keeps weak matches of long queries out. The name itself, letter for letter or spelled in another way, comes before all scores.',
  ],
  run,
}
