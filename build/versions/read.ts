import { hash } from 'node:crypto'
import {
  FILE_LIMIT,
  findExcess,
  findPathFault,
  isPlainName,
  isRecordName,
  skillMdFirst,
} from '../../src/catalog/folder-files.ts'
import { findTwins } from '../../src/catalog/file-names.ts'
import { findLeftOut } from '../../src/catalog/left-out.ts'
import { RECORD_FILE, REGISTRY_ORIGIN, SKILL_MD } from '../../src/catalog/skill.ts'
import type { SkillFile } from '../../src/catalog/skill.ts'
import { isSlug, showValue } from '../../src/catalog/text.ts'
import { EXECUTABLE_MODE, LINK_MODE } from '../machine/checkout.ts'
import { readGit, emptyTree, readObjects, readTreeRows } from './git.ts'
import type { Commit, GitObject, MainLine, TreeRow } from './git.ts'
import { History } from './history.ts'
import type { Contents, SkillVersion } from './history.ts'
import { digestSums } from './name.ts'

const FOLDER = '040000'

const FAULTS: Readonly<Record<string, string>> = {
  [LINK_MODE]: 'is a link',
  '160000': 'is another repository',
}

const findFault = ({ mode, path }: TreeRow): string | undefined => {
  const fault = findPathFault(path)?.message ?? FAULTS[mode]
  if (fault !== undefined || path.split('/').every(isPlainName)) return fault
  return 'has a name with odd characters'
}

/** Whether copies of a skill leave out a file with this path. */
const isUncopied = (path: string): boolean =>
  isRecordName(path) || path.split('/').some((name) => findLeftOut(name) !== undefined)

/** Lists the files of a git tree that users install, by the rules for a folder on a disk. */
const listContents = (rows: readonly TreeRow[]): Contents => {
  const record = rows.find(({ path, mode }) => path === RECORD_FILE && mode.startsWith('100'))?.oid
  // The same order as on a disk: the zip of a version must never change.
  const sorted = rows.filter(({ path }) => !isUncopied(path)).sort(skillMdFirst)
  const twins = findTwins(sorted.map(({ path }) => path))
  const copied = sorted.filter(({ path }) => !twins.has(path))
  const files = copied.map(({ path, mode, oid }) => ({
    path,
    oid,
    isExecutable: mode === EXECUTABLE_MODE || undefined,
  }))
  const bad = copied.find((row) => findFault(row) !== undefined)
  const [excess] = findExcess(copied.map(({ path }) => ({ path, size: 0 })))
  const missing = files[0]?.path === SKILL_MD ? undefined : `it has no ${SKILL_MD}`
  const fault = bad ? `${showValue(bad.path)} ${findFault(bad)}` : (excess ?? missing)
  return { files, record, fault }
}

/** Reads the folders of skills by the names of their git trees. */
const readContents = (folder: string, trees: ReadonlySet<string>): Map<string, Contents> => {
  const wanted = [...trees]
  const pairs = wanted.map((tree) => [emptyTree(tree), tree] as const)
  const rows = readTreeRows(folder, pairs, ['-r'])
  return new Map(wanted.map((tree, at) => [tree, listContents(rows[at]!)]))
}

/** A folder of `skills/` that a commit of the main line added or changed, with the time of the commit. */
interface HistoryStep {
  slug: string
  at: number
  /** Git's tree for the folder. */
  tree: string
}

/** Number of commits to read at once. A single commit can change the record of every skill. */
const COMMITS_AT_ONCE = 200

/** Yields the folders of `skills/` that commits add or change, in groups of commits. `known` is the last known commit. */
function* readSteps(
  folder: string,
  known: Commit | undefined,
  commits: readonly Commit[],
): Generator<HistoryStep[]> {
  const names = [known ?? [], commits].flat().map(({ id }) => `${id}:./skills\n`)
  const format = '--batch-check=%(objecttype) %(objectname)'
  const printed = String(readGit(folder, ['cat-file', format], names.join('')))
  const none = emptyTree(commits[0]?.id ?? '')
  const found = printed
    .trimEnd()
    .split('\n')
    .map((row) => (row.startsWith('tree ') ? row.slice('tree '.length) : none))
  const roots = known ? found : [none, ...found]
  for (let from = 0; from < commits.length; from += COMMITS_AT_ONCE) {
    const group = commits.slice(from, from + COMMITS_AT_ONCE)
    const pairs = group.map((_, place) => [roots[from + place]!, roots[from + place + 1]!] as const)
    yield readTreeRows(folder, pairs, []).flatMap((rows, place) =>
      rows.flatMap(({ path: slug, mode, oid }) =>
        isSlug(slug) && mode === FOLDER ? { slug, at: group[place]!.at, tree: oid } : [],
      ),
    )
  }
}

/** Facts about the bytes of a file. */
interface Sum {
  sha256: string
  size: number
  fault?: string | undefined
  /** Whether it contains the placeholder for the site's address, which a build replaces in SKILL.md. */
  hasOrigin: boolean
}

const POINTER = 'version https://git-lfs.'

const sumUp = ({ size, bytes }: GitObject): Sum => {
  const isPointer = bytes?.toString('latin1', 0, POINTER.length) === POINTER
  const fault = isPointer ? 'is in Git LFS' : undefined
  return {
    size,
    sha256: bytes ? hash('sha256', bytes) : '',
    fault: bytes ? fault : `has ${size} bytes; at most ${FILE_LIMIT}`,
    hasOrigin: bytes?.includes(REGISTRY_ORIGIN) === true,
  }
}

const findBadFile = (files: readonly (Sum & SkillFile)[]): string | undefined => {
  const bad = files.find(({ fault }) => fault !== undefined)
  if (bad) return `${showValue(bad.path)} ${bad.fault}`
  // The built file would differ from site to site.
  if (files.some(({ path, hasOrigin }) => path === SKILL_MD && hasOrigin))
    return `${SKILL_MD} contains ${REGISTRY_ORIGIN}, which a build replaces`
  return findExcess(files)[0]
}

/** Computes the digests of versions from the bytes of their files in git, or sets the fault of a version. */
const nameVersions = (
  folder: string,
  versions: readonly SkillVersion[],
  sums: Map<string, Sum>,
): void => {
  const nameable = versions.filter(({ fault }) => fault === undefined)
  const oids = new Set(nameable.flatMap(({ files }) => files.map(({ oid }) => oid)))
  const unread = [...oids].filter((oid) => !sums.has(oid))
  for (const object of readObjects(folder, unread)) sums.set(object.oid, sumUp(object))
  for (const version of nameable) {
    const files = version.files.map((file) => Object.assign({}, file, sums.get(file.oid)!))
    version.fault = findBadFile(files)
    if (version.fault === undefined) version.digest = digestSums(files)
  }
}

/** Reads the upstream address of a record, even if the rest of the record is invalid. */
const readUrl = (bytes: Buffer | undefined): string | undefined => {
  try {
    const { source } = JSON.parse(String(bytes)) as { source?: { url?: unknown } }
    const url = source?.url
    const isAddress = typeof url === 'string' && /^https?:/i.test(url) && URL.canParse(url)
    return isAddress ? url : undefined
  } catch {
    return undefined
  }
}

export interface VersionFile {
  path: string
  isExecutable?: true | undefined
  bytes: Uint8Array
}

export interface VersionFiles {
  /** The text of its record. */
  record: string
  files: VersionFile[]
}

/** Yields the record and files of versions that have a name. Throws VersionsError. */
export function* readVersions(
  folder: string,
  versions: readonly SkillVersion[],
): Generator<VersionFiles> {
  const oids = versions.flatMap(({ record, files }) => [record ?? [], files.map(({ oid }) => oid)])
  const objects = readObjects(folder, oids.flat())
  // Copy the bytes: otherwise a small file would keep the whole buffer of its group in memory.
  const next = (): Uint8Array => new Uint8Array(objects.next().value?.bytes ?? [])
  for (const { record, files } of versions)
    yield {
      record: record === undefined ? '' : Buffer.from(next()).toString(),
      files: files.map(({ path, isExecutable }) => ({ path, isExecutable, bytes: next() })),
    }
}

/** The history that a build saves for the next build. */
export interface KnownHistory {
  since: string
  /** The last commit. */
  head: string
  versions: readonly SkillVersion[]
}

/**
 * Reads the versions of every skill since the first commit of the main line, or continues after the known versions.
 * Throws VersionsError.
 */
export const readHistory = (
  { folder, since, line }: MainLine,
  known: KnownHistory | undefined,
): History => {
  const place = known?.since === since ? line.findIndex(({ id }) => id === known.head) : -1
  const history = new History(place < 0 ? undefined : known?.versions)
  const sums = new Map<string, Sum>()
  for (const steps of readSteps(folder, line[place], line.slice(place + 1))) {
    const contents = readContents(folder, new Set(steps.map(({ tree }) => tree)))
    const found = steps.flatMap(({ slug, at, tree }) => {
      const now = contents.get(tree)!
      // Without files, the skill is listed without its text.
      return now.files.length === 0 ? [] : (history.add(slug, at, now) ?? [])
    })
    nameVersions(folder, found, sums)
  }
  const changed = [...history.changed].map((at) => history.versions[at]!)
  const records = new Set(changed.flatMap(({ record }) => record ?? []))
  const urls = new Map<string, string | undefined>()
  for (const { oid, bytes } of readObjects(folder, [...records])) urls.set(oid, readUrl(bytes))
  for (const version of changed) version.url = urls.get(version.record ?? '')
  return history
}
