import { comparableSkills, originalOf } from '../../src/catalog/copies.ts'
import { openNearness } from '../../src/catalog/nearest.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { COMPARED_SKILLS } from '../../src/documents/all-documents.ts'
import { showCount } from '../../src/documents/counts.ts'
import type { ComparedSkill } from '../../src/documents/skill-document.ts'
import { digestText } from './digest.ts'
import type { PrintTask } from './printer.ts'
import type { SkillDetails, SkillRow } from './state.ts'
import { readDetails } from './state.ts'

/** A skill as a build holds it: what it wrote down of it, and that as values. */
export interface KnownSkill {
  row: SkillRow
  details: SkillDetails
  /** Its facts with its counters. */
  facts: SkillFacts
}

/** Opens the rows of skills that have a page, by id. */
export const openSkills = (rows: Iterable<SkillRow>): KnownSkill[] =>
  [...rows]
    .map(openSkill)
    .filter(({ details }) => !details.isUntraced)
    .sort((a, b) => a.row.id - b.row.id)

/** Opens one row. */
export const openSkill = (row: SkillRow): KnownSkill => {
  const details = readDetails(row)
  const { views, installs } = row
  return { row, details, facts: { ...details.facts, views, installs } }
}

/** Digests what nearness looks at, so that it is found anew only where that changed. */
export const digestNearness = (skills: readonly KnownSkill[], copies: string): string =>
  digestText(
    JSON.stringify([
      copies,
      ...skills.map(({ facts: { id, slug, name, description, category, visibility } }) => [
        id,
        slug,
        name,
        description,
        category,
        visibility,
      ]),
    ]),
  )

/**
 * Finds the skills each is compared with, and writes their ids down. `before` says how those were that
 * changed since all were found last, where the same skills are there and may be compared.
 */
export const findNearest = (
  skills: readonly KnownSkill[],
  copies: Copies,
  before: readonly SkillFacts[] | undefined,
): void => {
  const compared = comparableSkills(
    skills.map(({ facts }) => facts),
    copies,
  )
  const { nearest, listMoved } = openNearness(compared)
  const moved = before && listMoved(before)
  const comparable = new Set(compared.map(({ id }) => id))
  for (const { row, details, facts } of skills) {
    // Copies and what is gone are compared with others, and others never with them: they hold no words.
    if (moved && comparable.has(facts.id) && !moved.has(facts.id)) continue
    const found = nearest(facts, COMPARED_SKILLS).map(({ id }) => id)
    if (found.join() === details.nearest.join()) continue
    details.nearest = found
    row.details = JSON.stringify(details)
  }
}

const compare = (facts: SkillFacts): ComparedSkill => ({
  slug: facts.slug,
  name: facts.name,
  installs: facts.installs,
  updated: facts.updated,
  safety: facts.safety,
  difficulty: facts.difficulty,
})

const showCompared = (other: ComparedSkill): object => ({
  ...other,
  installs: showCount(other.installs),
})

/** Plans the printing of a skill, and digests all that its page shows. */
export const planPrinting = (
  { row, details, facts }: KnownSkill,
  look: string,
  copies: Copies,
  find: (id: number) => KnownSkill | undefined,
): { key: string; task: PrintTask } => {
  const nearest = details.nearest.flatMap((id) => {
    const other = find(id)
    return other ? [compare(other.facts)] : []
  })
  const { slug, views, installs } = facts
  const copied = originalOf(facts, copies, (id) => find(id)?.facts)
  const original = copied && { slug: copied.slug, name: copied.name }
  const shown = [showCount(views), showCount(installs), nearest.map(showCompared), original]
  const key = digestText(JSON.stringify([look, row.digest, ...shown]))
  return { key, task: { slug, views, installs, nearest, original, isPageOnly: false } }
}
