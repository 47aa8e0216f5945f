import { readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { PostgresBackend } from '../../../extras/postgres/backend.ts'
import { unavailable } from '../../../src/api/errors.ts'
import { DEFAULT_ORIGIN } from '../../../src/documents/paths.ts'
import type { SearchBackend } from '../../../src/search/read/open.ts'
import type { SiteSource } from '../../respond.ts'
import { once, openSite } from '../../site.ts'
import type { ServedSite } from '../../site.ts'
import { openDiskStore } from './disk-store.ts'

const CURRENT = 'current'

/** Reads the target of the link to the finished build. This takes 2 µs, so every request does it. */
const readCurrent = (link: string): string => {
  try {
    return readlinkSync(link)
  } catch (cause) {
    // In a copied output, `current` is the folder of the build and not a link.
    if ((cause as NodeJS.ErrnoException).code === 'EINVAL') return CURRENT
    throw unavailable(cause)
  }
}

const openFolder = async (folder: string, search?: SearchBackend): Promise<ServedSite> => {
  const site = await openSite(openDiskStore(folder), search)
  // Opens the index early, so that no search waits for it. If this fails, each search reports the failure.
  await site.search().catch(() => undefined)
  return site
}

/** Follows the link `current` of an output folder from one finished build to the next. */
export const openGenerations = (
  outDir: string,
  search?: SearchBackend,
  mcp?: SiteSource['mcp'],
): SiteSource & { generation(): string | undefined } => {
  const link = join(outDir, CURRENT)
  let target: string | undefined
  let open: (() => Promise<ServedSite>) | undefined
  const source = {
    /** The name of the last served build. */
    generation: () => target && basename(target),
    origin: process.env['SITE_URL'] || DEFAULT_ORIGIN,
    mcp,
    current: async () => {
      const folder = readCurrent(link)
      if (folder !== target || !open) {
        target = folder
        open = once(() => openFolder(join(outDir, folder), search))
      }
      const site = await open()
      source.origin = site.origin
      return site
    },
  }
  return source
}

/** Connects to the search database. The database driver is loaded only here. */
export const openSearch = async (url: string): Promise<PostgresBackend> =>
  (await import('../../../extras/postgres/backend.ts')).openPostgres(url)

/** Makes a search that connects to the database at the first query, for hosts that run no code at start. */
export const searchOnDemand = (url: string | undefined): SearchBackend | undefined => {
  if (url === undefined) return undefined
  const open = once(() => openSearch(url))
  return {
    find: async (request) => (await open()).find(request),
    findPage: async (request) => (await open()).findPage(request),
  }
}
