import { UsageError } from '../cli/errors.ts'
import { isInFolder } from '../store/paths.ts'

interface SourceLocation {
  /** `host/owner/repository` in lower case: GitHub takes owners and names in any case. */
  repository: string
  /** Folder inside it, empty for its root. */
  folder: string
  /** Only for an address on GitHub. */
  owner?: string
}

export const segmentsOf = ({ pathname }: URL): string[] => pathname.split('/').filter(Boolean)

export const isGitHub = ({ hostname }: URL): boolean => /^(?:www\.)?github\.com$/.test(hostname)

/** Splits the segments of a path before and after `tree`. GitLab writes `/-/tree/`. */
export const splitTree = (
  segments: readonly string[],
): { repository: string[]; tree?: string[] } => {
  const at = segments.indexOf('tree', 2)
  if (at < 0) return { repository: [...segments] }
  const end = at > 2 && segments[at - 1] === '-' ? at - 1 : at
  return { repository: segments.slice(0, end), tree: segments.slice(at + 1) }
}

/** The part that an address must not have, for a message. */
export const findForbiddenPart = (url: URL): string | undefined => {
  if (url.username !== '' || url.password !== '') return 'must not hold a user or password'
  return url.search !== '' || url.hash !== '' ? 'must not have a query or a fragment' : undefined
}

export const locate = (address: string): SourceLocation => {
  const url = new URL(address)
  const { repository, tree } = splitTree(segmentsOf(url))
  const [owner = '', name = '', ...rest] = repository
  // The first part of the tree is the ref. Without a tree, only on GitHub are owner and name sure to be two segments.
  const path = tree ? repository : [owner, name]
  const folder = tree?.slice(1) ?? (isGitHub(url) ? [] : rest)
  return {
    repository: `${url.host}/${path.join('/')}`.toLowerCase(),
    folder: folder.join('/'),
    ...(isGitHub(url) ? { owner } : {}),
  }
}

/** A key that is equal for all commits of a folder. */
export const locationKey = (address: string): string => {
  const { repository, folder } = locate(address)
  return `${repository}\n${folder}`
}

export const isWithin = (inner: SourceLocation, outer: SourceLocation): boolean =>
  inner.repository === outer.repository && isInFolder(inner.folder, outer.folder)

export const childAddress = (address: string, path: string): string =>
  path === '' ? address : `${address}/${path.split('/').map(encodeURIComponent).join('/')}`

const TREE_FORM = 'https://github.com/<owner>/<repository>/tree/<ref>/<folder>'

/** Parses --source, without a trailing slash. Throws UsageError. */
export const parseSourceOption = (value: string): string => {
  const refuse = (why: string): never => {
    throw new UsageError(`--source ${JSON.stringify(value)} ${why}.`)
  }
  if (/[\s\\]/.test(value) || !URL.canParse(value)) refuse(`is not an address; write ${TREE_FORM}`)
  const url = new URL(value)
  if (!/^https?:$/.test(url.protocol)) refuse('must start with https:// or http://')
  const forbidden = findForbiddenPart(url)
  if (forbidden !== undefined) refuse(forbidden)
  const [, , kind, ref] = segmentsOf(url)
  if (isGitHub(url) && (kind !== 'tree' || ref === undefined)) {
    refuse(`does not name a branch, tag or commit; write ${TREE_FORM}`)
  }
  return url.href.replace(/\/+$/, '')
}
