import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { decodeLoosely } from '../../../src/catalog/decode.ts'
import { FrontMatterError, parseFrontMatter } from '../../../src/catalog/front-matter.ts'
import { SKILL_MD } from '../../../src/catalog/skill-files.ts'
import type { StoredRecord } from '../records.ts'
import type { Assigned } from './assign.ts'
import type { ReadSource } from './read-source.ts'
import type { GoneRecord } from './report.ts'
import { slugify } from './slug.ts'

/** A record of the catalog with what a skill of the source is known by. */
export interface Stored extends StoredRecord {
  /** Its name as shown: the record's, else its SKILL.md's. */
  name: string
  /** Digest of its SKILL.md, empty where none is there or an address tells more. */
  sha256: string
}

const readName = (text: string): string => {
  try {
    return parseFrontMatter(text).name ?? ''
  } catch (error) {
    // A text that cannot be read has no name to be known by; its record still has its slug.
    if (error instanceof FrontMatterError) return ''
    throw error
  }
}

/** Adds what an own record is known by: its text's digest and the name it shows. */
export const describeStored = (content: string, stored: StoredRecord): Stored => {
  const { slug, record } = stored
  const path = join(content, 'skills', slug, SKILL_MD)
  if (record.source.kind !== 'own' || !existsSync(path)) {
    return { slug, record, name: record.name ?? '', sha256: '' }
  }
  const bytes = readFileSync(path)
  const name = record.name ?? readName(decodeLoosely(bytes))
  return { slug, record, name, sha256: createHash('sha256').update(bytes).digest('hex') }
}

const toGone = ({ slug, record: { id, source } }: Stored): GoneRecord =>
  source.kind === 'upstream' ? { slug, id, url: source.url } : { slug, id }

/** Lists the records that came from a source and are not in it; a file it has and we cannot read is. */
export const listGone = (
  { origin, traced }: ReadSource,
  stored: readonly Stored[],
  assigned: readonly Assigned[],
): GoneRecord[] => {
  const claimed = new Set(assigned.map(({ slug }) => slug))
  const urls = new Set([...traced.values()].map(({ url }) => url))
  const folders = new Set([...traced.keys()].map((path) => slugify(basename(path))))
  return stored
    .filter((one) => !claimed.has(one.slug) && origin.covers(one))
    .map(toGone)
    .filter(({ slug, url }) => (url === undefined ? !folders.has(slug) : !urls.has(url)))
}
