import { openIndex } from '../src/catalog/search/index.ts'
import { unavailable } from '../src/api/failures.ts'
import { searchFile } from './search-backend.ts'
import type { SearchBackend } from './search-backend.ts'
import type { Store } from './store.ts'

/** What a build says of each zip: the name, the validator and the length it is served with. */
export interface Download {
  slug: string
  /** SHA-256 of the zip, in hex. */
  sha256: string
  size: number
}

/** One finished build, ready to answer. Its parts that a request does not need may be unreadable. */
export interface Site {
  /** Origin of every absolute address. */
  origin: string
  store: Store
  /** Gives the search. Throws UNAVAILABLE where its index is missing or unreadable. */
  search(): Promise<SearchBackend>
  /** Gives the zip of a skill's id, if a skill has it. Throws UNAVAILABLE like `search`. */
  findDownload(id: number): Promise<Download | undefined>
}

const readPrivate = async <Value>(
  store: Store,
  name: string,
  parse: (bytes: Uint8Array) => Value,
): Promise<Value> => {
  try {
    const file = await store.read(`private/${name}`)
    if (!file) throw new Error(`private/${name} is missing`)
    return parse(await file.bytes())
  } catch (cause) {
    throw unavailable(cause)
  }
}

/** Runs `load` at the first call and keeps what it gives; a failure is tried again. */
const once = <Value>(load: () => Promise<Value>): (() => Promise<Value>) => {
  let kept: Promise<Value> | undefined
  return () => {
    kept ??= load().catch((error: unknown) => {
      kept = undefined
      throw error
    })
    return kept
  }
}

const parseJson = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes))

const parseOrigin = (bytes: Uint8Array): string => {
  const { origin } = parseJson(bytes) as { origin?: unknown }
  if (typeof origin !== 'string') throw new TypeError('private/site.json has no origin')
  return origin
}

const parseDownloads = (bytes: Uint8Array): Map<string, Download> =>
  new Map(Object.entries(parseJson(bytes) as Record<string, Download>))

/** Opens a finished build, with its own index unless another search is given. Throws UNAVAILABLE where there is none. */
export const openSite = async (store: Store, search?: SearchBackend): Promise<Site> => {
  const index = once(() => readPrivate(store, 'search.index', openIndex))
  const downloads = once(() => readPrivate(store, 'downloads.json', parseDownloads))
  return {
    origin: await readPrivate(store, 'site.json', parseOrigin),
    store,
    search: async () => search ?? searchFile(await index()),
    findDownload: async (id) => (await downloads()).get(String(id)),
  }
}
