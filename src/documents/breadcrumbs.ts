import type { Crumb, Document } from './document.ts'
import { EMPTY_HTML, html } from './prose/markup.ts'
import type { Html } from './prose/markup.ts'
import { PATHS, categoryPath } from './paths.ts'

const HOME: Crumb = { label: 'Home', path: PATHS.home }
const SKILLS: Crumb = { label: 'Skills', path: PATHS.skills }

const PARENT_PAGES: readonly Crumb[] = [
  SKILLS,
  { label: 'Categories', path: PATHS.categories },
  { label: 'Authors', path: PATHS.authors },
  { label: 'Blog', path: PATHS.blog },
  { label: 'Docs', path: PATHS.docs },
]

/** For page 2 and later of a list, a crumb for its first page. */
const listFirstPage = ({ path, heading }: Pick<Document, 'path' | 'heading'>): Crumb[] => {
  const [, home] = /^(.+)\/page\/\d+$/.exec(path) ?? []
  return home === undefined ? [] : [{ label: heading.replace(/, page \d+$/, ''), path: home }]
}

/** Lists the ancestors of a page, the home page first. The home page has none. */
export const listBreadcrumbs = (
  document: Pick<Document, 'kind' | 'path' | 'category' | 'heading' | 'partOf'>,
): readonly Crumb[] => {
  const { kind, path, category, partOf } = document
  if (kind === 'home') return []
  if (kind === 'skill' && category)
    return [HOME, SKILLS, { label: category, path: categoryPath(category) }]
  if (partOf) return [HOME, SKILLS, partOf]
  const above = [HOME, ...PARENT_PAGES.filter((parent) => path.startsWith(`${parent.path}/`))]
  const first = listFirstPage(document).filter((crumb) =>
    above.every((parent) => parent.path !== crumb.path),
  )
  return [...above, ...first]
}

export const renderTrail = (document: Document): Html => {
  const trail = listBreadcrumbs(document)
  if (trail.length === 0) return EMPTY_HTML
  const links = trail.map(({ label, path }) => html`<li><a href="${path}">${label}</a></li>`)
  return html`<nav class="trail frame" aria-label="Breadcrumbs">
    <ol>
      ${links}
      <li aria-current="page" dir="auto">${document.heading}</li>
    </ol>
  </nav>`
}
