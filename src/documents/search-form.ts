import { DEFAULT_SORT } from '../catalog/browse.ts'
import type { Sort } from '../catalog/browse.ts'
import { CATEGORIES, categorySlug } from '../catalog/categories.ts'
import { FACETS, FACET_NAMES, SIZE_STEPS } from '../catalog/facets.ts'
import type { FacetName, Facets } from '../catalog/facets.ts'
import type { KnownOrders, SearchForm } from './document.ts'
import { escapeAttribute, escapeText } from './html.ts'
import type { Html } from './html.ts'

/** The orders that a page offers, with their words; without counters the popular order is by day, without days by name. */
const sortLabels = ({ isCounted, isDated }: KnownOrders): [Sort, string][] => {
  if (isCounted)
    return [
      ['popular', 'Most popular'],
      ['installs', 'Most installed'],
      ['views', 'Most viewed'],
      ['name', 'Name'],
    ]
  return isDated
    ? [
        ['popular', 'Newest'],
        ['name', 'Name'],
      ]
    : [['name', 'Name']]
}

const renderOption = (value: string, label: string, isChosen: boolean): string =>
  `<option value="${value}"${isChosen ? ' selected' : ''}>${escapeText(label)}</option>`

/** What a query finds is ordered by how well it answers, so nothing else can be chosen. */
const renderSorts = ({ q, sort, orders }: SearchForm): string => {
  const [first, ...others] = q === '' ? sortLabels(orders) : [['', 'Best match'] as const]
  if (first && others.length === 0)
    return `<select id="sort" disabled><option>${first[1]}</option></select>`
  const options = sortLabels(orders).map(([value, label]) =>
    renderOption(value, label, value === sort && sort !== DEFAULT_SORT),
  )
  return `<select id="sort" name="sort">${options.join('')}</select>`
}

const renderCategories = ({ categories, counts }: SearchForm): string =>
  CATEGORIES.map((category, at) => {
    const checked = categories.includes(category) ? ' checked' : ''
    const count = counts ? ` <span class="count">${counts[at] ?? 0}</span>` : ''
    return `<label class="chip"><input type="checkbox" name="cat" value="${escapeAttribute(category)}"${checked}><span class="hue" data-hue="${categorySlug(category)}"></span>${escapeText(category)}${count}</label>`
  }).join('')

const [MEDIUM, LARGE] = [SIZE_STEPS.medium, SIZE_STEPS.large].map((step) =>
  step.toLocaleString('en'),
)

/** The words of facets and of their values, in the order of `FACETS`. */
const FACET_WORDS: {
  readonly [Name in FacetName]: {
    label: string
    values: Readonly<Record<(typeof FACETS)[Name][number], string>>
  }
} = {
  licence: {
    label: 'Licence',
    values: {
      permissive: 'Permissive',
      copyleft: 'Copyleft',
      other: 'Another',
      none: 'None stated',
    },
  },
  findings: {
    label: 'Findings',
    values: { none: 'None', review: 'Review' },
  },
  scripts: {
    label: 'Scripts',
    values: { none: 'None', some: 'Some' },
  },
  size: {
    label: 'Size',
    values: {
      small: `Under ${MEDIUM} tokens`,
      medium: `${MEDIUM} to ${LARGE} tokens`,
      large: `${LARGE} tokens or more`,
    },
  },
}

const renderFacet = (name: FacetName, chosen: string | undefined): string => {
  const { label, values } = FACET_WORDS[name]
  const words: Readonly<Record<string, string>> = values
  const options = FACETS[name].map((value) =>
    renderOption(value, words[value] ?? value, value === chosen),
  )
  return `<label for="${name}">${label}</label><select id="${name}" name="${name}">${renderOption('', 'Any', false)}${options.join('')}</select>`
}

const isFiltered = (facets: Facets): boolean => FACET_NAMES.some((name) => facets[name])

const renderFacets = ({ facets }: SearchForm): string =>
  `<details${isFiltered(facets) ? ' open' : ''}><summary>More filters</summary><div class="facets">${FACET_NAMES.map((name) => `<p>${renderFacet(name, facets[name])}</p>`).join('')}</div></details>`

/** Longest query that a field takes, in UTF-16 units: with all else percent-encoded it fits in an address. */
export const LONGEST_QUERY = 3_000

const renderInput = ({ q }: SearchForm): string =>
  `<input id="q" name="q" type="search" value="${escapeAttribute(q)}" autocomplete="off" maxlength="${LONGEST_QUERY}" placeholder="What should be done?">`

/** The parts of the form that depend on the query. */
export const viewSearchForm = (
  form: SearchForm,
): Record<'input' | 'sorts' | 'categories' | 'facets', Html> => ({
  input: { html: renderInput(form) },
  sorts: { html: renderSorts(form) },
  categories: { html: renderCategories(form) },
  facets: { html: renderFacets(form) },
})

/** What is filtered by, in words: `licence: Permissive`. */
export const describeFacets = (facets: Facets): string[] =>
  FACET_NAMES.flatMap((name) => {
    const { label, values } = FACET_WORDS[name]
    const value = facets[name]
    const words: Readonly<Record<string, string>> = values
    return value === undefined ? [] : [`${label.toLowerCase()}: ${words[value]?.toLowerCase()}`]
  })
