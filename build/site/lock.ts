import { dirname } from 'node:path'
import { takeLockFile } from './lock-file.ts'

/** Says that a build cannot write its output, and how to mend it. */
export class OutputError extends Error {
  override name = 'OutputError'
}

/**
 * Makes this process the only one that builds. Throws OutputError while another does. What a killed build
 * left is not served and goes with the next sweep.
 */
export const takeLock = (path: string): void =>
  takeLockFile(
    path,
    `${path}.${process.pid}`,
    (holder) =>
      new OutputError(
        `another build (process ${holder}) is writing ${dirname(path)}; wait for it to end`,
      ),
  )
