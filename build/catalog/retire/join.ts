import { join } from 'node:path'
import { locate } from '../../../src/catalog/address.ts'
import { listSkillFiles } from '../../../src/catalog/folder-files.ts'
import type { Retired, SkillRecord } from '../../../src/catalog/schema.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import { refuseLostBits } from '../import/notices.ts'
import { mergeRecords } from '../import/record.ts'
import { chooseSlug } from '../import/skill-md.ts'
import { pendingIn, readPending, recordName } from '../store/records.ts'
import type { Stored, StoredRecord } from '../store/records.ts'
import { compareFolder, renderRecord, writeSkillFolder, writeWhole } from '../store/write.ts'

// A folder that was renamed upstream is, until a curator says so, a skill that is gone and a new one.

/** A change of the content folder: its description when done, and the function that makes it. */
export interface Step {
  done: string
  run: () => void
}

/** Whether two skills come from one repository. */
export const isOfOneRepository = (skill: SkillRecord, other: SkillRecord): boolean => {
  const [here, there] = [skill.source, other.source]
  if (here.kind === 'own' || there.kind === 'own') return false
  return locate(here.url).repository === locate(there.url).repository
}

/** The record of a skill that goes on as another one: its own id, category and what a curator wrote, all else new. */
const continueRecord = (old: SkillRecord, next: SkillRecord): SkillRecord => ({
  ...mergeRecords(next, old),
  id: old.id,
})

/** Copies the files and the source of another skill of the catalog into one. */
export const takeOver = (content: string, old: StoredRecord, next: StoredRecord): Step => ({
  done: `took the files of skills/${next.slug} over into skills/${old.slug}`,
  run: () => {
    const from = join(content, 'skills', next.slug)
    const bits = readSkillBits(content)
    const listed = listSkillFiles(from, '', { bits: bits.ofSkill(next.slug) })
    const files = listed.files.map((file) => Object.assign({ from: join(from, file.path) }, file))
    const place = join(content, 'skills', old.slug)
    const change = compareFolder(place, files, bits.ofSkill(old.slug))
    const record = continueRecord(old.record, next.record)
    const withoutBit = writeSkillFolder(content, old.slug, files, change, record, bits)
    refuseLostBits(old.slug, withoutBit)
  },
})

/** The new skill that waits under a slug and comes from the repository of another one. */
export const findWaiting = (
  content: string,
  to: string | undefined,
  { record }: StoredRecord,
  { records }: Stored,
): StoredRecord | undefined =>
  readPending(content).find(
    (waiting) =>
      waiting.slug === to &&
      isOfOneRepository(waiting.record, record) &&
      records.every((each) => each.record.id !== waiting.record.id),
  )

/** Gives a skill the source of the version that waits, by which the next update knows it. */
export const takeSource = (content: string, old: StoredRecord, next: StoredRecord): Step => ({
  done: `wrote ${recordName(old.slug)}`,
  run: () => {
    const record = { ...old.record, source: next.record.source }
    writeWhole(content, recordName(old.slug), renderRecord(record))
  },
})

/** Makes a version that waits one of a skill. */
export const adopt = (content: string, old: StoredRecord, next: StoredRecord): Step => ({
  done: `wrote pending/${recordName(next.slug)}`,
  run: () => {
    const record = continueRecord(old.record, next.record)
    writeWhole(pendingIn(content), recordName(next.slug), renderRecord(record))
  },
})

/** Frees a slug that leads to a skill for this skill. Whoever had it keeps its id, under a slug that nobody had. */
export const freeSlug = (
  { records, retired }: Stored,
  { slug, record }: StoredRecord,
  to: string | undefined,
): Retired[] => {
  const taken = new Set([...records, ...retired].map((row) => row.slug))
  return retired.map((row) => {
    if (row.slug !== to || row.movedTo !== slug || row.id === record.id) return row
    const name = { name: to, folderName: to, author: String(row.id), id: row.id }
    return { ...row, slug: chooseSlug(name, taken) }
  })
}
