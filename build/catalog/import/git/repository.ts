import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { showValue } from '../../../../src/catalog/text.ts'
import { CommandError } from '../../cli/errors.ts'
import type { GitAddress } from './address.ts'
import { runGit, streamFields, streamGit } from './run-git.ts'
import type { GitCall } from './run-git.ts'
import { parseTreeLine } from './tree.ts'
import type { TreeEntry } from './tree.ts'

/** Most bytes that are fetched of a repository, and most files of one commit. */
export const REPOSITORY_LIMITS = { bytes: 1024 * 1024 * 1024, entries: 300_000 }

/** A bare repository in a temporary folder, with what was fetched of a stranger's. */
export interface Repository {
  call: GitCall
  limits: Readonly<typeof REPOSITORY_LIMITS>
}

const folderSize = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    // Git may move a file away meanwhile.
    const stats = entry.isFile()
      ? statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })
      : undefined
    return sum + (stats?.size ?? 0)
  }, 0)

/** Lets a repository of this machine do what hosts allow: fetch any commit, and a history without files. */
const LOCAL_SERVER =
  'git -c uploadpack.allowFilter=true -c uploadpack.allowAnySHA1InWant=true upload-pack'

/** Makes an empty repository that fetches from an address. Throws CommandError, as all below do. */
export const createRepository = async (
  folder: string,
  { remote, given }: GitAddress,
  signal: AbortSignal,
  limits: Repository['limits'] = REPOSITORY_LIMITS,
): Promise<Repository> => {
  mkdirSync(folder, { recursive: true })
  const watch = (): string | undefined =>
    folderSize(folder) > limits.bytes
      ? `it has more than ${limits.bytes} bytes; import a folder or an archive of its skills`
      : undefined
  const call: GitCall = { subject: showValue(given, 200), folder, signal, watch }
  await runGit(['init', '--quiet', '--bare', '--template='], call)
  await runGit(['config', 'remote.origin.url', remote], call)
  if (remote.startsWith('file:'))
    await runGit(['config', 'remote.origin.uploadpack', LOCAL_SERVER], call)
  return { call, limits }
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** A ref that means to git what it says, whatever a server calls its branches. */
const PLAIN_REF = /^refs\/(?:heads|tags)\/[^\s:~^?*[\\\p{Cc}]+$/u

/** Splits what follows `/tree/` into what to fetch and a folder: a branch's name may hold slashes. */
const splitTree = async (
  repository: Repository,
  tree: string,
): Promise<{ want: string; folder: string }> => {
  const [first = '', ...rest] = tree.split('/')
  if (COMMIT.test(first)) return { want: first, folder: rest.join('/') }
  const listed = await runGit(
    ['ls-remote', '--heads', '--tags', '--refs', 'origin'],
    repository.call,
  )
  const refs = listed
    .split('\n')
    .map((line) => line.split('\t')[1] ?? '')
    .filter((ref) => PLAIN_REF.test(ref))
  const names = refs.map((ref) => ({ ref, name: ref.replace(/^refs\/(?:heads|tags)\//, '') }))
  const [found] = names
    .filter(({ name }) => tree === name || tree.startsWith(`${name}/`))
    .sort((a, b) => b.name.length - a.name.length)
  if (found) return { want: found.ref, folder: tree.slice(found.name.length + 1) }
  throw new CommandError(
    `${repository.call.subject}: it has no branch or tag ${showValue(first)}; correct what follows /tree/`,
  )
}

/** Fetches the commit that an address names, without its history; gives the folder it names too. */
export const fetchCommit = async (
  repository: Repository,
  { tree }: GitAddress,
): Promise<{ commit: string; folder: string }> => {
  const { want, folder } =
    tree === undefined ? { want: 'HEAD', folder: '' } : await splitTree(repository, tree)
  const { call } = repository
  await runGit(['fetch', '--quiet', '--depth=1', '--no-tags', '--', 'origin', want], call)
  const tooLarge = call.watch?.()
  if (tooLarge !== undefined) throw new CommandError(`${call.subject}: ${tooLarge}`)
  const commit = await runGit(['rev-parse', '--verify', '--quiet', 'FETCH_HEAD^{commit}'], call)
  return { commit: commit.trim(), folder: folder.replace(/\/+$/, '') }
}

/** Lists the files and links of a commit. */
export const listEntries = async (
  { call, limits }: Repository,
  commit: string,
): Promise<TreeEntry[]> => {
  const entries: TreeEntry[] = []
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', commit]
  for await (const lines of streamFields(args, call)) {
    for (const line of lines) {
      const entry = parseTreeLine(line)
      if (entry) entries.push(entry)
    }
    if (entries.length > limits.entries) {
      throw new CommandError(
        `${call.subject}: it has more than ${limits.entries} files; import a folder or an archive of its skills`,
      )
    }
  }
  return entries
}

const OBJECT_HEADER = /^([0-9a-f]{40,64}) blob (\d+)$/

/** Reads the contents of objects, in the order asked. */
export async function* readObjects(
  objects: readonly string[],
  { call }: Repository,
): AsyncGenerator<{ object: string; bytes: Buffer }> {
  if (objects.length === 0) return
  const input = objects.map((object) => `${object}\n`).join('')
  let chunks: Buffer[] = []
  let size = 0
  /** Bytes up to which nothing more can be read. */
  let awaited = 1
  for await (const chunk of streamGit(['cat-file', '--batch'], { ...call, input })) {
    chunks.push(chunk)
    size += chunk.length
    if (size < awaited) continue
    let rest = Buffer.concat(chunks)
    for (;;) {
      const start = rest.indexOf('\n') + 1
      awaited = rest.length + 1
      if (start === 0) break
      const [, object, length] = OBJECT_HEADER.exec(rest.toString('latin1', 0, start - 1)) ?? []
      if (object === undefined) {
        throw new CommandError(`${call.subject}: a file of it cannot be read`)
      }
      // A line feed follows the content.
      const end = start + Number(length)
      awaited = end + 1
      if (rest.length < awaited) break
      yield { object, bytes: rest.subarray(start, end) }
      rest = rest.subarray(awaited)
    }
    chunks = [rest]
    size = rest.length
  }
}

/** The commits at which the fetched history ends, though the real one goes on. */
export const listBoundary = ({ call }: Repository): Set<string> => {
  const path = join(call.folder, 'shallow')
  const isShallow = statSync(path, { throwIfNoEntry: false }) !== undefined
  return new Set(isShallow ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [])
}
