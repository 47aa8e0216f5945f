import type { SearchDocument } from '../../src/search/index.ts'
import { packIndex, toIndexEntry } from '../../src/search/packed/pack.ts'
import { digestText } from './digest.ts'
import type { Run } from './edition.ts'
import { listChangedDocuments } from './search-index.ts'
import type { ChangedFacts } from './search-index.ts'

/** The next search index: whether it is the last one, and how it is made where it is not. */
export interface IndexPlan {
  /** Digest of what makes it beside the skills. */
  digest: string
  isSame: boolean
  make: (documents: readonly SearchDocument[]) => Promise<Uint8Array>
}

/** Plans the search index of a site. */
export const planIndex = (
  { inputs, last }: Run,
  known: readonly ChangedFacts[] | undefined,
): IndexPlan => {
  const digest = digestText(JSON.stringify([inputs.code, inputs.origin]))
  const isSame =
    known !== undefined &&
    digest === last?.head.index &&
    listChangedDocuments(known, inputs.origin).length === 0
  return {
    digest,
    isSame,
    make: (documents) => Promise.resolve(packIndex(documents.map(toIndexEntry))),
  }
}
