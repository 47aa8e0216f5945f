import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DIGESTS_NAME, ROW_BYTES } from '../../src/catalog/digest-table.ts'
import { isAsDigested } from './digests.ts'
import { OutputError } from './folders.ts'
import { STATE, servedFolder } from './generations.ts'
import { DamagedStateError, readLastBuild } from './state.ts'
import type { Progress } from './progress.ts'
import { listFiles } from './tree.ts'

/** What is wrong with the files of the served site. */
export interface SiteFaults {
  /** Files that were compared. */
  files: number
  /** Names of files whose bytes are not those that the build wrote. */
  different: string[]
  /** Names of files that the build did not write. */
  unknown: string[]
  /** How many files that it wrote are gone. */
  missing: number
}

const compareFiles = (folder: string, table: Buffer, progress: Progress): SiteFaults => {
  const names = listFiles(folder).filter((name) => name !== DIGESTS_NAME)
  const faults: SiteFaults = { files: names.length, different: [], unknown: [], missing: 0 }
  progress.stage('Comparing files with their digests', names.length)
  for (const name of names.sort()) {
    const isSame = isAsDigested(table, name, readFileSync(join(folder, name)))
    if (isSame === undefined) faults.unknown.push(name)
    else if (!isSame) faults.different.push(name)
    progress.step()
  }
  faults.missing = Math.ceil(table.length / ROW_BYTES) - (names.length - faults.unknown.length)
  return faults
}

/** What the state says of the table of a generation; of one that was put back no state knows. */
const findTableDigest = (state: string, generation: string): string | undefined => {
  try {
    const last = readLastBuild(state)
    return last?.generation === generation ? last.tableDigest : undefined
  } catch (error) {
    if (error instanceof DamagedStateError) return undefined
    throw error
  }
}

/** Compares every file of the served site with the table of digests. Throws OutputError where there is no such site. */
export const verifySite = (output: string, progress: Progress): SiteFaults => {
  const folder = servedFolder(output)
  const path = join(folder, DIGESTS_NAME)
  if (!existsSync(path))
    throw new OutputError(`${path}: there is no table of digests; run \`npm run build\` first`)
  const table = readFileSync(path)
  const faults = compareFiles(folder, table, progress)
  const wanted = findTableDigest(join(output, STATE), basename(folder))
  if (wanted !== undefined && hash('sha256', table) !== wanted) faults.different.push(DIGESTS_NAME)
  return faults
}

/** Whether a generation has the table of this digest, and every file as that says. */
export const isWhole = (folder: string, tableDigest: string, progress: Progress): boolean => {
  const path = join(folder, DIGESTS_NAME)
  if (!existsSync(path)) return false
  const table = readFileSync(path)
  if (hash('sha256', table) !== tableDigest) return false
  const { different, unknown, missing } = compareFiles(folder, table, progress)
  return different.length + unknown.length + missing === 0
}
