import type { Crumb, Document } from './document.ts'
import {
  AUTHORS_PATH,
  BLOG_PATH,
  CATEGORIES_PATH,
  HOME_PATH,
  SKILLS_PATH,
  categoryPath,
} from './paths.ts'

const HOME: Crumb = { label: 'Home', path: HOME_PATH }
const SKILLS: Crumb = { label: 'Skills', path: SKILLS_PATH }

/** The pages above those below an address; of several the first counts. */
const ROOMS: readonly (readonly [prefix: string, crumbs: readonly Crumb[]])[] = [
  [`${SKILLS_PATH}/`, [HOME, SKILLS]],
  [`${CATEGORIES_PATH}/`, [HOME, { label: 'Categories', path: CATEGORIES_PATH }]],
  [`${AUTHORS_PATH}/`, [HOME, { label: 'Authors', path: AUTHORS_PATH }]],
  [`${BLOG_PATH}/`, [HOME, { label: 'Blog', path: BLOG_PATH }]],
]

/** The first page of the list that a page continues. */
const firstPageOf = ({ path, heading }: Pick<Document, 'path' | 'heading'>): Crumb[] => {
  const [, home] = /^(.+)\/page\/\d+$/.exec(path) ?? []
  return home === undefined ? [] : [{ label: heading.replace(/, page \d+$/, ''), path: home }]
}

/** The pages above one that the function prints, the highest first. */
export const listAnsweredBreadcrumbs = ({ partOf }: Pick<Document, 'partOf'>): readonly Crumb[] =>
  partOf ? [HOME, SKILLS, partOf] : [HOME]

/** The pages above a page, the highest first; the start page has none. */
export const listBreadcrumbs = (
  document: Pick<Document, 'kind' | 'path' | 'category' | 'heading' | 'partOf'>,
): readonly Crumb[] => {
  const { kind, path, category, partOf } = document
  if (kind === 'home') return []
  if (kind === 'skill' && category)
    return [HOME, SKILLS, { label: category, path: categoryPath(category) }]
  if (partOf) return listAnsweredBreadcrumbs({ partOf })
  const above = ROOMS.find(([prefix]) => path.startsWith(prefix))?.[1] ?? [HOME]
  return above.concat(
    firstPageOf(document).filter((first) => above.every((crumb) => crumb.path !== first.path)),
  )
}
