import { originalOf } from '../../src/catalog/copies.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { showCount } from '../../src/documents/counts.ts'
import type { ComparedSkill } from '../../src/documents/skill-document.ts'
import { digestText } from './digest.ts'
import { listNearest } from './comparing.ts'
import { KnownFacts } from './known-facts.ts'
import type { PrintTask } from './printer.ts'
import type { SkillRow } from './state.ts'
import { isUntracedRow } from './state.ts'

/** A skill as a build holds it: what it wrote down of it, and its facts. */
export interface KnownSkill {
  row: SkillRow
  /** Its facts with its counters. */
  facts: SkillFacts
}

/** Opens the rows of skills that have a page, in the order of their ids. */
export const openSkills = (rows: Iterable<SkillRow>): ReadonlyMap<number, KnownSkill> => {
  const skills = new Map<number, KnownSkill>()
  for (const row of rows) if (!isUntracedRow(row)) skills.set(row.id, openSkill(row))
  // Numbers alone are sorted ten times as quickly as what bears them.
  const ids = Float64Array.from(skills.keys()).sort()
  return new Map(Array.from(ids, (id) => [id, skills.get(id)!]))
}

/** Opens one row. */
export const openSkill = (row: SkillRow): KnownSkill => ({ row, facts: new KnownFacts(row) })

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
  { row, facts }: KnownSkill,
  look: string,
  copies: Copies,
  find: (id: number) => KnownSkill | undefined,
): { key: string; task: PrintTask } => {
  const nearest = listNearest(row).flatMap((id) => {
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
