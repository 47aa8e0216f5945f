import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { VersionsError, openMainLine, readNewestCommit } from './git.ts'
import { DEFAULT_KEEP } from './plan.ts'

// `npm run versions`: starts to promise versions, and explains the consequences.

const explain = (since: string, keep: number): string =>
  `From commit ${since} on, every version of a skill has a name.
The site serves the last ${keep} versions of each skill ("keep" in site.json). From now on, npm run build needs the
history back to that commit, and all changes in skills/ must be committed. Protect the main branch: after a force-push,
the versions of the replaced commits vanish.
To forget earlier versions, move "since" to a later commit, in a change that somebody reviews.`

/** Adds a field to the text of a JSON object without reformatting the rest. */
export const addField = (text: string, name: string, value: object): string => {
  const end = text.lastIndexOf('}')
  const before = text.slice(0, end).trimEnd()
  const comma = before.endsWith('{') ? '' : ','
  const shown = JSON.stringify(value, null, 1).replace(/\n */g, ' ')
  return `${before}${comma}\n  ${JSON.stringify(name)}: ${shown}\n}\n`
}

const readSite = (path: string): { text: string; versions?: { since: string; keep?: number } } => {
  if (!existsSync(path))
    throw new VersionsError(`there is no ${path}; set CONTENT_DIR to the folder with site.json`)
  const text = readFileSync(path, 'utf8')
  try {
    return { ...(JSON.parse(text) as object), text }
  } catch (error) {
    throw new VersionsError(`${path} is not JSON: ${(error as Error).message}`)
  }
}

/** Adds `versions` to the site.json of a content folder if missing; returns the text to print. Throws VersionsError. */
export const promiseVersions = (content: string): string => {
  const path = join(content, 'site.json')
  const { text, versions } = readSite(path)
  const { since = readNewestCommit(content), keep = DEFAULT_KEEP } = versions ?? {}
  openMainLine(content, since)
  if (versions) return explain(since, keep)
  const beside = `${path}.new`
  writeFileSync(beside, addField(text, 'versions', { since, keep }))
  renameSync(beside, path)
  return `Added "versions" to ${path}; commit the file.\n\n${explain(since, keep)}`
}

if (import.meta.main) {
  try {
    console.log(promiseVersions(resolve(process.env['CONTENT_DIR'] || 'content')))
  } catch (error) {
    if (!(error instanceof VersionsError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
