import { showValue } from '../../../src/catalog/text.ts'
import { loadCatalog } from '../../../src/catalog/load.ts'
import { explainMatch, openIndex } from '../../../src/search/index.ts'
import type { ExplainedStep, Explanation } from '../../../src/search/index.ts'
import { packIndex, toIndexEntry } from '../../../src/search/pack/pack.ts'
import { DEFAULT_ORIGIN } from '../../../src/documents/paths.ts'
import { createSite } from '../../../src/documents/site.ts'
import { searchDocuments } from '../../site/search-index.ts'
import { CommandError, renderColumns } from '../cli/command.ts'

/** Explains how the search scores a skill for a query. Throws CommandError if no query can find it. */
export const explainQuery = (folder: string, q: string, slug: string): Explanation => {
  const catalog = loadCatalog(folder)
  const site = createSite(catalog, catalog.skills, DEFAULT_ORIGIN)
  const index = openIndex(packIndex(searchDocuments(site).map(toIndexEntry), catalog.copies))
  const explanation = explainMatch(index, q, slug)
  if (explanation) return explanation
  if (catalog.skills.some((skill) => skill.slug === slug))
    throw new CommandError(
      `${slug} is not listed because its source is gone, so no query finds it.`,
    )
  throw new CommandError(
    `No skill ${showValue(slug)} in ${folder}; give the name of a folder in skills/.`,
  )
}

const HEADS = ['', 'looked for', 'weight', 'score', 'where'] as const

const renderScore = (score: number): string => score.toFixed(2)

const renderFields = ({ fields, missing }: ExplainedStep): string => {
  const found = fields.map(
    ({ stem, field, frequency, length, score }) =>
      `${stem} in ${field}, ${frequency} of ${length} (${renderScore(score)})`,
  )
  return [...found, ...missing.map((stem) => `${stem} in no field`)].join('; ')
}

const renderStep = (step: ExplainedStep): string[] => [
  step.how,
  step.stems.join(' + '),
  renderScore(step.weight),
  renderScore(step.score),
  renderFields(step),
]

const renderSum = ({ score, floor, words, answered }: Explanation): string =>
  answered === 0
    ? `Score 0: it matches none of ${words} ${words === 1 ? 'word' : 'words'}.`
    : `Score ${renderScore(score)} = ${renderScore(score / answered)} relevance × ${answered} of ${words} words matched;` +
      ` results need at least ${renderScore(floor)}.`

export const renderMatch = (explanation: Explanation): string => {
  const { verdict, steps } = explanation
  if (steps.length === 0) return verdict
  return [
    verdict,
    renderSum(explanation),
    '',
    ...renderColumns([HEADS, ...steps.map(renderStep)]),
  ].join('\n')
}
