import { decodeFolder, encodePath, namesCommit, readAddress } from '../../catalog/address.ts'
import type { SourcePlace } from '../../catalog/address.ts'
import { foldPath } from '../../catalog/file-names.ts'
import { CONTROL_CHARACTERS, hasHidden } from '../../catalog/text.ts'
import type { Mention } from '../../catalog/needs/found.ts'
import type { Skill } from '../../catalog/skill.ts'
import { filePagePath, hasRawAddress, skillFilePath, skillPath } from '../paths.ts'

/** Resolves an address in an untrusted text; undefined if it leads nowhere. */
export type LinkResolver = (href: string) => string | undefined

const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const SAFE_SCHEME = /^(?:https?|mailto):/i

/** Whether a page may link to an address: http, https, mailto, a path or a fragment. */
export const isSafeHref = (href: string): boolean => {
  // Browsers ignore tabs and newlines in a scheme, so addresses with them are refused first.
  if (href === '' || CONTROL_CHARACTERS.test(href) || /[\s\\<>"`]/.test(href)) return false
  if (hasHidden(href) || href.startsWith('//')) return false
  if (!SCHEME.test(href)) return true
  return SAFE_SCHEME.test(href) && URL.canParse(href)
}

export const isAbsoluteHref = (href: string): boolean => SCHEME.test(href)

/** Resolves the `.` and `..` of a path inside a skill; undefined if it leads out of the skill. */
const resolveInside = (path: string): string | undefined => {
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** Matches a relative path to the folder or SKILL.md of a sibling skill. */
const SIBLING = /^(?:\.\.\/){1,9}([\w-]{1,80})\/?(?:SKILL\.md)?$/

/**
 * Creates a resolver for the relative links in a SKILL.md. They lead to a file of the skill, to another skill if it is
 * `mentioned`, or else to the file in the source's repository.
 */
export const createSkillResolver = (
  { slug, files, source }: Skill,
  mentioned: readonly Mention[] = [],
): LinkResolver => {
  const folded = new Map(files.map(({ path }) => [foldPath(path), path]))
  return (href) => {
    const [path = '', fragment] = href.split('#', 2)
    if (path === '' || path.startsWith('/') || path.startsWith('?')) return undefined
    let decoded: string
    try {
      decoded = decodeURIComponent(path.split('?')[0] ?? '')
    } catch {
      return undefined
    }
    const inside = resolveInside(decoded)
    const file = inside === undefined ? undefined : folded.get(foldPath(inside))
    if (file !== undefined)
      return hasRawAddress(file) ? skillFilePath(slug, file) : filePagePath(slug, file)
    const sibling = SIBLING.exec(decoded)?.[1]
    const other = mentioned.find((skill) => skill.slug !== undefined && skill.name === sibling)
    if (other?.slug !== undefined) return skillPath(other.slug)
    return source.kind === 'own' ? undefined : resolveUpstream(source.url, decoded, fragment)
  }
}

/** Returns the address of a file at a ref on GitHub or GitLab; undefined for hosts whose address scheme is unknown. */
const hostedFile = ({ repository, dash, ref }: SourcePlace, path: string): string | undefined =>
  repository !== undefined && /^https:\/\/(?:github|gitlab)\.com\//.test(repository)
    ? `${repository}${dash}/blob/${ref}/${encodePath(path)}`
    : undefined

const resolveUpstream = (
  sourceUrl: string,
  path: string,
  fragment?: string,
): string | undefined => {
  const place = readAddress(sourceUrl)
  const inside = resolveInside(`${decodeFolder(place.folder) ?? '..'}/${path}`)
  if (place.kind !== 'tree' || inside === undefined) return undefined
  const file = hostedFile(place, inside)
  return file && file + (fragment ? `#${encodeURIComponent(fragment)}` : '')
}

/** Files that hosts render by default, so that their lines have no anchors without `?plain=1`. */
const RENDERED = /\.(?:md|markdown|mdx|rst|adoc|ipynb|svg)$/i

/** Returns the address of a line at a skill's source; undefined unless the source names a commit on a known host. */
export const addressOfLine = (
  { source }: Pick<Skill, 'source'>,
  file: string,
  line: number,
): string | undefined => {
  if (source.kind === 'own') return undefined
  const place = readAddress(source.url)
  const folder = decodeFolder(place.folder)
  if (folder === undefined || !namesCommit(place)) return undefined
  const address = hostedFile(place, folder === '' ? file : `${folder}/${file}`)
  return address && `${address}${RENDERED.test(file) ? '?plain=1' : ''}#L${line}`
}
