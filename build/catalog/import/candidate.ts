import { createHash } from 'node:crypto'
import { closeSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isInternal, splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { FILE_LIMIT, findExcess } from '../../../src/catalog/folder-files.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { OwnFiles } from '../../../src/catalog/needs/files.ts'
import { decodeText, showValue } from '../../../src/catalog/text.ts'
import { checkWordCuts } from '../check/check-fields.ts'
import { CATEGORIES } from '../../../src/catalog/categories.ts'
import { classify } from '../classify/classify.ts'
import { openCopied, readCopied } from '../store/write.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import type { CopiedFile } from '../store/write.ts'
import { listCopiedFiles } from './copied.ts'
import type { FileNotice } from './copied.ts'
import { readFrontMatter } from './repair.ts'
import { findDeadLinks, findHeadFault, findNameFaults, readHead } from './file-faults.ts'
import type { FoundSkill } from './find.ts'
import type { Warning } from './notices.ts'
import type { LastChange } from './git/repository.ts'
import type { GitFiles } from './git/tracked.ts'
import { decideLicence, identifyLicence } from './licence/licence.ts'
import type { createLicenceReader } from './licence/licence.ts'
import type { Provenance } from './origin.ts'
import { SkipError, cleanFields, digestBody, findBadFile } from './skill-md.ts'

type SkillFields = ReturnType<typeof cleanFields>['fields']

/** A skill of a source that can be imported. */
export interface Candidate extends Required<SkillFields>, Provenance {
  /** Who looks after it, if the row of its source says so. */
  owner?: SkillRecord['owner']
  path: string
  /** Path of its SKILL.md in messages. */
  file: string
  folderName: string
  /** The files to copy; none if the licence does not allow it. */
  files: CopiedFile[]
  licence?: string
  /** What states its licence; undefined if nothing does, or its registry. */
  licencePlace: string | undefined
  isCopied: boolean
  /** All its files, also if the licence does not allow to copy them. */
  read: CopiedFile[]
  /** Whether it is a symlink inside its source. */
  isLink: boolean
  /** SHA-256 of its SKILL.md. */
  textDigest: string
  /** The digest by which it is recognized once it was retired. */
  bodyDigest: string
  /** Whether its source was fetched over the network; a local copy proves nothing about it. */
  isFetched: boolean
  /** Finds nothing if the source has no history: file dates are those of the copy. */
  findChange: () => Promise<LastChange | undefined> | undefined
  /** Whether its author marks it as internal; a registry may list its own skills all the same. */
  isInternal: boolean
  /** Warnings to its author. */
  warnings: Warning[]
}

/** The source, as far as reading a skill needs it. */
interface CandidateSource {
  /** Prefix of paths in messages if there are several sources. */
  label: string
  /** Name of the source's root, for a skill in the root. */
  rootName: string
  git: GitFiles
  readLicence: ReturnType<typeof createLicenceReader>
  isFetched: boolean
  /** The names of the categories of the registry. */
  categories: readonly string[]
}

/** A skill of a source, with the files that decide whether it can be imported. */
interface OpenedCandidate extends ReturnType<typeof listWithNotices> {
  skill: FoundSkill
  skillMd: Buffer
  licence: ReturnType<CandidateSource['readLicence']>
}

/** A skill to read, and its source. */
export interface ReadTask {
  skill: FoundSkill
  provenance: Provenance
  source: CandidateSource
}

const HEAD_FAULTS = {
  crlf: 'its first line ends in CRLF, so Unix systems cannot run it; save it with LF line ends',
  pointer: 'a Git LFS pointer, which copies have instead of the file; commit the file itself',
} as const

/** Opens every file; gives a notice of those whose start shows a fault. Throws the system's error. */
const readHeads = (files: readonly CopiedFile[]): FileNotice[] =>
  files.flatMap(({ path, from }) => {
    const file = openCopied(from)
    try {
      const kind = findHeadFault(readHead(file))
      return kind === undefined ? [] : { kind, path, message: `${path} — ${HEAD_FAULTS[kind]}` }
    } finally {
      closeSync(file)
    }
  })

/** Notices of files that a copy has, but not every reader can use. */
const findFaults = (files: readonly CopiedFile[], text: string, name: string): FileNotice[] => {
  const paths = files.map((file) => file.path)
  const names = findNameFaults(paths).map(({ path, detail }): FileNotice => {
    const message = `${path} — ${detail}; rename it`
    return { kind: 'windows', path, message }
  })
  const dead = findDeadLinks(text.replace(/\r\n?/g, '\n'), new OwnFiles(paths, [name]))
  const links = typeof dead === 'string' ? [] : dead
  return [
    ...names,
    ...links.map(({ href }): FileNotice => {
      const message = `${showValue(href, 200)} — a link to a file that the skill does not have`
      return { kind: 'dead', path: SKILL_MD, message }
    }),
  ]
}

/** Notices of values that end where their author wrote ` #`. */
const findCuts = (text: string): FileNotice[] =>
  checkWordCuts(text).map(({ detail }) => {
    const message = `${detail}; what follows " #" is a comment, so put the value in quotes`
    return { kind: 'cut', path: SKILL_MD, message }
  })

/**
 * Lists the files of a skill with notices about them. Throws SkipError, or the system's error for an unreadable file.
 */
const listWithNotices = (
  skill: FoundSkill,
  git: GitFiles,
): { files: CopiedFile[]; notices: FileNotice[]; heads: FileNotice[] } => {
  const listed = listCopiedFiles(skill, git)
  // Opened now, because failing later would leave half a skill.
  const heads = readHeads(listed.files)
  const [excess] = findExcess(listed.files)
  if (excess !== undefined) {
    const reason = `the folder has ${excess}`
    throw new SkipError({ reason, remedy: 'leave out what no agent reads' })
  }
  return { ...listed, heads }
}

/** Why a skill's SKILL.md is not among the files to copy. */
const explainNoSkillMd = (skill: FoundSkill, notices: readonly FileNotice[]): SkipError => {
  const kind = notices.find(({ path }) => path === skill.fileName)?.kind
  if (kind === 'untracked')
    return new SkipError({ reason: 'git does not track the file', remedy: 'add it to git' })
  if (kind === 'text') {
    const reason = 'the file is a symlink that was stored as text'
    return new SkipError({ reason, remedy: 'check the source out with symlinks' })
  }
  const stats = statSync(join(skill.folder, skill.fileName), { throwIfNoEntry: false })
  if (stats && stats.size > FILE_LIMIT) {
    const reason = `the file has ${stats.size} bytes; at most ${FILE_LIMIT} are read`
    return new SkipError({ reason, remedy: 'move what is long into references/' })
  }
  const reason =
    'the file is a symlink that leads nowhere, out of the source or to what git does not track'
  return new SkipError({ reason, remedy: 'copy the text into the folder' })
}

/** Compares a skill with its row in the manifest. */
const checkRow = (
  row: Provenance['row'],
  textDigest: string,
  files: readonly CopiedFile[],
): string[] => {
  const paths = new Set(files.map(({ path }) => path))
  const messages = (row?.references ?? [])
    .filter((path) => !paths.has(path))
    .map((path) => `${showValue(path)} is named in the manifest but does not exist`)
  return row?.sha256 && row.sha256 !== textDigest
    ? ['its sha256 differs from the one in the manifest', ...messages]
    : messages
}

/** Reads the files of a skill. `describeSkip` turns its errors into reasons to skip the skill. */
export const openCandidate = ({ skill, source }: ReadTask): OpenedCandidate => {
  const listed = listWithNotices(skill, source.git)
  const file = listed.files.find((found) => found.path === SKILL_MD)
  if (!file) throw explainNoSkillMd(skill, listed.notices)
  const licence = source.readLicence(skill.folder)
  return { skill, ...listed, skillMd: readCopied(file.from), licence }
}

/**
 * Reads what a skill says; errors as above. These are a stranger's words: call it in bounded time.
 */
export const readCandidate = (
  { skill, skillMd: bytes, ...listed }: OpenedCandidate,
  { provenance, source }: ReadTask,
): Omit<Candidate, 'findChange'> => {
  const { path } = skill
  const { url, row, inRegistry } = provenance
  const text = decodeText(bytes)
  const bad = findBadFile(text)
  if (bad) throw new SkipError(bad)
  const textDigest = createHash('sha256').update(bytes).digest('hex')
  const { front, repair } = readFrontMatter(text)
  const folderName = path === '' ? source.rootName : basename(path)
  const { fields, messages } = cleanFields(front, folderName, source.categories)
  const faults = findFaults(listed.files, text, folderName)
  // The fields of a broken front matter were not read as one YAML.
  const cuts = repair === undefined ? findCuts(text) : []
  const nearest = identifyLicence(listed.licence)
  const licence = decideLicence({ row: row?.licence, front: front.license, file: nearest })
  // The registry may always copy its own skills.
  const missing = inRegistry?.hasText === false ? 'its registry does not have it' : undefined
  const refusal = url === undefined ? undefined : (missing ?? licence.refusal)
  const isCopied = refusal === undefined
  const file = source.label + skill.file
  const warnings = [
    repair ?? [],
    checkRow(row, textDigest, listed.files),
    messages,
    isCopied ? [] : `only its metadata is listed, its text is not copied: ${refusal}`,
  ].flat()
  // The classifier knows the words of the nine alone.
  const isContract = source.categories === CATEGORIES
  const guess = isContract ? classify({ ...fields, body: splitSkillMd(text).body }) : ''
  return {
    ...fields,
    category: fields.category ?? guess,
    ...(inRegistry && {
      name: inRegistry.name,
      description: inRegistry.description,
      category: inRegistry.category,
    }),
    ...provenance,
    path,
    file,
    folderName,
    files: isCopied ? listed.files : [],
    ...(licence.label !== undefined && { licence: licence.label }),
    licencePlace: inRegistry ? undefined : licence.place,
    isCopied,
    read: listed.files,
    isLink: skill.link !== undefined,
    textDigest,
    bodyDigest: digestBody(text),
    isInternal: url !== undefined && !inRegistry && isInternal(front),
    isFetched: source.isFetched,
    warnings: [
      ...[...(isCopied ? [...listed.notices, ...listed.heads, ...faults] : []), ...cuts].map(
        ({ kind, message }) => ({ path: file, message, kind }),
      ),
      ...warnings.map((message) => ({ path: file, message })),
    ],
  }
}
