import { renderProblem } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import type { SkillFile } from '../../../src/catalog/skill.ts'
import { makeProblem } from '../rules.ts'
import { CommandError } from '../cli/command.ts'

/** Warns of executable bits that neither the disk nor git's index can store, in the folder of a skill. */
export const explainLostBits = (folder: string, files: readonly SkillFile[]): Problem[] =>
  files.map((file) => {
    const [state, operator] = file.isExecutable ? ['executable', '+'] : ['not executable', '-']
    const message = `${state} at its source, but this disk stores no executable bits`
    const remedy = `commit it with "git add --chmod=${operator}x"`
    return makeProblem(`${folder}/${file.path}`, { rule: 'bit-lost', message, remedy })
  })

/** Throws CommandError if only git's index could store the executable bits. */
export const refuseLostBits = (slug: string, files: readonly SkillFile[]): void => {
  const [first] = explainLostBits(`skills/${slug}`, files)
  if (first) throw new CommandError(renderProblem(first))
}

/** The first problems of each rule, and what to say about the others: a source may have thousands. */
export const summarizeProblems = (
  problems: readonly Problem[],
  shown: number,
): { problem: Problem; others: string }[] =>
  [...Map.groupBy(problems, ({ rule }) => rule)].flatMap(([rule, all]) =>
    all.slice(0, shown).map((problem, at) => {
      const more = at + 1 < shown ? 0 : all.length - shown
      const lists = '"npm run catalog -- check" of the folder, or of a clone, lists all'
      return { problem, others: more > 0 ? `; and ${more} more of ${rule}: ${lists}` : '' }
    }),
  )

/** How many skills are shown for each rule by which skills are skipped. */
export const SKIPS_SHOWN = 5

/** Counts problems, by rule as well. */
export const countByRule = (problems: readonly Problem[], word: string): string => {
  const rules = [...Map.groupBy(problems, ({ rule }) => rule)]
  const counts = rules.map(([rule, { length }]) => `${length} ${rule}`)
  return `${problems.length} ${word}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}`
}

/** Says of a problem that its file is not copied. */
export const sayLeftOut = (problem: Problem): Problem => ({
  ...problem,
  message: `left out: ${problem.message}`,
})
