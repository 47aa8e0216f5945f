import type { Crumb, Document } from './document.ts'
import { BLOG_PATH, HOME_PATH, SKILLS_PATH, categoryPath } from './paths.ts'

const HOME: Crumb = { label: 'Home', path: HOME_PATH }
const SKILLS: Crumb = { label: 'Skills', path: SKILLS_PATH }

/** The pages above those below an address; of several the first counts. */
const ROOMS: readonly (readonly [prefix: string, crumbs: readonly Crumb[]])[] = [
  [`${SKILLS_PATH}/`, [HOME, SKILLS]],
  ['/categories/', [HOME, SKILLS]],
  ['/authors/', [HOME, SKILLS]],
  [`${BLOG_PATH}/`, [HOME, { label: 'Blog', path: BLOG_PATH }]],
]

/** The pages above a page, the highest first; the start page has none. */
export const trailOf = ({
  kind,
  path,
  category,
  partOf,
}: Pick<Document, 'kind' | 'path' | 'category' | 'partOf'>): readonly Crumb[] => {
  if (kind === 'home') return []
  if (kind === 'skill' && category)
    return [HOME, SKILLS, { label: category, path: categoryPath(category) }]
  if (partOf) return [HOME, SKILLS, partOf]
  return ROOMS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? [HOME]
}
