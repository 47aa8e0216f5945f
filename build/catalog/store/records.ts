import { existsSync, readdirSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import type { z } from 'zod'
import { nameCategories } from '../../../src/catalog/categories.ts'
import { readOptional } from '../../../src/catalog/load.ts'
import { findNearest } from '../../../src/catalog/nearest-name.ts'
import { ContentError } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import {
  counterRecords,
  retiredRecords,
  siteRecord,
  skillRecord,
} from '../../../src/catalog/schema.ts'
import type { Counters, Retired, SkillRecord } from '../../../src/catalog/schema.ts'
import { RECORD_FILE } from '../../../src/catalog/skill.ts'
import { SLUG_RULE, isSlug, isVersionName, showValue } from '../../../src/catalog/text.ts'
import { CommandError } from '../cli/command.ts'

/** A record of the content folder. */
export interface StoredRecord {
  slug: string
  record: SkillRecord
}

/** The ids and slugs in use: records by id, and retired ones. */
export interface Stored {
  records: readonly StoredRecord[]
  retired: readonly Retired[]
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
    const remedy = 'is a symlink; replace it by the folder'
    problems.push({ file: `skills/${name}`, field: '', remedy })
  }
  const records = slugs.flatMap(({ name: slug }) => {
    const file = recordName(slug)
    if (!existsSync(join(content, file)))
      problems.push({ file, field: '', remedy: 'is missing; every skill folder needs a record' })
    const record = readOptional(content, file, skillRecord, problems)
    return record ? [{ slug, record }] : []
  })
  const retired = readOptional(content, RETIRED_FILE, retiredRecords, problems)
  if (problems.length > 0) throw new ContentError(problems)
  return { records: records.sort((a, b) => a.record.id - b.record.id), retired: retired ?? [] }
}

/** Reads the records of versions that are not taken in yet. Throws ContentError. */
export const readPending = (content: string): readonly StoredRecord[] =>
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

/** Whether the registry is private; false if the content folder is missing. */
export const isPrivateIn = (content: string): boolean =>
  existsSync(content) && readBeside(content, 'site.json', siteRecord)?.private === true

/** The names of the categories of a content folder, of which every skill has one. */
export const readCategoryNames = (content: string): readonly string[] =>
  nameCategories(existsSync(content) ? readBeside(content, 'site.json', siteRecord) : undefined)

/** Reads the counters; none if the file is missing. Throws ContentError. */
export const readCounters = (content: string): Counters =>
  readBeside(content, COUNTERS_FILE, counterRecords) ?? {}

/** The highest id that a skill has or had; 0 if there is none. */
export const findHighestId = ({ records, retired }: Readonly<Stored>): number =>
  [...records.map(({ record }) => record), ...retired].reduce(
    (most, { id }) => Math.max(most, id),
    0,
  )

const refuse = (message: string): never => {
  throw new CommandError(message)
}

/** Refuses a slug that is none, or that a skill with another id has or had. Throws CommandError. */
export const checkFreeSlug = ({ records, retired }: Stored, slug: string, id?: number): void => {
  if (!isSlug(slug)) refuse(`${showValue(slug)} is not a slug: ${SLUG_RULE}.`)
  if (isVersionName(slug))
    refuse(`${showValue(slug)} is twelve digits, as the name of a version is; choose another.`)
  const holder = records.find((record) => record.slug === slug)?.record.id
  if (holder !== undefined && holder !== id) {
    refuse(`${showValue(slug)} is the slug of skill ${holder}; choose another.`)
  }
  const former = retired.find((row) => row.slug === slug)
  if (former && former.id !== id) {
    refuse(`${showValue(slug)} was skill ${former.id}'s; slugs are never reused. Choose another.`)
  }
}

/** Refuses a slug that no skill has, and names the one it moved to, or the nearest. Throws CommandError. */
export const refuseUnknown = (slug: string, { records, retired }: Stored): never => {
  const row = retired.find((candidate) => candidate.slug === slug)
  if (row?.movedTo !== undefined) {
    return refuse(`${showValue(slug)} moved to "${row.movedTo}"; name that one.`)
  }
  if (row) return refuse(`${showValue(slug)} is retired.`)
  const slugs = records.map((record) => record.slug)
  return refuse(
    `No skill ${showValue(slug)}; ${slugs.length === 0 ? 'the catalog has no skills' : `did you mean "${findNearest(slug, slugs)}"?`}`,
  )
}

/** The records that slugs or patterns such as `csv-*` name, by id. Throws CommandError for one that names none. */
export const selectRecords = (stored: Stored, patterns: readonly string[]): StoredRecord[] => {
  const isNamed = ({ slug }: StoredRecord, pattern: string): boolean => matchesGlob(slug, pattern)
  for (const pattern of patterns) {
    if (!stored.records.some((record) => isNamed(record, pattern))) refuseUnknown(pattern, stored)
  }
  return stored.records.filter((record) => patterns.some((pattern) => isNamed(record, pattern)))
}
