import { openIndex } from '../src/search/index.ts'
import type { DistantFile, SearchBackend } from '../src/search/index.ts'
import {
  findRow,
  DOWNLOADS_NAME,
  DOWNLOAD_BYTES,
  downloadKey,
  readDownload,
} from '../src/catalog/tables.ts'
import type { Download } from '../src/catalog/tables.ts'
import { unavailable } from '../src/api/errors.ts'
import type { FileFinding } from '../src/documents/answered/file.ts'
import type { AnsweredSite } from '../src/documents/answered/page.ts'
import { findingsName } from '../src/documents/paths.ts'
import { readBody } from './store.ts'
import type { Store, StoredFile } from './store.ts'

const INDEX_NAME = 'private/search.index'

interface Moves {
  /** New slug by old slug. */
  slugs: Readonly<Record<string, string>>
  /** New id by old id, for skills replaced by another. */
  ids: Readonly<Record<string, number>>
  /** Why a skill was removed, by its slug; empty if no reason was given. */
  removed?: Readonly<Record<string, string>>
}

const readBytes = async (file: StoredFile): Promise<Uint8Array> => readBody(await file.body())

const findFile = async (store: Store, name: string): Promise<StoredFile> => {
  const file = await store.read(name)
  if (!file) throw new Error('there is no such file')
  return file
}

/** Runs `read` and turns its failure into UNAVAILABLE. */
const readPrivate = async <Value>(name: string, read: () => Promise<Value>): Promise<Value> => {
  try {
    return await read()
  } catch (cause) {
    throw unavailable(new Error(`${name} cannot be read: ${String(cause)}`, { cause }))
  }
}

type Table = Readonly<Record<string, unknown>>

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isText = (value: unknown, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value)

/** Characters of slugs; nothing else is looked up in the store. */
export const SLUG = /^[a-z0-9-]+$/

const isTemplate = (value: unknown): boolean =>
  Array.isArray(value) && value.every((piece) => typeof piece === 'string')

/** Validators of a build's tables, by name. */
const SHAPES = {
  'site.json': ({ origin, isPrivate = false }: Table) =>
    typeof origin === 'string' && typeof isPrivate === 'boolean',
  'answered.json': ({ siteName, templates }: Table) =>
    typeof siteName === 'string' &&
    isTable(templates) &&
    Object.values(templates).every(isTemplate),
  'moves.json': ({ slugs, ids, removed = {} }: Table) =>
    isTable(slugs) &&
    Object.values(slugs).every((slug) => isText(slug, SLUG)) &&
    isTable(ids) &&
    Object.values(ids).every(Number.isSafeInteger) &&
    isTable(removed) &&
    Object.values(removed).every((reason) => typeof reason === 'string'),
}

const readShaped = <Value>(
  store: Store,
  name: string,
  isShaped: (value: Table) => boolean,
): Promise<Value> =>
  readPrivate(`private/${name}`, async () => {
    const file = await findFile(store, `private/${name}`)
    const value: unknown = JSON.parse(new TextDecoder().decode(await readBytes(file)))
    if (!isTable(value) || !isShaped(value)) throw new Error('no build writes it so')
    return value as Value
  })

const readTable = <Value>(store: Store, name: keyof typeof SHAPES): Promise<Value> =>
  readShaped(store, name, SHAPES[name])

const isFinding = (value: unknown): boolean =>
  isTable(value) &&
  Number.isSafeInteger(value['line']) &&
  typeof value['isSevere'] === 'boolean' &&
  ['rule', 'label', 'says'].every((name) => typeof value[name] === 'string')

const areFindings = (value: unknown): boolean => Array.isArray(value) && value.every(isFinding)

/** Reads the findings in a file of a skill; a skill without findings has no table. */
const readFindings = async (
  store: Store,
  slug: string,
  path: string,
): Promise<readonly FileFinding[]> => {
  const name = findingsName(slug)
  if (!(await store.read(`private/${name}`))) return []
  const rows = await readShaped<Readonly<Record<string, FileFinding[]>>>(store, name, (table) =>
    Object.values(table).every(areFindings),
  )
  return (Object.hasOwn(rows, path) && rows[path]) || []
}

const readMoves = async (store: Store): Promise<Moves> =>
  (await store.read('private/moves.json')) ? readTable(store, 'moves.json') : { slugs: {}, ids: {} }

/** The bytes of a file: all at once, or on demand from a store over a network. */
const openBytes = async (
  store: Store,
  name: string,
): Promise<Pick<DistantFile, 'size' | 'ask' | 'read'>> => {
  if (store.open) return store.open(name)
  const bytes = await readBytes(await findFile(store, name))
  return {
    size: bytes.length,
    ask: async (question) => question(),
    read: (from, to) => bytes.subarray(from, to),
  }
}

/** Opens the table of zips, whose rows are read by offset. */
const openDownloads = async (store: Store) => {
  const bytes = await openBytes(store, DOWNLOADS_NAME)
  const { size } = bytes
  if (size === 0 || size % DOWNLOAD_BYTES !== 0) throw new Error('no build writes it so')
  return async (id: number): Promise<Download | undefined> => {
    const { row } = await bytes.ask(() =>
      findRow(downloadKey(id), size / DOWNLOAD_BYTES, (at) =>
        bytes.read(at * DOWNLOAD_BYTES, (at + 1) * DOWNLOAD_BYTES),
      ),
    )
    const download = row && readDownload(row)
    if (download && !SLUG.test(download.slug)) throw new Error('no build writes it so')
    return download
  }
}

/** Runs `load` at the first call and keeps the result; after a failure the next call tries again. */
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

/** Opens a finished build, with its own index unless `search` is given. Throws UNAVAILABLE if there is no build. */
export const openSite = async (store: Store, search?: SearchBackend) => {
  const openOwn = (): Promise<SearchBackend> =>
    readPrivate(INDEX_NAME, async () => {
      if (store.openIndex) return store.openIndex(INDEX_NAME)
      const file = await findFile(store, INDEX_NAME)
      return file.openIndex?.() ?? openIndex(await readBytes(file))
    })
  const downloads = once(() => readPrivate(DOWNLOADS_NAME, () => openDownloads(store)))
  const { origin, isPrivate = false } = await readTable<{ origin: string; isPrivate?: boolean }>(
    store,
    'site.json',
  )
  return {
    /** Origin of every absolute address. */
    origin,
    /** Whether the registry is private, so that shared caches may keep no answer. */
    isPrivate,
    store,
    /** Throws UNAVAILABLE if the index is missing or unreadable. */
    search: once(async () => search ?? openOwn()),
    /** Data and templates of the function's pages. Throws UNAVAILABLE like `search`. */
    answered: once(() => readTable<AnsweredSite>(store, 'answered.json')),
    /** Empty for a build without such a table. */
    moves: once(() => readMoves(store)),
    /** Findings of the scan in a file of a skill. Throws UNAVAILABLE like `search`. */
    findFindings: (slug: string, path: string) => readFindings(store, slug, path),
    /** Finds the zip of a skill's id. Throws UNAVAILABLE like `search`. */
    findDownload: async (id: number) => {
      const find = await downloads()
      return readPrivate(DOWNLOADS_NAME, () => find(id))
    },
  }
}

/** One finished build, ready to answer. Unreadable parts affect only requests that need them. */
export type ServedSite = Awaited<ReturnType<typeof openSite>>
