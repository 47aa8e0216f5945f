import type { ListedSkill } from '../src/catalog/skill.ts'
import type { Incomparable, SkillSheet } from '../src/documents/answered/compare.ts'
import type { ServedSite } from './site.ts'
import { findNearestSkills } from './unknown-skill.ts'

/** Most suggestions for an unknown slug. */
const OFFERED = 3

/** Result of looking up a comparison: the skills, corrected slugs, or the unknown slugs. */
type Sheets =
  | { sheets: readonly SkillSheet[] }
  | { moved: readonly string[] }
  /** All slugs belong to this skill, which may have moved. */
  | { one: string }
  | { missing: readonly Incomparable[] }

/** Finds suggestions for an unknown slug that are not in the list already. */
export const findOffers = async (
  slug: string,
  slugs: readonly string[],
  site: ServedSite,
): Promise<ListedSkill[]> => {
  const { skills } = await findNearestSkills(slug, site)
  return skills.filter((one) => !slugs.includes(one.slug)).slice(0, OFFERED)
}

const explainMissing = async (
  slug: string,
  slugs: readonly string[],
  isGone: boolean,
  site: ServedSite,
): Promise<Incomparable> => {
  return { slug, isGone, nearest: isGone ? [] : await findOffers(slug, slugs, site) }
}

const isListed = (sheet: SkillSheet | undefined): sheet is SkillSheet =>
  sheet !== undefined && sheet.visibility !== 'gone'

/** Finds the skills of a comparison. */
export const findSheets = async (slugs: readonly string[], site: ServedSite): Promise<Sheets> => {
  const { slugs: moves } = await site.moves()
  const moved = slugs.map((slug) => (Object.hasOwn(moves, slug) ? (moves[slug] ?? slug) : slug))
  const [one, ...others] = new Set(moved)
  if (one !== undefined && others.length === 0) return { one }
  if (moved.some((slug, at) => slug !== slugs[at])) return { moved: [...new Set(moved)] }
  const sheets = await Promise.all(slugs.map((slug) => site.findSheet(slug)))
  if (sheets.every(isListed)) return { sheets }
  const missing = slugs.flatMap((slug, at) => {
    if (isListed(sheets[at])) return []
    return explainMissing(slug, slugs, sheets[at] !== undefined, site)
  })
  return { missing: await Promise.all(missing) }
}
