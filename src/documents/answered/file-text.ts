import { NotTextError, decodeText } from '../../catalog/text.ts'
import { filePagePath, skillFilePath } from '../paths.ts'

/** Longest text file that has a page, in bytes. */
export const PAGED_BYTES = 64 * 1024

/** Most lines of a file that has a page: each is an element of it. */
export const PAGED_LINES = 5_000

const LINE_END = 10

/** Whether a file has more lines than a page. */
export const hasManyLines = (bytes: Uint8Array): boolean => {
  let lines = 0
  for (const byte of bytes) if (byte === LINE_END) lines += 1
  return lines > PAGED_LINES
}

const MARK = '\uFEFF'

const startsWithMark = ([first, second, third]: Uint8Array): boolean =>
  first === 0xef && second === 0xbb && third === 0xbf

/** Reads the text of a file that has a page, a byte order mark kept; undefined where it is too long or no text. */
export const readPagedText = (bytes: Uint8Array): string | undefined => {
  if (bytes.length > PAGED_BYTES || hasManyLines(bytes)) return undefined
  try {
    return (startsWithMark(bytes) ? MARK : '') + decodeText(bytes)
  } catch (error) {
    if (error instanceof NotTextError) return undefined
    throw error
  }
}

/** A file of a skill as its zip has it. */
export interface SkillBytes {
  path: string
  bytes: Uint8Array
}

/** Finds the address at which a reader sees a file of a skill, or a line of it. */
export type FileAddress = (path: string, line?: number) => string

/** Makes the addresses of a skill's files: of the page where a file has one, else of its bytes. */
export const createFileAddress = (slug: string, files: readonly SkillBytes[]): FileAddress => {
  const paged = new Set(
    files.flatMap(({ path, bytes }) => (readPagedText(bytes) === undefined ? [] : path)),
  )
  return (path, line) => {
    if (!paged.has(path)) return skillFilePath(slug, path)
    return `${filePagePath(slug, path)}${line === undefined ? '' : `#L${line}`}`
  }
}
