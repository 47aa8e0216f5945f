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
import { isPlainPath } from '../plain-path.ts'
import type { ArchiveLimits } from './limits.ts'

/** Writes the entries of an archive below a folder, and refuses the whole of it where one is hostile. */
export interface Unpacker {
  /** Begins a file; what comes out of the archive is counted, since what its header says may be a lie. */
  openFile: (
    name: string,
    modified: Date | undefined,
  ) => { write: (chunk: Uint8Array) => void; close: () => void }
  takeLink: (name: string, target: string) => void
  /** Writes the links, last of all, so that no file is ever written through one. */
  finish: () => void
}

/** Why an archive is refused, with what to do. */
const refuse = (message: string): never => {
  throw new CommandError(`The archive holds ${message}; nothing was imported.`)
}

/** Smallest amount from which the ratio of a bomb tells it from a small text of blanks. */
const RATIO_FROM = 1024 * 1024

const checkTarget = (name: string, target: string): void => {
  const led = posix.normalize(posix.join(posix.dirname(name), target))
  const isInside =
    target !== '' && !posix.isAbsolute(target) && led !== '..' && !led.startsWith('../')
  if (!isInside || /[\\\0]/.test(target)) refuse(`${showValue(name)}, a link that leads out of it`)
}

/** Opens a folder to unpack into; `packed` is the archive's own size. */
export const createUnpacker = (folder: string, packed: number, limits: ArchiveLimits): Unpacker => {
  const links = new Map<string, string>()
  const names = new Set<string>()
  let bytes = 0
  const count = (name: string): void => {
    if (!isPlainPath(name)) refuse(`${showValue(name)}, which leads out of its folder`)
    if (names.has(name)) refuse(`${showValue(name)} twice`)
    names.add(name)
    if (names.size > limits.entries) refuse(`more than ${limits.entries} files`)
  }
  const spend = (size: number): void => {
    bytes += size
    if (bytes > limits.unpacked) refuse(`more than ${limits.unpacked} bytes unpacked`)
    if (bytes > RATIO_FROM && bytes > packed * limits.ratio) {
      refuse(`more than ${limits.ratio} bytes for each packed one, as only a bomb does`)
    }
  }
  return {
    openFile: (name, modified) => {
      count(name)
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      const file = openSync(path, 'wx')
      return {
        write: (chunk) => {
          spend(chunk.length)
          writeSync(file, chunk)
        },
        close: () => {
          closeSync(file)
          if (modified && !Number.isNaN(modified.getTime())) utimesSync(path, modified, modified)
        },
      }
    },
    takeLink: (name, target) => {
      count(name)
      checkTarget(name, target)
      links.set(name, target)
    },
    finish: () => {
      for (const [name, target] of links) {
        if (existsSync(join(folder, name))) refuse(`${showValue(name)} as a link and as a folder`)
        mkdirSync(dirname(join(folder, name)), { recursive: true })
        symlinkSync(target, join(folder, name))
      }
    },
  }
}
