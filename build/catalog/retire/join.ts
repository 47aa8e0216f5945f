import { join } from 'node:path'
import { locate } from '../../../src/catalog/address.ts'
import type { Retired, SkillRecord } from '../../../src/catalog/schema.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import { refuseLostBits } from '../import/notices.ts'
import { mergeRecords } from '../import/record.ts'
import { chooseSlug } from '../import/skill-md.ts'
import type { Stored, StoredRecord } from '../store/records.ts'
import { compareFolder, listForCopy, writeSkillFolder } from '../store/write.ts'

// When a folder is renamed upstream, an update sees one skill disappear and a new one appear. A curator can join them.

/** Whether two skills come from one repository. */
export const isOfOneRepository = (skill: SkillRecord, other: SkillRecord): boolean => {
  const [here, there] = [skill.source, other.source]
  if (here.kind === 'own' || there.kind === 'own') return false
  return locate(here.url).repository === locate(there.url).repository
}

/**
 * Replaces the files and the source of a skill with those of another skill of the catalog. Id, category and all that a
 * curator wrote stay.
 */
export const takeOver = (content: string, old: StoredRecord, next: StoredRecord): void => {
  const bits = readSkillBits(content)
  const files = listForCopy(content, next.slug, bits.ofSkill(next.slug))
  const place = join(content, 'skills', old.slug)
  const change = compareFolder(place, files, bits.ofSkill(old.slug))
  const record = mergeRecords(next.record, old.record)
  refuseLostBits(old.slug, writeSkillFolder(content, old.slug, files, change, record, bits))
}

/** Frees a slug of another skill that redirects to this skill. The other skill gets a slug that was never used. */
export const freeSlug = (
  { records, retired }: Stored,
  { slug, record }: StoredRecord,
  to: string | undefined,
): Retired[] => {
  const takenSlugs = new Set([...records, ...retired].map((row) => row.slug))
  return retired.map((row) => {
    if (row.slug !== to || row.movedTo !== slug || row.id === record.id) return row
    const name = { name: to, folderName: to, author: String(row.id), id: row.id }
    return { ...row, slug: chooseSlug(name, takenSlugs) }
  })
}
