import { FILE_LIMIT } from '../../src/catalog/folder-files.ts'
import { showValue } from '../../src/catalog/text.ts'
import { NOT_INSTALLED, callGit, trustedRights } from '../machine/git.ts'
import type { GitAnswer } from '../machine/git.ts'

/** A build cannot keep the promise of `versions` in site.json. The message says why, and what to do. */
export class VersionsError extends Error {}

/** Runs git. Use only commands for scripts: the operator's settings do not change their output. */
const runGit = (
  folder: string,
  args: readonly string[],
  input = '',
  variables: NodeJS.ProcessEnv = {},
): GitAnswer => {
  const rights = trustedRights()
  return callGit(args, { ...rights, folder, input, env: { ...rights.env, ...variables } })
}

/** Runs git in a folder and returns its output. Throws VersionsError with git's own error message. */
export const readGit = (...call: Parameters<typeof runGit>): Buffer => {
  const { stdout, fault } = runGit(...call)
  if (fault !== undefined) throw new VersionsError(`git ${fault}`)
  return stdout
}

/** A git object. Its bytes are undefined if it exceeds the size limit for a file of a skill. */
export interface GitObject {
  oid: string
  size: number
  bytes: Buffer | undefined
}

/** Maximum number of bytes to request at once. */
const AT_ONCE = 32 * 1024 * 1024

/** Yields objects in the requested order. Runs `git cat-file` once for every 32 MB. Throws VersionsError. */
export function* readObjects(folder: string, oids: readonly string[]): Generator<GitObject> {
  if (oids.length === 0) return
  const checked = readGit(
    folder,
    ['cat-file', '--batch-check=%(objectsize)'],
    `${oids.join('\n')}\n`,
  )
  const sizes = String(checked).split('\n').map(Number)
  const missing = sizes.findIndex((size) => Number.isNaN(size))
  if (missing >= 0) throw new VersionsError(`git has no object ${oids[missing]}; fetch it again`)
  let at = 0
  while (at < oids.length) {
    const batch: GitObject[] = []
    for (let sum = 0; at < oids.length && (sum === 0 || sum + sizes[at]! <= AT_ONCE); at += 1) {
      const size = sizes[at]!
      batch.push({ oid: oids[at]!, size, bytes: undefined })
      if (size <= FILE_LIMIT) sum += size + 1
    }
    const readable = batch.filter(({ size }) => size <= FILE_LIMIT).map(({ oid }) => oid)
    let data = readGit(folder, ['cat-file', '--batch'], `${readable.join('\n')}\n`)
    for (const object of batch) {
      if (object.size <= FILE_LIMIT) {
        const start = data.indexOf('\n') + 1
        object.bytes = data.subarray(start, start + object.size)
        data = data.subarray(start + object.size + 1)
      }
      yield object
    }
  }
}

/** The name of the empty tree, in the hash algorithm of the given name. Git knows this tree without storing it. */
export const emptyTree = (name: string): string =>
  name.length === 64
    ? '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'
    : '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** A path at which two trees differ. */
export interface TreeRow {
  path: string
  /** Zeros if the path was removed. */
  mode: string
  oid: string
}

/** The names of two trees. */
type TreePair = readonly [before: string, after: string]

/**
 * Lists the differences of each pair of trees. For each pair, `git diff-tree` prints:
 *
 *     <before> <after> LF
 *     :<mode> <mode> <oid> <oid> <letter> NUL <path> NUL      a row for each path that differs
 *
 * Throws VersionsError.
 */
export const readTreeRows = (
  folder: string,
  pairs: readonly TreePair[],
  options: readonly string[],
): TreeRow[][] => {
  const args = ['diff-tree', '--stdin', '-z', '--no-renames', ...options]
  const heads = pairs.map((pair) => `${pair.join(' ')}\n`)
  const printed = String(readGit(folder, args, heads.join('')))
  let at = 0
  return heads.map((head) => {
    at += head.length
    const rows: TreeRow[] = []
    while (printed[at] === ':') {
      const nul = printed.indexOf('\0', at)
      const end = printed.indexOf('\0', nul + 1)
      const [, mode = '', , oid = ''] = printed.slice(at, nul).split(' ')
      rows.push({ path: printed.slice(nul + 1, end), mode, oid })
      at = end + 1
    }
    return rows
  })
}

/** A commit of the main line. `at` is its time in seconds since 1970. */
export interface Commit {
  id: string
  at: number
}

/** The history of a content folder since the commit that `since` in `site.json` names. */
export interface MainLine {
  /** The content folder. */
  folder: string
  since: string
  /** The main line from `since` to the newest commit, both included. A merge counts as one commit. */
  line: readonly [Commit, ...Commit[]]
}

/** The first and last commit of a main line. */
export const nameHistory = ({ since, line }: MainLine) => ({ since, head: line.at(-1)!.id })

const DOCKER =
  'in Docker, leave .git out of .dockerignore, or mount it: RUN --mount=type=bind,source=.git,target=.git …'

/** Explains an error of git about the repository of a folder, with a remedy. */
export const explainUnopened = (stderr: string, folder: string): string => {
  if (stderr.includes('dubious ownership'))
    return `the repository of ${folder} belongs to another user; run git config --global --add safe.directory <its folder>`
  return stderr.includes('not a git repository')
    ? `${folder} is not in a git repository; build in a clone of it, and ${DOCKER}`
    : `the repository of ${folder} has no commit; commit skills/`
}

/** Returns the name of the newest commit of a content folder. Throws VersionsError. */
export const readNewestCommit = (folder: string): string => {
  const { stdout, stderr, fault } = runGit(folder, ['rev-parse', '--verify', 'HEAD^0'])
  if (fault === NOT_INSTALLED) throw new VersionsError(`git ${fault}; install it`)
  if (fault !== undefined) throw new VersionsError(explainUnopened(stderr, folder))
  return String(stdout).trim()
}

const isTrue = (folder: string, ...args: string[]): boolean => runGit(folder, args).status === 0

const refusePartial = (folder: string): void => {
  const settings = '^(remote\\..*\\.(promisor|partialclonefilter)|extensions\\.partialclone)$'
  if (isTrue(folder, 'config', '--get-regexp', settings))
    throw new VersionsError(
      'this is a partial clone without the files of earlier versions; clone again without --filter',
    )
}

const DEEPER =
  'set fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 on GitLab or VERCEL_DEEP_CLONE=true, or run git fetch --unshallow'

/** Explains why the main line does not contain `since`. */
const explainMissing = (folder: string, since: string): string => {
  if (String(readGit(folder, ['rev-parse', '--is-shallow-repository'])) === 'true\n')
    return `this clone is shallow and does not go back to "since" (${since}); ${DEEPER}`
  const remedy = 'move "since" in a reviewed change to forget earlier versions (npm run versions)'
  return isTrue(folder, 'cat-file', '-e', `${since}^{commit}`)
    ? `the main line does not contain "since" (${since}): its history was rewritten, or this is another branch; build the branch that contains it, or ${remedy}`
    : `this repository does not have "since" (${since}): it was created again, or its history was rewritten; build a clone of the repository that has it, or ${remedy}`
}

const parseCommit = (row: string) => {
  const [at, id = '', parent] = row.split(' ')
  return { id, at: Number(at), parent }
}

const readMainLine = (folder: string, since: string): [Commit, ...Commit[]] => {
  const refuse = (): VersionsError => new VersionsError(explainMissing(folder, since))
  if (!isTrue(folder, 'cat-file', '-e', `${since}^{commit}`)) throw refuse()
  const list = ['rev-list', '--first-parent', '--parents', '--timestamp']
  const rows = String(readGit(folder, [...list, '--reverse', `${since}..HEAD`, '--']))
  const first = String(readGit(folder, [...list, '--max-count=1', since, '--']))
  const [start, ...rest] = `${first}${rows}`.trimEnd().split('\n').map(parseCommit)
  const isComplete =
    rest.length === 0 ? readNewestCommit(folder) === since : rest[0]!.parent === since
  if (!start || !isComplete) throw refuse()
  return [start, ...rest]
}

const refuseChanged = (folder: string): void => {
  const args = ['-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=none']
  const rows = String(readGit(folder, ['status', '--porcelain', ...args, '--', 'skills']))
  const [first] = rows.split('\0')
  if (first)
    throw new VersionsError(
      `skills/ has changes that are not committed (${showValue(first.slice(3), 200)}); commit them, or build without versions (--trial)`,
    )
}

/**
 * Opens the repository of a content folder that promises versions since a commit. Throws VersionsError if the
 * repository might not contain all of them.
 */
export const openMainLine = (folder: string, since: string): MainLine => {
  readNewestCommit(folder)
  refusePartial(folder)
  const line = readMainLine(folder, since)
  if (!isTrue(folder, 'rev-parse', '--verify', '--quiet', 'HEAD:./skills'))
    throw new VersionsError(
      'the newest commit has no skills/; commit that folder, and do not ignore files in it',
    )
  refuseChanged(folder)
  return { folder, since, line }
}
