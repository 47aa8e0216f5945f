import { CATEGORIES } from '../../../src/catalog/categories.ts'
import { DIFFICULTIES } from '../../../src/catalog/schema.ts'
import type { Skill } from '../../../src/catalog/skill.ts'
import { PART_NAMES } from '../../../src/documents/part-headings.ts'
import type { PartName } from '../../../src/documents/part-headings.ts'
import { skillMdOf } from '../../../src/documents/site.ts'
import { readPartSource } from '../../../src/documents/skill-document.ts'
import { derivePart } from '../../../src/documents/skill-parts.ts'
import type { PartOrigin } from '../../../src/documents/skill-parts.ts'

/** Where the parts of a catalog come from, in the order they are looked for. */
export const ORIGINS: readonly PartOrigin[] = [
  'author',
  'text',
  'front matter',
  'description',
  'scripts',
  'none',
]

/** How often a part was found, and where. */
export interface PartStats {
  part: PartName
  found: number
  /** Of all skills, from 0 to 1. */
  share: number
  origins: Record<PartOrigin, number>
}

/** What a catalog's skills are like. */
export interface CatalogStats {
  skills: number
  parts: PartStats[]
  difficulties: Record<string, number>
  categories: Record<string, number>
}

const countEach = <Key extends string>(
  keys: readonly Key[],
  values: readonly Key[],
): Record<Key, number> =>
  Object.fromEntries(
    keys.map((key) => [key, values.filter((value) => value === key).length]),
  ) as Record<Key, number>

/** Counts the parts, difficulties and categories of skills; `onSkill` is told of each. */
export const countStats = (skills: readonly Skill[], onSkill: () => void): CatalogStats => {
  const origins = skills.map((skill) => {
    const source = readPartSource(skill, skillMdOf(skill))
    onSkill()
    return new Map(PART_NAMES.map((name) => [name, derivePart(name, source).origin]))
  })
  const parts = PART_NAMES.map((part): PartStats => {
    const counted = countEach(
      ORIGINS,
      origins.map((one) => one.get(part) ?? 'none'),
    )
    const found = skills.length - counted.none
    return { part, found, share: skills.length === 0 ? 0 : found / skills.length, origins: counted }
  })
  return {
    skills: skills.length,
    parts,
    difficulties: countEach(
      DIFFICULTIES,
      skills.map(({ difficulty }) => difficulty),
    ),
    categories: countEach(
      CATEGORIES,
      skills.map(({ category }) => category),
    ),
  }
}
