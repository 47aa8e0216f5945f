import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InvalidIndexError } from '../../src/catalog/search/invalid-index.ts'
import type { SearchDocument } from '../../src/catalog/search/index.ts'
import { packIndex } from '../../src/catalog/search/packed/pack.ts'
import { isInPlace, repackIndex } from '../../src/catalog/search/packed/repack.ts'
import type { ChangedDocument } from '../../src/catalog/search/packed/repack.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { Site } from '../../src/documents/site.ts'
import { INDEX_NAME } from './outputs.ts'
import { searchDocument, searchDocuments } from './search-documents.ts'

/** A skill that is told of otherwise than it was; what it was or is may be missing. */
export interface ChangedFacts {
  before: SkillFacts | undefined
  after: SkillFacts | undefined
}

/** From this many skills on, an index is packed anew: each of their stems is read and written once a skill. */
const WORTH_PACKING = 200

/** Says what changed inside of the index; undefined where skills came, went or took other places. */
const listChanged = (
  changed: readonly ChangedFacts[] | undefined,
  origin: string,
): ChangedDocument[] | undefined => {
  if (changed === undefined || changed.length >= WORTH_PACKING) return undefined
  const documents = changed
    .filter(({ before, after }) => [before, after].some((one) => one && isListed(one)))
    .map(({ before, after }) => ({
      before: before && isListed(before) ? searchDocument(before, origin) : undefined,
      after: after && isListed(after) ? searchDocument(after, origin) : undefined,
    }))
  const placed = documents.flatMap(({ before, after }) =>
    before && after && isInPlace({ before, after }) ? [{ before, after }] : [],
  )
  return placed.length === documents.length ? placed : undefined
}

const repack = (
  folder: string,
  documents: readonly SearchDocument[],
  changed: readonly ChangedDocument[],
): Uint8Array => {
  try {
    return repackIndex(readFileSync(join(folder, INDEX_NAME)), documents, changed)
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    // Whatever befell the old index, the next one is whole.
    if (isGone || error instanceof InvalidIndexError) return packIndex(documents)
    throw error
  }
}

/**
 * Makes the search index of a site. Where `changed` says what changed since the one in `folder`, and that
 * is a few skills that keep their places, it is made out of that one.
 */
export const makeIndex = (
  site: Site,
  folder: string,
  changed: readonly ChangedFacts[] | undefined,
): Uint8Array => {
  const documents = searchDocuments(site)
  const placed = listChanged(changed, site.origin)
  return placed ? repack(folder, documents, placed) : packIndex(documents)
}
