import { CONTROL_CHARACTERS, HIDDEN_CHARACTERS } from '../catalog/text.ts'
import type { Skill } from '../catalog/skill.ts'
import { filePagePath, hasRawAddress, skillFilePath, skillPath } from './paths.ts'

/** Resolves an address written in a guest's text; undefined where it leads nowhere. */
export type LinkResolver = (href: string) => string | undefined

const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const SAFE_SCHEME = /^(?:https?|mailto):/i

/** Whether a page may link to an address: http, https, mailto, a path or a fragment. */
export const isSafeHref = (href: string): boolean => {
  // A browser drops tabs and newlines before it reads the scheme, so they are refused first.
  if (href === '' || CONTROL_CHARACTERS.test(href) || /[\s\\<>"`]/.test(href)) return false
  if (HIDDEN_CHARACTERS.test(href) || href.startsWith('//')) return false
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

/** The folder of a skill beside this one, or its SKILL.md. */
const BESIDE = /^(?:\.\.\/){1,9}([\w-]{1,80})\/?(?:SKILL\.md)?$/

/**
 * Makes a resolver for the relative links of a SKILL.md: to a file of the skill, to another skill that it `mentioned`, else
 * to its place upstream.
 */
export const createSkillResolver =
  ({ slug, files, source }: Skill, mentioned: readonly Pick<Skill, 'slug'>[] = []): LinkResolver =>
  (href) => {
    const [path = '', fragment] = href.split('#', 2)
    if (path === '' || path.startsWith('/') || path.startsWith('?')) return undefined
    let decoded: string
    try {
      decoded = decodeURIComponent(path.split('?')[0] ?? '')
    } catch {
      return undefined
    }
    const inside = resolveInside(decoded)
    if (inside !== undefined && files.some((file) => file.path === inside)) {
      return hasRawAddress(inside) ? skillFilePath(slug, inside) : filePagePath(slug, inside)
    }
    const beside = BESIDE.exec(decoded)?.[1]
    if (mentioned.some((one) => one.slug === beside)) return skillPath(beside!)
    return source.kind === 'own' ? undefined : resolveUpstream(source.url, decoded, fragment)
  }

const GITHUB_TREE = /^(https:\/\/github\.com\/[^/]+\/[^/]+)\/tree\/([^/]+)\/?(.*)$/

const resolveUpstream = (
  sourceUrl: string,
  path: string,
  fragment?: string,
): string | undefined => {
  const tree = GITHUB_TREE.exec(sourceUrl)
  if (!tree) return undefined
  const inside = resolveInside(`${tree[3] ?? ''}/${path}`)
  if (inside === undefined) return undefined
  const encoded = inside.split('/').map(encodeURIComponent).join('/')
  return `${tree[1]}/blob/${tree[2]}/${encoded}${fragment ? `#${encodeURIComponent(fragment)}` : ''}`
}

/** A folder at a commit, on a host whose file pages have an anchor for each line. */
const AT_COMMIT =
  /^(https:\/\/(?:github\.com|gitlab\.com)\/[^?#]+?)(\/-)?\/tree\/([0-9a-f]{40})((?:\/[^?#]*)?)$/

/** Rendered by default, so that its lines have no anchors. */
const RENDERED = /\.(?:md|markdown|mdx|rst|adoc|ipynb|svg)$/i

/** Address of a line of a skill's file at its source; undefined where that is no commit whose lines have anchors. */
export const addressOfLine = (
  { source }: Pick<Skill, 'source'>,
  file: string,
  line: number,
): string | undefined => {
  const found = source.kind === 'upstream' ? AT_COMMIT.exec(source.url) : null
  if (!found) return undefined
  const [, project = '', dash = '', commit = '', folder = ''] = found
  const path = file.split('/').map(encodeURIComponent).join('/')
  const plain = RENDERED.test(file) ? '?plain=1' : ''
  return `${project}${dash}/blob/${commit}${folder.replace(/\/$/, '')}/${path}${plain}#L${line}`
}
