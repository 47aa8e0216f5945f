import { isInstallable } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { showNumber, foldLine } from '../catalog/text.ts'
import type { Entry, EntryFact, Section } from './document.ts'
import { authorPath, skillPath } from './paths.ts'
import { LISTING_BUDGETS, fitListing } from '../catalog/tokens.ts'
import { sectionOf } from './markdown.ts'
import { dayWord, linkTo, listOf } from './tree.ts'
import type { Words } from './tree.ts'

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

/** The word for what the scan found in a skill, where it scanned it. */
export const describeSafety = ({
  safety,
  tokens,
  noted,
}: Pick<SkillFacts, 'safety' | 'tokens' | 'noted'>): string => {
  if (safety === 'Review') return safety
  if (tokens === undefined) return 'Not scanned'
  return noted === undefined ? safety : `${safety} to review, ${noted} noted`
}

/** The facts of a skill that a list shows. */
type ListedFacts = Pick<
  SkillFacts,
  'slug' | 'name' | 'author' | 'summary' | 'category' | 'updated' | 'installs'
> &
  Partial<Pick<SkillFacts, 'tokens' | 'safety'>>

const someFact = (kind: EntryFact['kind'], text: string | false | undefined): EntryFact[] =>
  text ? [{ kind, text }] : []

/** Makes the list entry of a skill; installs are shown if there are any. */
export const skillEntry = (skill: ListedFacts): Entry => ({
  title: skill.name,
  path: skillPath(skill.slug),
  text: skill.summary,
  category: skill.category,
  ...(isInstallable({ slug: skill.slug, tokens: skill.tokens }) ? { pick: skill.slug } : {}),
  facts: [
    { kind: 'category', text: skill.category },
    { kind: 'author', text: skill.author, path: authorPath(skill.author) },
    ...someFact('day', skill.updated),
    ...someFact('tokens', skill.tokens !== undefined && `${showNumber(skill.tokens)} tokens`),
    ...someFact('installs', skill.installs > 0 && `${showCount(skill.installs)} installs`),
    ...someFact('review', skill.safety === 'Review' && 'Review'),
  ],
})

/** The first skill of each author, at most `count`. */
export const firstOfAuthors = (skills: readonly SkillFacts[], count: number): SkillFacts[] => {
  const byAuthor = new Map<string, SkillFacts>()
  for (const skill of skills) {
    if (byAuthor.size === count) break
    const author = skill.author.toLowerCase()
    if (!byAuthor.has(author)) byAuthor.set(author, skill)
  }
  return [...byAuthor.values()]
}

/** The first `count` skills, one of each author if there are enough authors. */
export const pickOnePerAuthor = (skills: readonly SkillFacts[], count: number): SkillFacts[] =>
  [...new Set([...firstOfAuthors(skills, count), ...skills.slice(0, count)])].slice(0, count)

/** What the listings of clients show of a skill. */
interface DescribedSkill {
  slug: string
  name: string
  description: string
}

/** Skills that are named where not all fit; how many more there are is said. */
const LOST_SHOWN = 10

const nameLost = (lost: readonly DescribedSkill[]): Words => {
  const names = lost.slice(0, LOST_SHOWN).flatMap(({ name, slug }, at): Words => {
    const link = linkTo(foldLine(name), skillPath(slug))
    return at === 0 ? [link] : [', ', link]
  })
  return lost.length > LOST_SHOWN ? [...names, ` and ${lost.length - LOST_SHOWN} more`] : names
}

/** Whether the descriptions of some skills fit in the listings of clients together, and which would be left out. */
export const writeListingFit = (skills: readonly DescribedSkill[]): Section => {
  const lines = LISTING_BUDGETS.map((budget): Words => {
    const { client, all, unit, isShared, window, source, day } = budget
    const { taken, lost } = fitListing(skills, budget)
    const kept = ` keeps ${showNumber(all)} ${unit} of all descriptions (window of ${window / 1_000}k, `
    const these = `): installed together, these take ${showNumber(taken)}`
    const head: Words = [linkTo(client, source), kept, dayWord(day)]
    if (lost.length === 0) return head.concat(`${these}, so all fit.`)
    if (isShared) return head.concat(`${these}, so the longer ones would be shortened.`)
    const tells = `${these}. Kept in the order above, ${lost.length} would lose their text: `
    return head.concat(tells, nameLost(lost), '.')
  })
  return sectionOf('listings', 'In the listings of clients', [listOf(lines)])
}
