import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { showValue } from '../../../src/catalog/characters.ts'
import { NotTextError, decodeText } from '../../../src/catalog/decode.ts'
import {
  FrontMatterError,
  parseFrontMatter,
  splitSkillMd,
} from '../../../src/catalog/front-matter.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'
import { FILE_LIMIT, SKILL_MD } from '../../../src/catalog/skill-files.ts'
import { isUnreadable } from '../faults.ts'
import type { CopiedFile } from '../skill-folder.ts'
import { findFault } from './bad-file.ts'
import type { Fault } from './bad-file.ts'
import { listCandidateFiles } from './candidate-files.ts'
import { cleanFields } from './clean-fields.ts'
import type { CleanFields } from './clean-fields.ts'
import type { FoundSkill } from './find-skills.ts'
import type { Provenance } from './origin.ts'
import type { Skip, Warning } from './report.ts'

/** A skill that can be imported. */
export interface Candidate extends CleanFields {
  /** Its folder, and its SKILL.md, from the source's root. */
  path: string
  file: string
  /** Name of its folder, for a slug where the name gives none. */
  folderName: string
  provenance: Provenance
  files: CopiedFile[]
  /** Text below its front matter. */
  body: string
  /** Digest of its SKILL.md. */
  sha256: string
  /** Day its SKILL.md was last changed on this disk, YYYY-MM-DD. */
  modified: string
}

interface Read {
  candidate: Candidate
  warnings: Warning[]
}

/** A candidate with what was noticed on the way, or why there is none. */
export type Reading = Read | { skip: Skip }

/** Says how a front matter is mended; the parser's own advice stands after its last semicolon. */
const describeFrontMatter = ({ message, line }: FrontMatterError): Fault => {
  const at = message.startsWith('YAML') ? -1 : message.lastIndexOf('; ')
  if (message.startsWith('no front matter')) {
    return { reason: message, remedy: 'begin the file with name and description between --- lines' }
  }
  return at < 0
    ? { reason: `line ${line}: ${message}`, remedy: 'correct what stands between the --- lines' }
    : { reason: `line ${line}: ${message.slice(0, at)}`, remedy: message.slice(at + 2) }
}

const describeReading = (error: unknown): Fault => {
  if (error instanceof FrontMatterError) return describeFrontMatter(error)
  if (error instanceof NotTextError) {
    const reason = error.message.replace(/; save it as UTF-8$/, '')
    return { reason, remedy: 'save it as plain text in UTF-8' }
  }
  if (!isUnreadable(error)) throw error
  return {
    reason: `${showValue(basename(error.path ?? ''))} may not be read`,
    remedy: 'change its rights and import again',
  }
}

interface ReadText {
  front: FrontMatter
  body: string
  sha256: string
}

const readSkillMd = (from: string): ReadText | Fault => {
  const bytes = readFileSync(from)
  const text = decodeText(bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return findFault(text) ?? { front: parseFrontMatter(text), body: splitSkillMd(text).body, sha256 }
}

const missingText = (skill: FoundSkill): Fault => {
  const { size } = statSync(join(skill.folder, skill.fileName), { throwIfNoEntry: false }) ?? {
    size: 0,
  }
  return size > FILE_LIMIT
    ? {
        reason: `the file has ${size} bytes; at most ${FILE_LIMIT} are read`,
        remedy: 'move what is long into references/',
      }
    : {
        reason: 'the file is a symlink that leads out of its folder or nowhere',
        remedy: 'copy the text into the folder',
      }
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

const read = (skill: FoundSkill, provenance: Provenance, file: string): Fault | Read => {
  const listed = listCandidateFiles(skill)
  if ('reason' in listed) return listed
  const skillMd = listed.files.find((one) => one.path === SKILL_MD)
  if (!skillMd) return missingText(skill)
  const text = readSkillMd(skillMd.from)
  if ('reason' in text) return text
  const cleaned = cleanFields(text.front)
  if ('reason' in cleaned) return cleaned
  const { path } = skill
  const { files } = listed
  const messages = [
    ...listed.messages,
    ...checkRow(provenance, text.sha256, files),
    ...cleaned.messages,
  ]
  const folderName = basename(path === '' ? skill.folder : path)
  const modified = statSync(skillMd.from).mtime.toISOString().slice(0, 10)
  const { body, sha256 } = text
  const origin = { path, file, folderName, provenance, files, body, sha256, modified }
  return {
    candidate: { ...cleaned.fields, ...origin },
    warnings: messages.map((message) => ({ path: file, message })),
  }
}

/** Reads a skill of the source, without writing anything. */
export const readCandidate = (skill: FoundSkill, provenance: Provenance): Reading => {
  const file = skill.path === '' ? skill.fileName : `${skill.path}/${skill.fileName}`
  const refuse = ({ reason, remedy }: Fault): Reading => ({
    skip: { path: file, kind: 'bad', reason, remedy },
  })
  try {
    const result = read(skill, provenance, file)
    return 'reason' in result ? refuse(result) : result
  } catch (error) {
    return refuse(describeReading(error))
  }
}
