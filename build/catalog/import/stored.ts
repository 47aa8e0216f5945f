import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { decodeLoosely } from '../../../src/catalog/text.ts'
import { FrontMatterError, parseFrontMatter } from '../../../src/catalog/front-matter.ts'
import { SKILL_MD } from '../../../src/catalog/skill-folder.ts'
import type { StoredRecord } from '../store/records.ts'
import type { Assigned } from './assign.ts'
import type { ReadSource } from './read-source.ts'
import type { GoneRecord } from './report.ts'
import { slugify } from './slug.ts'
import { placeKey } from './tree-address.ts'

/** A record of the catalog with what a skill of the source is known by. */
export interface Stored extends StoredRecord {
  /** Its name as shown: the record's, else its SKILL.md's. */
  name: string
  /** Digest of its SKILL.md, empty where none is there or an address tells more. */
  sha256: string
  /** Whether a source that is being imported would have it, were it still there. */
  isCovered: boolean
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

/** Adds what a record is known by: of an own one its text's digest, and the name it shows. */
export const describeStored = (
  content: string,
  stored: StoredRecord,
  sources: readonly ReadSource[],
): Stored => {
  const { slug, record } = stored
  const path = join(content, 'skills', slug, SKILL_MD)
  const isCovered = sources.some(({ origin }) => origin.covers(stored))
  if (record.source.kind !== 'own' || !existsSync(path)) {
    return { slug, record, name: record.name ?? '', sha256: '', isCovered }
  }
  const bytes = readFileSync(path)
  const name = record.name ?? readName(decodeLoosely(bytes))
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { slug, record, name, sha256, isCovered }
}

const toGone = ({ slug, record: { id, source } }: Stored): GoneRecord =>
  source.kind === 'upstream' ? { slug, id, url: source.url } : { slug, id }

/** Lists the records that came from sources and are not in them; a file they have and we cannot read is. */
export const listGone = (
  sources: readonly ReadSource[],
  stored: readonly Stored[],
  assigned: readonly Assigned[],
): GoneRecord[] => {
  const claimed = new Set(assigned.map(({ slug }) => slug))
  const traced = sources.flatMap((source) => [...source.traced])
  const places = new Set(
    traced.flatMap(([, { url }]) => (url === undefined ? [] : [placeKey(url)])),
  )
  const folders = new Set(traced.map(([path]) => slugify(basename(path))))
  return stored
    .filter(({ slug, isCovered }) => isCovered && !claimed.has(slug))
    .map(toGone)
    .filter(({ slug, url }) =>
      url === undefined ? !folders.has(slug) : !places.has(placeKey(url)),
    )
}
