import { SKILLS_PATH } from '../src/documents/paths.ts'
import { parseSegments, renderPath } from './segments.ts'
import { parseTarget, renderQuery } from './target.ts'

/** A page's own name, and the ending that asks for one of its forms. */
const splitEnding = (name: string): { slug: string; ending: string } => {
  const [, slug = name, ending = ''] = /^(.+?)(\.md|\.html)$/i.exec(name) ?? []
  return { slug: slug.toLowerCase(), ending: ending.toLowerCase() }
}

/**
 * Gives the address below the new slug of a skill, for its page, its twin, its files and all else
 * below its old one; the query is kept. Undefined where the target names no slug that moved.
 */
export const moveAddress = (
  target: string,
  findSlug: (slug: string) => string | undefined,
): string | undefined => {
  const parsed = parseTarget(target)
  const path = parsed && parseSegments(parsed.path)
  if (!parsed || !path) return undefined
  const [room = '', name = '', ...rest] = path.segments
  const isFile = rest.length > 0
  // A page is found in any case and with a slash at its end, a file as it is written.
  const isSkill = (isFile ? room : room.toLowerCase()) === SKILLS_PATH.slice(1)
  if (!isSkill || (isFile && path.hasTrailingSlash)) return undefined
  const { slug, ending } = isFile ? { slug: name, ending: '' } : splitEnding(name)
  const next = findSlug(slug)
  if (next === undefined) return undefined
  const page = next + (ending === '.md' ? ending : '')
  return renderPath([SKILLS_PATH.slice(1), page, ...rest]) + renderQuery(parsed.query)
}
