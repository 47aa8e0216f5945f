import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Advisory } from '../../src/catalog/schema.ts'
import { PATHS } from '../../src/documents/paths.ts'
import { describeFailure } from './command.ts'
import { OutputError } from '../machine/folders.ts'
import { Generations } from './generations.ts'
import { readSettings } from './settings.ts'
import { readLastBuild } from './state.ts'

// `npm run back`: serves the previous build again.

const explainRefusal = (served: string, previous: string | undefined, isThere: boolean): string => {
  if (previous === undefined) return 'there was no build before it'
  if (served === previous) return 'this is already the previous build'
  return isThere
    ? 'the saved state belongs to another build'
    : 'an interrupted build has used the folder of the previous build'
}

/** Lists the versions that a build has withdrawn, each with the id of its advisory. */
const listWithdrawn = (folder: string): Map<string, string> => {
  const file = join(folder, 'public', PATHS.advisories)
  const advisories = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as readonly Advisory[])
    : []
  return new Map(
    advisories
      .filter(({ withdrawn }) => withdrawn === undefined)
      .flatMap(({ id, affected }) =>
        affected.flatMap(({ slug, versions }) =>
          versions.map((name) => [`${slug}@${name}`, id] as const),
        ),
      ),
  )
}

/** Explains which version the previous build would serve again; undefined if it serves none that was withdrawn. */
const findServedAgain = (served: string, previous: string): string | undefined => {
  const before = listWithdrawn(previous)
  const again = [...listWithdrawn(served)].find(([version]) => !before.has(version))
  return again && `the previous build serves ${again[0]}, which ${again[1]} has withdrawn since`
}

/** Returns the name of the folder that is served now. Throws OutputError if there is no build to go back to. */
export const goBack = (output: string): string => {
  if (!existsSync(join(output, 'current')))
    throw new OutputError(`${output}: there is no build; set OUT_DIR to the folder of a build`)
  using generations = new Generations(output)
  const served = generations.current ?? ''
  const { built, previous } = readLastBuild(generations.statePath) ?? {}
  const isThere = previous !== undefined && generations.has(previous)
  if (served !== built || previous === undefined || !isThere)
    throw new OutputError(
      `${output} still serves ${served}: ${explainRefusal(served, previous, isThere)}; ` +
        'correct the content and build again',
    )
  const fault = findServedAgain(generations.folderOf(served), generations.folderOf(previous))
  if (fault !== undefined)
    throw new OutputError(
      `${output} still serves ${served}: ${fault}; correct the content and build again`,
    )
  generations.publish(previous)
  return previous
}

const main = (): void => {
  const { outputFolder } = readSettings(process.env)
  try {
    console.log(`${outputFolder} serves generations/${goBack(outputFolder)} again, the previous build.
The next build publishes the content as it is then, so correct it first.
If you use SEARCH_URL, run "npm run search:sync" now: the database still has the rows of the last build.`)
  } catch (error) {
    console.error(describeFailure(error, outputFolder))
    process.exitCode = 1
  }
}

if (import.meta.main) main()
