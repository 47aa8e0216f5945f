import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { parseLicenceName } from '../../../../src/catalog/licence-name.ts'
import { NAME_LIMIT } from '../../../../src/catalog/schema.ts'
import { decodeLoosely, foldLine } from '../../../../src/catalog/text.ts'
import { cutAtWord } from '../fields.ts'
import { isInFolder } from '../../store/paths.ts'
import { findStatedLicence, identifyLicenceText, isRedistributable } from './identify.ts'

export interface LicenceFile {
  path: string
  /** SPDX expression; undefined for an unknown licence. */
  id?: string | undefined
}

/** Names of licence files, in any case, the plain one first. */
const LICENCE_NAMES = [
  /^(?:un)?licen[sc]e(?:\.(?:md|txt|markdown|rst))?$/i,
  /^copying(?:\.(?:md|txt))?$/i,
  /^licen[sc]e[-._](?:mit|apache|bsd|isc|cc0|unlicense)[\w.-]*$/i,
]

const README = /^readme(?:\.(?:md|markdown|txt))?$/i

/** Includes READMEs, which may state the licence. */
export const isLicenceName = (name: string): boolean =>
  README.test(name) || LICENCE_NAMES.some((pattern) => pattern.test(name))

/** Maximum size of a licence file, in bytes. */
const READ_LIMIT = 512 * 1024

const readText = (path: string, bounds: string): string => {
  // Broken links throw.
  if (!existsSync(path)) return ''
  const real = realpathSync(path)
  const stats = statSync(real)
  const isInside = real.startsWith(bounds + sep) && stats.isFile() && stats.size <= READ_LIMIT
  return isInside ? decodeLoosely(readFileSync(real)) : ''
}

/** Several licence files in a folder are alternatives. Only the root's README counts. */
const readFolder = (folder: string, bounds: string): LicenceFile | undefined => {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
  const pathOf = (name: string): string => relative(bounds, join(folder, name))
  const read = (name: string): string => readText(join(folder, name), bounds)
  const [files] = LICENCE_NAMES.flatMap((pattern) => {
    const found = names.filter((name) => pattern.test(name)).sort()
    return found.length > 0 ? [found] : []
  })
  if (files) {
    const ids = files.map((name) => identifyLicenceText(read(name)))
    const known = [...new Set(ids.filter((id) => id !== undefined))]
    return { path: pathOf(files[0] ?? ''), id: known.length > 0 ? known.join(' OR ') : undefined }
  }
  if (folder !== bounds) return undefined
  const [readme] = names.filter((name) => README.test(name)).sort()
  const id = readme === undefined ? undefined : findStatedLicence(read(readme))
  return readme === undefined || id === undefined ? undefined : { path: pathOf(readme), id }
}

/**
 * Finds the nearest licence: in a skill's folder or in those above it, up to the bounds. Caches folders, since many
 * skills share the licence of their repository.
 */
export const createLicenceFinder = (
  bounds: string,
): ((folder: string) => LicenceFile | undefined) => {
  const known = new Map<string, LicenceFile | undefined>()
  const findNearest = (folder: string): LicenceFile | undefined => {
    if (!isInFolder(folder, bounds, sep)) return undefined
    if (!known.has(folder)) {
      const above = (): LicenceFile | undefined =>
        folder === bounds ? undefined : findNearest(dirname(folder))
      known.set(folder, readFolder(folder, bounds) ?? above())
    }
    return known.get(folder)
  }
  return (folder) => findNearest(realpathSync(folder))
}

/** Statements of a skill's licence, most trusted first. */
interface LicenceEvidence {
  /** From the manifest's row, which a curator checked. */
  row?: string | null | undefined
  front?: string | undefined
  file?: LicenceFile | undefined
}

interface Licence {
  /** The licence as pages show it. */
  label?: string
  /** Why the text must not be copied; undefined if it may. */
  refusal?: string
}

const judge = (id: string): Licence =>
  isRedistributable(id)
    ? { label: id }
    : { label: id, refusal: `its licence, ${id}, does not allow redistribution` }

/** A reference to a file: "Complete terms in LICENSE.txt", "see LICENSE". */
const LEAD_IN = /^(?:for )?(?:(?:complete|full) )?(?:licen[sc]e )?(?:terms |text )?(?:in |see )/i
const FILE_NAME = /^(?:the )?(?:\.\/)?(?:licen[sc]e|copying)[\w.-]*(?: file)?\.?$/i

const isPointer = (statement: string): boolean => FILE_NAME.test(statement.replace(LEAD_IN, ''))

/** Values of the licence field that do not name a licence. */
const NO_STATEMENT = /^(?:unknown|unspecified|not (?:specified|stated)|n\/?a|tbd|todo|-)?\.?$/i

/**
 * Decides a skill's licence: from the manifest, the front matter or the nearest licence file, in that order. Unknown
 * licences do not allow redistribution.
 */
export const decideLicence = ({ row, front, file }: LicenceEvidence): Licence => {
  const stated = [row, front]
    .map((text) => foldLine(text ?? ''))
    .find((text) => !NO_STATEMENT.test(text))
  const isNamed = stated !== undefined && !isPointer(stated)
  const id = isNamed ? parseLicenceName(stated) : file?.id
  if (id !== undefined) return judge(id)
  if (isNamed) {
    const label = cutAtWord(stated, NAME_LIMIT)
    const shown = JSON.stringify(label)
    return { label, refusal: `its licence, ${shown}, is not known to allow redistribution` }
  }
  if (!file) return { refusal: 'neither it nor its repository states a licence' }
  return { refusal: `${file.path} is not a licence known to allow redistribution` }
}
