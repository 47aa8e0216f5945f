import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { decodeText, showValue } from '../../../src/catalog/text.ts'
import { splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { SKILL_MD } from '../../../src/catalog/skill-folder.ts'
import type { CopiedFile } from '../store/skill-folder.ts'
import { findFault } from './bad-file.ts'
import type { Fault } from './bad-file.ts'
import { listCandidateFiles } from './candidate-files.ts'
import { cleanFields } from './clean-fields.ts'
import type { CleanFields } from './clean-fields.ts'
import { folderInBounds } from './find-skills.ts'
import type { FoundSkill } from './find-skills.ts'
import type { LastChange } from './git/history.ts'
import { decideLicence } from './licence/decide.ts'
import type { LicenceFile } from './licence/decide.ts'
import type { Provenance } from './origin.ts'
import { describeMissing, describeReading } from './reading-faults.ts'
import { readFrontMatter } from './repair.ts'
import type { ReadFrontMatter } from './repair.ts'
import type { Skip, Warning } from './report.ts'

/** A skill that can be imported. */
export interface Candidate extends CleanFields {
  /** Its folder from the source's root. */
  path: string
  /** Its SKILL.md, as messages name it. */
  file: string
  /** Name of its folder, for a slug where the name gives none. */
  folderName: string
  provenance: Provenance
  /** What the catalog holds of it: nothing where the licence does not let it. */
  files: CopiedFile[]
  licence?: string
  isCopied: boolean
  /** Whether it is a link to what lies elsewhere in its source. */
  isLink: boolean
  /** Text below its front matter. */
  body: string
  /** Digest of its SKILL.md. */
  sha256: string
  /** Whether its source knows when it was last changed; else only its file's day on this disk does. */
  hasHistory: boolean
  /** Asks when it was last changed: its source's history, or its file's day on this disk. */
  findChange: () => Promise<LastChange>
}

/** What reading a skill needs of its source. */
export interface CandidateSource {
  /** Before paths in messages, where there are several sources. */
  label: string
  /** Name of the source's root, for a skill that lies there. */
  rootName: string
  /** Real folder that no link may lead out of. */
  bounds: string
  findLicences: (folder: string) => LicenceFile[]
  /** Tells when a folder below the bounds was last changed; left out, the file's own day counts. */
  findChange?: ((folder: string) => Promise<LastChange>) | undefined
}

interface Read {
  candidate: Candidate
  warnings: Warning[]
}

/** A candidate with what was noticed on the way, or why there is none. */
export type Reading = Read | { skip: Skip }

interface ReadText extends ReadFrontMatter {
  body: string
  sha256: string
}

const readSkillMd = (from: string): ReadText | Fault => {
  const bytes = readFileSync(from)
  const text = decodeText(bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return findFault(text) ?? { ...readFrontMatter(text), body: splitSkillMd(text).body, sha256 }
}

const checkRow = ({ row }: Provenance, sha256: string, files: readonly CopiedFile[]): string[] => {
  const lies = new Set(files.map(({ path }) => path))
  const missing = (row?.references ?? []).filter((path) => !lies.has(path))
  return [
    ...(row?.sha256 && row.sha256 !== sha256
      ? ['the file is not the one that the manifest describes: its sha256 differs']
      : []),
    ...missing.map((path) => `${showValue(path)}, which the manifest names, is not there`),
  ]
}

const chooseChange = (
  skill: FoundSkill,
  from: string,
  source: CandidateSource,
): (() => Promise<LastChange>) => {
  const { findChange, bounds } = source
  if (findChange) return () => findChange(folderInBounds(skill, bounds))
  const day = statSync(from).mtime.toISOString().slice(0, 10)
  return () => Promise.resolve({ day })
}

/** Takes the files of a skill along, or says why its licence keeps them where they are. */
const judgeLicence = (
  skill: FoundSkill,
  { url, row }: Provenance,
  front: string | undefined,
  source: CandidateSource,
): Pick<Candidate, 'licence' | 'isCopied'> & { messages: string[] } => {
  const files = source.findLicences(skill.folder)
  const { label, obstacle } = decideLicence({ row: row?.licence ?? undefined, front, files })
  const licence = label === undefined ? {} : { licence: label }
  // What the registry says is its own is its to give.
  if (url === undefined || obstacle === undefined)
    return { ...licence, isCopied: true, messages: [] }
  return {
    ...licence,
    isCopied: false,
    messages: [`only its metadata is listed, its text is not copied: ${obstacle}`],
  }
}

const read = (skill: FoundSkill, provenance: Provenance, source: CandidateSource): Fault | Read => {
  const listed = listCandidateFiles(skill, source.bounds)
  if ('reason' in listed) return listed
  const skillMd = listed.files.find((one) => one.path === SKILL_MD)
  if (!skillMd) return describeMissing(skill)
  const text = readSkillMd(skillMd.from)
  if ('reason' in text) return text
  const { path } = skill
  const folderName = path === '' ? source.rootName : basename(path)
  const cleaned = cleanFields(text.front, folderName)
  if ('reason' in cleaned) return cleaned
  const licence = judgeLicence(skill, provenance, text.front.license, source)
  const messages = [
    ...(text.repair === undefined ? [] : [text.repair]),
    ...(licence.isCopied ? listed.messages : []),
    ...checkRow(provenance, text.sha256, listed.files),
    ...cleaned.messages,
    ...licence.messages,
  ]
  const file = labelFile(skill, source)
  return {
    candidate: {
      ...cleaned.fields,
      path,
      file,
      folderName,
      provenance,
      files: licence.isCopied ? listed.files : [],
      ...(licence.licence === undefined ? {} : { licence: licence.licence }),
      isCopied: licence.isCopied,
      isLink: skill.isLink,
      body: text.body,
      sha256: text.sha256,
      hasHistory: source.findChange !== undefined,
      findChange: chooseChange(skill, skillMd.from, source),
    },
    warnings: messages.map((message) => ({ path: file, message })),
  }
}

const labelFile = ({ path, fileName }: FoundSkill, { label }: CandidateSource): string =>
  label + (path === '' ? fileName : `${path}/${fileName}`)

/** Reads a skill of the source, without writing anything. */
export const readCandidate = (
  skill: FoundSkill,
  provenance: Provenance,
  source: CandidateSource,
): Reading => {
  const refuse = ({ reason, remedy }: Fault): Reading => ({
    skip: { path: labelFile(skill, source), kind: 'bad', reason, remedy },
  })
  try {
    const result = read(skill, provenance, source)
    return 'reason' in result ? refuse(result) : result
  } catch (error) {
    return refuse(describeReading(error))
  }
}
