import { hash } from 'node:crypto'
import { closeSync, statSync } from 'node:fs'
import { basename, join, posix } from 'node:path'
import { ifThere } from '../../../src/catalog/disk-errors.ts'
import { isInternal, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import type { FrontMatter } from '../../../src/catalog/front-matter.ts'
import { FILE_LIMIT, findExcess } from '../../../src/catalog/folder-files.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { OwnFiles } from '../../../src/catalog/needs/files.ts'
import { decodeText, showValue } from '../../../src/catalog/text.ts'
import { findUnquoted } from '../check/check-fields.ts'
import { makeProblem } from '../rules.ts'
import { CATEGORIES } from '../../../src/catalog/categories.ts'
import { classify } from '../classify/classify.ts'
import { openCopied, readCopied } from '../store/write.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import type { CopiedFile } from '../store/write.ts'
import { listCopiedFiles } from './copied.ts'
import { readFrontMatter } from './repair.ts'
import {
  findBadNames,
  findHeadFault,
  findNameFaults,
  findUploadFaults,
  readHead,
} from './file-faults.ts'
import type { FileViolation } from './file-faults.ts'
import type { FoundSkill } from './find.ts'
import { sayLeftOut } from './notices.ts'
import type { LastChange } from './git/last-change.ts'
import type { GitFiles } from './git/tracked.ts'
import type { createLicenceReader } from './licence/folder.ts'
import { decideLicence } from './licence/licence.ts'
import type { LicenceChoice } from './licence/licence.ts'
import type { Provenance } from './origin.ts'
import { SkipError, cleanFields, digestBody, findBadFile } from './skill-md.ts'
import type { SkillFields } from './skill-md.ts'

/** A skill from a source, ready to import. */
export interface Candidate extends Required<SkillFields>, Provenance {
  /** The skill's maintainer, if sources.json names one for the source. */
  owner?: SkillRecord['owner']
  path: string
  /** Path of its SKILL.md, as shown in messages. */
  file: string
  folderName: string
  /** The files to copy; empty if the licence does not allow copies. */
  files: CopiedFile[]
  licence?: string
  /** The file or field that states the licence; undefined if nothing does, or several places. */
  licencePlace: string | undefined
  /** If the licence is open: the digest of what states it. */
  licenceDigest: string | undefined
  /** Why its text is not copied. */
  refusal: string | undefined
  isCopied: boolean
  /** All its files, even if the licence does not allow copying them. */
  allFiles: CopiedFile[]
  /** Whether it is a symlink to a file or folder in the same source. */
  isLink: boolean
  /** SHA-256 of its SKILL.md. */
  textDigest: string
  /** Digest of the text without front matter, by which a retired skill is recognized if it returns. */
  bodyDigest: string
  /** Finds the day of the last change in the source's history; none without history, as copying resets file dates. */
  findChange: () => Promise<LastChange | undefined> | undefined
  /** Whether the source's history has a commit; undefined if that is not known. */
  hasCommit: (commit: string) => Promise<boolean | undefined>
  /** Whether its author marked it as internal. */
  isInternal: boolean
  /** What is wrong with its files, and what the import changed. */
  warnings: Problem[]
}

/** The parts of a source that are needed to read a skill. */
interface CandidateSource {
  /** Name of the source's root folder, used for a skill in the root. */
  rootName: string
  git: GitFiles
  readLicence: ReturnType<typeof createLicenceReader>
  categories: readonly string[]
}

/** A skill from a source, with its files opened but not yet parsed. */
interface OpenedCandidate extends ReturnType<typeof listWithFaults> {
  skill: FoundSkill
  skillMd: Buffer
  licence: ReturnType<CandidateSource['readLicence']>
}

/** A skill to read, and where it comes from. */
export interface ReadTask {
  skill: FoundSkill
  provenance: Provenance
  source: CandidateSource
  /** What the catalog's record says about its licence. */
  choice: LicenceChoice | undefined
}

/** Opens every file, and finds faults at its start. Throws the system's error. */
const readHeads = (files: readonly CopiedFile[]): FileViolation[] =>
  files.flatMap(({ path, from }) => {
    const file = openCopied(from)
    try {
      const rule = findHeadFault(readHead(file))
      return rule === undefined ? [] : { path, rule }
    } finally {
      closeSync(file)
    }
  })

/** Finds files that are copied but that some systems cannot use, and dead links to files. */
const findFaults = (
  files: readonly CopiedFile[],
  text: string,
  front: FrontMatter,
  name: string,
): FileViolation[] => {
  const paths = files.map((file) => file.path)
  const bad = findBadNames(text.replace(/\r\n?/g, '\n'), new OwnFiles(paths, [name]))
  const dead = typeof bad === 'string' ? [] : bad.filter(({ file }) => file === undefined)
  return [
    ...findNameFaults(paths),
    ...findUploadFaults(front, paths),
    ...dead.map(({ name: href }) => {
      return { path: SKILL_MD, rule: 'link-dead', detail: showValue(href, 200) }
    }),
  ]
}

/** Lists a skill's files, and what is wrong with them. Throws SkipError, or the system's error for an unreadable file. */
const listWithFaults = (skill: FoundSkill, git: GitFiles) => {
  const listed = listCopiedFiles(skill, git)
  // Open every file now: a failure during copying would leave half a skill.
  const heads = readHeads(listed.files)
  const [excess] = findExcess(listed.files)
  if (excess !== undefined) throw new SkipError({ rule: 'too-much', detail: excess })
  return { ...listed, heads }
}

/** Explains why SKILL.md is not among the files to copy. */
const explainNoSkillMd = (skill: FoundSkill, omitted: readonly FileViolation[]): SkipError => {
  const known = omitted.find(({ path }) => path === skill.fileName)
  if (known) return new SkipError(known)
  const stats = ifThere(() => statSync(join(skill.folder, skill.fileName)))
  if (stats && stats.size > FILE_LIMIT) {
    const message = `a file of ${stats.size} bytes; at most ${FILE_LIMIT} are read`
    const remedy = 'move long sections into references/'
    return new SkipError({ rule: 'file-size', message, remedy })
  }
  const message =
    'the file is a symlink that leads nowhere, out of the source or to a file that git does not track'
  return new SkipError({ rule: 'link', message, remedy: 'copy the text into the folder' })
}

/** Opens a skill's files. Pass errors to `describeSkip`, which turns them into reasons to skip the skill. */
export const openCandidate = ({ skill, source }: ReadTask): OpenedCandidate => {
  const listed = listWithFaults(skill, source.git)
  const file = listed.files.find((found) => found.path === SKILL_MD)
  if (!file) throw explainNoSkillMd(skill, listed.omitted)
  const licence = source.readLicence(skill.folder)
  return { skill, ...listed, skillMd: readCopied(file.from), licence }
}

/** Parses a skill's files; throws like `openCandidate`. The text is untrusted: call it with a time limit. */
export const readCandidate = (
  { skill, skillMd: bytes, ...listed }: OpenedCandidate,
  { provenance, source, choice }: ReadTask,
): Omit<Candidate, 'findChange' | 'hasCommit'> => {
  const { path } = skill
  const { url } = provenance
  const text = decodeText(bytes)
  const bad = findBadFile(text)
  if (bad) throw new SkipError(bad)
  const textDigest = hash('sha256', bytes)
  const { front, repair } = readFrontMatter(text)
  const folderName = path === '' ? source.rootName : basename(path)
  const { fields, messages } = cleanFields(front, folderName, source.categories)
  const faults = findFaults(listed.files, text, front, folderName)
  // Fields of broken front matter are read separately, so the check for cut values does not apply.
  const cuts = repair === undefined ? findUnquoted(text) : []
  const licence = decideLicence({
    skillMd: text,
    stated: front.license,
    sources: listed.licence,
    choice,
  })
  // A registry's own skills may always be copied.
  const refusal = url === undefined ? undefined : licence.refusal
  const isCopied = refusal === undefined
  const { file } = skill
  const inFiles = isCopied ? [...listed.omitted, ...listed.heads, ...faults] : []
  const adapted = [repair ?? [], messages].flat()
  // The classifier knows only the nine standard categories.
  const isStandard = source.categories === CATEGORIES
  const guess = isStandard ? classify({ ...fields, body: splitSkillMd(text).body }) : ''
  return {
    ...fields,
    category: fields.category ?? guess,
    ...provenance,
    path,
    file,
    folderName,
    files: isCopied ? listed.files : [],
    ...(licence.label !== undefined && { licence: licence.label }),
    licencePlace: licence.place,
    licenceDigest: url === undefined ? undefined : licence.digest,
    refusal,
    isCopied,
    allFiles: listed.files,
    isLink: skill.link !== undefined,
    textDigest,
    bodyDigest: digestBody(text),
    isInternal: url !== undefined && isInternal(front),
    warnings: [
      ...(isCopied ? listed.problems : []).map((problem) => {
        return sayLeftOut({ ...problem, file: posix.join(path, problem.file) })
      }),
      ...inFiles.map(({ path: inside, ...violation }) =>
        makeProblem(posix.join(path, inside), violation),
      ),
      ...cuts.map((violation) => makeProblem(file, violation)),
      ...adapted.map((message) => makeProblem(file, { rule: 'adapted', message })),
    ],
  }
}
