import { statSync } from 'node:fs'
import { ifThere } from './disk-errors.ts'

/** Size and change time of a file or folder; a difference means that it could have changed since it was read. */
export interface Fingerprint {
  /** Path below the skill's folder; empty for the folder itself. */
  path: string
  /** Bytes, or -1 for a folder. */
  size: number
  /** `ctime` in milliseconds: unlike `mtime`, no tool can set it back. */
  changed: number
  /** Set for an executable file. */
  isExecutable?: true | undefined
}

/** The owner's executable bit in a mode. */
const OWNER_EXECUTES = 0o100

/** Executable bits of a folder's files by path, as git stores them, for disks that store no modes. */
export type GitBits = ReadonlyMap<string, boolean>

/** Returns `{ isExecutable: true }` or an empty object, to be spread. A known bit overrides the mode. */
export const readBit = (
  { mode }: { mode: number },
  known: boolean | undefined,
): { isExecutable?: true } =>
  (known ?? (mode & OWNER_EXECUTES) !== 0) ? { isExecutable: true } : {}

/** Takes the fingerprint of a file or folder; undefined if it does not exist. */
export const takeFingerprint = (
  folder: string,
  path: string,
  bits?: GitBits,
): Fingerprint | undefined => {
  const stats = ifThere(() => statSync(path === '' ? folder : `${folder}/${path}`))
  if (!stats) return undefined
  const { size, ctimeMs: changed } = stats
  if (stats.isDirectory()) return { path, size: -1, changed }
  return { path, size, changed, ...readBit(stats, bits?.get(path)) }
}

// No file name of a skill contains a control character.
const SEPARATOR = '\u001E'

/** Milliseconds. File system clocks are coarse: a second change within this time could go unnoticed. */
const CLOCK_SLACK = 2_000

/** Includes the executable bit, because git can change it without changing the file's time. */
const printFingerprint = ({ path, size, changed, isExecutable }: Fingerprint): string =>
  `${size}${isExecutable ? '*' : ''} ${changed} ${path}`

/** Prints a folder's fingerprints as one text. A file that changed just before `now` never compares as unchanged. */
export const printFingerprints = (fingerprints: readonly Fingerprint[], now: number): string =>
  fingerprints
    .map((file) =>
      printFingerprint(file.changed > now - CLOCK_SLACK ? { ...file, changed: 0 } : file),
    )
    .join(SEPARATOR)

const isSame = (folder: string, printed: string, bits: GitBits | undefined): boolean => {
  const sizeEnd = printed.indexOf(' ')
  const changedEnd = printed.indexOf(' ', sizeEnd + 1)
  const now = takeFingerprint(folder, printed.slice(changedEnd + 1), bits)
  return now !== undefined && printFingerprint(now) === printed
}

/** Whether no file or folder has changed since the fingerprints were printed. */
export const isUnchanged = (folder: string, printed: string, bits?: GitBits): boolean =>
  printed !== '' && printed.split(SEPARATOR).every((file) => isSame(folder, file, bits))
