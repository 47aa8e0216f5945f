import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidIndexError } from '../../src/search/invalid-index.ts'
import type { SearchDocument } from '../../src/search/index.ts'
import { packIndex, toIndexEntry } from '../../src/search/packed/pack.ts'
import { repackIndex } from '../../src/search/packed/repack.ts'
import type { ChangedDocument } from '../../src/search/packed/repack.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { isListed } from '../../src/catalog/skill.ts'
import { INDEX_NAME } from './outputs.ts'
import { searchDocument } from './search-documents.ts'

/** A skill that is told of otherwise than it was; what it was or is may be missing. */
export interface ChangedFacts {
  before: SkillFacts | undefined
  after: SkillFacts | undefined
}

/** From this many skills on, an index is packed anew: each of their stems is read and written once a skill. */
const WORTH_PACKING = 200

/** Says what the index tells otherwise than it did: skills that it does not list are none of it. */
export const listChangedDocuments = (
  changed: readonly ChangedFacts[],
  origin: string,
): ChangedDocument[] => {
  const toDocument = (one: SkillFacts | undefined): SearchDocument | undefined =>
    one && isListed(one) ? searchDocument(one, origin) : undefined
  return changed
    .map(({ before, after }) => ({ before: toDocument(before), after: toDocument(after) }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
}

/** What an index is made from. */
export interface IndexSource {
  /** Folder of the site that has the last index. */
  folder: string
  /** What changed since it was made; undefined where that is not known. */
  changed: readonly ChangedDocument[] | undefined
  /** All skills it lists. */
  listDocuments: () => SearchDocument[]
  readDocument: (id: number) => SearchDocument
}

/** Says whether so much changed that an index is packed anew. */
export const isWorthPacking = (changed: readonly ChangedDocument[]): boolean =>
  changed.length >= WORTH_PACKING

/** Makes the index of a site out of the last one in its folder; undefined where that is of no use. */
export const repackFile = (
  folder: string,
  changed: readonly ChangedDocument[],
  readDocument: IndexSource['readDocument'],
): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return repackIndex(readFileSync(join(folder, INDEX_NAME)), changed, readDocument)
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    if (isGone || error instanceof InvalidIndexError) return undefined
    throw error
  }
}

/** Makes the search index of a site, out of the last one where few skills changed; it is whole whatever befell that. */
export const makeIndex = ({
  folder,
  changed,
  listDocuments,
  readDocument,
}: IndexSource): Uint8Array =>
  (changed && !isWorthPacking(changed) ? repackFile(folder, changed, readDocument) : undefined) ??
  packIndex(listDocuments().map(toIndexEntry))
