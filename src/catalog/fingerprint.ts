import { statSync } from 'node:fs'

/** Size and time of a file or folder when it was read; a difference means that it may have changed. */
export interface Fingerprint {
  /** Path below the skill's folder, empty for the folder itself. */
  path: string
  /** Bytes, or -1 for a folder. */
  size: number
  /** `ctime` in milliseconds: unlike `mtime`, no tool can set it back. */
  changed: number
  /** Set for an executable file. */
  isExecutable?: true | undefined
}

/** The executable bit of the owner in a mode. */
const OWNER_STARTS = 0o100

/** The executable bits of a folder's files by path, as git has them, for a disk that stores no modes. */
export type GitBits = ReadonlyMap<string, boolean>

/** The part of an object that says that a file is executable; empty if it is not. */
export const readBit = (
  { mode }: { mode: number },
  known: boolean | undefined,
): { isExecutable?: true } => ((known ?? (mode & OWNER_STARTS) !== 0) ? { isExecutable: true } : {})

/** Takes the fingerprint of a file or folder; undefined if it does not exist. */
export const takeFingerprint = (
  folder: string,
  path: string,
  bits?: GitBits,
): Fingerprint | undefined => {
  const stats = statSync(path === '' ? folder : `${folder}/${path}`, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) {
    const bit = stats && readBit(stats, bits?.get(path))
    return stats && { path, size: stats.size, changed: stats.ctimeMs, ...bit }
  }
  return { path, size: -1, changed: stats.ctimeMs }
}

// No file name of a skill contains a control character.
const SEPARATOR = '\u001E'

/** Milliseconds. Clocks of file systems are coarse, so a second change within this time may go unnoticed. */
const CLOCK_SLACK = 2_000

/** Git changes a bit without a change of the file's time, so it is printed, too. */
const printOne = ({ path, size, changed, isExecutable }: Fingerprint): string =>
  `${size}${isExecutable ? '*' : ''} ${changed} ${path}`

/** Prints the fingerprints of a folder as one text; a file that changed just before `now` never compares equal. */
export const printFingerprints = (fingerprints: readonly Fingerprint[], now: number): string =>
  fingerprints
    .map((file) => printOne(file.changed > now - CLOCK_SLACK ? { ...file, changed: 0 } : file))
    .join(SEPARATOR)

const isSame = (folder: string, printed: string, bits: GitBits | undefined): boolean => {
  const sizeEnd = printed.indexOf(' ')
  const changedEnd = printed.indexOf(' ', sizeEnd + 1)
  const now = takeFingerprint(folder, printed.slice(changedEnd + 1), bits)
  return now !== undefined && printOne(now) === printed
}

/** Whether every file and folder is as it was when the fingerprints were printed. */
export const isUnchanged = (folder: string, printed: string, bits?: GitBits): boolean =>
  printed !== '' && printed.split(SEPARATOR).every((file) => isSame(folder, file, bits))
