import { INDEX_NAME } from '../src/search/format/layout.ts'
import { openIndex } from '../src/search/read/open.ts'
import type { SearchBackend } from '../src/search/read/open.ts'
import { DEFAULT_SORT } from '../src/catalog/browse.ts'
import { DOWNLOADS_NAME, findDownload } from '../src/catalog/downloads.ts'
import type { Download } from '../src/catalog/downloads.ts'
import { unavailable, withdrawn } from '../src/api/errors.ts'
import type { FileFinding } from '../src/documents/on-request/file.ts'
import { ON_REQUEST_KINDS } from '../src/documents/on-request/page.ts'
import type { OnRequestSite } from '../src/documents/on-request/page.ts'
import { pagedFilesName, skillPath } from '../src/documents/paths.ts'
import { readBody, readText } from './store.ts'
import type { Store, StoredFile } from './store.ts'

interface Moves {
  /** New slug by old slug. */
  slugs: Readonly<Record<string, string>>
  /** New id by old id, of replaced skills. */
  ids: Readonly<Record<string, number>>
  /** Why a skill was removed, by its slug; empty if no reason was given. */
  removed?: Readonly<Record<string, string>>
  /** By slug: the id of a skill whose current version is withdrawn, and the reason. */
  withdrawn?: Readonly<Record<string, { id: number; summary: string }>>
}

const NOT_MOVED: Moves = { slugs: {}, ids: {} }

/** Reads a file of a build; undefined if it does not exist. Throws UNAVAILABLE if it cannot be read. */
const readIfPresent = async <Value>(
  store: Store,
  name: string,
  read: (file: StoredFile) => Promise<Value>,
): Promise<Value | undefined> => {
  try {
    const file = await store.read(name)
    return file && (await read(file))
  } catch (cause) {
    throw unavailable(new Error(`${name} cannot be read: ${String(cause)}`, { cause }))
  }
}

const readRequired: <Value>(
  ...values: Parameters<typeof readIfPresent<Value>>
) => Promise<Value> = async (store, name, read) => {
  const value = await readIfPresent(store, name, read)
  if (value === undefined) throw unavailable(new Error(`${name} is missing`))
  return value
}

/** Reads a JSON file of a build; undefined if it does not exist. Throws UNAVAILABLE if it is damaged. */
export const readJson = <Value>(store: Store, name: string): Promise<Value | undefined> =>
  readIfPresent(store, name, async (file) => JSON.parse(await readText(file)) as Value)

/** Reads up to `limit` bytes of a text file of a build; undefined if it does not exist. Throws UNAVAILABLE. */
export const readBeginning = (
  store: Store,
  name: string,
  limit: number,
): Promise<{ text: string; size: number } | undefined> =>
  readIfPresent(store, name, async (file) => {
    const { size } = file
    if (size === 0) return { text: '', size }
    const bytes = await readBody(await file.body({ first: 0, last: Math.min(size, limit) - 1 }))
    // In stream mode, an incomplete character at the end is left out.
    return { text: new TextDecoder().decode(bytes, { stream: true }), size }
  })

const readRequiredJson = <Value>(store: Store, name: string): Promise<Value> =>
  readRequired(store, name, async (file) => JSON.parse(await readText(file)) as Value)

const ON_REQUEST_NAME = 'private/answered.json'

/** Reads the data and templates of the function's pages. A build by other code can lack a template. */
const readOnRequest = async (store: Store): Promise<OnRequestSite> => {
  const site = await readRequiredJson<OnRequestSite>(store, ON_REQUEST_NAME)
  const lacking = ON_REQUEST_KINDS.find((kind) => !Object.hasOwn(site.templates, kind))
  if (lacking === undefined) return site
  throw unavailable(new Error(`${ON_REQUEST_NAME} has no template "${lacking}": build again`))
}

/** The characters of a slug. Any other text is not looked up in the store. */
export const SLUG = /^[a-z0-9-]+$/

/** Reads the paths of a skill's files that have a page, each with its findings. The build leaves out a lone SKILL.md. */
const readPagedFiles = async (
  store: Store,
  slug: string,
): Promise<ReadonlyMap<string, readonly FileFinding[]>> =>
  new Map(
    (await readJson<[string, FileFinding[]][]>(store, `private/${pagedFilesName(slug)}`)) ?? [],
  )

/** Reads the table of zips. The returned function finds a row by the id of its skill. */
const openDownloads = (store: Store) =>
  readRequired(store, DOWNLOADS_NAME, async (file) => {
    const table = await readText(file)
    return (id: number): Download | undefined => findDownload(table, id)
  })

/** Runs `load` at the first call and keeps the result; after a failure the next call tries again. */
export const once = <Value>(load: () => Promise<Value>): (() => Promise<Value>) => {
  let result: Promise<Value> | undefined
  return () => {
    result ??= load().catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}

/** Opens a finished build, with its own index unless `search` is given. Throws UNAVAILABLE if there is no build. */
export const openSite = async (store: Store, search?: SearchBackend) => {
  const openIndexFile = (): Promise<SearchBackend> =>
    readRequired(
      store,
      INDEX_NAME,
      async (file) => file.openIndex?.() ?? openIndex(await readBody(await file.body())),
    )
  const downloads = once(() => openDownloads(store))
  const [{ origin, isPrivate = false, categories }, moves = NOT_MOVED] = await Promise.all([
    readRequiredJson<{ origin: string; isPrivate?: boolean; categories?: readonly string[] }>(
      store,
      'private/site.json',
    ),
    readJson<Moves>(store, 'private/moves.json'),
  ])
  return {
    /** Origin of every absolute address. */
    origin,
    /** Whether the registry is private. Shared caches must then store no answer. */
    isPrivate,
    /** The names of the site's categories; undefined for the default ones. */
    categories,
    moves,
    store,
    /** Throws UNAVAILABLE if the index is missing or unreadable. */
    search: once(async () => search ?? openIndexFile()),
    /** Data and templates of the function's pages. Throws UNAVAILABLE like `search`. */
    onRequest: once(() => readOnRequest(store)),
    /** The files of a skill that have a page, each with the findings of the scan. Throws UNAVAILABLE like `search`. */
    findPagedFiles: (slug: string) => readPagedFiles(store, slug),
    /** Finds the zip of a skill's id. Throws UNAVAILABLE like `search`. */
    findDownload: async (id: number) => (await downloads())(id),
  }
}

/** A search for all skills, without its limit. */
export const ALL_SKILLS = { sort: DEFAULT_SORT, categories: [], offset: 0 } as const

/** One finished build, ready to answer. */
export type ServedSite = Awaited<ReturnType<typeof openSite>>

export const hasSkillPage = async (slug: string, { store }: ServedSite): Promise<boolean> =>
  SLUG.test(slug) && (await store.read(`public${skillPath(slug)}.html`)) !== undefined

/** Throws WITHDRAWN if a skill's current version is withdrawn. `key` is the skill's slug or id. */
export const refuseWithdrawn = ({ moves }: ServedSite, key: string | number): void => {
  const rows = Object.entries(moves.withdrawn ?? {})
  const found = rows.find(([slug, { id }]) => key === slug || key === id)
  if (found) throw withdrawn(found[0], found[1].summary)
}
