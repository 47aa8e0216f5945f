import { NotTextError, decodeText } from '../../catalog/text.ts'
import { filePagePath, skillFilePath } from '../paths.ts'

/** Longest text file that has a page, in bytes. */
export const PAGED_BYTES = 64 * 1024

/** Most lines of a file that has a page: each line becomes an element. */
export const PAGED_LINES = 5_000

const LINE_END = 10

/** Whether a file has more lines than a page can show. */
export const hasManyLines = (bytes: Uint8Array): boolean => {
  let lines = 0
  for (const byte of bytes) if (byte === LINE_END) lines += 1
  return lines > PAGED_LINES
}

const MARK = '\uFEFF'

const startsWithMark = ([first, second, third]: Uint8Array): boolean =>
  first === 0xef && second === 0xbb && third === 0xbf

/** Decodes the text of a file for its page, keeping a byte order mark; undefined if it is too long or not text. */
export const readPagedText = (bytes: Uint8Array): string | undefined => {
  if (bytes.length > PAGED_BYTES || hasManyLines(bytes)) return undefined
  try {
    return (startsWithMark(bytes) ? MARK : '') + decodeText(bytes)
  } catch (error) {
    if (error instanceof NotTextError) return undefined
    throw error
  }
}

/** A file in the zip of a skill. */
export interface SkillBytes {
  path: string
  bytes: Uint8Array
}

/** Returns the address that shows a file of a skill, or a line of it. */
export type FileAddress = (path: string, line?: number) => string

/** Makes the `FileAddress` of a skill: the file's page if it has one, else the raw file. */
export const createFileAddress = (slug: string, files: readonly SkillBytes[]): FileAddress => {
  const paged = new Set(
    files.flatMap(({ path, bytes }) => (readPagedText(bytes) === undefined ? [] : path)),
  )
  return (path, line) => {
    if (!paged.has(path)) return skillFilePath(slug, path)
    return `${filePagePath(slug, path)}${line === undefined ? '' : `#L${line}`}`
  }
}
