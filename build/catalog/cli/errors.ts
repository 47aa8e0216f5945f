import { ContentError, renderProblem } from '../../../src/catalog/problems.ts'

/** Says that a command was called wrongly; the message tells how it is called. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Says why a command could not do its work, in words for a person. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** Exit codes of `npm run catalog`. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** Faults of the system that a person can mend, by their code. */
const SYSTEM_REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some room and run the command again',
  EDQUOT: 'the quota is used up; free some room and run the command again',
  ENOENT: 'is not there; make it, or name another place',
  EACCES: 'may not be read or written; change its rights',
  EPERM: 'may not be read or written; change its rights',
  EROFS: 'the file system is read-only; choose a folder that can be written',
  ENOTDIR: 'a file stands where a folder is wanted; move it or choose another folder',
  EEXIST: 'something else stands there; move it or choose another folder',
  EISDIR: 'a folder stands where a file is wanted; move it',
  ENAMETOOLONG: 'the path is too long for this system; choose a shorter folder',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
}

/** Gives the system's code of an error, such as ENOSPC; undefined for any other error. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined

/** Says whether a file or folder is there and may not be read. */
export const isUnreadable = (error: unknown): error is NodeJS.ErrnoException =>
  ['EACCES', 'EPERM', 'EIO', 'ELOOP'].includes(systemCode(error) ?? '')

const describeSystemFault = (error: NodeJS.ErrnoException): string => {
  const remedy = SYSTEM_REMEDIES[error.code ?? '']
  return remedy === undefined
    ? (error.stack ?? error.message)
    : `${error.path ?? 'Writing failed'}: ${remedy} (${error.code}). What was done before is whole and stays.`
}

/** Says what went wrong and what to do about it. */
export const describeFailure = (error: unknown): string => {
  if (error instanceof UsageError || error instanceof CommandError) return error.message
  if (error instanceof ContentError) {
    return [...error.problems.map(renderProblem), `${error.message}; no skill was written.`].join(
      '\n',
    )
  }
  return error instanceof Error ? describeSystemFault(error) : String(error)
}

/** Gives the exit code that a failure ends with. */
export const exitCodeOf = (error: unknown): number =>
  error instanceof UsageError ? EXIT.usage : EXIT.failed
