import { statSync, lstatSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { readBit, takeFingerprint } from './fingerprint.ts'
import type { Fingerprint } from './fingerprint.ts'
import { FrontMatterError, parseFrontMatter, synthesizeSkillMd } from './front-matter.ts'
import type { FrontMatter } from './front-matter.ts'
import { findLeftOut } from './left-out.ts'
import type { Notice, NoticeKind } from './left-out.ts'
import { nameLicence } from './licence.ts'
import { isProgram } from './needs/files.ts'
import { collectNeeds } from './needs/needs.ts'
import { listProblems, readRecord } from './problems.ts'
import type { Problem } from './problems.ts'
import { judgeFindings, needsReview, scanSkill } from './safety/scan.ts'
import { skillRecord } from './schema.ts'
import { checkSpecification } from './specification.ts'
import {
  SLUG_RULE,
  isSlug,
  countCharacters,
  CONTROL_CHARACTERS,
  HIDDEN_CHARACTERS,
  countOf,
  decodeLoosely,
  dropFences,
  showValue,
  stripMarks,
  summarize,
} from './text.ts'
import type { Counters, SkillRecord } from './schema.ts'
import { RECORD_FILE, SKILL_MD } from './skill.ts'
import type { Skill, SkillFile } from './skill.ts'
import { estimateTokens } from './tokens.ts'

/** Largest file of a skill, in bytes. */
export const FILE_LIMIT = 5 * 1024 * 1024

/** Limits of what clients unpack for one skill. */
export const UNPACK_LIMITS = { files: 1_000, bytes: 50 * 1024 * 1024 } as const

const FILE_NAME_LIMIT = 200

/** Limits of paths in a source: what is deeper or longer ends git, the system, or programs that walk it. */
const PATH_LIMITS = { folders: 64, bytes: 1_024 } as const

/** Why a path of a source is not read; undefined if it may be. */
export const findPathFault = (path: string): { reason: string; remedy: string } | undefined => {
  // What is not UTF-8 is decoded to this character, and no such name leads back to its file.
  if (path.includes('\uFFFD')) return { reason: 'its name is not UTF-8', remedy: 'rename it' }
  if (path.split('/').length > PATH_LIMITS.folders + 1) {
    const reason = `it lies more than ${PATH_LIMITS.folders} folders deep`
    return { reason, remedy: 'move it up' }
  }
  const bytes = Buffer.byteLength(path)
  if (bytes <= PATH_LIMITS.bytes) return undefined
  const reason = `its path has ${bytes} bytes; at most ${PATH_LIMITS.bytes} are read`
  return { reason, remedy: 'shorten its names' }
}

/** Whether a file may have this name. */
export const isPlainName = (name: string): boolean =>
  name.length <= FILE_NAME_LIMIT &&
  name.isWellFormed() &&
  !name.includes('\\') &&
  !CONTROL_CHARACTERS.test(name) &&
  !HIDDEN_CHARACTERS.test(name)

/**
 * Why the target of a link, which is not a file that copies of the skill have, is not read; undefined if it is. Takes a real path.
 */
export type JudgeTarget = (target: string) => string | undefined

export const refuseTarget: JudgeTarget = () =>
  'a symlink out of the skill folder or to what no copy has; copy the file instead'

interface Walk {
  root: string
  judgeTarget: JudgeTarget
  /** Whether a link led to this folder: its files are judged too, and links to folders are not followed. */
  isLinked: boolean
  label: string
  files: SkillFile[]
  targets: Map<string, string>
  fingerprints: Fingerprint[]
  problems: FileProblem[]
  omitted: Notice[]
}

/** A file that is not read although its author may have wanted it. */
interface FileProblem extends Problem {
  kind: NoticeKind
}

const refuseFile = (
  walk: Walk,
  kind: NoticeKind,
  path: string,
  remedy: string,
  value?: unknown,
): void => {
  walk.problems.push({ file: `${walk.label}/${path}`, field: '', value, remedy, kind })
}

const takeFile = (walk: Walk, path: string, full: string): void => {
  const stats = statSync(full)
  const { size, ctimeMs } = stats
  const bit = readBit(stats)
  if (full !== join(walk.root, path)) walk.targets.set(path, full)
  walk.fingerprints.push({ path, size, changed: ctimeMs, ...bit })
  if (size > FILE_LIMIT) {
    refuseFile(walk, 'limit', path, `a file of ${size} bytes; at most ${FILE_LIMIT}`)
  } else walk.files.push({ path, size, ...bit })
}

const takeLink = (walk: Walk, path: string, full: string): void => {
  let target: string
  try {
    // The native function spells names as the disk does, where it ignores their case.
    target = realpathSync.native(full)
  } catch {
    return refuseFile(walk, 'link', path, 'a symlink that leads nowhere; remove it')
  }
  // Resolved lazily: it costs a system call, and most folders have no links.
  const root = realpathSync.native(walk.root)
  const parts = relative(root, target).split(sep)
  const refusal = walk.judgeTarget(target)
  // Wherever it lies, and whoever tracks it.
  if (parts.some((part) => findLeftOut(part) !== undefined))
    return refuseFile(walk, 'link', path, refusal ?? refuseTarget(target)!)
  const isOutside = parts[0] === '..'
  if (refusal !== undefined && (isOutside || walk.isLinked))
    return refuseFile(walk, 'link', path, refusal)
  const stats = statSync(target)
  if (stats.isFile()) return takeFile(walk, path, target)
  // A link to a parent folder would recurse without end.
  const isCircle = `${root}${sep}`.startsWith(target + sep)
  if (refusal !== undefined || walk.isLinked || isCircle || !stats.isDirectory()) {
    return refuseFile(walk, 'link', path, 'a symlink to a folder; copy the files instead')
  }
  walkFolder({ ...walk, isLinked: true }, path, target)
}

/** `inside` is the path of a folder in the skill, `real` where it lies. */
const walkFolder = (walk: Walk, inside: string, real: string): void => {
  const fingerprint = takeFingerprint(walk.root, inside)
  if (fingerprint) walk.fingerprints.push(fingerprint)
  const entries = readdirSync(real, { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = inside ? `${inside}/${entry.name}` : entry.name
    const full = join(real, entry.name)
    // The record belongs to the registry.
    if (path === RECORD_FILE) continue
    const leftOut = findLeftOut(entry.name)
    if (leftOut) {
      walk.omitted.push({ kind: leftOut, path: entry.isDirectory() ? `${path}/` : path })
      continue
    }
    const fault = findPathFault(path)
    if (fault) {
      const shown = path.length > FILE_NAME_LIMIT ? `${path.slice(0, FILE_NAME_LIMIT)}…` : path
      refuseFile(walk, 'name', shown, `${fault.reason}; ${fault.remedy}`)
      continue
    }
    if (!isPlainName(entry.name)) {
      refuseFile(walk, 'name', inside, 'a file name with odd characters; rename it', entry.name)
      continue
    }
    const isLink = entry.isSymbolicLink()
    const refusal = walk.isLinked && !isLink ? walk.judgeTarget(full) : undefined
    if (isLink) takeLink(walk, path, full)
    else if (refusal !== undefined) refuseFile(walk, 'link', path, refusal)
    else if (entry.isDirectory()) walkFolder(walk, path, full)
    else if (entry.isFile()) takeFile(walk, path, full)
    else refuseFile(walk, 'special', path, 'neither a file nor a folder; remove it')
  }
}

const skillMdFirst = (a: SkillFile, b: SkillFile): number =>
  Number(b.path === SKILL_MD) - Number(a.path === SKILL_MD) || (a.path < b.path ? -1 : 1)

interface ListedFiles extends Pick<Walk, 'files' | 'problems' | 'omitted'> {
  /** Of all files and folders. */
  fingerprints: Fingerprint[]
  /** The real paths of files that a link leads to, by their path in the skill. */
  targets: ReadonlyMap<string, string>
}

/**
 * Lists the files of a skill's folder, SKILL.md first. Links to what is not read, unusual names, and too many or too
 * large files are problems. `isLinked` says that a link led to the folder.
 */
export const listSkillFiles = (
  folder: string,
  label: string,
  judgeTarget = refuseTarget,
  isLinked = false,
): ListedFiles => {
  const walk: Walk = {
    root: folder,
    judgeTarget,
    isLinked,
    label,
    files: [],
    targets: new Map(),
    fingerprints: [],
    problems: [],
    omitted: [],
  }
  if (lstatSync(folder).isSymbolicLink()) {
    const remedy = 'the skill folder is a symlink; copy the folder instead'
    walk.problems.push({ file: label, field: '', remedy, kind: 'link' })
    return walk
  }
  walkFolder(walk, '', folder)
  const total = walk.files.reduce((sum, file) => sum + file.size, 0)
  if (walk.files.length > UNPACK_LIMITS.files) {
    refuseFile(walk, 'limit', '', `${walk.files.length} files; at most ${UNPACK_LIMITS.files}`)
  }
  if (total > UNPACK_LIMITS.bytes)
    refuseFile(walk, 'limit', '', `${total} bytes in all; at most ${UNPACK_LIMITS.bytes}`)
  walk.files.sort(skillMdFirst)
  return walk
}

export const readSkillFile = (skill: Pick<Skill, 'folder'>, path: string): Buffer =>
  readFileSync(join(skill.folder, path))

/** Reads the SKILL.md of a skill as in its zip: the author's bytes, or a synthesized file. */
export const readSkillMd = (skill: Skill): Uint8Array =>
  skill.files[0]?.path === SKILL_MD
    ? readSkillFile(skill, SKILL_MD)
    : new TextEncoder().encode(synthesizeSkillMd(skill))

/** The skill is undefined if there are problems. */
interface LoadedSkill {
  skill?: Skill
  /** The record, if it can be read. */
  record?: SkillRecord
  /** Fingerprints of its record, files and folders, taken before they were read. */
  fingerprints: readonly Fingerprint[]
  problems: Problem[]
}

/** Reads a file of a skill's folder by its path below it. */
type ReadFile = (folder: string, path: string) => Buffer

interface Named {
  name: string
  description: string
  /** Empty if the record has both, so that SKILL.md need not be parsed. */
  front: FrontMatter
}

const NAMED = skillRecord.pick({ name: true, description: true }).required()

/** Takes name and description from the record or else from SKILL.md; undefined after a problem. */
const readNamed = (
  record: SkillRecord,
  text: string | undefined,
  file: string,
  problems: Problem[],
): Named | undefined => {
  const refuseNaming = (reason: string): undefined => {
    const remedy = `${reason}; give name and description there, or in skill.json`
    problems.push({ file, field: '', remedy })
  }
  let front: FrontMatter = {}
  if (record.name === undefined || record.description === undefined) {
    if (text === undefined) return refuseNaming('is missing')
    try {
      front = parseFrontMatter(text)
    } catch (error) {
      if (!(error instanceof FrontMatterError)) throw error
      return refuseNaming(`line ${error.line}: ${error.message}`)
    }
  }
  const input = {
    name: record.name ?? front.name?.trim(),
    description: record.description ?? front.description?.trim(),
  }
  const checked = NAMED.safeParse(input)
  if (checked.success) return { ...checked.data, front }
  problems.push(...listProblems(file, input, checked.error))
  return undefined
}

/**
 * Reads and checks one folder of `skills/`, whose name is the slug. `read` may be a caching function.
 */
export const loadSkill = (
  content: string,
  slug: string,
  counters: Counters,
  read: ReadFile = (folder, path) => readSkillFile({ folder }, path),
): LoadedSkill => {
  const label = `skills/${slug}`
  const folder = join(content, 'skills', slug)
  const problems: Problem[] = []
  const refuse = (file: string, field: string, remedy: string): void => {
    problems.push({ file, field, remedy })
  }
  if (!isSlug(slug)) {
    refuse(`skills/${showValue(slug)}`, 'slug', `the folder's name is the slug: ${SLUG_RULE}`)
    return { fingerprints: [], problems }
  }
  const recordFile = `${label}/${RECORD_FILE}`
  const fingerprint = takeFingerprint(folder, RECORD_FILE)
  const listed = listSkillFiles(folder, label)
  if (!fingerprint) {
    refuse(recordFile, '', 'is missing; every skill folder has one')
    return { fingerprints: listed.fingerprints, problems: [...problems, ...listed.problems] }
  }
  const fingerprints = [fingerprint, ...listed.fingerprints]
  const readText = (): string => read(folder, RECORD_FILE).toString('utf8')
  const record = readRecord(recordFile, readText, skillRecord, problems)
  problems.push(...listed.problems)
  if (!record) return { fingerprints, problems }
  // The SKILL.md of a skill that is gone is not shown, but may still provide its name.
  const text =
    listed.files[0]?.path === SKILL_MD ? decodeLoosely(read(folder, SKILL_MD)) : undefined
  const skillMd = `${label}/${SKILL_MD}`
  const named = readNamed(record, text, skillMd, problems)
  if (record.source.kind === 'own' && text === undefined) {
    refuse(skillMd, '', 'is missing; a skill of the registry’s own has its text here')
  }
  if (!named || problems.length > 0) return { record, fingerprints, problems }
  const from = { slug, folder, record, named, text, listed: listed.files, counters, read }
  return { skill: buildSkill(from), record, fingerprints, problems }
}

const INSTALLS =
  /\b(?:(?:pip3?|npm|pnpm|yarn|bun|brew|apt(?:-get)?|cargo|gem|go|uv|uv pip|conda|dotnet)\s+(?:install|add|get)|npx|uvx)\s/

const CREDENTIALS = /\b(?:API[ _-]?key|access token|credentials|OAuth)\b/i
const NONE_BEFORE = /(?:\bno|\bwithout|(?:\bnot|n['’]t) (?:need|require))\b[^,;:]*$/i
const NONE_AFTER = /^[^,;:]*(?:\bnot|n['’]t) (?:be )?(?:needed|required|necessary)/i

/** Whether a sentence outside of code mentions credentials, and not of doing without: sample code requires none. */
const needsCredentials = (text: string): boolean =>
  dropFences(text)
    .split(/[.!?]\s|\n/)
    .some((sentence) => {
      const [before = '', ...after] = sentence.split(CREDENTIALS)
      return after.length > 0 && !NONE_BEFORE.test(before) && !NONE_AFTER.test(after.at(-1) ?? '')
    })

/** What makes a skill harder, in points, and in words; empty ones are not said. */
const weighDifficulty = (
  text: string,
  files: readonly SkillFile[],
): readonly { points: number; sign: string }[] => {
  const length = countCharacters(text)
  const blocks = Math.floor((text.match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0) / 2)
  const scripts = files.filter(({ path }) => path.startsWith('scripts/')).length
  const installs = INSTALLS.test(text)
  const credentials = needsCredentials(text)
  return [
    {
      points: Number(length >= 6_000) + Number(length >= 16_000),
      sign: `${length.toLocaleString('en')} characters`,
    },
    { points: Number(blocks >= 4), sign: blocks === 0 ? 'no code' : countOf(blocks, 'code block') },
    { points: Number(scripts > 0), sign: scripts === 0 ? '' : countOf(scripts, 'script') },
    {
      points: Number(files.length >= 7),
      sign: files.length <= 1 ? '' : countOf(files.length, 'file'),
    },
    { points: Number(installs), sign: installs ? 'packages to install' : '' },
    { points: Number(credentials), sign: credentials ? 'mentions credentials' : '' },
  ]
}

/** Extensions of binary programs. */
const STARTED = /\.(?:bat|cmd|exe|jar)$/i

const isScript = ({ path }: SkillFile): boolean =>
  path.startsWith('scripts/') || isProgram(path) || STARTED.test(path)

/** Estimates the difficulty of a skill whose author states none, with the reasons. */
const deriveDifficulty = (
  text: string | undefined,
  files: readonly SkillFile[],
): Pick<Skill, 'difficulty' | 'difficultySigns'> => {
  // A synthesized text says nothing about the difficulty of the author's.
  if (text === undefined)
    return { difficulty: 'Beginner', difficultySigns: ['a guess, its text is not here'] }
  const signs = weighDifficulty(text, files)
  const points = signs.reduce((sum, one) => sum + one.points, 0)
  return {
    difficulty: points >= 4 ? 'Advanced' : points >= 2 ? 'Intermediate' : 'Beginner',
    difficultySigns: signs.map(({ sign }) => sign).filter(Boolean),
  }
}

interface Ingredients {
  slug: string
  folder: string
  record: SkillRecord
  named: Named
  text: string | undefined
  listed: SkillFile[]
  counters: Counters
  read: ReadFile
}

const visibilityOf = ({ source }: SkillRecord): Skill['visibility'] => {
  if (source.kind === 'own') return 'own'
  return source.status === 'gone' ? 'gone' : 'indexable'
}

/** Owner of a skill's repository, else its author; the owner's other repositories are trusted more. */
const ownerOf = ({ source, author }: SkillRecord): string =>
  (source.kind === 'upstream' && new URL(source.url).pathname.split('/')[1]) || author

/** Rounds to two significant digits, as pages show estimates. */
const roundRoughly = (count: number): number => Number(count.toPrecision(2))

const readLicence = (stated: string): Pick<Skill, 'licence' | 'licenceWords'> => {
  if (stated.trim() === '') return {}
  const licence = nameLicence(stated)
  return stated === licence ? { licence } : { licence, licenceWords: stated }
}

/** The specification wants the name of the folder, which is the author's own only in the registry's own skills. */
const isSpecified = (text: string, slug: string, { source }: SkillRecord): boolean => {
  try {
    const folder = source.kind === 'own' ? slug : undefined
    return checkSpecification(parseFrontMatter(text), folder).length === 0
  } catch (error) {
    if (error instanceof FrontMatterError) return false
    throw error
  }
}

/** The field `allowed-tools` of a SKILL.md; empty where it has none, or none that can be read. */
const readAllowedTools = (text: string): string => {
  if (!text.includes('allowed-tools')) return ''
  try {
    return parseFrontMatter(text)['allowed-tools'] ?? ''
  } catch (error) {
    if (error instanceof FrontMatterError) return ''
    throw error
  }
}

const buildSkill = ({ slug, folder, record, named, text, ...from }: Ingredients): Skill => {
  const visibility = visibilityOf(record)
  const files = visibility === 'gone' ? [] : from.listed
  const findings = scanSkill({
    folder,
    files,
    read: from.read,
    names: { name: named.name, description: named.description, owner: ownerOf(record) },
    accepted: record.accepted,
  }).filter(({ severity }) => severity !== 'note')
  const counted = Object.hasOwn(from.counters, record.id) ? from.counters[record.id] : undefined
  const metadata = {
    ...record,
    slug,
    name: named.name,
    description: named.description,
    ...readLicence(record.licence ?? named.front.license ?? ''),
    tokens:
      text === undefined || files.length === 0 ? undefined : roundRoughly(estimateTokens(text)),
    size: roundRoughly(files.reduce((sum, { size }) => sum + size, 0)),
    hasScripts: files.some(isScript),
  }
  return {
    ...metadata,
    summary: summarize(named.description, stripMarks(record.parts?.summary ?? '')),
    views: counted?.views ?? 0,
    installs: counted?.installs ?? 0,
    ...(record.difficulty === undefined
      ? deriveDifficulty(text, files)
      : { difficulty: record.difficulty, difficultySigns: [] }),
    safety: judgeFindings(findings),
    findings,
    noted: findings.filter((one) => !needsReview(one)).length || undefined,
    visibility,
    breaksSpecification:
      text === undefined || files.length === 0 || isSpecified(text, slug, record)
        ? undefined
        : true,
    ...(text === undefined || files.length === 0
      ? {}
      : collectNeeds([slug, named.name], readAllowedTools(text), text, files, (path) =>
          from.read(folder, path),
        )),
    parts: record.parts ?? {},
    folder,
    files,
  }
}
