import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { readOptional } from '../../../src/catalog/load.ts'
import { ContentError } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { counterRecords, retiredRecords, skillRecord } from '../../../src/catalog/schema.ts'
import type { Counters, Retired, SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'

/** A record of the content folder. */
export interface StoredRecord {
  slug: string
  record: SkillRecord
}

/** The ids and slugs in use: records by id, and retired ones. */
export interface Stored {
  records: StoredRecord[]
  retired: Retired[]
}

/** Names of the files beside the skills that commands write. */
export const RETIRED_FILE = 'retired.json'
export const COUNTERS_FILE = 'counters.json'

/** The folder of versions that are not taken in yet, laid out as a catalog; no build reads it. */
export const pendingIn = (content: string): string => join(content, 'pending')

export const recordName = (slug: string): string => `skills/${slug}/${RECORD_FILE}`

/**
 * Reads the records of a content folder without texts; none if the folder is missing. Throws ContentError, since no new
 * id is safe next to an unreadable record.
 */
export const readRecords = (content: string): Stored => {
  const problems: Problem[] = []
  const folder = join(content, 'skills')
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  const slugs = entries.filter((entry) => !entry.name.startsWith('.') && !entry.isFile())
  // Writing through a folder link would leave the catalog.
  for (const { name } of slugs.filter((entry) => entry.isSymbolicLink())) {
    const remedy = 'is a symlink; put the folder itself there'
    problems.push({ file: `skills/${name}`, field: '', remedy })
  }
  const records = slugs.flatMap(({ name: slug }) => {
    const file = recordName(slug)
    if (!existsSync(join(content, file)))
      problems.push({ file, field: '', remedy: 'is missing; every skill folder has one' })
    const record = readOptional(content, file, skillRecord, problems)
    return record ? [{ slug, record }] : []
  })
  const retired = readOptional(content, RETIRED_FILE, retiredRecords, problems)
  if (problems.length > 0) throw new ContentError(problems)
  return { records: records.sort((a, b) => a.record.id - b.record.id), retired: retired ?? [] }
}

/** Reads the records of versions that are not taken in yet. Throws ContentError. */
export const readPending = (content: string): StoredRecord[] =>
  readRecords(pendingIn(content)).records

/** Reads an optional file beside the skills. Throws ContentError. */
export const readBeside = <Schema extends z.ZodType>(
  content: string,
  file: string,
  schema: Schema,
): z.infer<Schema> | undefined => {
  const problems: Problem[] = []
  const found = readOptional(content, file, schema, problems)
  if (problems.length > 0) throw new ContentError(problems)
  return found
}

/** Reads the counters; none if the file is missing. Throws ContentError. */
export const readCounters = (content: string): Counters =>
  readBeside(content, COUNTERS_FILE, counterRecords) ?? {}
