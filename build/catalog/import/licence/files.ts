import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { decodeLoosely } from '../../../../src/catalog/text.ts'
import type { LicenceFile } from './decide.ts'
import { isInFolder } from '../paths.ts'
import { findStatedLicence, identifyLicenceText } from './identify.ts'

/** Names of licence files, in any case, the plain one first. */
const LICENCE_NAMES = [
  /^(?:un)?licen[sc]e(?:\.(?:md|txt|markdown|rst))?$/i,
  /^copying(?:\.(?:md|txt))?$/i,
  /^licen[sc]e[-._](?:mit|apache|bsd|isc|cc0|unlicense)[\w.-]*$/i,
]

const README = /^readme(?:\.(?:md|markdown|txt))?$/i

/** READMEs too: they may state the licence. */
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

/** Several licence files side by side are a choice between them. Of READMEs only the root's counts. */
const readFolder = (folder: string, bounds: string): LicenceFile | undefined => {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
  const read = (name: string): string => readText(join(folder, name), bounds)
  const [first, ...more] = pickNames(names)
  if (first !== undefined) {
    const ids = [first, ...more].map((name) => identifyLicenceText(read(name)))
    const known = [...new Set(ids.filter((id) => id !== undefined))]
    return { path: join(folder, first), id: known.length > 0 ? known.join(' OR ') : undefined }
  }
  if (folder !== bounds) return undefined
  const [readme] = names.filter((name) => README.test(name)).sort()
  const id = readme === undefined ? undefined : findStatedLicence(read(readme))
  return readme === undefined || id === undefined ? undefined : { path: join(folder, readme), id }
}

/**
 * Finds the licence files of a skill's folder and of those above it, nearest first. Each folder is
 * read once: a repository of many skills has one licence.
 */
export const createLicenceFinder = (bounds: string): ((folder: string) => LicenceFile[]) => {
  const known = new Map<string, LicenceFile | undefined>()
  const inFolder = (folder: string): LicenceFile | undefined => {
    if (!known.has(folder)) known.set(folder, readFolder(folder, bounds))
    return known.get(folder)
  }
  return (skillFolder) => {
    const files: LicenceFile[] = []
    for (
      let folder = realpathSync(skillFolder);
      isInFolder(folder, bounds, sep);
      folder = dirname(folder)
    ) {
      const found = inFolder(folder)
      if (found) files.push({ ...found, path: relative(bounds, found.path) })
      if (folder === bounds) break
    }
    return files
  }
}
