import JSZip from 'jszip'
import { SKILL_MD } from '../../src/catalog/skill.ts'

/** A file of an archive: path with `/`, its bytes, and whether it is executable. */
export interface ZipEntry {
  path: string
  bytes: Uint8Array
  isExecutable?: boolean | undefined
}

/** Options for each file: always the earliest date of the format, and no entries for folders. */
const FILE_OPTIONS = {
  date: new Date('1980-01-01T00:00Z'),
  createFolders: false,
}

/** File modes, the same as git's. */
const PLAIN = 0o100644
const EXECUTABLE = 0o100755

/** Without `platform`, JSZip leaves the permissions out. */
const ZIP_OPTIONS = {
  type: 'nodebuffer',
  platform: 'UNIX',
  compression: 'DEFLATE',
  compressionOptions: { level: 6 },
} as const

/** SKILL.md first, the others by the bytes of their paths. */
const compareEntries = ({ path: a }: ZipEntry, { path: b }: ZipEntry): number =>
  Number(b === SKILL_MD) - Number(a === SKILL_MD) || Buffer.compare(Buffer.from(a), Buffer.from(b))

/** Packs files into a zip; the same files give the same bytes, in any order and on any machine. */
export const packZip = (entries: readonly ZipEntry[]): Promise<Buffer> => {
  // JSZip stores files as keys of an object, where a number such as "12" would come first. Inside a JSZip folder, no
  // key is a number. The folder does not appear in the archive.
  const zip = new JSZip().folder('skill')!
  for (const { path, bytes, isExecutable } of entries.toSorted(compareEntries)) {
    const unixPermissions = isExecutable ? EXECUTABLE : PLAIN
    zip.file(path, bytes, { ...FILE_OPTIONS, unixPermissions })
  }
  return zip.generateAsync(ZIP_OPTIONS)
}
