import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidIndexError } from '../../src/catalog/search/invalid-index.ts'
import type { SearchDocument } from '../../src/catalog/search/index.ts'
import { packIndex } from '../../src/catalog/search/packed/pack.ts'
import { repackIndex } from '../../src/catalog/search/packed/repack.ts'
import type { ChangedDocument } from '../../src/catalog/search/packed/repack.ts'
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

const repack = (
  { folder, listDocuments, readDocument }: IndexSource,
  changed: readonly ChangedDocument[],
): Uint8Array => {
  try {
    return repackIndex(readFileSync(join(folder, INDEX_NAME)), changed, readDocument)
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    // Whatever befell the old index, the next one is whole.
    if (isGone || error instanceof InvalidIndexError) return packIndex(listDocuments())
    throw error
  }
}

/** Makes the search index of a site, out of the last one where few skills changed. */
export const makeIndex = (source: IndexSource): Uint8Array => {
  const { changed } = source
  return changed && changed.length < WORTH_PACKING
    ? repack(source, changed)
    : packIndex(source.listDocuments())
}
