import { ContentError, renderProblem } from '../../../src/catalog/problems.ts'

/** A command was called wrongly. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Throws UsageError. */
export const refuse = (message: string): never => {
  throw new UsageError(message)
}

/** A command could not do its work; the message says why, for a person. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** What a person can do about an error of the system, by its code. */
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

/** The code of an error of the system or of Node, such as ENOSPC. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined

/** Whether a file or folder exists but cannot be read. */
export const isUnreadable = (error: unknown): error is NodeJS.ErrnoException =>
  ['EACCES', 'EPERM', 'EIO', 'ELOOP'].includes(systemCode(error) ?? '')

const describeSystemError = (error: NodeJS.ErrnoException): string => {
  const remedy = SYSTEM_REMEDIES[error.code ?? '']
  return remedy === undefined
    ? (error.stack ?? error.message)
    : `${error.path ?? 'Writing failed'}: ${remedy} (${error.code}). What was done before is whole and stays.`
}

export const describeCommandError = (error: unknown): string => {
  if (error instanceof UsageError || error instanceof CommandError) return error.message
  if (error instanceof ContentError) {
    return [...error.problems.map(renderProblem), `${error.message}; no skill was written.`].join(
      '\n',
    )
  }
  return error instanceof Error ? describeSystemError(error) : String(error)
}
