import { OutputError } from './folders.ts'
import { Generations, servedFolder } from './generations.ts'
import { DamagedStateError, readLastBuild } from './state.ts'
import type { BuildRecord } from './state.ts'

/** When a generation was begun, as its name says. */
const tellTime = (name: string): string => {
  const time = new Date(parseInt(name, 36))
  return Number.isNaN(time.getTime()) ? name : `${time.toISOString().slice(0, 19)}Z`
}

const readRecord = (folder: string): BuildRecord | undefined => {
  try {
    return readLastBuild(folder)
  } catch (error) {
    if (!(error instanceof DamagedStateError)) throw error
    throw new OutputError(`${error.message}, so it is not known what to go back to`)
  }
}

/**
 * Serves the site again that the last build replaced; says which one. The next build goes on from the last one.
 * Throws OutputError where that site is not kept.
 */
export const rollBack = (output: string): string => {
  servedFolder(output)
  const generations = new Generations(output)
  try {
    const { generation, replaced } = readRecord(generations.stateFolder) ?? {}
    const { current = '' } = generations
    const served = `${output} serves the build of ${tellTime(current)}`
    if (current === replaced)
      throw new OutputError(
        `${served}, the oldest that is kept; \`npm run build\` builds what the content says now`,
      )
    if (current !== generation || replaced === undefined || !generations.has(replaced))
      throw new OutputError(
        `${served}, and no other is kept: there is one to go back to once a later build is done`,
      )
    generations.publish(replaced)
    return `${output} serves the build of ${tellTime(replaced)} again instead of that of ${tellTime(current)}; the next build puts what the content says in its place`
  } finally {
    generations.close()
  }
}
