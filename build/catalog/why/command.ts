import { showValue } from '../../../src/catalog/text.ts'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { explainMatch, openIndex } from '../../../src/search/index.ts'
import type { Explanation } from '../../../src/search/index.ts'
import { packIndex, toIndexEntry } from '../../../src/search/packed/pack.ts'
import { DEFAULT_ORIGIN } from '../../../src/documents/paths.ts'
import { createSite } from '../../../src/documents/site.ts'
import { searchDocuments } from '../../site/search-documents.ts'
import type { Command, Given, Surroundings } from '../cli/command.ts'
import { CONTENT_OPTION, readContentOption } from '../cli/command.ts'
import { CommandError, UsageError } from '../cli/errors.ts'
import { renderJson } from '../cli/report.ts'
import { renderExplanation } from './render.ts'

const USAGE = 'npm run catalog -- why "<query>" <slug> [--content <folder>] [--json]'

const readPair = ({ positionals }: Given): [string, string] => {
  const [q, slug, ...more] = positionals
  // A blank query browses (registry-api 4.1), which asks nothing of a skill.
  if (q === undefined || slug === undefined || q.trim() === '')
    throw new UsageError(`Give a query and a slug.\nUsage: ${USAGE}`)
  if (more.length > 0)
    throw new UsageError(
      `A query of several words stands in quotes; ${showValue(more[0])} is one too many.\nUsage: ${USAGE}`,
    )
  return [q, slug]
}

/** Explains a query to one skill of a content folder. Throws CommandError where search cannot know the slug. */
export const explainSkill = (folder: string, q: string, slug: string): Explanation => {
  const catalog = loadCatalog(folder)
  const site = createSite(catalog, catalog.skills, DEFAULT_ORIGIN)
  const explanation = explainMatch(
    openIndex(packIndex(searchDocuments(site).map(toIndexEntry))),
    q,
    slug,
  )
  if (explanation) return explanation
  if (catalog.skills.some((skill) => skill.slug === slug))
    throw new CommandError(
      `${slug} is not listed because its source is gone, so no query finds it.`,
    )
  throw new CommandError(
    `No skill has the slug ${showValue(slug)}; the slugs are the folders of ${folder}/skills.`,
  )
}

const run = (given: Given, { print }: Surroundings): Promise<void> => {
  const [q, slug] = readPair(given)
  const explanation = explainSkill(readContentOption(given), q, slug)
  print(given.switches.has('json') ? renderJson(explanation) : renderExplanation(explanation))
  return Promise.resolve()
}

/** `why`: a query and a slug -> how the search scores the one for the other. */
export const whyCommand: Command = {
  name: 'why',
  usage: USAGE,
  summary: 'Shows why a query finds a skill, or why not',
  options: {
    ...CONTENT_OPTION,
    json: { help: 'Prints one JSON object; call npm with -s to get it alone' },
  },
  help: [
    'Each line is one thing that was looked for: a word as typed, derived from some by the table of synonyms, completed from the last word, or corrected where too little was found. The score of a line is its weight times what it finds, field by field: how often, of how many distinct words.',
    'A skill is a result when its score reaches the floor, which keeps weak matches of long queries out. The name itself, letter for letter or otherwise spelled, comes before all scores.',
  ],
  run,
}
