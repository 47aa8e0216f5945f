import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  decodeFolder,
  encodeForShells,
  encodePath,
  hasPlainHost,
  readAddress,
} from '../../../src/catalog/address.ts'
import { CONTROL_CHARACTERS, showValue } from '../../../src/catalog/text.ts'
import { UsageError } from '../cli/command.ts'
import { isSkillMd } from './find.ts'

/** Says which forbidden part an address has. */
const findForbiddenPart = (url: URL): string | undefined => {
  if (url.username !== '' || url.password !== '') return 'must not contain a user or password'
  return url.search !== '' || url.hash !== '' ? 'must not have a query or a fragment' : undefined
}

/** The parts that a source's address must not have. */
const BARE = { username: '', password: '', search: '', hash: '' }

export const childAddress = (address: string, path: string): string =>
  path.startsWith('..')
    ? new URL(encodePath(path), `${address}/`).href.replace(/\/$/, '')
    : path === ''
      ? address
      : `${address}/${encodePath(path)}`

const TREE_FORM = 'https://github.com/<owner>/<repository>/tree/<ref>/<folder>'

/** Parses --source and removes trailing slashes. Throws UsageError. */
export const parseSourceOption = (value: string): string => {
  const refuse = (why: string): never => {
    throw new UsageError(`--source ${JSON.stringify(value)} ${why}.`)
  }
  if (/[\s\\]/.test(value) || !URL.canParse(value)) refuse(`is not an address; write ${TREE_FORM}`)
  const url = new URL(value)
  if (!/^https?:$/.test(url.protocol)) refuse('must start with https:// or http://')
  if (!hasPlainHost(url)) refuse('names no host')
  const forbidden = findForbiddenPart(url)
  if (forbidden !== undefined)
    refuse(`${forbidden}; write ${Object.assign(new URL(value), BARE).href}`)
  const { isGitHub, kind, ref } = readAddress(value)
  if (isGitHub && (kind !== 'tree' || ref === '')) {
    refuse(`does not name a branch, tag or commit; write ${TREE_FORM}`)
  }
  return url.href.replace(/\/+$/, '')
}

/** The parsed address of a repository or of a folder in it. */
export interface GitAddress {
  argument: string
  /** The address to fetch: https:// or file://; in a private registry also ssh:// or http://, possibly with a login. */
  remote: string
  isPrivate?: boolean
  /** `https://host/owner/repository`; undefined if readers cannot open the address. */
  web?: string
  owner: string
  name: string
  /** Ref and folder after `/tree/`, not yet separated; undefined for the whole repository. */
  tree?: string
}

/** Whether a positional is an address rather than a path on this machine. */
export const isAddress = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:(?:\/\/|:)/i.test(text) ||
  (/^[\w.-]+@[\w.-]+:/.test(text) && !existsSync(text))

const EXAMPLE = 'https://github.com/<owner>/<repository>, optionally with /tree/<ref>/<folder>'

const refuse = (argument: string, why: string): never => {
  throw new UsageError(`${showValue(argument, 200)} ${why}.`)
}

/** Forms of addresses that are refused, with the reason. */
const REFUSED: readonly [RegExp, string][] = [
  [
    /^(?:ssh|git\+ssh):|^[\w.-]+@/i,
    'needs ssh and your keys, which requires "private": true in site.json',
  ],
  [/^(?:http|git|ftp):\/\//i, 'is not encrypted, so it can be altered in transit'],
  [/^[a-z0-9+.-]+::/i, 'makes git run a program'],
]

const RESERVED = new Set(['.', '..', '.git'])

/** Parses an address of a repository or a folder; returns the reason as a string if it is another one. */
const readWeb = (argument: string, url: URL, isPrivate: boolean): GitAddress | string => {
  if (!hasPlainHost(url)) return 'names no host'
  const forbidden = isPrivate ? undefined : findForbiddenPart(url)
  if (forbidden !== undefined) return forbidden
  const { isGitHub, repository, path, rest, kind, ref, folder } = readAddress(url.href)
  const tree = decodeFolder(`${ref}/${folder}`.replace(/\/$/, ''))
  const names = decodeFolder(path.slice(1))?.split('/') ?? []
  const all = [...names, ...(tree?.split('/') ?? [])]
  if (names.length < 2 || tree === undefined || all.some((name) => RESERVED.has(name))) {
    return 'names no repository'
  }
  const isPage =
    kind !== 'tree' && ((repository !== undefined && rest !== '') || names.includes('-'))
  if (isPage || isSkillMd(basename(tree || path))) return 'names no folder'
  if (kind === 'tree' && ref === '') return 'names no branch, tag or commit after /tree/'
  const plain = names.map(encodeURIComponent).join('/')
  const login = url.href.slice(0, url.href.indexOf(url.host, url.protocol.length))
  const host = isGitHub ? 'github.com' : url.host
  // Readers open the repository's web page, not its ssh port.
  const site = url.protocol === 'ssh:' ? `https://${url.hostname}` : `${url.protocol}//${host}`
  return {
    argument,
    isPrivate,
    remote: `${login}${host}/${plain}`,
    web: encodeForShells(`${site}/${plain.replace(/\.git$/, '')}`),
    owner: names[0] ?? '',
    name: (names.at(-1) ?? '').replace(/\.git$/, ''),
    ...(kind === 'tree' && { tree }),
  }
}

/** A raw file on GitHub, and pages of a file on GitHub and GitLab. */
const FILE_PAGES: readonly [RegExp, string][] = [
  [/^https:\/\/raw\.githubusercontent\.com((?:\/[^/]+){2})\//, 'https://github.com$1/blob/'],
  [/^(https:\/\/[^/]+(?:\/[^/]+){2,}?)\/(?:raw|edit|blame)\//, '$1/blob/'],
  [/\/blob\/refs\/(?:heads|tags)\//, '/blob/'],
]

/** What stands before `host/owner/repository` in addresses of other protocols and in short forms. */
const PREFIXES: readonly [RegExp, string][] = [
  [/^(?:git\+)?(?:https?|ssh|git):\/\//i, ''],
  [/^[^/@]*@/, ''],
  [/^(?:github:)?(?=[\w-]+\/[\w.-]+$)/i, 'github.com/'],
  [/^([\w-]+(?:\.[\w-]+)+):(?!\d)/, '$1/'],
]

const replaceAll = (text: string, rows: readonly [RegExp, string][]): string =>
  rows.reduce((done, [pattern, by]) => done.replace(pattern, by), text)

/**
 * The address of the repository or folder that a page, a file, a short form or an address of another protocol stands
 * for; undefined if that is unclear.
 */
export const correctAddress = (text: string): string | undefined => {
  const bare = replaceAll(text.trim(), PREFIXES)
  const page = replaceAll(`https://${bare}`, FILE_PAGES)
  if (!/^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/[^/\s\\]+){2}/.test(bare) || !URL.canParse(page))
    return undefined
  const url = Object.assign(new URL(page), BARE)
  if (/^(?:ssh|git):/i.test(text)) url.port = ''
  const { isGitHub, path, dash, kind, ref, folder } = readAddress(url.href)
  if (isGitHub) url.host = 'github.com'
  const isFile = kind === 'blob' || isSkillMd(basename(folder))
  const inside = isFile ? folder.replace(/\/?[^/]*$/, '') : folder
  url.pathname =
    path.replace(/\/-\/.*$|\.git$/, '') +
    (ref === '' ? '' : `${dash}/tree/${ref}${inside && `/${inside}`}`)
  const corrected = url.href.replace(/\/$/, '')
  return corrected === text || typeof readWeb(corrected, url, false) === 'string'
    ? undefined
    : corrected
}

/** Refuses an address, with the corrected one. */
const refuseForm = (argument: string, why: string): never =>
  refuse(argument, `${why}; write ${correctAddress(argument) ?? EXAMPLE}`)

const isRepository = (path: string): boolean =>
  existsSync(join(path, '.git')) ||
  (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')))

/** Finds the repository in a path: the whole path, or the part before one of its `/tree/`. */
const findLocal = (path: string): { repository: string; tree?: string } | undefined => {
  if (isRepository(path)) return { repository: path }
  const parts = path.split('/tree/')
  for (const at of parts.keys()) {
    const repository = parts.slice(0, at).join('/tree/')
    if (repository !== '' && isRepository(repository)) {
      return { repository, tree: parts.slice(at).join('/tree/') }
    }
  }
  return undefined
}

const parseFile = (argument: string, url: URL): GitAddress => {
  if (url.hostname !== '' && url.hostname !== 'localhost') {
    refuse(argument, 'names another machine; write file:///<path>')
  }
  url.hostname = ''
  if (!URL.canParse(url.href) || /%2f|%5c|%00/i.test(url.pathname)) {
    refuse(argument, 'is not a path on this machine')
  }
  const path = fileURLToPath(url).replace(/(?<=.)\/+$/, '')
  const found = findLocal(path)
  if (!found) return refuse(argument, 'is not a git repository on this machine')
  return {
    argument,
    remote: pathToFileURL(found.repository).href,
    owner: basename(dirname(found.repository)),
    name: basename(found.repository).replace(/\.git$/, ''),
    ...(found.tree === undefined ? {} : { tree: found.tree }),
  }
}

/** The form `git@host:owner/repository`. */
const SHORT_SSH = /^([\w.-]+@[\w.-]+):\/?/

/**
 * Parses an https:// address, or the file:// address of a repository on this machine. A private registry also accepts
 * ssh, http and logins. Throws UsageError.
 */
export const parseGitAddress = (argument: string, isPrivate = false): GitAddress => {
  const address = isPrivate ? argument.replace(SHORT_SSH, 'ssh://$1/') : argument
  const isAllowed = isPrivate && /^(?:ssh|http):\/\//.test(address)
  for (const [pattern, why] of isAllowed ? [] : REFUSED)
    if (pattern.test(address)) refuseForm(argument, why)
  if (/[\s\\]/.test(address) || CONTROL_CHARACTERS.test(address) || !URL.canParse(address)) {
    return refuseForm(argument, 'is not an address')
  }
  const url = new URL(address)
  if (url.protocol === 'file:') return parseFile(argument, url)
  if (!isAllowed && url.protocol !== 'https:')
    return refuseForm(argument, 'is neither https:// nor file://')
  const read = readWeb(argument, url, isPrivate)
  return typeof read === 'string' ? refuseForm(argument, read) : read
}

/** Identifies a repository: hosts ignore the case of names, and accept them with or without `.git`, by any protocol. */
export const remoteKey = ({ remote, web }: GitAddress): string =>
  remote.startsWith('file:')
    ? remote
    : (web ?? remote)
        .toLowerCase()
        .replace(/^[a-z]+:\/\//, '')
        .replace(/^(?:127\.0\.0\.1|\[::1\])/, 'localhost')

/** Gives a repository on this machine its public address, which `--source` names. Throws UsageError. */
export const publishAt = (address: GitAddress, source: string): GitAddress => {
  const { web, owner, name, tree } = parseGitAddress(source)
  if (web !== undefined && tree === undefined) return { ...address, web, owner, name }
  return refuse(source, `does not name a repository; write https://github.com/<owner>/<repository>`)
}
