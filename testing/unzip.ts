import { isAscii, isUtf8 } from 'node:buffer'
import { crc32, inflateRawSync } from 'node:zlib'
import { UNPACK_LIMITS, findPathFault, isPlainName } from '../src/catalog/folder-files.ts'
import { foldPath } from '../src/catalog/file-names.ts'
import { findLeftOut } from '../src/catalog/left-out.ts'
import { SKILL_MD } from '../src/catalog/skill.ts'
import type { ZipEntry } from '../build/machine/zip.ts'
import { CommandError } from '../build/catalog/cli/command.ts'

type UnpackedFile = Required<ZipEntry>

// APPNOTE 4.3.7, 4.3.12, 4.3.16: signatures and fixed sizes of the three records.
const LOCAL_HEADER = { signature: 0x04034b50, size: 30 }
const CENTRAL_HEADER = { signature: 0x02014b50, size: 46 }
const END_RECORD = { signature: 0x06054b50, size: 22 }

/** Checks per flags value (4.4.4): with bit 11 a path is UTF-8; without it, only ASCII is unambiguous. */
const PATH_CHECKS: Readonly<Record<number, typeof isUtf8>> = { 0: isAscii, [1 << 11]: isUtf8 }

const STORED = 0
const DEFLATED = 8

/** Unix in the upper byte of "version made by", and the bits of a Unix mode (4.4.2). */
const UNIX = 3
const TYPE = 0o170000
const REGULAR = 0o100000
const EXECUTABLE = 0o100

const isRecord = (zip: Buffer, at: number, { signature, size }: typeof END_RECORD): boolean =>
  at >= 0 && at + size <= zip.length && zip.readUInt32LE(at) === signature

/** Finds the central directory. The end record must follow it directly and be the end of the zip. */
const findDirectory = (zip: Buffer): { start: number; end: number; count: number } | undefined => {
  const end = zip.length - END_RECORD.size
  if (!isRecord(zip, end, END_RECORD)) return undefined
  const [count, start] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)]
  const isWhole = zip.readUInt16LE(end + 8) === count && start + zip.readUInt32LE(end + 12) === end
  return isWhole ? { start, end, count } : undefined
}

/** Returns where a file's data starts; undefined if its local header contradicts the central directory. */
const findData = (zip: Buffer, central: number, local: number, name: Buffer) => {
  if (!isRecord(zip, local, LOCAL_HEADER) || zip.readUInt32LE(central + 42) !== local)
    return undefined
  const nameStart = local + LOCAL_HEADER.size
  // Both headers have the same fields from the flags to the name's length.
  const isSame =
    zip.subarray(local + 6, local + 28).equals(zip.subarray(central + 8, central + 30)) &&
    zip.subarray(nameStart, nameStart + name.length).equals(name)
  return isSame ? nameStart + name.length + zip.readUInt16LE(local + 28) : undefined
}

/** Reads the central directory row at `at`, for the file whose local header should start at `local`. */
const readDirectoryRow = (zip: Buffer, at: number, local: number) => {
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
    // Extra fields and a comment follow the name.
    next: nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32),
  }
}

/** Returns undefined if the data is damaged, or longer than `size`. */
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
const unpackFile = (
  row: NonNullable<ReturnType<typeof readDirectoryRow>>,
): UnpackedFile | string => {
  const { system, flags, method, crc, size, mode, name, data } = row
  const isPath = PATH_CHECKS[flags]
  if (!isPath || (method !== STORED && method !== DEFLATED))
    return 'uses an unsupported zip feature'
  const path = name.toString('utf8')
  if (!isPath(name) || !isPlainPath(path))
    return `has a path that is not allowed in a skill: ${JSON.stringify(path)}`
  const isUnix = system === UNIX
  if (isUnix && ![0, REGULAR].includes(mode & TYPE)) return 'is not a regular file'
  const bytes = data && method === DEFLATED ? inflate(data, size) : data
  if (bytes?.length !== size || crc32(bytes) !== crc) return DAMAGED
  return { path, bytes, isExecutable: isUnix && (mode & EXECUTABLE) !== 0 }
}

/**
 * Unpacks a zip by its central directory, within the size limits of a skill. Files must be stored in the order of the
 * directory without gaps, and each local header must match its directory row. Throws CommandError.
 */
export const readZip = (zip: Buffer): UnpackedFile[] => {
  const files = new Map<string, UnpackedFile>()
  const refuse: (fault: string) => never = (fault) => {
    throw new CommandError(`file ${files.size + 1} of the zip ${fault}`)
  }
  const { start, end, count } = findDirectory(zip) ?? refuse(DAMAGED)
  let [at, local, total] = [start, 0, 0]
  while (files.size < count) {
    const row = readDirectoryRow(zip, at, local) ?? refuse(DAMAGED)
    total += row.size
    if (files.size === UNPACK_LIMITS.files || total > UNPACK_LIMITS.bytes)
      refuse('exceeds the size that clients unpack')
    const file = unpackFile(row)
    if (typeof file === 'string') refuse(file)
    // Some systems would unpack one over the other.
    if (files.has(foldPath(file.path)))
      refuse(`has the same path as another file: ${JSON.stringify(file.path)}`)
    files.set(foldPath(file.path), file)
    at = row.next
    local = row.end
  }
  // Reject bytes that no row accounts for, between files or after the last row.
  if (at !== end || local !== start) refuse(DAMAGED)
  const [first] = files.values()
  if (first?.path === SKILL_MD) return [...files.values()]
  throw new CommandError(`the zip does not start with ${SKILL_MD}`)
}
