import { isInstallable } from '../catalog/skill.ts'
import type { SkillFacts } from '../catalog/skill.ts'
import { showNumber } from '../catalog/text.ts'
import type { Entry, EntryFact } from './document.ts'
import { authorPath, skillPath } from './paths.ts'

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
