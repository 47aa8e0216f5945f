import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { VersionsError, openMainLine, readNewestCommit } from './git.ts'

// `npm run versions`: begins to promise versions, and explains what that means.

const explain = (since: string, keep: number, days: number): string =>
  `Every version of a skill has a name from commit ${since} on.
Served are the last ${keep} of each skill, and of each of the last ${days} days the one that was current at its end ("keep"
and "days" of site.json). npm run build then needs the history back to that commit, with skills/ committed as it is,
and ends where a version that was published would vanish. Where each build begins with an empty dist/, let it compare
with the site: npm run build -- --after <its address>, the first time with --first.
To forget what was published before, move "since" to a later commit, in a change that somebody reviews.`

/** Adds a field to the text of a JSON object, and leaves the rest as its author wrote it. */
export const addField = (text: string, name: string, value: object): string => {
  const end = text.lastIndexOf('}')
  const before = text.slice(0, end).trimEnd()
  const comma = before.endsWith('{') ? '' : ','
  const shown = JSON.stringify(value, null, 1).replace(/\n */g, ' ')
  return `${before}${comma}\n  ${JSON.stringify(name)}: ${shown}\n}\n`
}

const readSite = (
  path: string,
): { text: string; versions?: { since: string; keep?: number; days?: number } } => {
  if (!existsSync(path))
    throw new VersionsError(`there is no ${path}; set CONTENT_DIR to the folder that has it`)
  const text = readFileSync(path, 'utf8')
  try {
    return { ...(JSON.parse(text) as object), text }
  } catch (error) {
    throw new VersionsError(`${path} is not JSON: ${(error as Error).message}`)
  }
}

/** Writes `versions` into the site.json of a content folder, unless it is there; returns what to tell. Throws VersionsError. */
export const promiseVersions = (content: string): string => {
  const path = join(content, 'site.json')
  const { text, versions } = readSite(path)
  const { since = readNewestCommit(content), keep = 3, days = 90 } = versions ?? {}
  openMainLine(content, since)
  if (versions) return explain(since, keep, days)
  const beside = `${path}.new`
  writeFileSync(beside, addField(text, 'versions', { since, keep, days }))
  renameSync(beside, path)
  return `Wrote "versions" into ${path}; commit it.\n\n${explain(since, keep, days)}`
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
