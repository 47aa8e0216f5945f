import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** Writes lines, a text of them after the other, and the check of all; the file is there whole or not at all. */
export const writeCheckedLines = (path: string, texts: Iterable<string>): void => {
  const beside = `${path}.new`
  rmSync(beside, { force: true })
  let check = 0
  for (const text of texts) {
    const bytes = Buffer.from(text)
    check = crc32(bytes, check)
    writeFileSync(beside, bytes, { flag: 'a' })
  }
  writeFileSync(beside, `${check}\n`, { flag: 'a' })
  renameSync(beside, path)
}

/** Reads the lines that were written; undefined where others are there. */
export const readCheckedLines = (path: string): string[] | undefined => {
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf('\n', -2) + 1
  const isWhole = bytes.toString('latin1', end) === `${crc32(bytes.subarray(0, end))}\n`
  return isWhole ? bytes.toString('utf8', 0, end).split('\n') : undefined
}
