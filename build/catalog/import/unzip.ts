import { isAscii, isUtf8 } from 'node:buffer'
import { crc32, inflateRawSync } from 'node:zlib'
import { UNPACK_LIMITS, findPathFault, isPlainName } from '../../../src/catalog/folder-files.ts'
import { findLeftOut } from '../../../src/catalog/left-out.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import type { ZipEntry } from '../../machine/zip.ts'
import { CommandError } from '../cli/command.ts'

/** Longest zip of a skill: a file adds its path four times and two headers, and may be a little longer when packed. */
export const ZIP_LIMIT = UNPACK_LIMITS.bytes + UNPACK_LIMITS.files * 4_096

type UnpackedFile = Required<ZipEntry>

// APPNOTE 4.3.7, 4.3.12, 4.3.16: signatures and fixed sizes of the three records.
const LOCAL_HEADER = { signature: 0x04034b50, size: 30 }
const CENTRAL_HEADER = { signature: 0x02014b50, size: 46 }
const END_RECORD = { signature: 0x06054b50, size: 22 }

/** Flags (4.4.4): bit 11 says that a path is UTF-8; without it, only ASCII is the same to all readers. */
const PATH_CHECKS: Readonly<Record<number, typeof isUtf8>> = { 0: isAscii, [1 << 11]: isUtf8 }

const STORED = 0
const DEFLATED = 8

/** The upper byte of "version made by" for Unix, and the bits of its modes (4.4.2). */
const UNIX = 3
const TYPE = 0o170000
const REGULAR = 0o100000
const EXECUTABLE = 0o100

const isRecord = (zip: Buffer, at: number, { signature, size }: typeof END_RECORD): boolean =>
  at >= 0 && at + size <= zip.length && zip.readUInt32LE(at) === signature

/** Finds the central directory, which the end record follows at once. */
const findDirectory = (zip: Buffer): { start: number; end: number; count: number } | undefined => {
  const end = zip.length - END_RECORD.size
  if (!isRecord(zip, end, END_RECORD)) return undefined
  const [count, start] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)]
  const isWhole = zip.readUInt16LE(end + 8) === count && start + zip.readUInt32LE(end + 12) === end
  return isWhole ? { start, end, count } : undefined
}

/** Where the data of a file begins; undefined if its header at `local` says something else than that at `central`. */
const findData = (zip: Buffer, central: number, local: number, name: Buffer) => {
  if (!isRecord(zip, local, LOCAL_HEADER) || zip.readUInt32LE(central + 42) !== local)
    return undefined
  const nameStart = local + LOCAL_HEADER.size
  // From the flags to the length of the name, both have the same fields.
  const isSame =
    zip.subarray(local + 6, local + 28).equals(zip.subarray(central + 8, central + 30)) &&
    zip.subarray(nameStart, nameStart + name.length).equals(name)
  return isSame ? nameStart + name.length + zip.readUInt16LE(local + 28) : undefined
}

/** Reads the row at `at` of the central directory, for the file that should begin at `local`. */
const readRow = (zip: Buffer, at: number, local: number) => {
  if (!isRecord(zip, at, CENTRAL_HEADER)) return undefined
  const nameEnd = at + CENTRAL_HEADER.size + zip.readUInt16LE(at + 28)
  const name = zip.subarray(at + CENTRAL_HEADER.size, nameEnd)
  const start = findData(zip, at, local, name)
  const end = (start ?? Infinity) + zip.readUInt32LE(at + 20)
  return {
    system: zip.readUInt8(at + 5),
    flags: zip.readUInt16LE(at + 8),
    method: zip.readUInt16LE(at + 10),
    crc: zip.readUInt32LE(at + 16),
    size: zip.readUInt32LE(at + 24),
    mode: zip.readUInt16LE(at + 40),
    name,
    data: end <= zip.length ? zip.subarray(start, end) : undefined,
    end,
    // After the name come extra fields and a comment.
    next: nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32),
  }
}

/** Undefined for data that is damaged, or longer than its header says. */
const inflate = (data: Buffer, size: number): Buffer | undefined => {
  try {
    return inflateRawSync(data, { maxOutputLength: size || 1 })
  } catch {
    return undefined
  }
}

const isPlainPath = (path: string): boolean =>
  findPathFault(path) === undefined &&
  path
    .split('/')
    .every(
      (part) =>
        !['', '.', '..'].includes(part) && findLeftOut(part) === undefined && isPlainName(part),
    )

const DAMAGED = 'is damaged'

/** Unpacks a file, or returns its fault. */
const unpackFile = (row: NonNullable<ReturnType<typeof readRow>>): UnpackedFile | string => {
  const { system, flags, method, crc, size, mode, name, data } = row
  const hasPath = PATH_CHECKS[flags]
  if (!hasPath || (method !== STORED && method !== DEFLATED)) return 'is packed in another way'
  const path = name.toString('utf8')
  if (!hasPath(name) || !isPlainPath(path))
    return `has a path that no skill may have: ${JSON.stringify(path)}`
  const isUnix = system === UNIX
  if (isUnix && ![0, REGULAR].includes(mode & TYPE)) return 'is not a regular file'
  const bytes = data && method === DEFLATED ? inflate(data, size) : data
  if (bytes?.length !== size || crc32(bytes) !== crc) return DAMAGED
  return { path, bytes, isExecutable: isUnix && (mode & EXECUTABLE) !== 0 }
}

/**
 * Unpacks a zip by its central directory, within the limits of a skill. The files must lie one after the other in the
 * order of the directory, with nothing between them, and their own headers must repeat it. Throws CommandError.
 */
export const readZip = (zip: Buffer): UnpackedFile[] => {
  const files = new Map<string, UnpackedFile>()
  const refuse: (fault: string) => never = (fault) => {
    throw new CommandError(`file ${files.size + 1} of the zip ${fault}`)
  }
  const { start, end, count } = findDirectory(zip) ?? refuse(DAMAGED)
  let [at, local, total] = [start, 0, 0]
  while (files.size < count) {
    const row = readRow(zip, at, local) ?? refuse(DAMAGED)
    total += row.size
    if (files.size === UNPACK_LIMITS.files || total > UNPACK_LIMITS.bytes)
      refuse('is more than clients unpack')
    const file = unpackFile(row)
    if (typeof file === 'string') refuse(file)
    if (files.has(file.path))
      refuse(`has the same path as another file: ${JSON.stringify(file.path)}`)
    files.set(file.path, file)
    at = row.next
    local = row.end
  }
  // No bytes without a row may lie among the files or after the last row.
  if (at !== end || local !== start) refuse(DAMAGED)
  const [first] = files.keys()
  if (first === SKILL_MD) return [...files.values()]
  throw new CommandError(`the zip does not begin with ${SKILL_MD}`)
}
