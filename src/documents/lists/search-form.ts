import { DEFAULT_SORT } from '../../catalog/browse.ts'
import type { Sort } from '../../catalog/browse.ts'
import { categorySlug } from '../../catalog/categories.ts'
import { FACET_VALUES } from '../../catalog/facets.ts'
import type { FacetName, Facets } from '../../catalog/facets.ts'
import type { Choices, SearchForm } from '../document.ts'
import { EMPTY_HTML, html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { PATHS } from '../paths.ts'

/** Lists the sort orders to offer. `popular` is by day if there are no counters, and by name if there are no days. */
const sortLabels = ({ isCounted, isDated }: Choices): (readonly [Sort, string])[] =>
  (
    [
      ['popular', 'Most popular', isCounted],
      ['popular', 'Newest', !isCounted && isDated],
      ['newest', 'Newest', isCounted && isDated],
      ['installs', 'Most installed', isCounted],
      ['views', 'Most viewed', isCounted],
      ['name', 'Name', true],
    ] as const
  ).flatMap(([sort, label, isOffered]) => (isOffered ? [[sort, label] as const] : []))

const renderOption = (value: string, label: string, isChosen: boolean): Html =>
  html`<option value="${value}" ${isChosen ? 'selected' : ''}>${label}</option>`

/** Renders the choice of sort orders. The results of a query are always sorted by best match. */
const renderSorts = ({ q, sort, choices }: SearchForm): Html => {
  const [first, ...others] = q === '' ? sortLabels(choices) : [['', 'Best match'] as const]
  if (first && others.length === 0)
    return html`<select id="sort" disabled>
      <option>${first[1]}</option>
    </select>`
  const options = sortLabels(choices).map(([value, label]) =>
    renderOption(value, label, value === sort && sort !== DEFAULT_SORT),
  )
  return html`<select id="sort" name="sort">
    ${options}
  </select>`
}

/** Checkboxes of one parameter: their heading, the values to offer, and words for them all in a sentence. */
interface Group {
  name: string
  legend: string
  before?: string
  labels: Readonly<Record<string, string>>
}

const GROUPS: readonly (Group & { name: FacetName })[] = [
  {
    name: 'without',
    legend: 'Leave out what',
    before: 'leaving out what',
    labels: {
      commands: 'runs commands',
      key: 'needs a key or login',
      hosts: 'calls hosts',
      files: 'lacks files',
    },
  },
  {
    name: 'licence',
    legend: 'Licence',
    before: 'licence',
    labels: {
      permissive: 'permissive',
      copyleft: 'copyleft',
      other: 'another',
      none: 'none stated',
    },
  },
  {
    name: 'findings',
    legend: 'Findings',
    before: 'findings',
    labels: { review: 'to review' },
  },
]

/** Renders the checkboxes of a group, most results first. One without results is left out, unless it is checked. */
const renderGroup = (
  { name, legend, labels }: Group,
  chosen: readonly string[],
  counts: ReadonlyMap<string, number> | undefined,
): Html => {
  const countOf = (value: string): number => counts?.get(value) ?? 0
  const shown = Object.keys(labels)
    .filter((value) => !counts || countOf(value) > 0 || chosen.includes(value))
    .sort((a, b) => countOf(b) - countOf(a))
  const chips = shown.map(
    (value) => html`<label class="chip" data-hue="${name === 'cat' ? categorySlug(value) : 'none'}">
        <input
          type="checkbox"
          name="${name}"
          value="${value}"
          ${chosen.includes(value) ? 'checked' : ''}
        />
        ${labels[value]}${counts && html` <span class="count">${countOf(value)}</span>`}
      </label> `,
  )
  if (chips.length === 0) return EMPTY_HTML
  return html`<fieldset>
    <legend>${legend}</legend>
    ${chips}
  </fieldset> `
}

const renderFilters = ({
  categories,
  facets,
  counts,
  facetCounts,
  choices,
}: SearchForm): Html[] => {
  const labels = Object.fromEntries(choices.categories.map((category) => [category, category]))
  const byCategory = counts && new Map(Object.entries(counts))
  return [
    renderGroup({ name: 'cat', legend: 'Category', labels }, categories, byCategory),
    ...GROUPS.map((group) => {
      const found = FACET_VALUES.flatMap(({ name, value }, at) =>
        name === group.name ? [[value, facetCounts?.[at] ?? 0] as const] : [],
      )
      return renderGroup(group, facets[group.name] ?? [], facetCounts && new Map(found))
    }),
  ]
}

/** Longest query that the field accepts, in UTF-16 units. Percent-encoded, the whole form still fits in an address. */
export const LONGEST_QUERY = 3_000

/** Renders a search field with its button, and what is beside and below the field. */
export const renderSearch = (q: string, beside = EMPTY_HTML, below = EMPTY_HTML): Html =>
  html`<form class="search" action="${PATHS.skills}" role="search" aria-label="Skills">
    <div class="ask">
      <label class="hidden" for="q">Search</label>
      <input
        id="q"
        name="q"
        type="search"
        value="${q}"
        autocomplete="off"
        maxlength="${LONGEST_QUERY}"
        placeholder="What do you want to do?"
      />
      ${beside}
      <button type="submit">Search</button>
    </div>
    ${below}
  </form>`

export const renderSearchForm = (form: SearchForm): Html =>
  renderSearch(
    form.q,
    html`<label class="hidden" for="sort">Sort</label>
      ${renderSorts(form)}`,
    html`<div class="filters">${renderFilters(form)}</div>
      <p id="search-status" class="hidden" role="status"></p>`,
  )

/** Describes the chosen values, such as `leaving out what calls hosts`. */
export const describeFacets = (facets: Facets): string[] =>
  GROUPS.flatMap(({ name, before, labels }) => {
    const chosen = facets[name] ?? []
    const words = chosen.map((value) => labels[value] ?? value).join(' or ')
    return chosen.length === 0 ? [] : [`${before} ${words}`]
  })
