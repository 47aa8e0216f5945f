import { readFileSync } from 'node:fs'
import JSZip from 'jszip'
import { showValue } from '../../../../src/catalog/text.ts'
import { CommandError } from '../../cli/errors.ts'
import type { Unpacker } from './unpacker.ts'

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
    if (size > TARGET_LIMIT)
      throw new CommandError(`The archive holds ${showValue(entry.name)}, a link to no path.`)
    chunks.push(chunk)
  })
  return Buffer.concat(chunks).toString('utf8')
}

const openArchive = async (path: string): Promise<JSZip> => {
  try {
    return await JSZip.loadAsync(readFileSync(path))
  } catch (error) {
    throw new CommandError(
      `${path} is no zip that can be read: ${error instanceof Error ? error.message : error}`,
    )
  }
}

/** Unpacks a zip. Gives the commit that GitHub notes in the archives it makes. */
export const unzip = async (path: string, unpacker: Unpacker): Promise<string | undefined> => {
  const archive: JSZip & { comment?: string | null } = await openArchive(path)
  for (const entry of Object.values(archive.files).filter(({ dir }) => !dir)) {
    const name = entry.unsafeOriginalName ?? entry.name
    const type = typeOf(entry)
    if (type === LINK) unpacker.takeLink(name, await readTarget(entry))
    else if (type !== 0 && type !== REGULAR) {
      throw new CommandError(
        `The archive holds ${showValue(name)}, which is a device; nothing was imported.`,
      )
    } else {
      const file = unpacker.openFile(name, entry.date)
      try {
        await inflate(entry, file.write)
      } finally {
        file.close()
      }
    }
  }
  return archive.comment ?? undefined
}
