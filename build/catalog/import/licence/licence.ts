import { hash } from 'node:crypto'
import { posix, relative, sep } from 'node:path'
import parseExpression from 'spdx-expression-parse'
import { isSpdx, parseLicenceName } from '../../../../src/catalog/licence.ts'
import { kindOfLicence } from '../../../../src/catalog/licence-kind.ts'
import { NAME_LIMIT } from '../../../../src/catalog/schema.ts'
import { SKILL_MD } from '../../../../src/catalog/skill.ts'
import { foldLine, showValue } from '../../../../src/catalog/text.ts'
import { cutAtWord } from '../skill-md.ts'
import type { LicenceSources, LicenceTexts } from './folder.ts'
import {
  identifyFile,
  listHints,
  readFront,
  readReadme,
  readReadmeOffer,
  readReuse,
} from './statements.ts'
import type { Statement } from './statements.ts'

/** Whether a licence allows redistribution; false for an invalid expression. */
export const isRedistributable = (expression: string): boolean =>
  isSpdx(expression) && kindOfLicence(expression) !== 'other'

/** A statement, and the SPDX expression that it names; undefined if unknown. */
interface Read extends Statement {
  id: string | undefined
}

/** A reference to a file: "Complete terms in LICENSE.txt", "see LICENSE". */
const FILE_LEAD_IN =
  /^(?:for )?(?:(?:complete|full) )?(?:licen[sc]e )?(?:terms |text )?(?:in |see )/i
const FILE_NAME = /^(?:the )?(?:\.\/)?(?:licen[sc]e|copying)[\w.-]*(?: file)?\.?$/i

/** Values of a licence field that state no licence. */
const NO_STATEMENT = /^(?:unknown|unspecified|not (?:specified|stated)|n\/?a|tbd|todo|-)?\.?$/i

const isStatement = (text: string): boolean =>
  !NO_STATEMENT.test(text) && !FILE_NAME.test(text.replace(FILE_LEAD_IN, ''))

/** A reference to a file behind the name of a licence: "MIT (see LICENSE)", "Apache-2.0. LICENSE.txt has complete terms". */
const REFERENCE_BEHIND =
  /[ .,;(–-]{1,4}(?:(?:(?:complete |full )?terms )?(?:see|in) (?:the )?(?:\.\/)?licen[sc]e[\w.-]{0,20}(?: file)?|licen[sc]e\.\w+ has complete terms)(?: for (?:details|more information|complete terms))?[.)]{0,2}$/i

/** Reads what the author says in a field; undefined if that states no licence. */
const readField = (place: string, says: string | undefined): Read | undefined => {
  const text = foldLine(says ?? '')
  if (says !== undefined && !isStatement(text)) return undefined
  const id = parseLicenceName(text) ?? parseLicenceName(text.replace(REFERENCE_BEHIND, ''))
  return { place, says: says && text, id }
}

const PLAIN_NAME = /^(?:licen[sc]e|copying)(\.\w+)?$/

/** Whether a statement refers to a licence file that is missing: "Complete terms in LICENSE.txt", or `LicenseRef-Ada`. */
const lacksFile = (says: string, { folder, texts }: LicenceSources): boolean => {
  const name = foldLine(says)
    .replace(FILE_LEAD_IN, '')
    .replace(/^(?:the )?(?:\.\/)?| file\.?$|\.$/gi, '')
    .toLowerCase()
  if (!FILE_NAME.test(name)) return false
  const names = texts?.files.map(({ path }) => posix.basename(path).toLowerCase()) ?? []
  const [plain, extension] = PLAIN_NAME.exec(name) ?? []
  const isAny = plain !== undefined && (extension === undefined || texts?.folder === folder)
  return !names.includes(name) && !(isAny && names.length > 0)
}

const THE_FRONT_MATTER = 'the front matter'

/** The licence files of a folder, each with its licence. */
const readFiles = ({ files }: LicenceTexts): Read[] =>
  files.map((file) => ({ place: file.path, says: undefined, id: identifyFile(file) }))

/** The statements of the nearest texts, most exact first: REUSE.toml, licence files, README. */
const readTexts = ({ folder, texts }: LicenceSources): Read[] => {
  if (!texts) return []
  const { reuse, readme } = texts
  const path = posix.join(relative(texts.folder, folder).split(sep).join('/'), SKILL_MD)
  const annotated = reuse && readReuse(reuse, path)
  if (annotated) return [{ ...annotated, id: parseLicenceName(annotated.says ?? '') }]
  if (texts.files.length > 0 || !readme) return readFiles(texts)
  const stated = readReadme(readme)
  return stated ? [{ ...stated, id: stated.says }] : []
}

const listIds = (expression: string): string[] => {
  const list = (node: ReturnType<typeof parseExpression>): string[] =>
    'conjunction' in node
      ? [...list(node.left), ...list(node.right)]
      : [`${node.license}${node.plus ? '+' : ''}${node.exception ?? ''}`]
  return list(parseExpression(expression))
}

const hasAll = (expression: string, other: string): boolean => {
  const ids = new Set(listIds(expression))
  return listIds(other).every((id) => ids.has(id))
}

/** Files that offer a choice by custom: LICENSE-MIT beside LICENSE-APACHE. */
const CUSTOMARY = [
  ['MIT', /[-._]mit(?:[-._]|$)/i],
  ['Apache-2.0', /[-._]apache(?:[-._]|$)/i],
] as const

const isCustomaryPair = (statements: readonly Read[]): boolean =>
  statements.length === CUSTOMARY.length &&
  CUSTOMARY.every(([licence, name]) =>
    statements.some(({ id, place }) => id === licence && name.test(posix.basename(place))),
  )

/** Joins known licences: all of them apply, unless the README (`offered`) or the custom lets readers choose. */
const joinLicences = (statements: readonly (Read & { id: string })[], offered = ''): string => {
  const ids = [...new Set(statements.map(({ id }) => id))].sort()
  const whole = ids.find((id) => ids.every((other) => hasAll(id, other)))
  if (whole !== undefined) return whole
  const isOffered = offered !== '' && ids.every((id) => hasAll(offered, id))
  if (isOffered && hasAll(ids.join(' AND '), offered)) return offered
  if (isCustomaryPair(statements)) return ids.join(' OR ')
  return ids.map((id) => (/ OR /i.test(id) ? `(${id})` : id)).join(' AND ')
}

/** A curator's choice, which holds as long as the statements have the same digest. */
export interface LicenceChoice {
  licence: string | undefined
  digest: string | undefined
}

/** Everything that may state a skill's licence. The texts are untrusted: call `decideLicence` with a time limit. */
interface LicenceEvidence {
  /** The text of its SKILL.md, and its field `license`. */
  skillMd: string
  stated: string | undefined
  sources: LicenceSources
  /** The choice in the catalog's record. */
  choice?: LicenceChoice | undefined
}

interface Licence {
  /** The licence as shown on pages. */
  label?: string
  /** The file that states the licence, or `the front matter` or `the curator`; undefined for several. */
  place?: string | undefined
  /** Why the text must not be copied; undefined if copying is allowed. */
  refusal?: string
  /** If the statements leave the licence open: their digest. */
  digest?: string
}

const judge = (id: string): Licence =>
  isRedistributable(id)
    ? { label: id }
    : { label: id, refusal: `its licence, ${id}, does not allow redistribution` }

const judgeField = ({ id, says = '', place }: Read): Licence => {
  if (id !== undefined) return { ...judge(id), place }
  const label = cutAtWord(says, NAME_LIMIT)
  const refusal = `its licence, ${JSON.stringify(label)}, is not known to allow redistribution`
  return { label, place, refusal }
}

const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five']

/** Longest statement to quote, in characters, and the most to list. */
const [QUOTED, LISTED] = [60, 5]

const describe = ({ place, says, id }: Read): string =>
  `${place} (${id ?? (says === undefined ? 'unknown' : showValue(says, QUOTED))})`

const describeAll = (statements: readonly Read[]): string => {
  const shown = statements.slice(0, LISTED).map(describe)
  const more = statements.length - shown.length
  const names = [...shown, ...(more > 0 ? [`${more} more`] : [])]
  const count = COUNTS[statements.length] ?? statements.length
  return `${count} licences: ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Explains what the statements leave open, if anything; otherwise returns the licence. */
const weigh = (
  statements: readonly Read[],
  others: readonly Read[],
  hints: readonly Statement[],
  offered: string | undefined,
): { open: Licence } | Licence => {
  const [first, ...more] = statements
  if (!first) {
    const [hint] = [...others, ...hints]
    if (!hint) return { open: { refusal: 'neither it nor its repository states a licence' } }
    const says = hint.says === undefined ? 'names one' : `says ${showValue(hint.says, QUOTED)}`
    return { open: { refusal: `it has no licence text, but ${hint.place} ${says}` } }
  }
  const known = statements.filter((statement) => statement.id !== undefined) as (Read & {
    id: string
  })[]
  const isKnown = known.length === statements.length
  const joined = isKnown ? joinLicences(known, offered) : undefined
  const agrees = ({ id }: Read): boolean =>
    joined !== undefined &&
    id !== undefined &&
    hasAll(joined, id) &&
    isRedistributable(id) === isRedistributable(joined)
  const odd = others.filter((other) => !agrees(other))
  if (joined !== undefined && odd.length === 0)
    return { ...judge(joined), place: more.length === 0 ? first.place : undefined }
  if (more.length + odd.length > 0)
    return { open: { refusal: describeAll([...statements, ...odd]) } }
  const refusal = `${first.place} is not a licence known to allow redistribution`
  return { open: { place: first.place, refusal } }
}

/** Digests the words of everything that states a licence, whatever we make of them. */
const digestEvidence = (
  { folder, texts }: LicenceSources,
  fields: readonly Statement[],
): string => {
  const rows = fields.map(({ place, says }) => [place, says])
  const files = [...(texts?.files ?? []), ...(texts?.reuse ? [texts.reuse] : [])].map(
    ({ path, text }) => [posix.basename(path), text],
  )
  const isOwn = texts?.folder === folder
  return hash('sha256', JSON.stringify([rows, isOwn, files]), 'hex')
}

/**
 * Determines a skill's licence from its front matter and its own licence files, else from the nearest licence files.
 * Unknown licences do not allow redistribution, and an unknown one beside a known one is for the curator to judge.
 */
export const decideLicence = (evidence: LicenceEvidence): Licence => {
  const { skillMd, stated, sources, choice } = evidence
  const front = readFront(skillMd, stated)
  const { texts } = sources
  const { licence } = front
  const isLost = licence !== undefined && lacksFile(licence, sources)
  const lost = isLost
    ? { place: THE_FRONT_MATTER, says: foldLine(licence), id: undefined }
    : undefined
  const named = licence === undefined ? undefined : (lost ?? readField(THE_FRONT_MATTER, licence))
  const own = texts && texts.folder === sources.folder ? readFiles(texts) : []
  const statements = named ? [named, ...own] : readTexts(sources)
  const others = front.others.flatMap(({ place, says }) => readField(place, says) ?? [])
  const hints = statements.length === 0 ? listHints(sources.manifests) : []
  const offered = texts?.readme && readReadmeOffer(texts.readme.text)
  const weighed =
    named && named.id === undefined
      ? { open: judgeField(named) }
      : weigh(statements, others, hints, offered)
  if (!('open' in weighed)) return weighed
  const { open } = weighed
  const fields = [...(named ? [named] : []), ...front.others, ...hints]
  const digest = digestEvidence(sources, fields)
  const says = choice?.digest === digest ? choice.licence : undefined
  if (says === undefined) return { ...open, digest }
  return { ...judgeField({ place: 'the curator', says, id: parseLicenceName(says) }), digest }
}
