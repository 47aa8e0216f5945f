import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { CONTROL_CHARACTERS, showValue } from '../../../../src/catalog/text.ts'
import { UsageError } from '../../cli/errors.ts'

/** A repository, and perhaps a place in it, as an address names them. */
export interface GitAddress {
  given: string
  /** What git fetches from: an https:// or file:// address. */
  remote: string
  /** `https://host/owner/repository`, where the address is one that readers can open. */
  web?: string
  /** Folder names that say whose the repository is and what it is called. */
  owner: string
  name: string
  /** Ref and folder, still joined, after `/tree/`; undefined for the whole repository. */
  tree?: string
}

/** Says whether a positional is an address, and not a path on this machine. */
export const isAddress = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:(?:\/\/|:)/i.test(text) ||
  (/^[\w.-]+@[\w.-]+:/.test(text) && !existsSync(text))

const EXAMPLE = 'https://github.com/<owner>/<repository>, or that with /tree/<ref>/<folder>'

const refuse = (given: string, why: string): never => {
  throw new UsageError(`${showValue(given, 200)} ${why}.`)
}

/** Other ways to reach a repository, and why each is not taken. */
const REFUSED: readonly [RegExp, string][] = [
  [
    /^(?:ssh|git\+ssh):|^[\w.-]+@/i,
    `is reached by ssh, with your keys; a public registry takes what everyone can read: ${EXAMPLE}`,
  ],
  [
    /^(?:http|git|ftp):\/\//i,
    `is not encrypted, so anyone on the way can change it; write ${EXAMPLE}`,
  ],
  [/^[a-z0-9+.-]+::/i, `names a program for git to run; write ${EXAMPLE}`],
]

const decodeSegments = (given: string, pathname: string): string[] => {
  const segments = pathname.split('/').filter(Boolean)
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return refuse(given, `holds a broken percent sign; write ${EXAMPLE}`)
  }
}

const isPlainSegment = (segment: string): boolean =>
  !['.', '..', '.git', ''].includes(segment) &&
  !/[/\\]/.test(segment) &&
  !CONTROL_CHARACTERS.test(segment)

/** Where the repository's name ends and `tree` begins; GitLab writes `/-/tree/`. */
const splitTree = (segments: readonly string[]): { repository: string[]; tree?: string[] } => {
  const at = segments.indexOf('tree', 2)
  if (at < 0) return { repository: [...segments] }
  const end = segments[at - 1] === '-' && at > 2 ? at - 1 : at
  return { repository: segments.slice(0, end), tree: segments.slice(at + 1) }
}

const parseWeb = (given: string, url: URL): GitAddress => {
  if (url.username !== '' || url.password !== '') refuse(given, 'must not hold a user or password')
  if (url.search !== '' || url.hash !== '') refuse(given, 'must not have a query or a fragment')
  const segments = decodeSegments(given, url.pathname)
  if (segments.length < 2 || !segments.every(isPlainSegment)) {
    refuse(given, `names no repository; write ${EXAMPLE}`)
  }
  const { repository, tree } = splitTree(segments)
  const isFile = /^github\.com$/i.test(url.hostname) && repository.length > 2
  if (isFile) refuse(given, `names no folder; write ${EXAMPLE}`)
  if (tree?.length === 0)
    refuse(given, `names no branch, tag or commit after /tree/; write ${EXAMPLE}`)
  const names = [...repository.slice(0, -1), (repository.at(-1) ?? '').replace(/\.git$/, '')]
  const web = `https://${url.host}/${names.map(encodeURIComponent).join('/')}`
  return {
    given,
    remote: `https://${url.host}/${repository.map(encodeURIComponent).join('/')}`,
    web,
    owner: names[0] ?? '',
    name: names.at(-1) ?? '',
    ...(tree ? { tree: tree.join('/') } : {}),
  }
}

const isRepository = (path: string): boolean =>
  existsSync(join(path, '.git')) ||
  (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')))

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** Finds the repository that a path leads into: the whole of it, else what stands before `/tree/`. */
const findLocal = (path: string): { repository: string; tree?: string } | undefined => {
  if (isFolder(path) && isRepository(path)) return { repository: path }
  for (let at = path.indexOf('/tree/'); at > 0; at = path.indexOf('/tree/', at + 1)) {
    const repository = path.slice(0, at)
    if (isFolder(repository) && isRepository(repository)) {
      return { repository, tree: path.slice(at + '/tree/'.length) }
    }
  }
  return undefined
}

const parseFile = (given: string, url: URL): GitAddress => {
  if (url.hostname !== '' && url.hostname !== 'localhost') {
    refuse(given, 'names another machine; write file:///<path>')
  }
  url.hostname = ''
  if (!URL.canParse(url.href) || /%2f|%5c|%00/i.test(url.pathname))
    refuse(given, 'is no path of this machine')
  const path = fileURLToPath(url).replace(/\/+$/, '')
  const found = findLocal(path)
  if (!found) return refuse(given, 'is no git repository of this machine')
  return {
    given,
    remote: pathToFileURL(found.repository).href,
    owner: basename(dirname(found.repository)),
    name: basename(found.repository).replace(/\.git$/, ''),
    ...(found.tree === undefined ? {} : { tree: found.tree }),
  }
}

/** Reads a git address: https://, or file:// for a repository on this machine. Throws UsageError. */
export const parseGitAddress = (given: string): GitAddress => {
  for (const [pattern, why] of REFUSED) if (pattern.test(given)) refuse(given, why)
  if (/[\s\\]/.test(given) || CONTROL_CHARACTERS.test(given) || !URL.canParse(given)) {
    return refuse(given, `is no address; write ${EXAMPLE}`)
  }
  const url = new URL(given)
  if (url.protocol === 'https:') return parseWeb(given, url)
  if (url.protocol === 'file:') return parseFile(given, url)
  return refuse(given, `is neither https:// nor file://; write ${EXAMPLE}`)
}

/** Tells repositories apart: hosts take owners and names in any case, and with `.git` or without. */
export const repositoryKey = ({ remote, web }: GitAddress): string =>
  remote.startsWith('file:') ? remote : (web ?? remote).toLowerCase()

/**
 * Gives the address under which a repository on this machine is listed: `--source` names it whole, or
 * only its host, and then the last two folders of the path are owner and repository, as mirrors lay
 * them out. Throws UsageError.
 */
export const publishAt = (address: GitAddress, source: string): GitAddress => {
  const base = parseHost(source)
  const listed =
    base === undefined
      ? parseGitAddress(source)
      : parseGitAddress(`${base}/${address.owner}/${address.name}`)
  if (listed.web === undefined || listed.tree !== undefined) {
    refuse(source, `does not name a repository; write https://github.com/<owner>/<repository>`)
  }
  const { web, owner, name } = listed
  return { ...address, ...(web === undefined ? {} : { web }), owner, name }
}

const parseHost = (source: string): string | undefined => {
  const url = URL.canParse(source) ? new URL(source) : undefined
  return url?.protocol === 'https:' && url.pathname === '/' && url.search + url.hash === ''
    ? `https://${url.host}`
    : undefined
}
