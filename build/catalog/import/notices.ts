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

/** Says of a problem that its file is not copied. */
export const sayLeftOut = (problem: Problem): Problem => ({
  ...problem,
  message: `left out: ${problem.message}`,
})
