import { UsageError } from '../cli/errors.ts'

/** Where a source lies, whichever commit of it an address names. */
export interface Place {
  /** The repository, in lower case: GitHub takes owners and names in any case. */
  repo: string
  /** Folder inside it, empty for its root. */
  dir: string
  /** Owner, where the address is GitHub's. */
  owner?: string
}

const segmentsOf = ({ pathname }: URL): string[] => pathname.split('/').filter(Boolean)

const isGitHub = ({ hostname }: URL): boolean => /^(?:www\.)?github\.com$/.test(hostname)

/** Gives the place of a source address, so that another commit of a folder is the same place. */
export const placeOf = (address: string): Place => {
  const url = new URL(address)
  const segments = segmentsOf(url)
  const [owner = '', name = ''] = segments
  const owned = isGitHub(url) ? { owner } : {}
  // After the repository come `tree` and the ref; GitLab puts groups before its name and a dash after.
  const at = segments.indexOf('tree', 2)
  if (at < 0) {
    const dir = isGitHub(url) ? '' : segments.slice(2).join('/')
    return { repo: `${url.host}/${owner}/${name}`.toLowerCase(), dir, ...owned }
  }
  const repository = segments.slice(0, segments[at - 1] === '-' ? at - 1 : at)
  const repo = `${url.host}/${repository.join('/')}`.toLowerCase()
  return { repo, dir: segments.slice(at + 2).join('/'), ...owned }
}

/** Gives the commit that an address names; undefined for a branch, a tag or another address. */
export const commitOf = (address: string): string | undefined =>
  /\/tree\/([0-9a-f]{40}(?:[0-9a-f]{24})?)(?:\/|$)/.exec(address)?.[1]

/** Gives a text for a place, the same for every commit of it. */
export const placeKey = (address: string): string => {
  const { repo, dir } = placeOf(address)
  return `${repo}\n${dir}`
}

/** Says whether a place is another one or lies below it. */
export const isWithin = (place: Place, outer: Place): boolean =>
  place.repo === outer.repo &&
  (outer.dir === '' || place.dir === outer.dir || place.dir.startsWith(`${outer.dir}/`))

const TREE_FORM = 'https://github.com/<owner>/<repository>/tree/<ref>/<folder>'

/** Reads the address given with --source, without a final slash. Throws UsageError. */
export const parseTreeAddress = (value: string): string => {
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

/** Gives the address of a folder below an address. */
export const childAddress = (address: string, path: string): string =>
  path === '' ? address : `${address}/${path.split('/').map(encodeURIComponent).join('/')}`
