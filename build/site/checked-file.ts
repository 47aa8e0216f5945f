import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

const writeAll = (descriptor: number, bytes: Uint8Array): void => {
  for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at)
}

/** Writes bytes, a part of them after the other, and the check of all; the file is there whole or not at all. */
export const writeCheckedFile = (path: string, parts: Iterable<Uint8Array>): void => {
  const beside = `${path}.new`
  rmSync(beside, { force: true })
  const descriptor = openSync(beside, 'w')
  try {
    let check = 0
    for (const part of parts) {
      check = crc32(part, check)
      writeAll(descriptor, part)
    }
    writeAll(descriptor, Buffer.from(`\n${check}\n`))
  } finally {
    closeSync(descriptor)
  }
  renameSync(beside, path)
}

/** Reads a file into memory that threads share. */
const readShared = (path: string): Buffer => {
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.from(new SharedArrayBuffer(fstatSync(descriptor).size))
    let at = 0
    for (let read = -1; read !== 0 && at < bytes.length; at += read)
      read = readSync(descriptor, bytes, at, bytes.length - at, at)
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

/** Reads the bytes that were written, for all threads; undefined where others are there. */
export const readCheckedFile = (path: string): Buffer | undefined => {
  const bytes = readShared(path)
  const end = bytes.lastIndexOf('\n', -2)
  const isWhole =
    end !== -1 && bytes.toString('latin1', end) === `\n${crc32(bytes.subarray(0, end))}\n`
  return isWhole ? bytes.subarray(0, end) : undefined
}
