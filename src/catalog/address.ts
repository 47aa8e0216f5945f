/** The parts of an address of a skill's folder. */
export interface SourcePlace {
  isGitHub: boolean
  /** Address of the repository, with `.git` if the author wrote it; undefined if it cannot be determined. */
  repository: string | undefined
  /** Path of the repository; the whole path if the repository cannot be determined. */
  path: string
  /** The rest of the address after the repository. */
  rest: string
  /** `/-` on GitLab, which writes `/-/tree/`. */
  dash: '' | '/-'
  /** `tree` or `blob` on most hosts; empty for the repository itself. */
  kind: string
  /** Branch, tag or commit; only the first part of a branch with slashes: the address does not show where it ends. */
  ref: string
  /** Path inside the repository, percent-encoded as in the address. */
  folder: string
}

/** The characters of an address that neither sh nor cmd nor PowerShell reads as more than text. */
const NOT_PLAIN = /[^\w:/.@%+=?#~-]/g

/** Percent-encodes an ASCII character. */
const escape = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/**
 * Percent-encodes an address so that it can stand in a command. Quotes would not do: cmd does not know single quotes,
 * and runs what follows a `&`.
 */
export const encodeForShells = (address: string): string => {
  if (address.search(NOT_PLAIN) < 0 || !URL.canParse(address)) return address
  const { protocol, host, pathname, search, hash } = new URL(address)
  return `${protocol}//${host}${(pathname + search + hash).replace(NOT_PLAIN, escape)}`
}

/** Whether a host is a domain or an IP address. URLs allow more, such as `a&b.example`, which cannot be encoded. */
export const hasPlainHost = ({ hostname }: URL): boolean =>
  /^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(hostname)

/** Groups: repository, dash, kind, ref, folder. The first form that matches counts. */
const FORMS = [
  /^((?:\/[^/]+){2,}?)(\/-)?\/(tree|blob)(?:\/([^/]+)(?:\/(.+))?)?$/,
  /^((?:\/[^/]+){2})()\/(src)\/(?:(?:branch|commit|tag)\/)?([^/]+)(?:\/(.+))?$/,
  /^(\/.+?\.git)(?:\/.*)?$/,
]

const ON_GITHUB = [/^((?:\/[^/]+){2})()(?:\/(tree|blob)(?:\/([^/]+)(?:\/(.+))?)?|\/.*)?$/]

/** Parses the address of a skill's folder or of its repository. */
export const readAddress = (address: string): SourcePlace => {
  const { host, origin, pathname, search } = new URL(encodeForShells(address))
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

/** Whether an address names a commit, which never changes, rather than a branch or tag. */
export const namesCommit = ({ kind, ref }: SourcePlace): boolean =>
  kind === 'tree' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(ref)

/** Percent-decodes a path; undefined if a part of it is malformed or cannot be a file name. */
export const decodeFolder = (folder: string): string | undefined => {
  try {
    const names = folder.split('/').map(decodeURIComponent)
    return names.every((name) => /^[^/\\\p{Cc}]*$/u.test(name)) ? names.join('/') : undefined
  } catch {
    return undefined
  }
}

/** Percent-encodes a path for an address. */
export const encodePath = (path: string): string =>
  path.split('/').map(encodeURIComponent).join('/')

/**
 * The repository and folder of an address, whatever its commit. The repository is in lower case because GitHub ignores
 * case. If it cannot be determined, it is the first two segments of the path.
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

/** A key of a folder that is the same for all commits. */
export const locationKey = (address: string): string => {
  const { repository, folder } = locate(address)
  return `${repository}\n${folder}`
}

/** Addresses of a skill's source: its folder, and the link in the followed folder that leads to it. */
export const listPlaces = ({ url, link }: { url: string; link?: string | undefined }): string[] =>
  link === undefined ? [url] : [url, link]

/** Whether a folder is the same as another folder or inside it, whatever their commits. */
export const isWithin = (inner: string, outer: string): boolean =>
  `${locationKey(inner)}/`.startsWith(`${locationKey(outer)}/`.replace('\n/', '\n'))
