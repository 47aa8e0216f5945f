import { join } from 'node:path'
import { resolveMoves } from '../../../src/catalog/references.ts'
import type { SkillFile } from '../../../src/catalog/skill.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import { CommandError } from '../cli/command.ts'
import { mergeRecords } from '../import/record.ts'
import { pendingIn } from '../store/records.ts'
import type { readRecords, Stored, StoredRecord } from '../store/records.ts'
import { compareFolder, listForCopy, writeSkillFolder } from '../store/write.ts'
import { compareVersions, loadVersion } from './version.ts'

/** Finds the live skill of a pending version, even after a move; undefined for a new skill. Throws CommandError. */
const findLive = (
  { slug, record }: StoredRecord,
  { records, retired }: Stored,
): StoredRecord | undefined => {
  const moves = resolveMoves(
    retired,
    records.map((skill) => ({ slug: skill.slug, id: skill.record.id })),
  )
  const move = moves.find((row) => row.slug === slug)
  const live = records.find((skill) => skill.slug === (move?.to.slug ?? slug))
  if (live && live.record.id !== record.id) {
    throw new CommandError(
      `skills/${live.slug} is another skill (id ${live.record.id}); move it, or reject this version.`,
    )
  }
  if (!live && retired.some((row) => row.slug === slug))
    throw new CommandError(
      `${slug} was retired; reject this version, or take its row out of retired.json.`,
    )
  return live
}

/** Returns the id, or the next free one if another skill has taken it. */
const freeId = (
  id: number,
  { records, retired, lastId }: ReturnType<typeof readRecords>,
): number => {
  const rows = [...records.map(({ record }) => record), ...retired]
  return rows.some((row) => row.id === id) ? lastId + 1 : id
}

/** Loads a pending version and its live skill, if there is one, and compares them. */
export const compareWaiting = (content: string, version: StoredRecord, stored: Stored) => {
  const live = findLive(version, stored)
  const pending = pendingIn(content)
  const before = live && loadVersion(content, live.slug, readSkillBits(content))
  const after = loadVersion(pending, version.slug, readSkillBits(pending))
  return { before, after, changes: compareVersions(before, after) }
}

/**
 * Writes a pending version into the catalog at the time `now`, and adds a new skill to `stored`. `lostBits` are the files whose executable
 * bit could not be stored.
 */
export const takeIn = (
  content: string,
  version: StoredRecord,
  stored: ReturnType<typeof readRecords>,
  now: string,
): { slug: string; id: number; lostBits: SkillFile[] } => {
  const live = findLive(version, stored)
  const slug = live?.slug ?? version.slug
  const merged = live
    ? mergeRecords(version.record, live.record)
    : { ...version.record, id: freeId(version.record.id, stored) }
  const record = { ...merged, added: now }
  const pending = pendingIn(content)
  const files = listForCopy(pending, version.slug, readSkillBits(pending).ofSkill(version.slug))
  const bits = readSkillBits(content)
  const change = compareFolder(join(content, 'skills', slug), files, bits.ofSkill(slug))
  const lostBits = writeSkillFolder(content, slug, files, change, record, bits)
  if (!live) {
    stored.records.push({ slug, record })
    stored.lastId = Math.max(stored.lastId, record.id)
  }
  return { slug, id: record.id, lostBits }
}
