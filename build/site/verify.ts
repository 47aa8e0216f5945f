import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { DIGESTS_NAME, ROW_BYTES } from '../../src/catalog/tables.ts'
import { isAsDigested } from './digests.ts'
import { OutputError } from './folders.ts'
import { STATE, servedFolder } from './generations.ts'
import { DamagedStateError, readLastBuild } from './state.ts'
import type { Progress } from './progress.ts'
import { listFiles } from './tree.ts'

/** Differences between the served files and the table of digests. */
export interface SiteFaults {
  /** Number of compared files. */
  files: number
  different: string[]
  /** Files that the build did not write. */
  unknown: string[]
  /** Number of files that no longer exist. */
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

/** Digest of a generation's table from the state; undefined after a rollback. */
const findTableDigest = (state: string, generation: string): string | undefined => {
  try {
    const last = readLastBuild(state)
    return last?.generation === generation ? last.tableDigest : undefined
  } catch (error) {
    if (error instanceof DamagedStateError) return undefined
    throw error
  }
}

/** Compares every served file with the table of digests. Throws OutputError if there is no site. */
export const verifySite = (output: string, progress: Progress): SiteFaults => {
  const folder = servedFolder(output)
  const path = join(folder, DIGESTS_NAME)
  if (!existsSync(path))
    throw new OutputError(`${path}: there is no table of digests; run \`npm run build\` first`)
  const table = readFileSync(path)
  const faults = compareFiles(folder, table, progress)
  const expected = findTableDigest(join(output, STATE), basename(folder))
  if (expected !== undefined && hash('sha256', table) !== expected)
    faults.different.push(DIGESTS_NAME)
  return faults
}

/** Whether a generation's table has this digest and all its files match the table. */
export const isWhole = (folder: string, tableDigest: string, progress: Progress): boolean => {
  const path = join(folder, DIGESTS_NAME)
  if (!existsSync(path)) return false
  const table = readFileSync(path)
  if (hash('sha256', table) !== tableDigest) return false
  const { different, unknown, missing } = compareFiles(folder, table, progress)
  return different.length + unknown.length + missing === 0
}
