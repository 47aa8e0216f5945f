import type { Skill } from '../catalog/skill.ts'
import type { LinkResolver } from './links.ts'
import { resolveInside } from './links.ts'
import { skillFilePath } from './paths.ts'

/** Makes a resolver for a SKILL.md's relative links: a file we hold, else its place upstream. */
export const createSkillResolver =
  ({ slug, files, source }: Skill): LinkResolver =>
  (href) => {
    const [path = '', fragment] = href.split('#', 2)
    if (path.startsWith('/') || path.startsWith('?')) return undefined
    let decoded: string
    try {
      decoded = decodeURIComponent(path.split('?')[0] ?? '')
    } catch {
      return undefined
    }
    const inside = resolveInside(decoded)
    if (inside !== undefined && files.some((file) => file.path === inside)) {
      return skillFilePath(slug, inside)
    }
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
