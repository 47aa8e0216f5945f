import { createHash } from 'node:crypto'
import { closeSync, existsSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { splitSkillMd } from '../../../src/catalog/front-matter.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import { FILE_LIMIT, UNPACK_LIMITS, listSkillFiles } from '../../../src/catalog/skill-folder.ts'
import { RECORD_FILE, SKILL_MD } from '../../../src/catalog/skill.ts'
import { decodeText, showValue } from '../../../src/catalog/text.ts'
import { classify } from '../classify/classify.ts'
import { openCopied, readCopied } from '../store/write.ts'
import type { CopiedFile } from '../store/write.ts'
import { isInFolder, isSkillMd } from './find.ts'
import { readFrontMatter } from './repair.ts'
import type { FoundSkill } from './find.ts'
import type { LastChange } from './git/repository.ts'
import { openGitFiles } from './git/tracked.ts'
import type { GitFiles } from './git/tracked.ts'
import { createLicenceFinder, decideLicence } from './licence/licence.ts'
import type { Provenance } from './origin.ts'
import { SkipError, findBadFile, cleanFields } from './skill-md.ts'

type SkillFields = ReturnType<typeof cleanFields>['fields']

/** A skill of a source that can be imported. */
export interface Candidate extends Required<SkillFields>, Provenance {
  path: string
  /** Path of its SKILL.md in messages. */
  file: string
  folderName: string
  /** The files to copy; none if the licence does not allow it. */
  files: CopiedFile[]
  licence?: string
  /** What states its licence. */
  licencePlace: string | undefined
  isCopied: boolean
  /** All its files, also if the licence does not allow to copy them. */
  read: CopiedFile[]
  /** Whether it is a symlink inside its source. */
  isLink: boolean
  /** SHA-256 of its SKILL.md. */
  textDigest: string
  /** Whether its source was fetched over the network; a local copy proves nothing about it. */
  isFetched: boolean
  /** Finds nothing if the source has no history: file dates are those of the copy. */
  findChange: () => Promise<LastChange | undefined> | undefined
  /** Warnings to its author. */
  warnings: { path: string; message: string }[]
}

/** The source, as far as reading a skill needs it. */
interface CandidateSource {
  /** Prefix of paths in messages if there are several sources. */
  label: string
  /** Name of the source's root, for a skill in the root. */
  rootName: string
  bounds: string
  git: GitFiles
  findLicence: ReturnType<typeof createLicenceFinder>
  isFetched: boolean
}

/** What `readCandidate` reads. */
export interface ReadTask {
  skill: FoundSkill
  provenance: Provenance
  source: Omit<CandidateSource, 'findLicence' | 'git'>
}

/** Opens what finds licences and asks git, both of which remember what they read of a source. */
export const openSource = ({ bounds }: ReadTask['source']) => ({
  findLicence: createLicenceFinder(bounds),
  git: openGitFiles(bounds),
})

/** The mode in git of a file that its owner may start. */
const EXECUTABLE = '100755'

const checkAmount = (amount: number, unit: string, limit: number): void => {
  if (amount <= limit) return
  const reason = `the folder has ${amount} ${unit}; clients unpack at most ${limit}`
  throw new SkipError({ reason, remedy: 'leave out what no agent reads' })
}

/**
 * Lists the files of a skill, without those of inner skills; the messages name omitted files. Throws SkipError, or the
 * system's error for an unreadable file.
 */
const listFiles = (
  skill: FoundSkill,
  git: GitFiles,
): { files: CopiedFile[]; messages: string[] } => {
  const isInner = (path: string): boolean => skill.inner.some((inner) => isInFolder(path, inner))
  const listed = listSkillFiles(skill.folder, '', git.judgeTarget, skill.link === 'folder')
  const folder = realpathSync(skill.folder)
  const files = listed.files
    .filter(({ path }) => !isInner(path) && (path === skill.fileName || !isSkillMd(path)))
    .map(({ path, size, isExecutable: onDisk }) => {
      const from = listed.targets.get(path) ?? join(folder, path)
      const mode = git.findMode(from)
      // A disk may know no modes, or give the same to all.
      const isExecutable = mode === undefined ? onDisk : mode === EXECUTABLE || undefined
      return { path: path === skill.fileName ? SKILL_MD : path, from, size, isExecutable }
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  // Opened now, because failing later would leave half a skill.
  for (const { from } of files) closeSync(openCopied(from))
  checkAmount(files.length, 'files', UNPACK_LIMITS.files)
  checkAmount(
    files.reduce((sum, { size }) => sum + size, 0),
    'bytes',
    UNPACK_LIMITS.bytes,
  )
  // Paths begin with the slash after an empty label. A problem without path or value is about the size of
  // the whole folder, which was checked above without the inner skills.
  const problems = listed.problems.filter(
    ({ file, value }) => (file !== '/' || value !== undefined) && !isInner(file.slice(1)),
  )
  const messages = problems.map((problem) => `left out: ${renderProblem(problem).slice(1)}`)
  if (existsSync(join(skill.folder, RECORD_FILE))) {
    messages.push(`left out: ${RECORD_FILE} — the registry's own record has that name`)
  }
  return { files, messages }
}

/** Why a skill's SKILL.md is not among the files to copy. */
const explainMissing = (skill: FoundSkill): SkipError => {
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
    ? ['the file is not the one that the manifest describes: its sha256 differs', ...messages]
    : messages
}

/**
 * Reads a skill without writing anything. `describeSkip` turns its errors into reasons to skip the skill.
 */
export const readCandidate = (
  skill: FoundSkill,
  provenance: Provenance,
  source: CandidateSource,
): Omit<Candidate, 'findChange'> => {
  const { path } = skill
  const { url, row, inRegistry } = provenance
  const listed = listFiles(skill, source.git)
  const skillMd = listed.files.find((one) => one.path === SKILL_MD)
  if (!skillMd) throw explainMissing(skill)
  const bytes = readCopied(skillMd.from)
  const text = decodeText(bytes)
  const bad = findBadFile(text)
  if (bad) throw new SkipError(bad)
  const textDigest = createHash('sha256').update(bytes).digest('hex')
  const { front, repair } = readFrontMatter(text)
  const folderName = path === '' ? source.rootName : basename(path)
  const { fields, messages } = cleanFields(front, folderName)
  const nearest = source.findLicence(skill.folder)
  const licence = decideLicence({ row: row?.licence, front: front.license, file: nearest })
  // The registry may always copy its own skills.
  const missing = inRegistry?.hasText === false ? 'its registry does not have it' : undefined
  const refusal = url === undefined ? undefined : (missing ?? licence.refusal)
  const isCopied = refusal === undefined
  const file = source.label + skill.file
  const warnings = [
    repair ?? [],
    isCopied ? listed.messages : [],
    checkRow(row, textDigest, listed.files),
    messages,
    isCopied ? [] : `only its metadata is listed, its text is not copied: ${refusal}`,
  ].flat()
  return {
    ...fields,
    category: fields.category ?? classify({ ...fields, body: splitSkillMd(text).body }),
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
    licencePlace: inRegistry ? 'its registry' : licence.place,
    isCopied,
    read: listed.files,
    isLink: skill.link !== undefined,
    textDigest,
    isFetched: source.isFetched,
    warnings: warnings.map((message) => ({ path: file, message })),
  }
}
