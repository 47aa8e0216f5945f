import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { showValue } from '../../../../src/catalog/text.ts'
import { CommandError } from '../../cli/errors.ts'
import { isPlainPath } from '../paths.ts'

/** Largest archive that is opened, and most that is unpacked from it; sizes in bytes. */
export const ARCHIVE_LIMITS = {
  archive: 64 * 1024 * 1024,
  unpacked: 256 * 1024 * 1024,
  entries: 20_000,
  /** Unpacked bytes for each packed one; texts reach 20, a bomb 1,000. */
  ratio: 200,
}
export type ArchiveLimits = Readonly<typeof ARCHIVE_LIMITS>

/** The ratio is judged from here on, in bytes: a small text of blanks is packed as well as a bomb. */
const RATIO_FROM = 1024 * 1024

export const refuseArchive = (content: string): never => {
  throw new CommandError(`The archive holds ${content}; nothing was imported.`)
}

const leadsOut = (name: string, target: string): boolean => {
  const reached = posix.normalize(posix.join(posix.dirname(name), target))
  return (
    target === '' ||
    posix.isAbsolute(target) ||
    reached === '..' ||
    reached.startsWith('../') ||
    /[\\\0]/.test(target)
  )
}

/** A file that is being unpacked. */
export interface OpenFile {
  write: (chunk: Uint8Array) => void
  close: () => void
}

/** Writes the entries of an archive below a folder. Throws CommandError where one of them is hostile. */
export class Unpacker {
  readonly #folder: string
  readonly #packed: number
  readonly #limits: ArchiveLimits
  readonly #names = new Set<string>()
  readonly #links = new Map<string, string>()
  #bytes = 0

  /** `packed` is the size of the archive in bytes. */
  constructor(folder: string, packed: number, limits: ArchiveLimits) {
    this.#folder = folder
    this.#packed = packed
    this.#limits = limits
  }

  #addName(name: string): void {
    if (!isPlainPath(name)) refuseArchive(`${showValue(name)}, which leads out of its folder`)
    if (this.#names.has(name)) refuseArchive(`${showValue(name)} twice`)
    this.#names.add(name)
    const { entries } = this.#limits
    if (this.#names.size > entries) refuseArchive(`more than ${entries} files`)
  }

  /** Counts what comes out of the archive: what its header says may be a lie. */
  #addBytes(count: number): void {
    this.#bytes += count
    const { unpacked, ratio } = this.#limits
    if (this.#bytes > unpacked) refuseArchive(`more than ${unpacked} bytes unpacked`)
    if (this.#bytes > RATIO_FROM && this.#bytes > this.#packed * ratio) {
      refuseArchive(`more than ${ratio} bytes for each packed one, as only a bomb does`)
    }
  }

  openFile(name: string, modified: Date | undefined): OpenFile {
    this.#addName(name)
    const path = join(this.#folder, name)
    mkdirSync(dirname(path), { recursive: true })
    const file = openSync(path, 'wx')
    return {
      write: (chunk) => {
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
    if (leadsOut(name, target)) refuseArchive(`${showValue(name)}, a link that leads out of it`)
    this.#links.set(name, target)
  }

  /** Writes the links, last of all, so that no file is ever written through one. */
  finish(): void {
    for (const [name, target] of this.#links) {
      const path = join(this.#folder, name)
      if (existsSync(path)) refuseArchive(`${showValue(name)} as a link and as a folder`)
      mkdirSync(dirname(path), { recursive: true })
      symlinkSync(target, path)
    }
  }
}
