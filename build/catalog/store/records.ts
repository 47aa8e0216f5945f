import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { readOptional } from '../../../src/catalog/load.ts'
import { ContentError } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { counterRecords, retiredRecords, skillRecord } from '../../../src/catalog/schema.ts'
import type { Counters, Retired, SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'

/** A record as it lies in the content folder. */
export interface StoredRecord {
  slug: string
  record: SkillRecord
}

/** What a content folder has given away already: its records by id, and what is retired. */
export interface Stored {
  records: StoredRecord[]
  retired: Retired[]
}

/** Names of the files beside the skills that commands write. */
export const RETIRED_FILE = 'retired.json'
export const COUNTERS_FILE = 'counters.json'

export const recordName = (slug: string): string => `skills/${slug}/${RECORD_FILE}`

/**
 * Reads the records of a content folder without their texts; a folder that is not there has none.
 * Throws ContentError: beside a record that cannot be read no new id would be safe.
 */
export const readRecords = (content: string): Stored => {
  const problems: Problem[] = []
  const folder = join(content, 'skills')
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  const slugs = entries.filter((entry) => !entry.name.startsWith('.') && !entry.isFile())
  // What is written into a link to a folder lands outside of the catalog.
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

/** Reads a file beside the skills that need not be there. Throws ContentError. */
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

/** Reads the counters of a content folder, none where there is no such file. Throws ContentError. */
export const readCounters = (content: string): Counters =>
  readBeside(content, COUNTERS_FILE, counterRecords) ?? {}
