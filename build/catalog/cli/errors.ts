import { ContentError, renderProblem } from '../../../src/catalog/problems.ts'

/** Wrong usage of a command. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Throws UsageError. */
export const refuse = (message: string): never => {
  throw new UsageError(message)
}

/** A command failed; the message is shown to the user. */
export class CommandError extends Error {
  override name = 'CommandError'
}

/** Remedies for system errors, by error code. */
const SYSTEM_REMEDIES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and run the command again',
  EDQUOT: 'the disk quota is used up; free some space and run the command again',
  ENOENT: 'does not exist; create it or name another path',
  EACCES: 'permission denied; change its permissions',
  EPERM: 'permission denied; change its permissions',
  EROFS: 'the file system is read-only; choose a writable folder',
  ENOTDIR: 'this is a file, but a folder is needed; move it or choose another folder',
  EEXIST: 'the path is already taken; move what is there or choose another folder',
  EISDIR: 'this is a folder, but a file is needed; move it',
  ENAMETOOLONG: 'the path is too long for this system; choose a shorter folder',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
}

/** The code of a system or Node error, such as ENOSPC. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined

/** Whether a file or folder exists but cannot be read. */
export const isUnreadable = (error: unknown): error is NodeJS.ErrnoException =>
  ['EACCES', 'EPERM', 'EIO', 'ELOOP'].includes(systemCode(error) ?? '')

const describeSystemError = (error: NodeJS.ErrnoException): string => {
  const remedy = SYSTEM_REMEDIES[error.code ?? '']
  return remedy === undefined
    ? (error.stack ?? error.message)
    : `${error.path ?? 'Writing failed'}: ${remedy} (${error.code}). All steps completed before this one are kept.`
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
