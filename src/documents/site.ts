import type { Catalog } from '../catalog/catalog.ts'
import { listedSkills } from '../catalog/catalog.ts'
import { CATEGORIES } from '../catalog/categories.ts'
import type { Category } from '../catalog/categories.ts'
import { SORTS } from '../catalog/browse.ts'
import { createNearest } from '../catalog/nearest.ts'
import { SKILL_MD, readSkillFile } from '../catalog/skill-files.ts'
import type { Skill } from '../catalog/skill.ts'
import { synthesizeSkillMd } from '../catalog/synthesize.ts'

/** What the pages of a site are written from: the catalog, its address, and lookups made once. */
export interface Site {
  catalog: Catalog
  /** Origin of every absolute address, without a final slash. */
  origin: string
  /** Skills that may be listed, in popular order. */
  listed: readonly Skill[]
  byCategory: ReadonlyMap<Category, readonly Skill[]>
  /** Keyed by author in lower case, as the address has it; the first spelling is the shown one. */
  byAuthor: ReadonlyMap<string, { name: string; skills: readonly Skill[] }>
  nearest: (skill: Skill, count: number) => Skill[]
}

const groupByAuthor = (skills: readonly Skill[]): Site['byAuthor'] => {
  const authors = new Map<string, { name: string; skills: Skill[] }>()
  for (const skill of skills) {
    const key = skill.author.toLowerCase()
    const author = authors.get(key)
    if (author) author.skills.push(skill)
    else authors.set(key, { name: skill.author, skills: [skill] })
  }
  return authors
}

/** Prepares a catalog for its pages; `origin` may end in a slash. */
export const createSite = (catalog: Catalog, origin: string): Site => {
  const listed = listedSkills(catalog).sort(SORTS.popular)
  return {
    catalog,
    origin: origin.replace(/\/+$/, ''),
    listed,
    byCategory: new Map(
      CATEGORIES.map((category) => [category, listed.filter((one) => one.category === category)]),
    ),
    byAuthor: groupByAuthor(listed),
    nearest: createNearest(listed),
  }
}

/** Gives the SKILL.md of a skill as its zip holds it: the author's bytes, or a synthesized file. */
export const skillMdOf = (skill: Skill): Uint8Array =>
  skill.files[0]?.path === SKILL_MD
    ? readSkillFile(skill, SKILL_MD)
    : new TextEncoder().encode(synthesizeSkillMd(skill))

/** Gives the latest of some days, or the earliest day there is where there are none. */
export const latestDay = (days: Iterable<string>): string => {
  let latest = '1970-01-01'
  for (const day of days) if (day > latest) latest = day
  return latest
}
