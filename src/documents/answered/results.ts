import type { ListedSkill } from '../../catalog/skill.ts'
import { countOf } from '../../catalog/text.ts'
import type { SearchForm, Section } from '../document.ts'
import type { AnsweredDocument } from './print.ts'
import { LISTING_SIZE, skillEntry } from '../entries.ts'
import { SKILLS_PATH } from '../paths.ts'
import { printBlocks } from '../print.ts'
import { searchQuery } from '../search-form.ts'
import { linkTo, paragraph } from '../tree.ts'
import type { Words } from '../tree.ts'

/** A page of results, and how many there are on all pages. */
export interface Results {
  skills: readonly ListedSkill[]
  total: number
  /** 1-based. */
  page: number
}

const section = (words: Words, more: Pick<Section, 'entries'> = {}): Section => {
  const blocks = [paragraph(...words)]
  return { id: 'found', heading: 'Results', markdown: printBlocks(blocks), blocks, ...more }
}

const page = (search: SearchForm, query: string): Omit<AnsweredDocument, 'sections'> => ({
  kind: 'results',
  path: SKILLS_PATH,
  query,
  heading: 'Skills',
  lead: ['Search the catalog, or browse it.'],
  description: 'Results of a search in the catalog.',
  updated: '',
  isIndexable: false,
  facts: [],
  search,
})

const describeCount = ({ q, categories }: SearchForm, total: number): string => {
  const where = categories.length > 0 ? ` in ${categories.join(', ')}` : ''
  return `${countOf(total, 'skill')}${q === '' ? '' : ` for “${q}”`}${where}`
}

const addressOf = (search: SearchForm, at: number): string => {
  const query = searchQuery(search, at)
  return query === '' ? SKILLS_PATH : `${SKILLS_PATH}?${query}`
}

/** Writes a page of results. */
export const writeResults = (
  search: SearchForm,
  { skills, total, page: at }: Results,
): AnsweredDocument => {
  const pages = Math.max(1, Math.ceil(total / LISTING_SIZE))
  const count = describeCount(search, total)
  const words: Words =
    skills.length > 0 || at === 1
      ? [`${count}.`]
      : [
          `${count}; page ${at} is past the last. `,
          linkTo('See the first page', addressOf(search, 1)),
          '.',
        ]
  const entries = skills.map((skill) =>
    skillEntry({ ...skill, summary: skill.description, updated: undefined }),
  )
  return {
    ...page(search, searchQuery(search, at)),
    sections: [section(words, { entries })],
    pager: {
      page: at,
      // One page has no pager, and neither has one past the last.
      pages: at > pages ? 1 : pages,
      ...(at > 1 ? { previous: addressOf(search, at - 1) } : {}),
      ...(at < pages ? { next: addressOf(search, at + 1) } : {}),
    },
  }
}

/** Writes the page that says which value of a search cannot be read, and what can. */
export const writeRefusal = (
  isCounted: boolean,
  { message, hint }: { message: string; hint: string },
): AnsweredDocument => ({
  ...page({ q: '', sort: 'popular', categories: [], isCounted }, ''),
  sections: [{ ...section([`${message} ${hint}`]), heading: 'This search cannot be answered' }],
})
