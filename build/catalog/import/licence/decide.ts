import { foldLine } from '../../../../src/catalog/text.ts'
import { NAME_LIMIT } from '../../../../src/catalog/schema.ts'
import { cutAtWord } from '../clean.ts'
import { isRedistributable, parseLicenceName } from './names.ts'

/** What is known of a skill's licence, from the nearest to the farthest. */
export interface LicenceEvidence {
  /** What a manifest's row says: the curator looked. */
  row?: string | undefined
  /** What the front matter says. */
  front?: string | undefined
  /** The file in the skill's folder, then in the folders above it up to the repository's root. */
  files: readonly LicenceFile[]
}

/** A licence file: where it lies, and the licence that its text is, where it is one we know. */
export interface LicenceFile {
  path: string
  /** Whether it lies in the skill's own folder. */
  isOwn: boolean
  id?: string | undefined
}

/** A skill's licence as it is shown, and whether its text may be handed on. */
export interface Licence {
  label?: string
  /** Why the text may not be copied; undefined where it may. */
  obstacle?: string
}

const judge = (id: string): Licence =>
  isRedistributable(id)
    ? { label: id }
    : { label: id, obstacle: `its licence, ${id}, does not let everyone hand it on` }

const judgeStatement = (statement: string): Licence => {
  const id = parseLicenceName(statement)
  if (id !== undefined) return judge(id)
  const label = cutAtWord(foldLine(statement), NAME_LIMIT)
  return {
    label,
    obstacle: `its licence, ${JSON.stringify(label)}, is none that is known to allow it`,
  }
}

const judgeFile = ({ path, id }: LicenceFile): Licence =>
  id === undefined ? { obstacle: `${path} is no licence that is known to allow it` } : judge(id)

/** A statement that only points at a file: "Complete terms in LICENSE.txt", "see LICENSE". */
const LEAD_IN = /^(?:for )?(?:(?:complete|full) )?(?:licen[sc]e )?(?:terms |text )?(?:in |see )/i
const FILE_NAME = /^(?:the )?(?:\.\/)?(?:licen[sc]e|copying)[\w.-]*(?: file)?\.?$/i

const isPointer = (statement: string): boolean => FILE_NAME.test(statement.replace(LEAD_IN, ''))

/** Words that stand where a licence should and name none. */
const NO_STATEMENT = /^(?:unknown|unspecified|not (?:specified|stated)|n\/?a|tbd|todo|-)?\.?$/i

/**
 * Decides a skill's licence: the manifest's word, else the skill's own front matter and file, else
 * the nearest licence file above it. What is not known to permit handing on does not permit it.
 */
export const decideLicence = ({ row, front, files }: LicenceEvidence): Licence => {
  const stated = [row, front]
    .map((text) => foldLine(text ?? ''))
    .find((text) => !NO_STATEMENT.test(text))
  if (stated !== undefined && !isPointer(stated)) return judgeStatement(stated)
  const own = files.find(({ isOwn }) => isOwn)
  if (own) return judgeFile(own)
  const [nearest] = files
  if (nearest) return judgeFile(nearest)
  return { obstacle: 'neither it nor its repository states a licence' }
}
