import { hash } from 'node:crypto'
import {
  FILE_LIMIT,
  UNPACK_LIMITS,
  findExcess,
  findPathFault,
  isPlainName,
  isRecordName,
} from '../../src/catalog/folder-files.ts'
import { findLeftOut } from '../../src/catalog/left-out.ts'
import { RECORD_FILE, REGISTRY_ORIGIN, SKILL_MD } from '../../src/catalog/skill.ts'
import type { SkillFile } from '../../src/catalog/skill.ts'
import { isSlug, showValue } from '../../src/catalog/text.ts'
import { readObjects, askGit } from './git.ts'
import type { Commit, GitObject, MainLine } from './git.ts'
import { History, NO_TEXT } from './history.ts'
import type { Contents, HistoryStep, SkillVersion } from './history.ts'
import { digestSums } from './name.ts'

/** An entry of a tree of git. */
interface Entry {
  mode: string
  name: string
  oid: string
}

const FOLDER = '40000'
const LINK = '120000'
const SUBMODULE = '160000'

/** Reads a tree: rows of mode, blank, name, NUL and the object in bytes. */
const parseTree = (bytes: Buffer, digits: number): Entry[] => {
  const entries: Entry[] = []
  for (let at = 0; at < bytes.length;) {
    const blank = bytes.indexOf(' ', at)
    const nul = bytes.indexOf(0, blank)
    const end = nul + 1 + digits / 2
    const [mode, name] = [
      bytes.toString('latin1', at, blank),
      bytes.toString('utf8', blank + 1, nul),
    ]
    entries.push({ mode, name, oid: bytes.toString('hex', nul + 1, end) })
    at = end
  }
  return entries
}

/** Folders in which a skill's files are looked for, and rows that are read of one skill. */
const LIMITS = { folders: 64, rows: 20 * UNPACK_LIMITS.files }

type Trees = ReadonlyMap<string, readonly Entry[]>

/** Reads trees with all below them that copies have, a level of folders at a time. */
const readTrees = (folder: string, roots: Iterable<string>): Trees => {
  const trees = new Map<string, Entry[]>()
  let asked = new Set(roots)
  for (let depth = 0; asked.size > 0 && depth <= LIMITS.folders; depth += 1) {
    const next = new Set<string>()
    for (const { oid, bytes } of readObjects(folder, [...asked])) {
      if (!bytes) continue
      const entries = parseTree(bytes, oid.length)
      trees.set(oid, entries)
      for (const { mode, name, oid: below } of entries)
        if (mode === FOLDER && !findLeftOut(name)) next.add(below)
    }
    asked = new Set([...next].filter((oid) => !trees.has(oid)))
  }
  return trees
}

const FAULTS: Readonly<Record<string, string>> = {
  [LINK]: 'is a link',
  [SUBMODULE]: 'is another repository',
}

const findFault = ({ mode, name }: Entry, path: string): string | undefined => {
  const fault = findPathFault(path)?.reason ?? FAULTS[mode]
  if (fault !== undefined || isPlainName(name)) return fault
  return 'has a name with odd characters'
}

/** Lists what readers install of a tree, by the rules for a folder on a disk. */
const listContents = (trees: Trees, root: string): Contents => {
  const files = new Map<string, string>()
  let record: string | undefined
  let fault: string | undefined
  let rows = 0
  const walk = (tree: string, inside: string): void => {
    const entries = trees.get(tree)
    if (!entries) rows = Infinity
    for (const entry of entries ?? []) {
      const path = inside + entry.name
      if (path === RECORD_FILE && entry.mode.startsWith('100')) record = entry.oid
      if (isRecordName(path) || findLeftOut(entry.name)) continue
      rows += 1
      if (rows > LIMITS.rows) return
      if (entry.mode === FOLDER) walk(entry.oid, `${path}/`)
      else files.set(path, (entry.mode === '100755' ? '*' : '') + entry.oid)
      const found = findFault(entry, path)
      if (found !== undefined) fault ??= `${showValue(path)} ${found}`
    }
  }
  walk(root, '')
  const sizes = Array.from(files.keys(), (path) => ({ path, size: 0 }))
  if (rows > LIMITS.rows) fault = 'it has too many folders or files'
  else fault ??= findExcess(sizes)[0]
  if (files.size === 0) fault ??= NO_TEXT
  else if (!files.has(SKILL_MD)) fault ??= `it has no ${SKILL_MD}`
  return { files, record, fault }
}

const readContents = (folder: string, trees: Iterable<string>): Map<string, Contents> => {
  const wanted = new Set(trees)
  const read = readTrees(folder, wanted)
  return new Map(Array.from(wanted, (tree) => [tree, listContents(read, tree)]))
}

/** The empty tree by the digits of a name, in repositories of SHA-1 and SHA-256; git knows it without an object. */
const NO_TREE: Readonly<Record<number, string>> = {
  40: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  64: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
}

/** Commits whose changes are read at once; a verification changes every record. */
const COMMITS_AT_ONCE = 200

const parseSteps = (rows: string, times: readonly number[]): HistoryStep[] => {
  const tokens = rows.split('\0')
  const steps: HistoryStep[] = []
  let pair = -1
  // A row is modes, objects and letter, then a name; the first of a pair of trees stands behind a line that names the pair.
  for (let place = 0; place + 1 < tokens.length; place += 2) {
    const [row = '', ...head] = tokens[place]!.split('\n').toReversed()
    pair += head.length
    const [, mode, , oid = ''] = row.split(' ')
    const slug = tokens[place + 1]!
    if (isSlug(slug)) steps.push({ slug, at: times[pair]!, tree: mode === '040000' ? oid : '' })
  }
  return steps
}

/** Yields what commits did to the folders of `skills/`, some commits at a time, beginning with what `known` had. */
function* readSteps(
  folder: string,
  known: Commit | undefined,
  commits: readonly Commit[],
): Generator<HistoryStep[]> {
  const none = NO_TREE[commits[0]?.id.length ?? 0] ?? ''
  const asked = [known ?? [], commits].flat().map(({ id }) => `${id}:./skills\n`)
  const format = '--batch-check=%(objecttype) %(objectname)'
  const told = String(askGit(folder, ['cat-file', format], asked.join('')))
  const found = told
    .trimEnd()
    .split('\n')
    .map((row) => (row.startsWith('tree ') ? row.slice('tree '.length) : none))
  const roots = known ? found : [none, ...found]
  for (let from = 0; from < commits.length; from += COMMITS_AT_ONCE) {
    const some = commits.slice(from, from + COMMITS_AT_ONCE)
    const pairs = some
      .map(({ at }, place) => ({ at, trees: roots.slice(from + place, from + place + 2) }))
      .filter(({ trees: [before, after] }) => before !== after)
    const input = pairs.map(({ trees }) => `${trees.join(' ')}\n`).join('')
    const rows = askGit(folder, ['diff-tree', '--stdin', '-z', '--no-renames'], input)
    const times = pairs.map(({ at }) => at)
    if (pairs.length > 0) yield parseSteps(String(rows), times)
  }
}

/** What reading the bytes of a file gave. */
interface Sum {
  sha256: string
  size: number
  fault?: string | undefined
  /** Whether a build would put the address of the site into it, were it a SKILL.md. */
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

const oidOf = (file: string): string => file.replace('*', '')

const findBadFile = (files: readonly (Sum & SkillFile)[]): string | undefined => {
  const bad = files.find(({ fault }) => fault !== undefined)
  if (bad) return `${showValue(bad.path)} ${bad.fault}`
  // Its bytes are those of one site alone.
  if (files.some(({ path, hasOrigin }) => path === SKILL_MD && hasOrigin))
    return `${SKILL_MD} has ${REGISTRY_ORIGIN} in it, which a build replaces`
  return findExcess(files)[0]
}

/** Names versions by the bytes that git has of their files, or says why one has no name. */
const nameVersions = (
  folder: string,
  versions: readonly SkillVersion[],
  contents: ReadonlyMap<string, Contents>,
  sums: Map<string, Sum>,
): void => {
  const named = versions.filter(({ fault }) => fault === undefined)
  const filesOf = ({ tree }: SkillVersion) => [...contents.get(tree)!.files]
  const oids = new Set(named.flatMap((one) => filesOf(one).map(([, file]) => oidOf(file))))
  const unread = [...oids].filter((oid) => !sums.has(oid))
  for (const one of readObjects(folder, unread)) sums.set(one.oid, sumUp(one))
  for (const version of named) {
    const files = filesOf(version).map(([path, file]) => {
      const isExecutable = file.startsWith('*') || undefined
      return Object.assign({ path, isExecutable }, sums.get(oidOf(file))!)
    })
    version.fault = findBadFile(files)
    if (version.fault === undefined) version.digest = digestSums(files)
  }
}

/** Reads a field of a record, whatever else is wrong with it. */
const readRecord = (bytes: Buffer | undefined): Pick<SkillVersion, 'id' | 'url'> => {
  try {
    const { id, source } = JSON.parse(String(bytes)) as { id?: unknown; source?: { url?: unknown } }
    const url = source?.url
    return {
      ...(typeof id === 'number' ? { id } : {}),
      ...(typeof url === 'string' && URL.canParse(url) ? { url } : {}),
    }
  } catch {
    return {}
  }
}

/** The files of a version, as git has them. */
interface VersionFiles {
  version: SkillVersion
  record: string
  files: { path: string; isExecutable: boolean; bytes: Uint8Array }[]
}

/** Yields versions that have a name, with their record and files. Throws VersionsError. */
export function* readVersions(
  folder: string,
  versions: readonly SkillVersion[],
): Generator<VersionFiles> {
  const contents = readContents(
    folder,
    versions.map(({ tree }) => tree),
  )
  const rows = versions.map((version) => {
    const { files, record = '' } = contents.get(version.tree)!
    return { version, files: [...files], record }
  })
  const oids = rows.flatMap(({ files, record }) => [
    ...(record ? [record] : []),
    ...files.map(([, file]) => oidOf(file)),
  ])
  const objects = readObjects(folder, oids)
  // Copied, or else each would keep what was read with it in memory.
  const next = (): Uint8Array => new Uint8Array(objects.next().value?.bytes ?? [])
  for (const { version, files, record } of rows)
    yield {
      version,
      record: record ? Buffer.from(next()).toString() : '',
      files: files.map(([path, file]) => ({
        path,
        isExecutable: file.startsWith('*'),
        bytes: next(),
      })),
    }
}

/** What a build keeps of a history for the next one. */
export interface KnownHistory {
  since: string
  /** The commit that it ends at. */
  head: string
  versions: readonly SkillVersion[]
}

/**
 * Reads the versions of every skill since the first commit of the line, or goes on where the known ones end. Throws
 * VersionsError.
 */
export const readHistory = (
  { folder, since, line }: MainLine,
  known: KnownHistory | undefined,
): History => {
  const place = known?.since === since ? line.findIndex(({ id }) => id === known.head) : -1
  const history = new History(place < 0 ? undefined : known?.versions)
  const sums = new Map<string, Sum>()
  for (const steps of readSteps(folder, line[place], line.slice(place + 1))) {
    const trees = steps.flatMap(({ tree }) => tree || [])
    const contents = readContents(folder, [...trees, ...history.listCompared(steps)])
    nameVersions(folder, history.add(steps, contents), contents, sums)
  }
  const changed = [...history.changed].map((at) => history.versions[at]!)
  const records = new Set(changed.flatMap(({ record }) => record ?? []))
  const told = new Map<string, Pick<SkillVersion, 'id' | 'url'>>()
  for (const { oid, bytes } of readObjects(folder, [...records])) told.set(oid, readRecord(bytes))
  for (const version of changed)
    Object.assign(version, { id: undefined, url: undefined }, told.get(version.record ?? ''))
  return history
}
