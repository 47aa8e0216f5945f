import type { ExplainedStep, Explanation } from '../../../src/search/index.ts'

const HEADS = ['', 'looked for', 'weight', 'score', 'where'] as const

const renderScore = (score: number): string => score.toFixed(2)

const renderWhere = ({ fields, missing }: ExplainedStep): string => {
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
  renderWhere(step),
]

const renderTable = (rows: readonly (readonly string[])[]): string[] => {
  const widths = HEADS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const renderSum = ({ score, floor, words, answered }: Explanation): string =>
  answered === 0
    ? `Score 0: it answers none of ${words} ${words === 1 ? 'word' : 'words'}.`
    : `Score ${renderScore(score)} = ${renderScore(score / answered)} found × ${answered} of ${words} words answered;` +
      ` a result has ${renderScore(floor)} or more.`

/** Renders why a query finds a skill, or why not: the verdict, the score, and each thing looked for. */
export const renderExplanation = (explanation: Explanation): string => {
  const { verdict, steps } = explanation
  if (steps.length === 0) return verdict
  return [
    verdict,
    renderSum(explanation),
    '',
    ...renderTable([HEADS, ...steps.map(renderStep)]),
  ].join('\n')
}
