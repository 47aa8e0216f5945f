import { DEFAULT_SORT } from '../../catalog/browse.ts'
import type { Sort } from '../../catalog/browse.ts'
import { categorySlug } from '../../catalog/categories.ts'
import { FACETS, FACET_NAMES, ON_MACHINE, SIZE_STEPS } from '../../catalog/facets.ts'
import type { FacetName, Facets } from '../../catalog/facets.ts'
import type { Choices, SearchForm } from '../document.ts'
import { html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { PATHS } from '../paths.ts'

/** Lists the sort orders to offer. `popular` is by day if there are no counters, and by name if there are no days. */
const sortLabels = ({ isCounted, isDated }: Choices): [Sort, string][] => {
  if (isCounted)
    return [
      ['popular', 'Most popular'],
      ...(isDated ? [['newest', 'Newest'] satisfies [Sort, string]] : []),
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

const renderCount = <Key extends PropertyKey>(
  counts: Readonly<Partial<Record<Key, number>>> | undefined,
  key: Key,
): Html | undefined => {
  if (!counts) return undefined
  // Only own properties count, because a category can be called "constructor".
  const count = Object.hasOwn(counts, key) ? counts[key] : undefined
  return html` <span class="count">${count ?? 0}</span>`
}

const renderCategories = ({ categories, counts, choices }: SearchForm): Html[] =>
  choices.categories.map((category) => {
    const checked = categories.includes(category) ? 'checked' : ''
    const count = renderCount(counts, category)
    return html`<label class="chip">
      <input type="checkbox" name="cat" value="${category}" ${checked} />
      <span class="hue" data-hue="${categorySlug(category)}"></span>
      ${category}${count}
    </label> `
  })

const [MEDIUM, LARGE] = [SIZE_STEPS.medium, SIZE_STEPS.large].map((step) =>
  step.toLocaleString('en'),
)

/** Labels of facets and of their values, in the order of `FACETS`. */
const FACET_LABELS: Readonly<
  Record<FacetName, { label: string; values: Readonly<Record<string, string>> }>
> = {
  licence: {
    label: 'Licence',
    values: {
      permissive: 'Permissive',
      copyleft: 'Copyleft',
      other: 'Other',
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
  commands: {
    label: 'Commands',
    values: { none: 'None found', some: 'Some' },
  },
  key: {
    label: 'Key or login',
    values: { none: 'None found', some: 'Some' },
  },
  hosts: {
    label: 'Hosts',
    values: { none: 'None found', some: 'Some' },
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

const renderFacet = (name: FacetName, chosen: string | undefined): Html => {
  const { label, values } = FACET_LABELS[name]
  const options = FACETS[name].values.map((value) =>
    renderOption(value, values[value] ?? value, value === chosen),
  )
  return html`<p>
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      ${renderOption('', 'Any', false)}${options}
    </select>
  </p> `
}

/** Labels of the checkboxes under "On your machine". */
const MACHINE_LABELS: Readonly<Record<(typeof ON_MACHINE)[number], string>> = {
  commands: 'No commands found',
  key: 'No key found',
  hosts: 'No host found',
  findings: 'Not marked Review',
}

const renderOnMachine = ({ facets, machineCounts }: SearchForm): Html =>
  html`<fieldset>
    <legend>On your machine</legend>
    ${ON_MACHINE.map((name, at) => {
      const checked = facets[name] === 'none' ? 'checked' : ''
      return html`<label class="chip">
        <input type="checkbox" name="${name}" value="none" ${checked} />
        ${MACHINE_LABELS[name]}${renderCount(machineCounts, at)}
      </label> `
    })}
  </fieldset>`

const CHECKBOX_FACETS = new Set<FacetName>(ON_MACHINE)

const FOLDED_FACETS = FACET_NAMES.filter((name) => !CHECKBOX_FACETS.has(name))

const renderFacets = ({ facets }: SearchForm): Html => {
  const isOpen = FOLDED_FACETS.some((name) => facets[name])
  return html`<details ${isOpen ? 'open' : ''}>
    <summary>More filters</summary>
    <div class="facets">${FOLDED_FACETS.map((name) => renderFacet(name, facets[name]))}</div>
  </details>`
}

/** Longest query that the field accepts, in UTF-16 units. Percent-encoded, the whole form still fits in an address. */
export const LONGEST_QUERY = 3_000

/** Renders the search form, filled in with its values. */
export const renderSearchForm = (form: SearchForm): Html =>
  html`<form id="search" class="search" action="${PATHS.skills}" role="search" aria-label="Skills">
    <div class="ask">
      <label class="hidden" for="q">Search</label>
      <input
        id="q"
        name="q"
        type="search"
        value="${form.q}"
        autocomplete="off"
        maxlength="${LONGEST_QUERY}"
        placeholder="What do you want to do?"
      />
      <label class="hidden" for="sort">Sort</label>
      ${renderSorts(form)}
      <button type="submit">Search</button>
    </div>
    <div class="filters">
      <fieldset>
        <legend>Categories</legend>
        ${renderCategories(form)}
      </fieldset>
      ${renderOnMachine(form)} ${renderFacets(form)}
    </div>
    <p id="search-status" class="hidden" role="status"></p>
  </form>`

/** Describes the filters that are set, such as `licence: permissive`. */
export const describeFacets = (facets: Facets): string[] =>
  FACET_NAMES.flatMap((name) => {
    const { label, values } = FACET_LABELS[name]
    const value = facets[name]
    return value === undefined ? [] : [`${label.toLowerCase()}: ${values[value]?.toLowerCase()}`]
  })
