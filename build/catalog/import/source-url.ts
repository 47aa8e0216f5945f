import { UsageError } from '../cli/errors.ts'
import { isInFolder } from './paths.ts'

/** What a source's address names, whichever branch or commit it is of. */
interface SourceLocation {
  /** `host/owner/repository` in lower case: GitHub takes owners and names in any case. */
  repository: string
  /** Folder inside it, empty for its root. */
  folder: string
  /** Only where the address is GitHub's. */
  owner?: string
}

const segmentsOf = ({ pathname }: URL): string[] => pathname.split('/').filter(Boolean)

const isGitHub = ({ hostname }: URL): boolean => /^(?:www\.)?github\.com$/.test(hostname)

export const locate = (address: string): SourceLocation => {
  const url = new URL(address)
  const segments = segmentsOf(url)
  const [owner = '', name = ''] = segments
  const owned = isGitHub(url) ? { owner } : {}
  const at = segments.indexOf('tree', 2)
  if (at < 0) {
    const folder = isGitHub(url) ? '' : segments.slice(2).join('/')
    return { repository: `${url.host}/${owner}/${name}`.toLowerCase(), folder, ...owned }
  }
  // After the repository come `tree` and the ref. GitLab has groups before the name, and `/-/tree/`.
  const path = segments.slice(0, segments[at - 1] === '-' ? at - 1 : at)
  const repository = `${url.host}/${path.join('/')}`.toLowerCase()
  return { repository, folder: segments.slice(at + 2).join('/'), ...owned }
}

/** The same text for every commit of one folder. */
export const locationKey = (address: string): string => {
  const { repository, folder } = locate(address)
  return `${repository}\n${folder}`
}

export const isWithin = (inner: SourceLocation, outer: SourceLocation): boolean =>
  inner.repository === outer.repository && isInFolder(inner.folder, outer.folder)

/** Whether an address names a commit, which never changes, and not a branch or a tag. */
export const namesCommit = (address: string): boolean =>
  /\/tree\/[0-9a-f]{40}(?:[0-9a-f]{24})?(?:\/|$)/.test(address)

export const childAddress = (address: string, path: string): string =>
  path === '' ? address : `${address}/${path.split('/').map(encodeURIComponent).join('/')}`

const TREE_FORM = 'https://github.com/<owner>/<repository>/tree/<ref>/<folder>'

/** Reads the value of --source; gives it without a final slash. Throws UsageError. */
export const parseSourceOption = (value: string): string => {
  const refuse = (why: string): never => {
    throw new UsageError(`--source ${JSON.stringify(value)} ${why}.`)
  }
  if (/[\s\\]/.test(value) || !URL.canParse(value)) refuse(`is no address; write ${TREE_FORM}`)
  const url = new URL(value)
  if (!/^https?:$/.test(url.protocol)) refuse('must start with https:// or http://')
  if (url.username !== '' || url.password !== '') refuse('must not hold a user or password')
  if (url.search !== '' || url.hash !== '') refuse('must not have a query or a fragment')
  const [, , kind, ref] = segmentsOf(url)
  if (isGitHub(url) && (kind !== 'tree' || ref === undefined)) {
    refuse(`does not name a branch, tag or commit; write ${TREE_FORM}`)
  }
  return url.href.replace(/\/+$/, '')
}
