import { DEFAULT_SORT } from '../catalog/browse.ts'
import type { Sort } from '../catalog/browse.ts'
import { CATEGORIES, categorySlug } from '../catalog/categories.ts'
import type { SearchForm } from './document.ts'
import { escapeAttribute, escapeText } from './escape.ts'
import type { Html } from './html.ts'

/** The orders that a page offers, with their words; without counters the popular order is by day. */
const sortLabels = (isCounted: boolean): [Sort, string][] =>
  isCounted
    ? [
        ['popular', 'Most popular'],
        ['installs', 'Most installed'],
        ['views', 'Most viewed'],
        ['name', 'Name'],
      ]
    : [
        ['popular', 'Newest'],
        ['name', 'Name'],
      ]

const renderSorts = ({ sort, isCounted }: SearchForm): string =>
  sortLabels(isCounted)
    .map(
      ([value, label]) =>
        `<option value="${value}"${value === sort && sort !== DEFAULT_SORT ? ' selected' : ''}>${label}</option>`,
    )
    .join('')

const renderCategories = ({ categories, counts }: SearchForm): string =>
  CATEGORIES.map((category, at) => {
    const checked = categories.includes(category) ? ' checked' : ''
    const count = counts ? ` <span class="count">${counts[at] ?? 0}</span>` : ''
    return `<label class="chip"><input type="checkbox" name="cat" value="${escapeAttribute(category)}"${checked}><span class="hue" data-hue="${categorySlug(category)}"></span>${escapeText(category)}${count}</label>`
  }).join('')

const renderInput = ({ q }: SearchForm): string =>
  `<input id="q" name="q" type="search" value="${escapeAttribute(q)}" autocomplete="off" placeholder="What should be done?" aria-describedby="search-status">`

/** The parts of the form that depend on what is asked. */
export const viewSearchForm = (
  form: SearchForm,
): Record<'input' | 'sorts' | 'categories', Html> => ({
  input: { html: renderInput(form) },
  sorts: { html: renderSorts(form) },
  categories: { html: renderCategories(form) },
})

/** The address of a search, as its form would send it, but without what is not asked. */
export const searchQuery = (
  { q, sort, categories }: Pick<SearchForm, 'q' | 'sort' | 'categories'>,
  page = 1,
): string => {
  const parameters = new URLSearchParams()
  if (q !== '') parameters.set('q', q)
  if (categories.length > 0) parameters.set('cat', categories.join(','))
  if (sort !== DEFAULT_SORT) parameters.set('sort', sort)
  if (page > 1) parameters.set('page', String(page))
  return parameters.toString()
}
