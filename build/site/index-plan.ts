import type { ChangedDocument } from '../../src/search/packed/repack.ts'
import { digestText } from './digest.ts'
import type { Run } from './edition.ts'
import { makeIndexInThread } from './index-thread.ts'
import { isWorthPacking, listChangedDocuments, makeIndex } from './search-index.ts'
import type { ChangedFacts, IndexSource } from './search-index.ts'

/** Skills from which on a thread that makes the index meanwhile is worth its start. */
const WORTH_A_THREAD = 20_000

/** The next search index: whether it is the last one, and how it is made where it is not. */
export interface IndexPlan {
  /** Digest of what makes it beside the skills. */
  digest: string
  isSame: boolean
  make: (documents: Pick<IndexSource, 'listDocuments' | 'readDocument'>) => Promise<Uint8Array>
}

const begin = (
  { inputs, last }: Run,
  folder: string,
  changed: readonly ChangedDocument[],
): Promise<Uint8Array | undefined> => {
  const { details, columns } = last!
  const { id, from, length, check } = columns.numbers
  return makeIndexInThread({
    folder,
    origin: inputs.origin,
    changed,
    details,
    places: { id, from, length, check },
  })
}

/** Plans the search index of the site in a folder, where the last one is still. A large one is begun at once. */
export const planIndex = (
  run: Run,
  folder: string,
  known: readonly ChangedFacts[] | undefined,
  worthAThread = WORTH_A_THREAD,
): IndexPlan => {
  const { inputs, last } = run
  const digest = digestText(JSON.stringify([inputs.code, inputs.origin]))
  const changed =
    known && digest === last?.head.index ? listChangedDocuments(known, inputs.origin) : undefined
  const isSame = changed?.length === 0
  const isBegun =
    changed &&
    !isSame &&
    !isWorthPacking(changed) &&
    inputs.workers > 1 &&
    last!.columns.size >= worthAThread
  const begun = isBegun ? begin(run, folder, changed) : undefined
  return {
    digest,
    isSame,
    make: async (documents) => (await begun) ?? makeIndex({ folder, changed, ...documents }),
  }
}
