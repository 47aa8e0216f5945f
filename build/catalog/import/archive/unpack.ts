import { createReadStream, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import JSZip from 'jszip'
import { Parser } from 'tar'
import type { ReadEntry } from 'tar'
import { showValue } from '../../../../src/catalog/text.ts'
import { CommandError } from '../../cli/errors.ts'
import { ARCHIVE_LIMITS, Unpacker, refuseArchive } from './unpacker.ts'
import type { ArchiveLimits } from './unpacker.ts'

const FILE_TYPE = 0o170000
const REGULAR = 0o100000
const LINK = 0o120000

/** Longest target of a link that is read, in bytes. */
const TARGET_LIMIT = 4_096

const typeOf = ({ unixPermissions }: JSZip.JSZipObject): number =>
  typeof unixPermissions === 'number' ? unixPermissions & FILE_TYPE : 0

/** Inflates an entry piece by piece; what the listener throws ends it. */
const inflate = (entry: JSZip.JSZipObject, take: (chunk: Buffer) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const stream = entry.nodeStream('nodebuffer')
    stream.on('data', (chunk: Buffer) => {
      try {
        take(chunk)
      } catch (error) {
        stream.pause()
        reject(error as Error)
      }
    })
    stream.on('error', () => {
      reject(
        new CommandError(
          `${showValue(entry.name)} in the archive is damaged; nothing was imported. Fetch it again.`,
        ),
      )
    })
    stream.on('end', () => resolve())
  })

const readTarget = async (entry: JSZip.JSZipObject): Promise<string> => {
  const chunks: Buffer[] = []
  let size = 0
  await inflate(entry, (chunk) => {
    size += chunk.length
    if (size > TARGET_LIMIT) {
      throw new CommandError(`The archive holds ${showValue(entry.name)}, a link to no path.`)
    }
    chunks.push(chunk)
  })
  return Buffer.concat(chunks).toString('utf8')
}

const openZip = async (path: string): Promise<JSZip & { comment?: string | null }> => {
  try {
    return await JSZip.loadAsync(readFileSync(path))
  } catch (error) {
    throw new CommandError(
      `${path} is no zip that can be read: ${error instanceof Error ? error.message : error}`,
    )
  }
}

const unpackZip = async (path: string, unpacker: Unpacker): Promise<string | undefined> => {
  const zip = await openZip(path)
  for (const entry of Object.values(zip.files).filter(({ dir }) => !dir)) {
    // JSZip's own name has `..` taken out, which would hide what the archive tries.
    const name = entry.unsafeOriginalName ?? entry.name
    const type = typeOf(entry)
    if (type === LINK) unpacker.addLink(name, await readTarget(entry))
    else if (type !== 0 && type !== REGULAR) {
      refuseArchive(`${showValue(name)}, which is a device`)
    } else {
      const file = unpacker.openFile(name, entry.date)
      try {
        await inflate(entry, file.write)
      } finally {
        file.close()
      }
    }
  }
  return zip.comment ?? undefined
}

/** `tar czf x.tar.gz .` writes each name with a dot in front. */
const nameOf = ({ path }: ReadEntry): string => path.replace(/^(?:\.\/)+/, '')

const unpackEntry = (
  entry: ReadEntry,
  unpacker: Unpacker,
  fail: (error: unknown) => void,
): void => {
  switch (entry.type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile': {
      const file = unpacker.openFile(nameOf(entry), entry.mtime)
      entry.on('data', (chunk: Buffer) => {
        try {
          file.write(chunk)
        } catch (error) {
          fail(error)
        }
      })
      entry.on('end', file.close)
      return
    }
    case 'SymbolicLink':
      unpacker.addLink(nameOf(entry), entry.linkpath ?? '')
      break
    case 'Directory':
    case 'GNUDumpDir':
      break
    default:
      refuseArchive(`${showValue(entry.path)}, which is a hard link or a device`)
  }
  entry.resume()
}

const unpackTar = (path: string, unpacker: Unpacker): Promise<string | undefined> =>
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
          unpackEntry(entry, unpacker, fail)
        } catch (error) {
          fail(error)
        }
      },
    })
    parser.on('error', ({ message }: Error) => {
      fail(
        new CommandError(
          `${path} is no tar.gz that can be read: ${message}; nothing was imported.`,
        ),
      )
    })
    parser.on('end', () => resolve(commit))
    source.on('error', fail)
    source.pipe(parser)
  })

/** Gives the comment of the archive, in which GitHub notes the commit that it packed. */
type Unpack = (path: string, unpacker: Unpacker) => Promise<string | undefined>

const FORMATS: readonly { ending: RegExp; unpack: Unpack }[] = [
  { ending: /\.(?:zip|skill)$/i, unpack: unpackZip },
  { ending: /\.(?:tar\.gz|tgz|tar)$/i, unpack: unpackTar },
]

/** The name of an archive without its ending. */
export const archiveName = (name: string): string =>
  FORMATS.reduce((text, { ending }) => text.replace(ending, ''), name)

/** GitHub packs a repository in one folder, which is not the author's. */
const findRoot = (folder: string, comment: string | undefined): string => {
  const [only, ...more] = readdirSync(folder)
  const isPacked = /^[0-9a-f]{40}$/.test(comment ?? '')
  return only !== undefined && more.length === 0 && isPacked ? join(folder, only) : folder
}

/** Unpacks an archive into an empty folder and gives the folder of its content. Throws CommandError. */
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
      `${path} has ${size} bytes; at most ${limits.archive} are opened. Unpack it and import the folder.`,
    )
  }
  const unpacker = new Unpacker(folder, size, limits)
  const comment = await format.unpack(path, unpacker)
  unpacker.finish()
  return findRoot(folder, comment)
}
