import { openIndex } from '../src/search/index.ts'
import type { SkillIndex } from '../src/search/index.ts'
import { unavailable } from '../src/api/errors.ts'
import { searchFile } from './search-backend.ts'
import type { SearchBackend } from './search-backend.ts'
import type { Store, StoredFile } from './store.ts'

/** What a build says of a zip. */
interface Download {
  slug: string
  /** SHA-256 of the zip, in hex. */
  sha256: string
  size: number
}

interface MoveTable {
  slugs: Record<string, string>
  ids: Record<string, number>
}

/** Where skills that moved are now. */
interface Moves {
  /** New slug by old slug. */
  slugs: ReadonlyMap<string, string>
  /** New id by old id, where another skill answers now. */
  ids: ReadonlyMap<number, number>
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

const parseIndex = async (file: StoredFile): Promise<SkillIndex> =>
  file.openIndex?.() ?? openIndex(await file.bytes())

const parseJson = async (file: StoredFile): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode(await file.bytes()))

const readOrigin = (store: Store): Promise<string> =>
  readPrivate(store, 'site.json', async (file) => {
    const { origin } = (await parseJson(file)) as { origin?: unknown }
    if (typeof origin !== 'string') throw new TypeError('private/site.json has no origin')
    return origin
  })

const readDownloads = (store: Store): Promise<ReadonlyMap<string, Download>> =>
  readPrivate(
    store,
    'downloads.json',
    async (file) => new Map(Object.entries((await parseJson(file)) as Record<string, Download>)),
  )

const readMoves = async (store: Store): Promise<Moves> => {
  if (!(await store.read('private/moves.json'))) return { slugs: new Map(), ids: new Map() }
  return readPrivate(store, 'moves.json', async (file) => {
    const { slugs, ids } = (await parseJson(file)) as MoveTable
    return {
      slugs: new Map(Object.entries(slugs)),
      ids: new Map(Object.entries(ids).map(([id, to]) => [Number(id), to])),
    }
  })
}

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
  const downloads = once(() => readDownloads(store))
  return {
    origin: await readOrigin(store),
    store,
    search: async () => search ?? searchFile(await index()),
    moves: once(() => readMoves(store)),
    findDownload: async (id) => (await downloads()).get(String(id)),
  }
}
