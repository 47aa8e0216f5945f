import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import type { z } from 'zod'
import { nameCategories } from '../../../src/catalog/categories.ts'
import { readOptional } from '../../../src/catalog/load.ts'
import { suggestNearest } from '../../../src/catalog/nearest-name.ts'
import { ContentError, refuseFile } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { NEEDS_RECORD } from '../../../src/catalog/skill-folder.ts'
import { retiredRecords, siteRecord, skillRecord } from '../../../src/catalog/schema.ts'
import type { Retired, SiteRecord, SkillRecord } from '../../../src/catalog/schema.ts'
import { mapMoves } from '../../../src/catalog/references.ts'
import { RECORD_FILE, SKILL_MD } from '../../../src/catalog/skill.ts'
import {
  SLUG_RULE,
  decodeLoosely,
  isSlug,
  isVersionName,
  showValue,
} from '../../../src/catalog/text.ts'
import { CommandError } from '../cli/command.ts'
import { loadSourcesLock } from './sources-lock.ts'

/** A skill's record in the content folder. */
export interface StoredRecord {
  slug: string
  record: SkillRecord
}

/** All ids and slugs in use: records sorted by id, and retired skills. */
export interface Stored {
  records: readonly StoredRecord[]
  retired: readonly Retired[]
}

export const RETIRED_FILE = 'retired.json'
export const SITE_FILE = 'site.json'
export const SOURCES_FILE = 'sources.json'

export const recordName = (slug: string): string => `skills/${slug}/${RECORD_FILE}`

/**
 * Reads the records of a content folder without their texts; none if the folder is missing. `lastId` is the highest id
 * ever assigned, or 0. Throws ContentError if any record is invalid, since its id might be assigned again.
 */
export const readRecords = (
  content: string,
): Stored & { records: StoredRecord[]; lastId: number } => {
  const problems: Problem[] = []
  const folder = join(content, 'skills')
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  const slugs = entries.filter((entry) => !entry.name.startsWith('.') && !entry.isFile())
  // Writing through a linked folder would change files outside of the catalog.
  for (const { name } of slugs.filter((entry) => entry.isSymbolicLink())) {
    problems.push(
      refuseFile(`skills/${name}`, 'is a symlink', 'replace it with the folder', 'link'),
    )
  }
  const records = slugs.flatMap(({ name: slug }) => {
    const file = recordName(slug)
    if (!existsSync(join(content, file)))
      problems.push(refuseFile(file, 'is missing', NEEDS_RECORD))
    const record = readOptional(content, file, skillRecord, problems)
    return record ? [{ slug, record }] : []
  })
  const retired = readOptional(content, RETIRED_FILE, retiredRecords, problems) ?? []
  const lock = loadSourcesLock(content, problems)
  if (problems.length > 0) throw new ContentError(problems)
  records.sort((a, b) => a.record.id - b.record.id)
  const rows = [...records.map(({ record }) => record), ...retired]
  const lastId = rows.reduce((most, { id }) => Math.max(most, id), lock.lastId)
  return { records, retired, lastId }
}

/** Reads an optional file in the content folder. Throws ContentError. */
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

/** Throws ContentError. */
export const readSite = (content: string): SiteRecord | undefined =>
  readBeside(content, SITE_FILE, siteRecord)

/** All slugs of a skill, current and former. */
export const slugsOf = (
  { slug, record: { id } }: StoredRecord,
  retired: readonly Retired[],
): ReadonlySet<string> => new Set([slug, ...mapMoves(retired, [{ id, slug }]).keys()])

export const hasSkillText = (content: string, slug: string): boolean =>
  existsSync(join(content, 'skills', slug, SKILL_MD))

/** Reads the SKILL.md of a skill; undefined if the catalog does not have it. */
export const readSkillText = (content: string, slug: string): string | undefined => {
  const path = join(content, 'skills', slug, SKILL_MD)
  return existsSync(path) ? decodeLoosely(readFileSync(path)) : undefined
}

/** Whether the registry is private; false if the content folder is missing. */
export const isPrivateIn = (content: string): boolean =>
  existsSync(content) && readSite(content)?.private === true

export const readCategoryNames = (content: string): readonly string[] =>
  nameCategories(existsSync(content) ? readSite(content) : undefined)

const fail = (message: string): never => {
  throw new CommandError(message)
}

/** Refuses an invalid slug, or one that belongs or belonged to a skill with another id. Throws CommandError. */
export const checkFreeSlug = ({ records, retired }: Stored, slug: string, id?: number): void => {
  if (!isSlug(slug)) fail(`${showValue(slug)} is not a slug: ${SLUG_RULE}.`)
  if (isVersionName(slug))
    fail(`${showValue(slug)} is 32 digits, which is the form of version names; choose another.`)
  const holder = records.find((record) => record.slug === slug)?.record.id
  if (holder !== undefined && holder !== id) {
    fail(`${showValue(slug)} is the slug of skill ${holder}; choose another.`)
  }
  const former = retired.find((row) => row.slug === slug)
  if (former && former.id !== id) {
    fail(
      `${showValue(slug)} was the slug of skill ${former.id}; slugs are never reused. Choose another.`,
    )
  }
}

/** Says why no skill has a slug, and where it moved to, or the nearest slug. */
export const explainUnknown = (slug: string, { records, retired }: Stored): string => {
  const row = retired.find((candidate) => candidate.slug === slug)
  if (row?.movedTo !== undefined)
    return `${showValue(slug)} moved to "${row.movedTo}"; use that slug.`
  if (row) return `${showValue(slug)} is retired.`
  const slugs = records.map((record) => record.slug)
  return `No skill ${showValue(slug)}${suggestNearest(slug, slugs) || '.'}`
}

/** Refuses an unknown slug. Throws CommandError. */
export const refuseUnknown = (slug: string, stored: Stored): never =>
  fail(explainUnknown(slug, stored))

/** Selects records by slugs or patterns such as `csv-*`, in order of id. Throws CommandError if one matches nothing. */
export const selectRecords = (stored: Stored, patterns: readonly string[]): StoredRecord[] => {
  const isMatch = ({ slug }: StoredRecord, pattern: string): boolean => matchesGlob(slug, pattern)
  for (const pattern of patterns) {
    if (!stored.records.some((record) => isMatch(record, pattern))) refuseUnknown(pattern, stored)
  }
  return stored.records.filter((record) => patterns.some((pattern) => isMatch(record, pattern)))
}
