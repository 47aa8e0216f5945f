import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../cli/errors.ts'
import { ARCHIVE_LIMITS } from './limits.ts'
import type { ArchiveLimits } from './limits.ts'
import { createUnpacker } from './unpacker.ts'
import type { Unpacker } from './unpacker.ts'
import { untar } from './untar.ts'
import { unzip } from './unzip.ts'

type Unpack = (path: string, unpacker: Unpacker) => Promise<string | undefined>

/** The archives that are read, by how their names end. */
const FORMATS: readonly { ending: RegExp; unpack: Unpack }[] = [
  { ending: /\.(?:zip|skill)$/i, unpack: unzip },
  { ending: /\.(?:tar\.gz|tgz|tar)$/i, unpack: untar },
]

/** Gives the name of an archive without its ending. */
export const archiveName = (name: string): string =>
  FORMATS.reduce((text, { ending }) => text.replace(ending, ''), name)

/** GitHub packs a repository in one folder and notes the commit; that folder is not the author's. */
const findRoot = (folder: string, commit: string | undefined): string => {
  const [only, ...more] = readdirSync(folder)
  const isPacked = /^[0-9a-f]{40}$/.test(commit ?? '')
  return only !== undefined && more.length === 0 && isPacked ? join(folder, only) : folder
}

/** Unpacks an archive into an empty folder and gives the folder of its content. */
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
  const unpacker = createUnpacker(folder, size, limits)
  const commit = await format.unpack(path, unpacker)
  unpacker.finish()
  return findRoot(folder, commit)
}
