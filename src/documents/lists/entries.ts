import { hasText, isInstallable } from '../../catalog/skill.ts'
import type { SkillFacts } from '../../catalog/skill.ts'
import { countOf, dropPreamble, foldLine, showNumber, stripMarks } from '../../catalog/text.ts'
import type { Touch } from '../../catalog/touches.ts'
import type { Document, Entry, EntryFact, Pager, Section } from '../document.ts'
import { authorPath, skillPath } from '../paths.ts'
import { LISTING_BUDGETS, fitListing } from '../../catalog/tokens.ts'
import { joinWords, link, list, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import { latestDay } from '../site.ts'

/** Skills on one page of a listing, and of the results of a search. */
export const LISTING_SIZE = 48

/** Counts below this are shown exactly. */
const SHOWN_EXACTLY = 1_000

/**
 * Formats a counter for a page: a large one rounded down to two digits, as `1200+`. This stays true while
 * the counter grows, so a page is not rewritten at every install; the
 * API gives the exact number.
 */
export const showCount = (count: number): string => {
  if (count < SHOWN_EXACTLY) return String(count)
  const unit = 10 ** (String(count).length - 2)
  return `${Math.floor(count / unit) * unit}+`
}

/** The word for the verdict of the scan on a skill, if it was scanned. */
export const describeSafety = ({
  safety,
  tokens,
}: Pick<SkillFacts, 'safety' | 'tokens'>): string =>
  safety === 'No findings' && !hasText({ tokens }) ? 'Not scanned' : safety

/** The facts of a skill that a list shows. */
type ListedFacts = Pick<
  SkillFacts,
  'slug' | 'name' | 'author' | 'summary' | 'category' | 'updated' | 'installs'
> &
  Partial<Pick<SkillFacts, 'licence' | 'tokens' | 'safety' | 'touches' | 'deprecated'>>

const someFact = (kind: EntryFact['kind'], text: string | false | undefined): EntryFact[] =>
  text ? [{ kind, text }] : []

/** The words of rows for a skill's label, the weightiest first. */
const TOUCH_WORDS: readonly (readonly [Touch, string])[] = [
  ['unasked', 'runs commands unasked'],
  ['commands', 'runs commands'],
  ['key', 'needs a key'],
  ['login', 'needs a login'],
  ['outside', 'changes your machine'],
  ['hosts', 'calls hosts'],
]

/** Of two touches the second says nothing more. */
const IMPLIED: Partial<Record<Touch, Touch>> = { commands: 'unasked', login: 'key' }

const TOUCHES_SHOWN = 2

/** Two words of the label. */
const describeTouches = (touches: readonly Touch[]): string =>
  TOUCH_WORDS.filter(([touch]) => {
    const by = IMPLIED[touch]
    return touches.includes(touch) && (by === undefined || !touches.includes(by))
  })
    .slice(0, TOUCHES_SHOWN)
    .map(([, words]) => words)
    .join(', ')

/** The verdict of the scan on a listed skill, or that its files are not here. */
const scanFacts = ({ safety, tokens }: ListedFacts): EntryFact[] => {
  if (safety === undefined) return []
  if (safety === 'Review') return [{ kind: 'review', text: safety }]
  return [{ kind: 'scan', text: tokens === undefined ? 'text not here' : safety }]
}

/** The text of a row: the summary of the skill, as plain words. */
export const describeRow = (summary: string): string => dropPreamble(stripMarks(summary))

/** Makes the list entry of a skill; installs are shown if there are any. */
export const skillEntry = (skill: ListedFacts): Entry => ({
  title: skill.name,
  path: skillPath(skill.slug),
  text: describeRow(skill.summary),
  category: skill.category,
  ...(isInstallable({ slug: skill.slug, tokens: skill.tokens }) ? { pick: skill.slug } : {}),
  facts: [
    { kind: 'author', text: skill.author, path: authorPath(skill.author) },
    { kind: 'category', text: skill.category },
    ...someFact('deprecated', skill.deprecated && 'deprecated'),
    ...someFact('licence', skill.licence),
    ...someFact('tokens', skill.tokens !== undefined && `${showNumber(skill.tokens)} tokens`),
    ...someFact('day', skill.updated),
    ...scanFacts(skill),
    ...someFact('installs', skill.installs > 0 && `${showCount(skill.installs)} installs`),
    ...someFact('touches', describeTouches(skill.touches ?? [])),
  ],
})

/** The fields of a skill that clients list before it is loaded. */
type DescribedSkill = Pick<SkillFacts, 'slug' | 'name' | 'description' | 'startedBy'>

/** Most skills named whose descriptions do not fit. */
const MOST_LOST_SHOWN = 10

const nameSkills = (skills: readonly DescribedSkill[]): Markdown => {
  const named = skills.slice(0, MOST_LOST_SHOWN)
  const links = named.map(({ name, slug }) => link(foldLine(name), skillPath(slug)))
  return joinWords(links, ', ', skills.length - named.length)
}

/** Whether the descriptions of some skills fit into what each client keeps of all descriptions. */
export const writeListingFit = (skills: readonly DescribedSkill[]): Section => {
  const lines = LISTING_BUDGETS.map((budget) => {
    const { client, all, unit, isShared, window, source, day } = budget
    const { total, dropped } = fitListing(skills, budget)
    const room = md`${link(client, source)} keeps ${showNumber(all)} ${unit} of all descriptions (window of ${window / 1_000}k, ${day})`
    const use = md`${room}; these take ${showNumber(total)}`
    if (dropped.length === 0) return md`${use}, so all fit.`
    if (isShared) return md`${use}, so it would shorten the longer ones.`
    return md`${use}. In the order above, ${dropped.length} would lose their text: ${nameSkills(dropped)}.`
  })
  return {
    id: 'listings',
    heading: 'Do all descriptions fit?',
    markdown: md`Installed together:\n\n${list(lines)}`,
  }
}

/** One page of a list that may have several. */
export interface Slice<Item> {
  /** Address of the page, and of the list's first. */
  path: string
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

/** Cuts a list into its pages; an empty one has a page too. */
export function* slicePages<Item>(home: string, items: readonly Item[]): Generator<Slice<Item>> {
  const pages = Math.max(1, Math.ceil(items.length / LISTING_SIZE))
  for (let page = 1; page <= pages; page += 1) {
    const before = (page - 1) * LISTING_SIZE
    const shown = items.slice(before, before + LISTING_SIZE)
    yield { path: pagedPath(home, page), home, page, pages, before, items: shown }
  }
}

const pagerOf = ({ home, page, pages }: Slice<unknown>): Pager => ({
  page,
  pages,
  ...(page > 1 ? { previous: pagedPath(home, page - 1) } : {}),
  ...(page < pages ? { next: pagedPath(home, page + 1) } : {}),
})

/** The words after the heading and the description of a page that is not the first. */
export const nameSlice = ({ page }: Slice<unknown>): string => (page === 1 ? '' : `, page ${page}`)

/** The order of skills in words. */
const describeOrder = (isCounted: boolean, skills: readonly SkillFacts[]): string => {
  const isDated = skills.some(({ updated }) => updated)
  if (isCounted)
    return `most installed first, then most viewed, ${isDated ? 'then newest, ' : ''}then by name`
  return isDated ? 'newest first, then by name' : 'by name'
}

/** Says which items of a list a page has. Only the first names the total, so that one more item changes one page. */
export const describeRange = (
  { page, pages, before, items }: Slice<unknown>,
  count: number,
  noun: string,
): string => {
  const range = `${showNumber(before + 1)} to ${showNumber(before + items.length)}`
  if (page > 1) return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s ${range}`
  return pages === 1 ? countOf(count, noun) : `${range} of ${countOf(count, noun)}`
}

/** The skills of one page; `known` is the fact that its heading states for all of them. */
export const listSkills = (
  slice: Slice<SkillFacts>,
  count: number,
  isCounted: boolean,
  known?: EntryFact['kind'],
): Section => ({
  id: 'skills',
  heading: 'Skills',
  markdown: md`${describeRange(slice, count, 'skill')}, ${describeOrder(isCounted, slice.items)}.`,
  entries: slice.items.map((skill) => {
    const entry = skillEntry(skill)
    return { ...entry, facts: entry.facts.filter(({ kind }) => kind !== known) }
  }),
})

/** The parts that all pages of a list have in common. */
export const writeSlice = (
  slice: Slice<unknown>,
  days: Iterable<string>,
): Pick<Document, 'kind' | 'path' | 'updated' | 'isIndexable' | 'pager'> => ({
  kind: 'listing',
  path: slice.path,
  updated: latestDay(days),
  isIndexable: true,
  pager: pagerOf(slice),
})
