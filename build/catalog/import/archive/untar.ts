import { createReadStream } from 'node:fs'
import { Parser } from 'tar'
import type { ReadEntry } from 'tar'
import { showValue } from '../../../../src/catalog/text.ts'
import { CommandError } from '../../cli/errors.ts'
import type { Unpacker } from './unpacker.ts'

/** `tar czf x.tar.gz .` writes each name with a dot in front. */
const nameOf = ({ path }: ReadEntry): string => path.replace(/^(?:\.\/)+/, '')

const takeFile = (entry: ReadEntry, unpacker: Unpacker, fail: (error: unknown) => void): void => {
  const file = unpacker.openFile(nameOf(entry), entry.mtime)
  entry.on('data', (chunk: Buffer) => {
    try {
      file.write(chunk)
    } catch (error) {
      fail(error)
    }
  })
  entry.on('end', file.close)
}

/** What is done with each kind of entry; a kind that is not here is refused. */
const TAKERS: Readonly<
  Record<string, (entry: ReadEntry, unpacker: Unpacker, fail: (error: unknown) => void) => void>
> = {
  File: takeFile,
  OldFile: takeFile,
  ContiguousFile: takeFile,
  Directory: (entry) => entry.resume(),
  GNUDumpDir: (entry) => entry.resume(),
  SymbolicLink: (entry, unpacker) => {
    unpacker.takeLink(nameOf(entry), entry.linkpath ?? '')
    entry.resume()
  },
}

const takeEntry = (entry: ReadEntry, unpacker: Unpacker, fail: (error: unknown) => void): void => {
  const taker = Object.hasOwn(TAKERS, entry.type) ? TAKERS[entry.type] : undefined
  if (taker) return taker(entry, unpacker, fail)
  throw new CommandError(
    `The archive holds ${showValue(entry.path)}, which is a hard link or a device; nothing was imported.`,
  )
}

/** Unpacks a tar, packed with gzip or not. Gives the commit that GitHub notes in the archives it makes. */
export const untar = (path: string, unpacker: Unpacker): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const source = createReadStream(path)
    let commit: string | undefined
    let hasFailed = false
    const fail = (error: unknown): void => {
      hasFailed = true
      source.destroy()
      reject(error as Error)
    }
    const parser = new Parser({
      strict: true,
      onReadEntry: (entry) => {
        commit ??= entry.globalExtended?.comment
        if (hasFailed) return entry.resume()
        try {
          takeEntry(entry, unpacker, fail)
        } catch (error) {
          fail(error)
        }
      },
    })
    parser.on('error', (error: Error) => {
      fail(
        new CommandError(
          `${path} is no tar.gz that can be read: ${error.message}; nothing was imported.`,
        ),
      )
    })
    parser.on('end', () => resolve(commit))
    source.on('error', fail)
    source.pipe(parser)
  })
