import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import JSZip from 'jszip'
import { list } from 'tar'
import type { ReadEntry } from 'tar'
import { showValue } from '../../../../src/catalog/text.ts'
import { CommandError, systemCode } from '../../cli/command.ts'
import { isPlainPath, resolveLink } from '../find.ts'

/** Limits of archives; sizes in bytes. */
export const ARCHIVE_LIMITS = {
  archive: 64 * 1024 * 1024,
  unpacked: 256 * 1024 * 1024,
  entries: 20_000,
  /** Compression ratio: texts reach 20, a zip bomb 1,000. */
  ratio: 200,
  /** Depth of folders; real skills have fewer than ten levels. */
  depth: 64,
}
type ArchiveLimits = Readonly<typeof ARCHIVE_LIMITS>

/** Size from which the ratio is checked: a small text of spaces compresses as well as a bomb. */
const RATIO_FROM = 1024 * 1024

const refuse = (content: string): never => {
  throw new CommandError(`The archive holds ${content}; nothing was imported.`)
}

/** Reasons why a file system refuses an entry, by error code. */
const UNWRITABLE: Readonly<Record<string, string>> = {
  ENAMETOOLONG: 'whose path is too long for this machine',
  EEXIST: 'which another entry is in the way of',
  ENOTDIR: 'which another entry is in the way of',
  EISDIR: 'which another entry is in the way of',
}

const guardWrite = <Value>(name: string, write: () => Value): Value => {
  try {
    return write()
  } catch (error) {
    const why = UNWRITABLE[systemCode(error) ?? '']
    if (why === undefined) throw error
    return refuse(`${showValue(name, 200)}, ${why}`)
  }
}

/** Writes the entries of an archive below a folder. Throws CommandError for a hostile entry. */
class Unpacker {
  readonly #folder: string
  readonly #packed: number
  readonly #limits: ArchiveLimits
  readonly #names = new Set<string>()
  readonly #links = new Map<string, string>()
  #bytes = 0

  constructor(folder: string, packed: number, limits: ArchiveLimits) {
    this.#folder = folder
    this.#packed = packed
    this.#limits = limits
  }

  #addName(name: string): void {
    if (!isPlainPath(name)) refuse(`${showValue(name)}, which leads out of its folder`)
    if (this.#names.has(name)) refuse(`${showValue(name)} twice`)
    this.#names.add(name)
    const { depth } = this.#limits
    if (name.split('/').length > depth)
      refuse(`${showValue(name, 200)}, more than ${depth} nested folders`)
    this.checkCount(this.#names.size)
  }

  /** Refuses too many entries; also called before unpacking. */
  checkCount(count: number): void {
    const { entries } = this.#limits
    if (count > entries) refuse(`more than ${entries} files`)
  }

  /** Refuses too many bytes; also called before unpacking. */
  checkBytes(bytes: number): void {
    const { unpacked, ratio } = this.#limits
    if (bytes > unpacked) refuse(`more than ${unpacked} bytes unpacked`)
    if (bytes > RATIO_FROM && bytes > this.#packed * ratio) {
      refuse(`more than ${ratio} unpacked bytes per packed one, like a zip bomb`)
    }
  }

  /** Counts actual unpacked bytes, since sizes in headers may be forged. */
  #addBytes(count: number): void {
    this.#bytes += count
    this.checkBytes(this.#bytes)
  }

  openFile(name: string, modified: Date | undefined) {
    this.#addName(name)
    const path = join(this.#folder, name)
    const file = guardWrite(name, () => {
      mkdirSync(dirname(path), { recursive: true })
      return openSync(path, 'wx')
    })
    return {
      write: (chunk: Uint8Array) => {
        this.#addBytes(chunk.length)
        writeSync(file, chunk)
      },
      close: () => {
        closeSync(file)
        if (modified && !Number.isNaN(modified.getTime())) utimesSync(path, modified, modified)
      },
    }
  }

  addLink(name: string, target: string): void {
    this.#addName(name)
    if (resolveLink(name, target) === undefined || /[\\\0]/.test(target))
      refuse(`${showValue(name)}, a link that leads out of it`)
    this.#links.set(name, target)
  }

  /** Writes the links last, so that no file is written through one. */
  finish(): void {
    for (const [name, target] of this.#links) {
      const path = join(this.#folder, name)
      if (existsSync(path)) refuse(`${showValue(name)} as a link and as a folder`)
      guardWrite(name, () => {
        mkdirSync(dirname(path), { recursive: true })
        symlinkSync(target, path)
      })
    }
  }
}

/** Maximum length of a link target, in bytes. */
const TARGET_LIMIT = 4_096

async function* inflate(entry: JSZip.JSZipObject): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of new Readable().wrap(entry.nodeStream('nodebuffer'))) {
      yield chunk as Buffer
    }
  } catch {
    throw new CommandError(
      `${showValue(entry.name)} in the archive is damaged; nothing was imported. Fetch it again.`,
    )
  }
}

const readTarget = async (entry: JSZip.JSZipObject): Promise<string> => {
  let target = Buffer.alloc(0)
  for await (const chunk of inflate(entry)) {
    target = Buffer.concat([target, chunk])
    if (target.length > TARGET_LIMIT) {
      throw new CommandError(`The archive holds ${showValue(entry.name)}, a link without a target.`)
    }
  }
  return target.toString('utf8')
}

/** Signature of a zip's end record, and the offset of its entry count (APPNOTE 4.3.16). */
const [ZIP_END, ZIP_COUNT] = [Buffer.from('PK\x05\x06'), 10]

/** The entry count of a zip; 65,535 means that many or more. */
const countZipped = (bytes: Buffer): number => {
  const at = bytes.lastIndexOf(ZIP_END)
  return at < 0 || at + ZIP_COUNT + 2 > bytes.length ? 0 : bytes.readUInt16LE(at + ZIP_COUNT)
}

const openZip = async (
  bytes: Buffer,
  path: string,
): Promise<JSZip & { comment?: string | null }> => {
  try {
    return await JSZip.loadAsync(bytes)
  } catch (error) {
    throw new CommandError(
      `${path} is not a readable zip: ${error instanceof Error ? error.message : error}`,
    )
  }
}

const unpackZip = async (path: string, unpacker: Unpacker): Promise<string | undefined> => {
  const bytes = readFileSync(path)
  unpacker.checkCount(countZipped(bytes))
  const zip = await openZip(bytes, path)
  for (const entry of Object.values(zip.files).filter(({ dir }) => !dir)) {
    // JSZip removes `..` from `name`, which would hide an attack.
    const name = entry.unsafeOriginalName ?? entry.name
    const type = Number(entry.unixPermissions ?? 0) & constants.S_IFMT
    if (type === constants.S_IFLNK) unpacker.addLink(name, await readTarget(entry))
    else if (type !== 0 && type !== constants.S_IFREG) {
      refuse(`${showValue(name)}, which is a device`)
    } else {
      const file = unpacker.openFile(name, entry.date)
      try {
        for await (const chunk of inflate(entry)) file.write(chunk)
      } finally {
        file.close()
      }
    }
  }
  return zip.comment ?? undefined
}

const TAR_FILES = new Set(['File', 'OldFile', 'ContiguousFile'])
const TAR_FOLDERS = new Set(['Directory', 'GNUDumpDir'])

/** Bytes of a tar.gz decompressed per step; the result is checked before the next step. */
const TAR_PIECE = 64 * 1024

const unpackTar = (path: string, unpacker: Unpacker): string | undefined => {
  let comment: string | undefined
  const onReadEntry = (entry: ReadEntry): void => {
    comment ??= entry.globalExtended?.comment
    // `tar czf x.tar.gz .` begins each name with `./`.
    const name = entry.path.replace(/^(?:\.\/)+/, '')
    if (TAR_FILES.has(entry.type)) {
      const file = unpacker.openFile(name, entry.mtime)
      entry.on('data', file.write)
      entry.on('end', file.close)
    } else if (entry.type === 'SymbolicLink') unpacker.addLink(name, entry.linkpath ?? '')
    else if (!TAR_FOLDERS.has(entry.type)) {
      refuse(`${showValue(entry.path)}, which is a hard link or a device`)
    }
  }
  const counted = { entries: 0, bytes: 0 }
  // Header sizes determine how a tar is read, so they cannot be forged.
  const onCounted = ({ size }: ReadEntry): void => {
    unpacker.checkCount((counted.entries += 1))
    unpacker.checkBytes((counted.bytes += size))
  }
  try {
    const options = { file: path, sync: true, strict: true, maxReadSize: TAR_PIECE } as const
    list({ ...options, onReadEntry: onCounted })
    list({ ...options, onReadEntry })
  } catch (error) {
    // System errors already name path and reason.
    if (error instanceof CommandError || Object.hasOwn(error as Error, 'syscall')) throw error
    throw new CommandError(
      `${path} is not a readable tar.gz: ${(error as Error).message}; nothing was imported.`,
    )
  }
  return comment
}

/** Unpackers return the archive comment, in which GitHub records the commit. */
const FORMATS = [
  { ending: /\.(?:zip|skill)$/i, unpack: unpackZip },
  { ending: /\.(?:tar\.gz|tgz|tar)$/i, unpack: unpackTar },
]

export const archiveName = (name: string): string =>
  FORMATS.reduce((text, { ending }) => text.replace(ending, ''), name)

/** Skips the top-level folder that GitHub adds to archives. */
const findRoot = (folder: string, comment: string | undefined): string => {
  const [only, ...more] = readdirSync(folder)
  const isPacked = /^[0-9a-f]{40}$/.test(comment ?? '')
  return only !== undefined && more.length === 0 && isPacked ? join(folder, only) : folder
}

/** Unpacks into an empty folder; returns the folder of the content. Throws CommandError. */
export const unpackArchive = async (
  path: string,
  folder: string,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<string> => {
  const format = FORMATS.find(({ ending }) => ending.test(path))
  if (!format) throw new CommandError(`${path} is a file; import a folder, a .zip or a .tar.gz.`)
  const { size } = statSync(path)
  if (size > limits.archive) {
    throw new CommandError(
      `${path} has ${size} bytes; the limit is ${limits.archive}. Unpack it and import the folder.`,
    )
  }
  const unpacker = new Unpacker(folder, size, limits)
  const comment = await format.unpack(path, unpacker)
  unpacker.finish()
  return findRoot(folder, comment)
}
