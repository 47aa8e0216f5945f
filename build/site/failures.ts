import { ContentError, renderProblem } from '../../src/catalog/problems.ts'
import { OutputError } from './lock.ts'
import { SettingsError } from './settings.ts'

/** Faults of the system that a person can mend, by their code. */
const SYSTEM_REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some room and build again',
  EACCES: 'the folder may not be written; change its rights or set OUT_DIR',
  EPERM: 'the folder may not be written; change its rights or set OUT_DIR',
  EROFS: 'the file system is read-only; set OUT_DIR to a folder that can be written',
  ENOTDIR: 'a file stands where a folder is wanted; move it or set OUT_DIR',
  EEXIST: 'something else stands there; move it or set OUT_DIR',
  EISDIR: 'a folder stands where a file is wanted; move it or set OUT_DIR',
  EFBIG: 'a file would be larger than this process may write; raise the limit (ulimit -f)',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
}

/** Says why a build failed and what a person can do about it; `place` is named where the system names none. */
export const describeFailure = (error: unknown, place = 'The output'): string => {
  if (error instanceof ContentError) {
    return [
      ...error.problems.map(renderProblem),
      `${error.message}; the built site is as it was.`,
    ].join('\n')
  }
  if (error instanceof SettingsError || error instanceof OutputError) return error.message
  const fault = error as NodeJS.ErrnoException
  const remedy = fault.code === undefined ? undefined : SYSTEM_REMEDIES[fault.code]
  if (remedy !== undefined) return `${fault.path ?? place}: ${remedy} (${fault.message})`
  return `The build failed, the built site is as it was: ${fault.stack ?? String(error)}`
}
