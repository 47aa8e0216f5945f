import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { COPIES_FILE } from '../../../src/catalog/copies.ts'
import { copyRecords } from '../../../src/catalog/schema.ts'
import type { Copies } from '../../../src/catalog/schema.ts'
import { renderRecord, writeWhole } from '../store/write.ts'
import type { Copy } from './families.ts'

/** What the file says, and what it should say. */
export interface CopiesChange {
  before: Copies
  after: Copies
  /** Whether the file is other than it should be, byte by byte. */
  isOther: boolean
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** A file that does not hold is made anew, so nothing of it is kept. */
const parseCopies = (text: string): Copies => copyRecords.safeParse(readJson(text)).data ?? {}

/** Compares the file of a content folder with the copies found; none needs no file. */
export const compareCopies = (content: string, copies: readonly Copy[]): CopiesChange => {
  const path = join(content, COPIES_FILE)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  // Keys that are numbers stand in their order, whatever order they came in.
  const after = Object.fromEntries(copies.map(({ id, original }) => [id, original]))
  const isOther = text === undefined ? copies.length > 0 : text !== renderRecord(after)
  return { before: parseCopies(text ?? '{}'), after, isOther }
}

/** Writes the file whole; the caller holds the folder's lock. */
export const writeCopies = (content: string, copies: Copies): void =>
  writeWhole(join(content, COPIES_FILE), renderRecord(copies))
