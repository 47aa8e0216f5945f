import { pageDayOf } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { countOf, showNumber } from '../catalog/text.ts'
import type { Document, EntryFact, Pager, Section } from './document.ts'
import { LISTING_SIZE, skillEntry } from './entries.ts'
import { escapeMarkdown } from './escape.ts'
import { latestDay } from './site.ts'

/** One page of a list that may have several. */
export interface Slice<Item> {
  /** Address of the page, and of the list's first. */
  path: string
  home: string
  /** 1-based. */
  page: number
  pages: number
  /** How many items stand on the pages before it. */
  before: number
  items: readonly Item[]
}

const pagedPath = (home: string, page: number): string =>
  page <= 1 ? home : `${home}/page/${page}`

/** Cuts a list into its pages; an empty one has a page too. */
export function* slicePages<Item>(home: string, items: readonly Item[]): Generator<Slice<Item>> {
  const pages = Math.max(1, Math.ceil(items.length / LISTING_SIZE))
  for (let page = 1; page <= pages; page += 1) {
    const before = (page - 1) * LISTING_SIZE
    const shown = items.slice(before, before + LISTING_SIZE)
    yield { path: pagedPath(home, page), home, page, pages, before, items: shown }
  }
}

export const pagerOf = ({ home, page, pages }: Slice<unknown>): Pager => ({
  page,
  pages,
  ...(page > 1 ? { previous: pagedPath(home, page - 1) } : {}),
  ...(page < pages ? { next: pagedPath(home, page + 1) } : {}),
})

/** What follows the heading and the description of a page that is not the first. */
export const nameSlice = ({ page }: Slice<unknown>): string => (page === 1 ? '' : `, page ${page}`)

/** The order of skills in words; where no day is known, only names are left to order by. */
const describeOrder = (isCounted: boolean, skills: readonly SkillFacts[]): string => {
  const isDated = skills.some(({ updated }) => updated)
  if (isCounted)
    return `most installed first, then most viewed, ${isDated ? 'then newest, ' : ''}then by name`
  return isDated ? 'newest first, then by name' : 'by name'
}

/** Prints a list of links, each with a count behind it or none. */
export const printLinks = (
  links: readonly (readonly [words: string, path: string, count?: number])[],
): string =>
  links
    .map(([words, path, count]) => {
      const more = count === undefined ? '' : ` ${showNumber(count)}`
      return `- [${escapeMarkdown(words)}](${path})${more}`
    })
    .join('\n')

/** Says which items of a list a page has. Only the first says how many there are: one more would change all pages. */
export const describeRange = (
  { page, pages, before, items }: Slice<unknown>,
  count: number,
  noun: string,
): string => {
  const range = `${showNumber(before + 1)} to ${showNumber(before + items.length)}`
  if (page > 1) return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s ${range}`
  return pages === 1 ? countOf(count, noun) : `${range} of ${countOf(count, noun)}`
}

/** The skills of one page, as its list; `known` is what its heading says of all of them. */
export const listSkills = (
  slice: Slice<SkillFacts>,
  count: number,
  isCounted: boolean,
  known?: EntryFact['kind'],
): Section => ({
  id: 'skills',
  heading: 'Skills',
  markdown: `${describeRange(slice, count, 'skill')}, ${describeOrder(isCounted, slice.items)}.`,
  entries: slice.items.map((skill) => {
    const entry = skillEntry(skill)
    return { ...entry, facts: entry.facts.filter(({ kind }) => kind !== known) }
  }),
})

/** What every page of a list of skills has alike. */
export const writeSlice = (
  slice: Slice<SkillFacts>,
): Pick<Document, 'kind' | 'path' | 'updated' | 'isIndexable' | 'pager'> => ({
  kind: 'listing',
  path: slice.path,
  updated: latestDay(slice.items.map(pageDayOf)),
  isIndexable: true,
  pager: pagerOf(slice),
})
