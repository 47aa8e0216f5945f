import { openIndex } from '../src/search/index.ts'
import type { PackedIndex } from '../src/search/index.ts'
import { unavailable } from '../src/api/errors.ts'
import { searchFile } from './search-backend.ts'
import type { SearchBackend } from './search-backend.ts'
import type { Store, StoredFile } from './store.ts'

/** What a build says of a zip. */
interface Download {
  slug: string
  /** SHA-256 of the zip, in hex. */
  sha256: string
}

/** Where skills that moved are now. */
interface Moves {
  /** New slug by old slug. */
  slugs: Readonly<Record<string, string>>
  /** New id by old id, where another skill answers now. */
  ids: Readonly<Record<string, number>>
}

/** One finished build, ready to answer. Its parts that a request does not need may be unreadable. */
export interface ServedSite {
  /** Origin of every absolute address. */
  origin: string
  store: Store
  /** Throws UNAVAILABLE where the index is missing or unreadable. */
  search(): Promise<SearchBackend>
  /** Finds the zip of a skill's id. Throws UNAVAILABLE like `search`. */
  findDownload(id: number): Promise<Download | undefined>
  /** A build without such a table moved nothing. */
  moves(): Promise<Moves>
}

const readPrivate = async <Value>(
  store: Store,
  name: string,
  parse: (file: StoredFile) => Promise<Value>,
): Promise<Value> => {
  try {
    const file = await store.read(`private/${name}`)
    if (!file) throw new Error(`private/${name} is missing`)
    return await parse(file)
  } catch (cause) {
    throw unavailable(cause)
  }
}

const parseIndex = async (file: StoredFile): Promise<PackedIndex> =>
  file.openIndex?.() ?? openIndex(await file.bytes())

const parseJson = async (file: StoredFile): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode(await file.bytes()))

const readOrigin = (store: Store): Promise<string> =>
  readPrivate(store, 'site.json', async (file) => {
    const { origin } = (await parseJson(file)) as { origin?: unknown }
    if (typeof origin !== 'string') throw new TypeError('private/site.json has no origin')
    return origin
  })

const readMoves = async (store: Store): Promise<Moves> =>
  (await store.read('private/moves.json'))
    ? ((await readPrivate(store, 'moves.json', parseJson)) as Moves)
    : { slugs: {}, ids: {} }

/** Runs `load` at the first call and keeps its result; after a failure the next call tries again. */
export const once = <Value>(load: () => Promise<Value>): (() => Promise<Value>) => {
  let kept: Promise<Value> | undefined
  return () => {
    kept ??= load().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}

/** Opens a finished build, with its own index unless another search is given. Throws UNAVAILABLE where there is none. */
export const openSite = async (store: Store, search?: SearchBackend): Promise<ServedSite> => {
  const index = once(() => readPrivate(store, 'search.index', parseIndex))
  const downloads = once(() => readPrivate(store, 'downloads.json', parseJson))
  return {
    origin: await readOrigin(store),
    store,
    search: async () => search ?? searchFile(await index()),
    moves: once(() => readMoves(store)),
    findDownload: async (id) => ((await downloads()) as Record<string, Download>)[id],
  }
}
