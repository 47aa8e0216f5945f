import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { isSpdx, parseLicenceName } from '../../../../src/catalog/licence.ts'
import { kindOfLicence } from '../../../../src/catalog/licence-kind.ts'
import { NAME_LIMIT } from '../../../../src/catalog/schema.ts'
import { decodeLoosely, foldLine } from '../../../../src/catalog/text.ts'
import { isInFolder } from '../find.ts'
import { cutAtWord } from '../skill-md.ts'

/** Whether a licence allows redistribution; false for an invalid expression. */
const isRedistributable = (expression: string): boolean =>
  isSpdx(expression) && kindOfLicence(expression) !== 'other'

/**
 * Phrases that identify a licence text, one row of `texts.txt` per licence. The first matching row counts: the text must
 * contain all of its phrases, but none of the phrases marked `not:`.
 */
const TEXTS = readFileSync(new URL('./texts.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((row) => row.split(' | '))

/** Additional conditions that make a free licence non-free. */
const ADDED_CONDITIONS = [
  'commons clause',
  'additional use restriction',
  'non-commercial use only',
  'noncommercial use only',
]

/** Maximum length of a file that contains only a licence name, in characters. */
const NAME_ONLY = 200

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/[#*_>=]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** SPDX identifier of a licence text; undefined if unknown. */
const identifyLicenceText = (text: string): string | undefined => {
  const words = plain(text)
  if (words.length <= NAME_ONLY) return parseLicenceName(text.trim())
  if (ADDED_CONDITIONS.some((condition) => words.includes(condition))) return undefined
  const isShown = (phrase: string): boolean =>
    phrase.startsWith('not:') ? !words.includes(phrase.slice(4)) : words.includes(phrase)
  return TEXTS.find(([, ...phrases]) => phrases.every(isShown))?.[0]
}

const HEADING = /^#{1,6}[ \t]+(?:[^\w\s]+[ \t]*)?licen[sc](?:e|ing)[ \t#]*$/im

/** Words that introduce a licence name: "This project is licensed under the". */
const LEAD_IN =
  /^(?:this \w+ is )?(?:released|licensed|distributed|available) under (?:the )?(?:terms of the )?/i

/** The licence name: a link's text, or the text before a line end, dash or bracket. */
const STATED = [
  /^\[([^\]\n]{2,40})\]\([^)\s]*\)/,
  /^([\w.,+\- ]{2,40}?)(?:$|[.;]? (?:-|–|—|see|©|\(c\)|\(see)|\s*[([])/im,
]

const lineOf = (section: string): string =>
  section
    .split('\n')
    .map((line) => line.replace(/[*_`]/g, '').trim())
    .find((line) => line !== '' && !line.startsWith('[![')) ?? ''

/** The licence under a README's licence heading, if any. */
const findStatedLicence = (readme: string): string | undefined => {
  const heading = HEADING.exec(readme)
  if (!heading) return undefined
  const section = readme.slice(heading.index + heading[0].length).split(/^#{1,6}[ \t]/m)[0] ?? ''
  const line = lineOf(section).replace(LEAD_IN, '')
  for (const pattern of STATED) {
    const name = parseLicenceName(pattern.exec(line)?.[1] ?? '')
    if (name !== undefined) return name
  }
  return undefined
}

interface LicenceFile {
  path: string
  /** SPDX expression; undefined for an unknown licence. */
  id?: string | undefined
}

/** Names of licence files, in any case, most conventional first. */
const LICENCE_NAMES = [
  /^(?:un)?licen[sc]e(?:\.(?:md|txt|markdown|rst))?$/i,
  /^copying(?:\.(?:md|txt))?$/i,
  /^licen[sc]e[-._](?:mit|apache|bsd|isc|cc0|unlicense)[\w.-]*$/i,
]

const README = /^readme(?:\.(?:md|markdown|txt))?$/i

/** Accepts READMEs too, because they may state the licence. */
export const mayStateLicence = (name: string): boolean =>
  README.test(name) || LICENCE_NAMES.some((pattern) => pattern.test(name))

/** Maximum size of a licence file, in bytes. */
const READ_LIMIT = 512 * 1024

const readInside = (path: string, bounds: string): string => {
  // realpathSync throws for broken links.
  if (!existsSync(path)) return ''
  const real = realpathSync(path)
  const stats = statSync(real)
  const isInside = real.startsWith(bounds + sep) && stats.isFile() && stats.size <= READ_LIMIT
  return isInside ? decodeLoosely(readFileSync(real)) : ''
}

/** The texts in a folder that state a licence. */
interface LicenceTexts {
  /** Path of the first text. */
  path: string
  /** Contents of licence files; several files are alternatives. */
  texts?: readonly string[]
  readme?: string
}

/** Reads the licence files of a folder. A README counts only in the root. */
const readFolder = (folder: string, bounds: string): LicenceTexts | undefined => {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
  const pathOf = (name: string): string => relative(bounds, join(folder, name))
  const read = (name: string): string => readInside(join(folder, name), bounds)
  const [files] = LICENCE_NAMES.flatMap((pattern) => {
    const found = names.filter((name) => pattern.test(name)).sort()
    return found.length > 0 ? [found] : []
  })
  if (files) return { path: pathOf(files[0] ?? ''), texts: files.map(read) }
  if (folder !== bounds) return undefined
  const [readme] = names.filter((name) => README.test(name)).sort()
  return readme === undefined ? undefined : { path: pathOf(readme), readme: read(readme) }
}

/**
 * Returns a function that reads the nearest licence texts: in a skill's folder or in a folder above it, up to the
 * bounds. Folders are cached, since many skills share the licence of their repository.
 */
export const createLicenceReader = (
  bounds: string,
): ((folder: string) => LicenceTexts | undefined) => {
  const known = new Map<string, LicenceTexts | undefined>()
  const findTexts = (folder: string): LicenceTexts | undefined => {
    if (!isInFolder(folder, bounds, sep)) return undefined
    if (!known.has(folder)) {
      const above = (): LicenceTexts | undefined =>
        folder === bounds ? undefined : findTexts(dirname(folder))
      known.set(folder, readFolder(folder, bounds) ?? above())
    }
    return known.get(folder)
  }
  return (folder) => findTexts(realpathSync(folder))
}

const identify = ({ path, texts, readme = '' }: LicenceTexts): LicenceFile | undefined => {
  if (texts) {
    const ids = texts.map(identifyLicenceText).filter((id) => id !== undefined)
    return { path, id: ids.length > 0 ? [...new Set(ids)].join(' OR ') : undefined }
  }
  const id = findStatedLicence(readme)
  return id === undefined ? undefined : { path, id }
}

const identified = new WeakMap<LicenceTexts, LicenceFile | undefined>()

/** Identifies the licence that texts state. The texts are untrusted: call this with a time limit. */
export const identifyLicence = (texts: LicenceTexts | undefined): LicenceFile | undefined => {
  if (!texts || identified.has(texts)) return texts && identified.get(texts)
  const file = identify(texts)
  identified.set(texts, file)
  return file
}

/** Statements about a skill's licence, most trusted first. */
interface LicenceEvidence {
  /** From the manifest's row, which a curator checked. */
  row?: string | null | undefined
  front?: string | undefined
  file?: LicenceFile | undefined
}

interface Licence {
  /** The licence as shown on pages. */
  label?: string
  /** The file that states the licence, or `the front matter` or `the manifest`; undefined if nothing states it. */
  place?: string | undefined
  /** Why the text must not be copied; undefined if copying is allowed. */
  refusal?: string
}

const judge = (id: string): Licence =>
  isRedistributable(id)
    ? { label: id }
    : { label: id, refusal: `its licence, ${id}, does not allow redistribution` }

/** A reference to a file: "Complete terms in LICENSE.txt", "see LICENSE". */
const FILE_LEAD_IN =
  /^(?:for )?(?:(?:complete|full) )?(?:licen[sc]e )?(?:terms |text )?(?:in |see )/i
const FILE_NAME = /^(?:the )?(?:\.\/)?(?:licen[sc]e|copying)[\w.-]*(?: file)?\.?$/i

const isPointer = (statement: string): boolean =>
  FILE_NAME.test(statement.replace(FILE_LEAD_IN, ''))

/** Values of the licence field that state no licence. */
const NO_STATEMENT = /^(?:unknown|unspecified|not (?:specified|stated)|n\/?a|tbd|todo|-)?\.?$/i

/**
 * Determines a skill's licence from the manifest, the front matter or the nearest licence file, in that order. Unknown
 * licences do not allow redistribution.
 */
export const decideLicence = ({ row, front, file }: LicenceEvidence): Licence => {
  const stated = [row, front]
    .map((text) => foldLine(text ?? ''))
    .find((text) => !NO_STATEMENT.test(text))
  const isNamed = stated !== undefined && !isPointer(stated)
  const place = isNamed
    ? stated === foldLine(row ?? '')
      ? 'the manifest'
      : 'the front matter'
    : file?.path
  const id = isNamed ? parseLicenceName(stated) : file?.id
  if (id !== undefined) return { ...judge(id), place }
  if (isNamed) {
    const label = cutAtWord(stated, NAME_LIMIT)
    const shown = JSON.stringify(label)
    return { label, place, refusal: `its licence, ${shown}, is not known to allow redistribution` }
  }
  if (!file) return { refusal: 'neither it nor its repository states a licence' }
  return { place, refusal: `${file.path} is not a licence known to allow redistribution` }
}
