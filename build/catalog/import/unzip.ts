import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import JSZip from 'jszip'
import { showValue } from '../../../src/catalog/characters.ts'
import { CommandError } from '../faults.ts'

/** Largest archive that is opened, and most that is unpacked from it; sizes in bytes. */
export const ARCHIVE_LIMITS = {
  archive: 64 * 1024 * 1024,
  unpacked: 256 * 1024 * 1024,
  entries: 20_000,
}

type Limits = Readonly<typeof ARCHIVE_LIMITS>

const FILE_TYPE = 0o170000
const REGULAR = 0o100000

/** Says whether a name is a plain relative path that stays below the folder it is written to. */
const isPlainPath = (name: string): boolean =>
  !/[\\\0:]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part))

const typeOf = ({ unixPermissions }: JSZip.JSZipObject): number =>
  typeof unixPermissions === 'number' ? unixPermissions & FILE_TYPE : 0

/**
 * Inflates an entry, counting what really comes out, since what its header says may be a lie;
 * undefined where that is more than the budget.
 */
const inflate = (entry: JSZip.JSZipObject, budget: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const stream = entry.nodeStream('nodebuffer')
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > budget) {
        stream.pause()
        resolve(undefined)
      } else chunks.push(chunk)
    })
    stream.on('error', () => {
      reject(
        new CommandError(
          `${showValue(entry.name)} in the archive is damaged; nothing was imported.`,
        ),
      )
    })
    stream.on('end', () => resolve(Buffer.concat(chunks)))
  })

const openArchive = async (path: string, limits: Limits): Promise<JSZip> => {
  const { size } = statSync(path)
  if (size > limits.archive) {
    throw new CommandError(
      `${path} has ${size} bytes; at most ${limits.archive} are opened. Unpack it and import the folder.`,
    )
  }
  try {
    return await JSZip.loadAsync(readFileSync(path))
  } catch (error) {
    throw new CommandError(
      `${path} is no zip that can be read: ${error instanceof Error ? error.message : error}`,
    )
  }
}

const listEntries = (archive: JSZip, limits: Limits): JSZip.JSZipObject[] => {
  const files = Object.values(archive.files).filter(({ dir }) => !dir)
  if (files.length > limits.entries) {
    throw new CommandError(
      `The archive holds ${files.length} files; at most ${limits.entries} are unpacked.`,
    )
  }
  for (const file of files) {
    const name = file.unsafeOriginalName ?? file.name
    if (!isPlainPath(name)) {
      throw new CommandError(
        `The archive holds ${showValue(name)}, which leads out of its folder; nothing was imported.`,
      )
    }
    if (![0, REGULAR].includes(typeOf(file))) {
      throw new CommandError(
        `The archive holds ${showValue(name)}, which is a link or a device; nothing was imported.`,
      )
    }
  }
  return files
}

/** GitHub packs a repository in one folder and notes the commit; that folder is not the author's. */
const findRoot = (folder: string, archive: JSZip & { comment?: string | null }): string => {
  const [only, ...more] = readdirSync(folder)
  const isPacked = /^[0-9a-f]{40}$/.test(archive.comment ?? '')
  return only !== undefined && more.length === 0 && isPacked ? join(folder, only) : folder
}

const unpack = async (archive: JSZip, folder: string, limits: Limits): Promise<void> => {
  let budget = limits.unpacked
  for (const entry of listEntries(archive, limits)) {
    const bytes = await inflate(entry, budget)
    if (bytes === undefined) {
      throw new CommandError(
        `The archive holds more than ${limits.unpacked} bytes unpacked; nothing was imported.`,
      )
    }
    budget -= bytes.length
    const path = join(folder, entry.name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes, { flag: 'wx' })
    utimesSync(path, entry.date, entry.date)
  }
}

/** Unpacks an archive into a temporary folder for as long as an action needs it. */
export const withUnpacked = async <Result>(
  path: string,
  action: (folder: string) => Promise<Result>,
  limits: Limits = ARCHIVE_LIMITS,
): Promise<Result> => {
  const archive = await openArchive(path, limits)
  const folder = mkdtempSync(join(tmpdir(), 'skill-import-'))
  try {
    await unpack(archive, folder, limits)
    return await action(findRoot(folder, archive))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
