import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { unavailable } from '../../src/api/errors.ts'
import { DEFAULT_ORIGIN } from '../../src/documents/paths.ts'
import type { SearchBackend } from '../search-backend.ts'
import type { SiteSource } from '../serve.ts'
import { openSite } from '../site.ts'
import type { Site } from '../site.ts'
import { openDiskStore } from './disk-store.ts'

const CURRENT = 'current'

/** Folder of the finished build; reading the link takes 2 µs, so every request asks anew. */
const findCurrent = (outDir: string): string => {
  try {
    return join(outDir, readlinkSync(join(outDir, CURRENT)))
  } catch (cause) {
    // A folder that was copied has the build itself where the link was.
    if ((cause as NodeJS.ErrnoException).code === 'EINVAL') return join(outDir, CURRENT)
    throw unavailable(cause)
  }
}

const openFolder = async (folder: string, search?: SearchBackend): Promise<Site> => {
  const site = await openSite(openDiskStore(folder), search)
  // Read the index before the first reader waits for it; what fails is said to who asks for it.
  await site.search().catch(() => undefined)
  return site
}

/** Follows the link `current` of an output folder from one finished build to the next. */
export const openGenerations = (outDir: string, search?: SearchBackend): SiteSource => {
  let folder: string | undefined
  let opening: Promise<Site> | undefined
  const source: SiteSource = {
    origin: process.env['SITE_URL'] || DEFAULT_ORIGIN,
    current: async () => {
      const now = findCurrent(outDir)
      if (now !== folder || !opening) {
        folder = now
        opening = openFolder(now, search)
      }
      const mine = opening
      try {
        const site = await mine
        source.origin = site.origin
        return site
      } catch (error) {
        // Not kept: the next request tries again.
        if (opening === mine) opening = undefined
        throw error
      }
    },
  }
  return source
}
