import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { isSpdx } from '../../../../src/catalog/licence.ts'
import { SKILL_MD } from '../../../../src/catalog/skill.ts'
import { decodeLoosely } from '../../../../src/catalog/text.ts'
import { folderOf, isInFolder } from '../find.ts'

/** Names of licence files, in any case. */
const LICENCE_NAMES = [
  /^(?:un)?licen[sc]es?(?:[-._ ].*)?$/i,
  /^(?:copying|eula)(?:[-._ ].*)?$/i,
  /^\S+[-_.]licen[sc]e(?:\.(?:md|txt|markdown|rst|html))?$/i,
]

/** Licences of parts that others wrote, and files that are no licence. */
const OTHERS = [
  /(?:^|[-._ ])(?:notices?|third|3rd|thirdparty|3rdparty|fonts?|ofl|vendor(?:ed)?|deps|dependenc(?:y|ies)|bundled)(?:[-._ ]|$)/i,
  /\.(?:[cm]?[jt]sx?|py|sh|rb|go|rs|json|ya?ml|toml|xml|css|csv|svg|png)$/i,
]

const README = /^readme(?:\.(?:md|markdown|txt))?$/i

/** The folder of licence texts by the specification of REUSE, and its file that says which text is for which file. */
const REUSE_FOLDER = 'LICENSES'
const REUSE_FILE = 'REUSE.toml'

/** In the folder of REUSE, the name of a text is the identifier of its licence; other texts there are of other people. */
const isReuseText = (name: string): boolean => name.endsWith('.txt') && isSpdx(name.slice(0, -4))

/** Manifests that may name a licence. */
const MANIFESTS = [
  '.claude-plugin/plugin.json',
  '.claude-plugin/marketplace.json',
  'package.json',
  'pyproject.toml',
  'plugin.json',
]

/** The licence of one other file, beside it, by the specification of REUSE: `logo.png.license`. */
const isOfOtherFile = (name: string): boolean =>
  /\.[a-z\d]+\.license$/i.test(name) && name !== `${SKILL_MD}.license`

const isLicenceName = (name: string): boolean =>
  LICENCE_NAMES.some((pattern) => pattern.test(name)) &&
  !isOfOtherFile(name) &&
  !OTHERS.some((pattern) => pattern.test(name))

/** The folder that a file says something about: its licence, or a manifest; undefined for other files. */
export const describedFolder = (path: string): string | undefined => {
  const name = posix.basename(path)
  const folder = folderOf(path)
  const above = posix.basename(folder)
  const isInside =
    (above === REUSE_FOLDER && isReuseText(name)) || MANIFESTS.includes(`${above}/${name}`)
  if (isInside) return folderOf(folder)
  const isBeside =
    isLicenceName(name) || README.test(name) || name === REUSE_FILE || MANIFESTS.includes(name)
  return isBeside ? folder : undefined
}

export interface NamedText {
  /** Path in the source. */
  path: string
  text: string
}

/** The texts in a folder that state a licence. */
export interface LicenceTexts {
  /** Real path of the folder. */
  folder: string
  files: readonly NamedText[]
  /** A README counts only in the root. */
  readme?: NamedText | undefined
  reuse?: NamedText | undefined
}

/** What a skill's folder and the folders above it say about its licence. */
export interface LicenceSources {
  /** Real path of the skill's folder. */
  folder: string
  /** The nearest texts. */
  texts?: LicenceTexts | undefined
  /** Manifests, nearest first. */
  manifests: readonly NamedText[]
}

/** Maximum size of a file that is read, in bytes, and number of licence files of a folder; others are unknown. */
const [READ_LIMIT, FILES_LIMIT] = [512 * 1024, 20]

const readInside = (path: string, bounds: string): string => {
  // realpathSync throws for broken links.
  if (!existsSync(path)) return ''
  const real = realpathSync(path)
  const stats = statSync(real)
  const isInside = real.startsWith(bounds + sep) && stats.isFile() && stats.size <= READ_LIMIT
  return isInside ? decodeLoosely(readFileSync(real)) : ''
}

const listFiles = (folder: string): string[] =>
  existsSync(folder) && statSync(folder).isDirectory()
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map(({ name }) => name)
        .sort()
    : []

const readFolder = (folder: string, bounds: string) => {
  const pathOf = (name: string): string => relative(bounds, join(folder, name)).split(sep).join('/')
  const read = (name: string): NamedText => ({
    path: pathOf(name),
    text: readInside(join(folder, name), bounds),
  })
  const names = listFiles(folder)
  const standard = listFiles(join(folder, REUSE_FOLDER))
    .filter(isReuseText)
    .map((name) => `${REUSE_FOLDER}/${name}`)
  const licences = [...names.filter(isLicenceName), ...standard]
  const files = licences.map((name, at) =>
    at < FILES_LIMIT ? read(name) : { path: pathOf(name), text: '' },
  )
  const readme = folder === bounds ? names.find((name) => README.test(name)) : undefined
  const texts: LicenceTexts = {
    folder,
    files,
    readme: readme === undefined ? undefined : read(readme),
    reuse: names.includes(REUSE_FILE) ? read(REUSE_FILE) : undefined,
  }
  const manifests = MANIFESTS.filter((name) => existsSync(join(folder, name))).map(read)
  return { texts: files.length > 0 || texts.readme || texts.reuse ? texts : undefined, manifests }
}

/**
 * Returns a function that reads what states the licence of a skill: the nearest texts, in its folder or in a folder above
 * it, up to the bounds, and all manifests. Folders are cached, since many skills share the licence of their repository.
 */
export const createLicenceReader = (bounds: string): ((folder: string) => LicenceSources) => {
  const known = new Map<string, LicenceSources>()
  const find = (folder: string): LicenceSources => {
    if (!isInFolder(folder, bounds, sep)) return { folder, manifests: [] }
    const before = known.get(folder)
    if (before) return before
    const { texts, manifests } = readFolder(folder, bounds)
    const above = folder === bounds ? undefined : find(dirname(folder))
    const sources = {
      folder,
      texts: texts ?? above?.texts,
      manifests: [...manifests, ...(above?.manifests ?? [])],
    }
    known.set(folder, sources)
    return sources
  }
  return (folder) => find(realpathSync(folder))
}
