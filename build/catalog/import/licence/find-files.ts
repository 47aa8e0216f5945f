import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { decodeLoosely } from '../../../../src/catalog/text.ts'
import type { LicenceFile } from './decide.ts'
import { findStatedLicence } from './readme.ts'
import { identifyLicenceText } from './texts.ts'

/** Names of licence files, in any case, the plain one first. */
const LICENCE_NAMES = [
  /^(?:un)?licen[sc]e(?:\.(?:md|txt|markdown|rst))?$/i,
  /^copying(?:\.(?:md|txt))?$/i,
  /^licen[sc]e[-._](?:mit|apache|bsd|isc|cc0|unlicense)[\w.-]*$/i,
]

const README = /^readme(?:\.(?:md|markdown|txt))?$/i

/** Says whether a file of this name may say which licence holds. */
export const isLicenceName = (name: string): boolean =>
  README.test(name) || LICENCE_NAMES.some((pattern) => pattern.test(name))

/** Largest file that is read for a licence, in bytes. */
const READ_LIMIT = 512 * 1024

const readText = (path: string, bounds: string): string => {
  // A link may lead nowhere.
  if (!existsSync(path)) return ''
  const real = realpathSync(path)
  const stats = statSync(real)
  const isInside = real.startsWith(bounds + sep) && stats.isFile() && stats.size <= READ_LIMIT
  return isInside ? decodeLoosely(readFileSync(real)) : ''
}

const pickNames = (names: readonly string[]): string[] => {
  for (const pattern of LICENCE_NAMES) {
    const found = names.filter((name) => pattern.test(name)).sort()
    if (found.length > 0) return found
  }
  return []
}

/** Licence files and README of one folder; several licences side by side are a choice. */
const readFolder = (
  folder: string,
  bounds: string,
  isRoot: boolean,
): Omit<LicenceFile, 'isOwn'> | undefined => {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
  const [first, ...more] = pickNames(names)
  if (first !== undefined) {
    const ids = [first, ...more].map((name) =>
      identifyLicenceText(readText(join(folder, name), bounds)),
    )
    const known = [...new Set(ids.filter((id) => id !== undefined))]
    return { path: join(folder, first), id: known.length > 0 ? known.join(' OR ') : undefined }
  }
  const readme = isRoot ? names.filter((name) => README.test(name)).sort()[0] : undefined
  const id =
    readme === undefined ? undefined : findStatedLicence(readText(join(folder, readme), bounds))
  return readme === undefined || id === undefined ? undefined : { path: join(folder, readme), id }
}

/** Finds licence files, each folder read once: a repository of many skills has one licence. */
export const createLicenceFinder = (bounds: string): ((folder: string) => LicenceFile[]) => {
  const known = new Map<string, Omit<LicenceFile, 'isOwn'> | undefined>()
  const inFolder = (folder: string): Omit<LicenceFile, 'isOwn'> | undefined => {
    if (!known.has(folder)) known.set(folder, readFolder(folder, bounds, folder === bounds))
    return known.get(folder)
  }
  return (skillFolder) => {
    const start = realpathSync(skillFolder)
    const files: LicenceFile[] = []
    for (
      let folder = start;
      folder === bounds || folder.startsWith(bounds + sep);
      folder = dirname(folder)
    ) {
      const found = inFolder(folder)
      if (found)
        files.push({ ...found, path: relative(bounds, found.path), isOwn: folder === start })
    }
    return files
  }
}
