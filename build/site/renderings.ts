import { readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

/** Renderings kept; a build of other layouts or another site's name makes a new one. */
const RENDERINGS_KEPT = 8

/** Removes all renderings but those that were used last. */
export const forgetOldest = (cache: string): void => {
  const byAge = readdirSync(cache)
    .map((name) => ({ path: join(cache, name), used: lastUseOf(join(cache, name)) }))
    .sort((a, b) => b.used - a.used)
  for (const { path } of byAge.slice(RENDERINGS_KEPT))
    rmSync(path, { recursive: true, force: true })
}

/** One that another build removes at the same time was used never. */
const lastUseOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Puts what was rendered in its place, whole; where another build was faster, its rendering is as good. */
export const keepRendering = (rendered: string, folder: string): void => {
  try {
    renameSync(rendered, folder)
  } catch (error) {
    if (!isKept(folder)) throw error
  }
}

/** Says whether a rendering is there, and that it is used: no other build forgets it then. */
export const isKept = (folder: string): boolean => {
  const now = new Date()
  try {
    utimesSync(folder, now, now)
    return true
  } catch (error) {
    // Where nothing may be written nothing is forgotten either.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
