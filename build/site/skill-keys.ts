import { findOriginal } from '../../src/catalog/copies.ts'
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
import { StoredRow } from './stored-row.ts'

/** A skill as a build holds it: what it wrote down of it, and its facts. */
export interface KnownSkill {
  row: SkillRow
  /** Its facts with its counters. */
  facts: SkillFacts
}

/** The skills that have a page, each opened when it is asked for. */
export interface Shelf {
  ids: () => Iterable<number>
  find: (id: number) => KnownSkill | undefined
  findFacts: (id: number) => SkillFacts | undefined
  /** All of them by id. */
  listAll: () => KnownSkill[]
}

/** Opens rows by the ids of their skills. */
export const openShelf = (rows: Iterable<SkillRow>): Shelf => {
  const byId = new Map<number, SkillRow>()
  for (const row of rows) if (!isUntracedRow(row)) byId.set(row.id, row)
  const opened = new Map<number, SkillFacts>()
  let all: KnownSkill[] | undefined
  const open = (id: number, row: SkillRow): SkillFacts => {
    const facts = opened.get(id) ?? new KnownFacts(row)
    opened.set(id, facts)
    return facts
  }
  const factsOf = (id: number, row: SkillRow): SkillFacts =>
    row instanceof StoredRow ? row : open(id, row)
  const find = (id: number): KnownSkill | undefined => {
    const row = byId.get(id)
    return row && { row, facts: factsOf(id, row) }
  }
  return {
    ids: () => byId.keys(),
    find,
    findFacts: (id) => {
      const row = byId.get(id)
      return row && factsOf(id, row)
    },
    // Numbers alone are sorted ten times as quickly as what bears them.
    listAll: () => (all ??= Array.from(Float64Array.from(byId.keys()).sort(), (id) => find(id)!)),
  }
}

/** Opens one row. */
export const openSkill = (row: SkillRow): KnownSkill => ({
  row,
  facts: row instanceof StoredRow ? row : new KnownFacts(row),
})

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
  const copied = findOriginal(facts, copies, (id) => find(id)?.facts)
  const original = copied && { slug: copied.slug, name: copied.name }
  const shown = [showCount(views), showCount(installs), nearest.map(showCompared), original]
  const key = digestText(JSON.stringify([look, row.digest, ...shown]))
  return { key, task: { slug, views, installs, nearest, original, isPageOnly: false } }
}
