import { hasText } from '../../catalog/skill.ts'
import { LANGUAGE_NAMES } from '../../catalog/language.ts'
import type { SkillCard, SkillFacts } from '../../catalog/skill.ts'
import { countOf, dropPreamble, showNumber, stripMarks } from '../../catalog/text.ts'
import type { Touch } from '../../catalog/touches.ts'
import type { Document, DocumentPlan, Entry, EntryFact, Pager, Section } from '../document.ts'
import { authorPath, skillPath } from '../paths.ts'
import { paragraphs, phrase } from '../prose/phrases.ts'
import { latestDay } from '../site.ts'

/** Number of skills on one page of a list or of search results. */
export const LISTING_SIZE = 48

/** Counts below this limit are shown exactly. */
const SHOWN_EXACTLY = 1_000

/**
 * Formats a counter for a page. A large count is rounded down to two digits, such as `1200+`, so that the page need not
 * be rewritten at every install. The API returns the exact number.
 */
export const showCount = (count: number): string => {
  if (count < SHOWN_EXACTLY) return String(count)
  const unit = 10 ** (String(count).length - 2)
  return `${Math.floor(count / unit) * unit}+`
}

/** Returns the scan verdict of a skill as shown to readers: `safety`, or `Not scanned`. */
export const describeSafety = ({
  safety,
  tokens,
}: Pick<SkillFacts, 'safety' | 'tokens'>): string =>
  safety === 'No findings' && !hasText({ tokens }) ? 'Not scanned' : safety

/** The facts of a skill from which its list entry is made. */
type ListedFacts = Pick<
  SkillFacts,
  'slug' | 'name' | 'author' | 'category' | 'installs' | (keyof SkillCard & keyof SkillFacts)
>

const someFact = (kind: EntryFact['kind'], text: string | false | undefined): EntryFact[] =>
  text ? [{ kind, text }] : []

/** The words for the lines of a label in list rows, most important first. */
const TOUCH_WORDS: readonly (readonly [Touch, string])[] = [
  ['unasked', 'runs commands unasked'],
  ['commands', 'runs commands'],
  ['key', 'needs a key'],
  ['login', 'needs a login'],
  ['outside', 'changes your machine'],
  ['hosts', 'calls hosts'],
]

/** Touches, each with another touch that implies it. A row leaves out the first if the skill has both. */
const IMPLIED: Partial<Record<Touch, Touch>> = { commands: 'unasked', login: 'key' }

const TOUCHES_SHOWN = 2

/** Words the most important lines of a label for a list row. */
const describeTouches = (touches: readonly Touch[]): string[] =>
  TOUCH_WORDS.filter(([touch]) => {
    const implying = IMPLIED[touch]
    return touches.includes(touch) && !(implying && touches.includes(implying))
  })
    .slice(0, TOUCHES_SHOWN)
    .map(([, words]) => words)

/** Names what sets a skill apart: a row says nothing of what most skills have, or of what was not found. */
const findExceptions = (skill: ListedFacts): EntryFact[] => {
  const { safety, tokens, touches = [], missing = 0, language, deprecated, installs } = skill
  const words = [
    deprecated && 'deprecated',
    tokens === undefined && 'text not here',
    ...describeTouches(touches),
    missing > 0 && `lacks ${countOf(missing, 'file')}`,
    language && `in ${LANGUAGE_NAMES[language]}`,
    installs > 0 && `${showCount(installs)} installs`,
  ]
  const found = words.flatMap((text) => (text ? { kind: 'found' as const, text } : []))
  return safety === 'Review' ? [{ kind: 'found', text: safety, isWarning: true }, ...found] : found
}

/** Turns the summary of a skill into the plain text of its row. */
export const describeRow = (summary: string): string => dropPreamble(stripMarks(summary))

export const skillEntry = (skill: ListedFacts): Entry => ({
  title: skill.name,
  path: skillPath(skill.slug),
  text: describeRow(skill.summary),
  isName: true,
  category: skill.category,
  facts: [
    { kind: 'author', text: skill.author, path: authorPath(skill.author) },
    { kind: 'category', text: skill.category },
    ...someFact('licence', skill.licence),
    ...someFact('tokens', skill.tokens !== undefined && `${showNumber(skill.tokens)} tokens`),
    ...someFact('day', skill.updated),
    ...findExceptions(skill),
  ],
})

export interface Slice<Item> {
  /** Address of this page. */
  path: string
  /** Address of the first page. */
  home: string
  /** 1-based. */
  page: number
  pages: number
  /** Number of items on the pages before it. */
  before: number
  items: readonly Item[]
}

const pagedPath = (home: string, page: number): string =>
  page <= 1 ? home : `${home}/page/${page}`

/** Splits a list into pages. An empty list has one page. */
export function* slicePages<Item>(home: string, items: readonly Item[]): Generator<Slice<Item>> {
  const pages = Math.max(1, Math.ceil(items.length / LISTING_SIZE))
  for (let page = 1; page <= pages; page += 1) {
    const before = (page - 1) * LISTING_SIZE
    const shown = items.slice(before, before + LISTING_SIZE)
    yield { path: pagedPath(home, page), home, page, pages, before, items: shown }
  }
}

/** Plans the pages of a list of skills. The first page depends on all of them. */
export function* planSlices(
  home: string,
  skills: readonly SkillFacts[],
  write: (slice: Slice<SkillFacts>) => Document,
): Generator<DocumentPlan> {
  for (const slice of slicePages(home, skills)) {
    const { path, page, pages, items } = slice
    const shows = { skills: page === 1 ? skills : items, pages }
    yield { path, shows, write: () => write(slice) }
  }
}

export const makePager = (
  page: number,
  pages: number,
  pathOf: (page: number) => string,
): Pager => ({
  page,
  pages,
  ...(page > 1 ? { previous: pathOf(page - 1) } : {}),
  ...(page < pages ? { next: pathOf(page + 1) } : {}),
})

/** Returns the suffix for the heading and description of page 2 and later. */
export const nameSlice = ({ page }: Slice<unknown>): string => (page === 1 ? '' : `, page ${page}`)

const describeOrder = (isCounted: boolean, skills: readonly SkillFacts[]): string => {
  const isDated = skills.some(({ updated }) => updated)
  if (isCounted)
    return `most installed first, then most viewed, ${isDated ? 'then newest, ' : ''}then by name`
  return isDated ? 'newest first, then by name' : 'by name'
}

/** Describes which items a page has. Only page 1 names the total, so that a new item does not change every page. */
export const describeRange = (
  { page, pages, before, items }: Slice<unknown>,
  count: number,
  noun: string,
): string => {
  const range = `${showNumber(before + 1)} to ${showNumber(before + items.length)}`
  if (page > 1) return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s ${range}`
  return pages === 1 ? countOf(count, noun) : `${range} of ${countOf(count, noun)}`
}

/** Lists the skills of one page. Entries leave out the fact `known`, which the heading states for all of them. */
export const listSkills = (
  slice: Slice<SkillFacts>,
  count: number,
  isCounted: boolean,
  known?: EntryFact['kind'],
): Section => ({
  id: 'skills',
  heading: 'Skills',
  ...paragraphs(
    phrase`${describeRange(slice, count, 'skill')}, ${describeOrder(isCounted, slice.items)}.`,
  ),
  entries: slice.items.map((skill) => {
    const entry = skillEntry(skill)
    return { ...entry, facts: entry.facts.filter(({ kind }) => kind !== known) }
  }),
})

/** Returns the fields that are written alike for all pages of any list. */
export const writeSlice = (
  slice: Slice<unknown>,
  days: Iterable<string>,
): Pick<Document, 'kind' | 'path' | 'updated' | 'isUnindexed' | 'pager'> => ({
  kind: 'listing',
  path: slice.path,
  updated: latestDay(days),
  isUnindexed: false,
  pager: makePager(slice.page, slice.pages, (page) => pagedPath(slice.home, page)),
})
