import type { Category } from './categories.ts'
import type { SkillFacts } from './skill.ts'

/** Longest description of a listing row, in characters, the ellipsis included (decisions, "The API"). */
export const LISTING_DESCRIPTION = 240

/** A Skill as the API gives it: exactly the fields of registry-api 2.1, in that order. */
export interface ListedSkill {
  id: number
  slug: string
  name: string
  author: string
  description: string
  category: Category
  views: number
  installs: number
  sourceUrl?: string
}

/** Cuts a text at the last word that fits in `limit` characters, the added `…` included. */
export const truncateAtWord = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  // A character is two units at most, so this holds one more than fits, where there is one.
  const start = text.slice(0, 2 * limit + 2)
  const characters = /[\uD800-\uDFFF]/.test(start) ? Array.from(start) : start
  if (characters.length <= limit) return text
  const kept = characters.slice(0, limit - 1)
  const head = typeof kept === 'string' ? kept : kept.join('')
  const wordEnd = /\s/.test(characters[limit - 1] ?? '') ? head.length : head.search(/\s\S*$/)
  // Scripts without blanks have no word to end at; cutting at the last blank would leave nothing.
  const cut = wordEnd > head.length / 2 ? head.slice(0, wordEnd) : head
  return `${cut.replace(/[\s,;:.–—-]+$/u, '')}…`
}

/** Turns a catalog skill into its API form; `ownSourceUrl` is the registry's copy of the file. */
export const listSkill = (skill: SkillFacts, ownSourceUrl: string): ListedSkill => ({
  id: skill.id,
  slug: skill.slug,
  name: skill.name,
  author: skill.author,
  description: truncateAtWord(skill.description, LISTING_DESCRIPTION),
  category: skill.category,
  views: skill.views,
  installs: skill.installs,
  sourceUrl: skill.source.kind === 'own' ? ownSourceUrl : skill.source.url,
})
