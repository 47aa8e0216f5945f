import { statSync, lstatSync, readFileSync, readdirSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { takeFingerprint } from './fingerprint.ts'
import type { Fingerprint } from './fingerprint.ts'
import { FrontMatterError, parseFrontMatter, synthesizeSkillMd } from './front-matter.ts'
import type { FrontMatter } from './front-matter.ts'
import { nameLicence } from './licence.ts'
import { isProgram } from './needs/files.ts'
import { collectNeeds } from './needs/needs.ts'
import { SKILL_TIME, runEach } from './in-time.ts'
import { listProblems, readPlainFile, readRecord } from './problems.ts'
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
 * Why the target of a link, which is not a visible file of the skill, is not read; undefined if it is. Takes a real path.
 */
export type JudgeTarget = (target: string) => string | undefined

export const refuseTarget: JudgeTarget = () =>
  'a symlink out of the skill folder or to a hidden file; copy the file instead'

interface Walk {
  root: string
  judgeTarget: JudgeTarget
  /** Whether a link led to this folder: its files are judged too, and links to folders are not followed. */
  isLinked: boolean
  label: string
  files: SkillFile[]
  targets: Map<string, string>
  fingerprints: Fingerprint[]
  problems: Problem[]
}

const refuseFile = (walk: Walk, path: string, remedy: string, value?: unknown): void => {
  walk.problems.push({ file: `${walk.label}/${path}`, field: '', value, remedy })
}

const takeFile = (walk: Walk, path: string, full: string): void => {
  const { size, ctimeMs } = statSync(full)
  if (full !== join(walk.root, path)) walk.targets.set(path, full)
  walk.fingerprints.push({ path, size, changed: ctimeMs })
  if (size > FILE_LIMIT) {
    refuseFile(walk, path, `a file of ${size} bytes; at most ${FILE_LIMIT}`)
  } else walk.files.push({ path, size })
}

const takeLink = (walk: Walk, path: string, full: string): void => {
  let target: string
  try {
    // The native function spells names as the disk does, where it ignores their case.
    target = realpathSync.native(full)
  } catch {
    return refuseFile(walk, path, 'a symlink that leads nowhere; remove it')
  }
  // Resolved lazily: it costs a system call, and most folders have no links.
  const root = realpathSync.native(walk.root)
  // A path out of the folder begins with two dots.
  const isHidden = relative(root, target)
    .split(sep)
    .some((part) => part.startsWith('.'))
  const refusal = walk.judgeTarget(target)
  if (refusal !== undefined && (isHidden || walk.isLinked)) return refuseFile(walk, path, refusal)
  const stats = statSync(target)
  if (stats.isFile()) return takeFile(walk, path, target)
  // A link to a parent folder would recurse without end.
  const isCircle = `${root}${sep}`.startsWith(target + sep)
  if (refusal !== undefined || walk.isLinked || isCircle || !stats.isDirectory()) {
    return refuseFile(walk, path, 'a symlink to a folder; copy the files instead')
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
    // Dot files belong to tools (.DS_Store, .git), the record to the registry.
    if (entry.name.startsWith('.') || path === RECORD_FILE) continue
    const fault = findPathFault(path)
    if (fault) {
      const shown = path.length > FILE_NAME_LIMIT ? `${path.slice(0, FILE_NAME_LIMIT)}…` : path
      refuseFile(walk, shown, `${fault.reason}; ${fault.remedy}`)
      continue
    }
    if (!isPlainName(entry.name)) {
      refuseFile(walk, inside, 'a file name with odd characters; rename it', entry.name)
      continue
    }
    const isLink = entry.isSymbolicLink()
    const refusal = walk.isLinked && !isLink ? walk.judgeTarget(full) : undefined
    if (isLink) takeLink(walk, path, full)
    else if (refusal !== undefined) refuseFile(walk, path, refusal)
    else if (entry.isDirectory()) walkFolder(walk, path, full)
    else if (entry.isFile()) takeFile(walk, path, full)
    else refuseFile(walk, path, 'neither a file nor a folder; remove it')
  }
}

/** Orders files as a skill lists them. */
export const skillMdFirst = (a: SkillFile, b: SkillFile): number =>
  Number(b.path === SKILL_MD) - Number(a.path === SKILL_MD) || (a.path < b.path ? -1 : 1)

interface ListedFiles extends Pick<Walk, 'files' | 'problems'> {
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
  }
  if (lstatSync(folder).isSymbolicLink()) {
    const remedy = 'the skill folder is a symlink; copy the folder instead'
    walk.problems.push({ file: label, field: '', remedy })
    return walk
  }
  walkFolder(walk, '', folder)
  const total = walk.files.reduce((sum, file) => sum + file.size, 0)
  if (walk.files.length > UNPACK_LIMITS.files) {
    refuseFile(walk, '', `${walk.files.length} files; at most ${UNPACK_LIMITS.files}`)
  }
  if (total > UNPACK_LIMITS.bytes)
    refuseFile(walk, '', `${total} bytes in all; at most ${UNPACK_LIMITS.bytes}`)
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

/** A skill's folder as it was read: what is made of it needs no disk. */
export interface OpenedSkill extends Pick<ListedFiles, 'files' | 'fingerprints' | 'problems'> {
  slug: string
  folder: string
  /** The record, if it can be read. */
  record?: SkillRecord | undefined
  /** What its record and its files hold, by path. */
  bytes: ReadonlyMap<string, Buffer>
}

/** The skill is undefined if there are problems. */
interface LoadedSkill {
  skill?: Skill
  problems: Problem[]
}

/** The fields of a front matter, or why they cannot be read. */
type ReadFront = FrontMatter | FrontMatterError

const readFront = (text: string): ReadFront => {
  try {
    return parseFrontMatter(text)
  } catch (error) {
    if (error instanceof FrontMatterError) return error
    throw error
  }
}

interface Named {
  name: string
  description: string
  /** The licence of the front matter, if the record has not both. */
  licence?: string | undefined
}

const NAMED = skillRecord.pick({ name: true, description: true }).required()

/** Takes name and description from the record or else from SKILL.md; undefined after a problem. */
const readNamed = (
  record: SkillRecord,
  read: ReadFront | undefined,
  file: string,
  problems: Problem[],
): Named | undefined => {
  const refuseNaming = (reason: string): undefined => {
    const remedy = `${reason}; give name and description there, or in skill.json`
    problems.push({ file, field: '', remedy })
  }
  let front: FrontMatter = {}
  if (record.name === undefined || record.description === undefined) {
    if (read === undefined) return refuseNaming('is missing')
    if (read instanceof FrontMatterError) return refuseNaming(`line ${read.line}: ${read.message}`)
    front = read
  }
  const input = {
    name: record.name ?? front.name?.trim(),
    description: record.description ?? front.description?.trim(),
  }
  const checked = NAMED.safeParse(input)
  if (checked.success) return { ...checked.data, licence: front.license }
  problems.push(...listProblems(file, input, checked.error))
  return undefined
}

/** Reads files of a folder, in their order, up to what clients unpack for one skill. */
export const readSkillFiles = (
  folder: string,
  files: readonly SkillFile[],
): Map<string, Buffer> => {
  const bytes = new Map<string, Buffer>()
  let left: number = UNPACK_LIMITS.bytes
  for (const { path, size } of files) {
    left -= size
    if (left >= 0) bytes.set(path, readSkillFile({ folder }, path))
  }
  return bytes
}

/** Reads one folder of `skills/`, whose name is the slug, and its record. */
export const openSkill = (content: string, slug: string): OpenedSkill => {
  const label = `skills/${slug}`
  const folder = join(content, 'skills', slug)
  if (!isSlug(slug)) {
    const remedy = `the folder's name is the slug: ${SLUG_RULE}`
    const problems = [{ file: `skills/${showValue(slug)}`, field: 'slug', remedy }]
    return { slug, folder, files: [], fingerprints: [], problems, bytes: new Map() }
  }
  const recordFile = `${label}/${RECORD_FILE}`
  const problems: Problem[] = []
  const fingerprint = takeFingerprint(folder, RECORD_FILE)
  if (!fingerprint) {
    const remedy = 'is missing; every skill folder has one'
    problems.push({ file: recordFile, field: '', remedy })
  }
  const listed = listSkillFiles(folder, label)
  const bytes = readSkillFiles(folder, listed.files)
  const readText = (): string => {
    const text = readPlainFile(join(folder, RECORD_FILE))
    bytes.set(RECORD_FILE, text)
    return text.toString('utf8')
  }
  const record = fingerprint && readRecord(recordFile, readText, skillRecord, problems)
  return {
    slug,
    folder,
    files: listed.files,
    fingerprints: [fingerprint ?? [], listed.fingerprints].flat(),
    problems: [...problems, ...listed.problems],
    record,
    bytes,
  }
}

/** Makes a skill of its folder. This reads a stranger's words: call it in bounded time. */
export const makeSkill = (opened: OpenedSkill, counters: Counters = {}): LoadedSkill => {
  const { slug, record, files, bytes } = opened
  const problems = [...opened.problems]
  if (!record) return { problems }
  // The SKILL.md of a skill that is gone is not shown, but may still provide its name.
  const text = files[0]?.path === SKILL_MD ? decodeLoosely(bytes.get(SKILL_MD)!) : undefined
  const file = `skills/${slug}/${SKILL_MD}`
  const front = text === undefined ? undefined : readFront(text)
  const named = readNamed(record, front, file, problems)
  if (record.source.kind === 'own' && text === undefined) {
    const remedy = 'is missing; a skill of the registry’s own has its text here'
    problems.push({ file, field: '', remedy })
  }
  if (!named || problems.length > 0) return { problems }
  return { skill: buildSkill({ ...opened, record, named, text, front, counters }), problems }
}

const SLOW_REMEDY = 'simplify its SKILL.md and the files beside it, or retire it'

/** The problem of a skill that cannot be read in time. */
export const refuseSlow = (slug: string, fault: string): Problem => ({
  file: `skills/${slug}`,
  field: '',
  remedy: `${fault}; ${SLOW_REMEDY}`,
})

/** Makes a skill of its folder in bounded time; the fault says why that did not end. */
export const makeSkillInTime = (
  opened: OpenedSkill,
  limit = SKILL_TIME,
  counters: Counters = {},
): LoadedSkill & { fault?: string } => {
  const [made] = runEach(limit, [opened], (one) => makeSkill(one, counters))
  if (made && 'result' in made) return made.result
  const fault = made?.fault ?? ''
  return { problems: [...opened.problems, refuseSlow(opened.slug, fault)], fault }
}

/** Reads and checks one folder of `skills/`, whose name is the slug. */
export const loadSkill = (content: string, slug: string, counters?: Counters) =>
  makeSkillInTime(openSkill(content, slug), SKILL_TIME, counters)

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

interface Ingredients extends OpenedSkill {
  record: SkillRecord
  named: Named
  text: string | undefined
  front: ReadFront | undefined
  counters: Counters
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
const isSpecified = (front: ReadFront, slug: string, { source }: SkillRecord): boolean => {
  const folder = source.kind === 'own' ? slug : undefined
  return !(front instanceof FrontMatterError) && checkSpecification(front, folder).length === 0
}

/** The tools that a front matter allows; empty where it has none, or cannot be read. */
const toolsOf = (front: ReadFront): string =>
  front instanceof FrontMatterError ? '' : (front['allowed-tools'] ?? '')

/** Fields that a page takes from elsewhere. */
const UNSHOWN = new Set(['description', 'license'])

/** The fields that a page shows. A text of the registry's own is changed when it is printed, so they are read again. */
const keepFront = (front: ReadFront, { source }: SkillRecord): Skill['front'] => {
  if (source.kind === 'own' || front instanceof FrontMatterError) return undefined
  return Object.fromEntries(Object.entries(front).filter(([field]) => !UNSHOWN.has(field)))
}

const buildSkill = ({ slug, folder, record, named, text, front, ...from }: Ingredients): Skill => {
  const visibility = visibilityOf(record)
  const files = visibility === 'gone' ? [] : from.files
  const read = (path: string): Buffer => from.bytes.get(path)!
  const findings = scanSkill({
    files,
    read,
    names: { name: named.name, description: named.description, owner: ownerOf(record) },
    accepted: record.accepted,
  }).filter(({ severity }) => severity !== 'note')
  const counted = Object.hasOwn(from.counters, record.id) ? from.counters[record.id] : undefined
  const metadata = {
    ...record,
    slug,
    name: named.name,
    description: named.description,
    ...readLicence(record.licence ?? named.licence ?? ''),
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
    ...(text === undefined || front === undefined || files.length === 0
      ? {}
      : {
          breaksSpecification: isSpecified(front, slug, record) ? undefined : true,
          front: keepFront(front, record),
          ...collectNeeds([slug, named.name], toolsOf(front), text, files, read),
        }),
    parts: record.parts ?? {},
    folder,
    files,
  }
}
