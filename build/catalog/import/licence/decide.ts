import { foldLine } from '../../../../src/catalog/text.ts'
import { NAME_LIMIT } from '../../../../src/catalog/schema.ts'
import { cutAtWord } from '../fields.ts'
import { isRedistributable, parseLicenceName } from './identify.ts'

/** What is known of a skill's licence, the most trusted first. */
interface LicenceEvidence {
  /** What a manifest's row says: a curator looked. */
  row?: string | null | undefined
  /** What the front matter says. */
  front?: string | undefined
  /** Nearest first: in the skill's folder, then in those above it up to the repository's root. */
  files: readonly LicenceFile[]
}

export interface LicenceFile {
  path: string
  /** SPDX expression; undefined for a licence we do not know. */
  id?: string | undefined
}

interface Licence {
  /** As it is shown. */
  label?: string
  /** Why the text may not be copied; undefined where it may. */
  refusal?: string
}

const judge = (id: string): Licence =>
  isRedistributable(id)
    ? { label: id }
    : { label: id, refusal: `its licence, ${id}, does not let everyone hand it on` }

const judgeStatement = (statement: string): Licence => {
  const id = parseLicenceName(statement)
  if (id !== undefined) return judge(id)
  const label = cutAtWord(foldLine(statement), NAME_LIMIT)
  return {
    label,
    refusal: `its licence, ${JSON.stringify(label)}, is none that is known to allow it`,
  }
}

const judgeFile = ({ path, id }: LicenceFile): Licence =>
  id === undefined ? { refusal: `${path} is no licence that is known to allow it` } : judge(id)

/** A statement that only points at a file: "Complete terms in LICENSE.txt", "see LICENSE". */
const LEAD_IN = /^(?:for )?(?:(?:complete|full) )?(?:licen[sc]e )?(?:terms |text )?(?:in |see )/i
const FILE_NAME = /^(?:the )?(?:\.\/)?(?:licen[sc]e|copying)[\w.-]*(?: file)?\.?$/i

const isPointer = (statement: string): boolean => FILE_NAME.test(statement.replace(LEAD_IN, ''))

/** Words that stand where a licence should and name none. */
const NO_STATEMENT = /^(?:unknown|unspecified|not (?:specified|stated)|n\/?a|tbd|todo|-)?\.?$/i

/**
 * Decides a skill's licence: what the manifest states, else its front matter, else the nearest licence
 * file. What is not known to permit handing on does not permit it.
 */
export const decideLicence = ({ row, front, files }: LicenceEvidence): Licence => {
  const stated = [row, front]
    .map((text) => foldLine(text ?? ''))
    .find((text) => !NO_STATEMENT.test(text))
  if (stated !== undefined && !isPointer(stated)) return judgeStatement(stated)
  const [nearest] = files
  if (nearest) return judgeFile(nearest)
  return { refusal: 'neither it nor its repository states a licence' }
}
