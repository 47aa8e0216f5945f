import type { ChangedDocument } from '../../src/search/packed/repack.ts'
import { openDetails } from './details-file.ts'
import { searchDocument } from './search-documents.ts'
import { repackFile } from './search-index.ts'
import type { BuildState, SkillDetails } from './state.ts'
import { startThread } from './threads.ts'

/** An index that is made while other files are, in memory that threads share. */
export interface IndexWork {
  folder: string
  origin: string
  changed: readonly ChangedDocument[]
  /** Path of the file of details, and what lies where in it. */
  details: string
  places: Pick<BuildState['columns']['numbers'], 'id' | 'from' | 'length' | 'check'>
}

/** Makes the index out of the last one; undefined where that is of no use. */
export const remakeIndex = (work: IndexWork): Uint8Array<ArrayBuffer> | undefined => {
  const { folder, origin, changed, places } = work
  const file = openDetails(work.details)
  return repackFile(folder, changed, (id) => {
    const at = places.id.indexOf(id)
    const [from, length, check] = [places.from[at]!, places.length[at]!, places.check[at]!]
    const { facts } = JSON.parse(file.read({ from, length, check })) as SkillDetails
    return searchDocument(facts, origin)
  })
}

/** Has a thread make the index; undefined where it could not, and who asked does. */
export const makeIndexInThread = (work: IndexWork): Promise<Uint8Array | undefined> =>
  new Promise((resolve) => {
    const worker = startThread('./index-worker.ts', work)
    worker.once('message', resolve)
    // Whatever failed there fails here as well, where it is heard of.
    worker.once('error', () => resolve(undefined))
  })
