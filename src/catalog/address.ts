/** What the address of a skill's folder says about its repository. */
export interface SourcePlace {
  isGitHub: boolean
  /** Address of the repository, with the `.git` that its author may have written; undefined if that is not certain. */
  repository: string | undefined
  /** Path of the repository; all of the path if the repository is not certain. */
  path: string
  /** What follows the repository in the address. */
  rest: string
  /** GitLab writes `/-/tree/`. */
  dash: '' | '/-'
  /** `tree` or `blob` on most hosts; empty for the repository itself. */
  kind: string
  /** Branch, tag or commit. A branch may have slashes, which no address shows: then this is its first part. */
  ref: string
  /** Path inside the repository, escaped as in the address. */
  folder: string
}

/** Repository, dash, kind, ref, folder; the first form that matches. */
const FORMS = [
  /^((?:\/[^/]+){2,}?)(\/-)?\/(tree|blob)(?:\/([^/]+)(?:\/(.+))?)?$/,
  /^((?:\/[^/]+){2})()\/(src)\/(?:(?:branch|commit|tag)\/)?([^/]+)(?:\/(.+))?$/,
  /^(\/.+?\.git)(?:\/.*)?$/,
]

const ON_GITHUB = [/^((?:\/[^/]+){2})()(?:\/(tree|blob)(?:\/([^/]+)(?:\/(.+))?)?|\/.*)?$/]

/** Reads the address of a skill's folder, or of its repository. */
export const readAddress = (address: string): SourcePlace => {
  const { host, origin, pathname, search } = new URL(address)
  const isGitHub = /^(?:www\.)?github\.com$/.test(host)
  const whole = pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '')
  const forms = isGitHub ? ON_GITHUB : FORMS
  const found = forms.map((form) => form.exec(whole)).find((match) => match !== null)
  const [, path = whole, dash, kind = '', ref = '', folder = ''] = found ?? []
  return {
    isGitHub,
    repository: found && (isGitHub ? 'https://github.com' : origin) + path,
    path,
    rest: whole.slice(path.length) + search,
    dash: dash === '/-' ? dash : '',
    kind,
    ref,
    folder,
  }
}

/** The address of a repository without the `.git` that hosts ignore. */
export const plainRepository = ({ repository }: SourcePlace): string | undefined =>
  repository?.replace(/\.git$/, '')

/** Whether an address names a commit, which never changes, and not a branch or a tag. */
export const namesCommit = ({ kind, ref }: SourcePlace): boolean =>
  kind === 'tree' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref)

/** Unescapes a path; undefined where a part of it is malformed or could not be the name of a file. */
export const decodeFolder = (folder: string): string | undefined => {
  try {
    const names = folder.split('/').map(decodeURIComponent)
    return names.every((name) => /^[^/\\\p{Cc}]*$/u.test(name)) ? names.join('/') : undefined
  } catch {
    return undefined
  }
}

/** Escapes a path for an address. */
export const encodePath = (path: string): string =>
  path.split('/').map(encodeURIComponent).join('/')

/**
 * Finds a folder in a repository at any commit; the repository in lower case, since GitHub takes names in any. Where it is
 * not certain it is the first two segments.
 */
export const locate = (address: string): { repository: string; folder: string } => {
  const place = readAddress(address)
  const repository = plainRepository(place)
    ?.replace(/^https?:\/\//, '')
    .toLowerCase()
  if (repository !== undefined) return { repository, folder: place.folder }
  const [, owner, name, ...folders] = place.path.split('/')
  const first = `${new URL(address).host}/${owner}/${name}`
  return { repository: first.toLowerCase(), folder: folders.join('/') }
}

/** A key that is equal for all commits of a folder. */
export const locationKey = (address: string): string => {
  const { repository, folder } = locate(address)
  return `${repository}\n${folder}`
}

/** Whether a folder is another one, or lies in it, at any commit. */
export const isWithin = (inner: string, outer: string): boolean =>
  `${locationKey(inner)}/`.startsWith(`${locationKey(outer)}/`.replace('\n/', '\n'))
