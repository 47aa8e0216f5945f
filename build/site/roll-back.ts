import { OutputError } from './folders.ts'
import { Generations, servedFolder } from './generations.ts'
import { DamagedStateError, readLastBuild } from './state.ts'
import type { BuildRecord } from './state.ts'

/** Start time of a generation, from its name. */
const formatStart = (name: string): string => {
  const time = new Date(parseInt(name, 36))
  return Number.isNaN(time.getTime()) ? name : `${time.toISOString().slice(0, 19)}Z`
}

const readRecord = (folder: string): BuildRecord | undefined => {
  try {
    return readLastBuild(folder)
  } catch (error) {
    if (!(error instanceof DamagedStateError)) throw error
    throw new OutputError(
      `${error.message}, so the previous build is unknown; run \`npm run build\``,
    )
  }
}

/**
 * Puts the previously served site back and returns a message that names it. The next build continues from the latest
 * one. Throws OutputError if there is no previous site.
 */
export const rollBack = (output: string): string => {
  servedFolder(output)
  const generations = new Generations(output)
  try {
    const { generation, replaced } = readRecord(generations.stateFolder) ?? {}
    const { current = '' } = generations
    const served = `${output} serves the build of ${formatStart(current)}`
    if (current === replaced)
      throw new OutputError(
        `${served}, the oldest one kept; run \`npm run build\` to build the current content`,
      )
    if (current !== generation || replaced === undefined || !generations.has(replaced))
      throw new OutputError(
        `${served}, and no earlier one is kept; a rollback is possible after the next build`,
      )
    generations.publish(replaced)
    return `${output} serves the build of ${formatStart(replaced)} again instead of that of ${formatStart(current)}; the next build replaces it with the current content`
  } finally {
    generations.close()
  }
}
