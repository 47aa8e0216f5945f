import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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

/** What a run that was killed between writing and renaming leaves. */
const isUnfinished = (name: string): boolean =>
  name.startsWith('.tmp-') && name.endsWith(`-${COPIES_FILE}`)

/** Writes the file whole, beside its place and then renamed; the caller holds the folder's lock. */
export const writeCopies = (content: string, copies: Copies): void => {
  for (const name of readdirSync(content).filter(isUnfinished)) {
    rmSync(join(content, name))
  }
  writeWhole(join(content, COPIES_FILE), renderRecord(copies))
}
