import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files of a content folder that version 1.0.0 wrote and this version does not read. */
const GONE_FILES = ['copies.json', 'counters.state.json', 'mirror.state.json', 'verify.state.json']

const RECORDS = 'skills/*/skill.json'

/** Fields that version 1.0.0 wrote and this version rejects, by their files; `*` is any folder or item. */
const GONE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  [RECORDS]: ['partsFrom', 'source.via'],
  'site.json': ['versions.days'],
  'sources.json': ['*.tokenFrom', '*.wait'],
}

/** Lists the files at a path. Node 18 also runs this, and has no glob. */
const listFiles = (folder: string, [name = '', ...rest]: readonly string[]): string[] => {
  const names =
    name === '*'
      ? readdirSync(folder, { withFileTypes: true })
          .filter((entry) => entry.isDirectory())
          .map((entry) => entry.name)
          .sort()
      : [name]
  const found = names.map((one) => join(folder, one)).filter((path) => existsSync(path))
  return rest.length > 0 ? found.flatMap((path) => listFiles(path, rest)) : found
}

/** Removes a field from a parsed file. Returns whether it was there. */
const removeField = (value: unknown, [name = '', ...rest]: readonly string[]): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const fields = value as Record<string, unknown>
  if (name === '*')
    return Object.values(fields).filter((item) => removeField(item, rest)).length > 0
  if (!Object.hasOwn(fields, name)) return false
  return rest.length > 0 ? removeField(fields[name], rest) : delete fields[name]
}

/** Parses a file. Throws an error that names it. */
const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const remedy = 'correct it, and run the upgrade again'
    const message = `${path} is not JSON: ${(error as Error).message}; ${remedy}`
    throw new Error(message, { cause: error })
  }
}

/** Removes fields from a file. Returns those that were there. */
const removeFields = (path: string, fields: readonly string[]): string[] => {
  const value = readJson(path)
  const found = fields.filter((field) => removeField(value, field.split('.')))
  if (found.length > 0) writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
  return found
}

/** Gives the source of a record of version 1.0.0 a status of this version. Returns what was done, or is left to do. */
const upgradeSource = (path: string): string[] => {
  const record = readJson(path) as {
    source?: Partial<Record<string, string>>
  }
  const { kind, status = '', checked, seen = checked } = record.source ?? {}
  if (status === 'untraced')
    return [`${path}: its source was never found; remove the skill (retire).`]
  const isOld =
    kind === 'upstream' && (status === 'copied' || record.source?.['seen'] === undefined)
  if (!isOld) return []
  record.source = { ...record.source, status: status.replace('copied', 'alive'), seen }
  writeFileSync(path, `${JSON.stringify(record, null, 2)}\n`)
  return [`${path}: its source was last seen on ${seen}.`]
}

/** What `review` of version 1.0.0 named "code" comes nearest to "files". Returns what was done. */
const upgradeReview = (path: string): string[] => {
  const value = readJson(path)
  const rows = (Array.isArray(value) ? value : [value]) as { review?: unknown }[]
  const old = rows.filter(({ review }) => review === 'code')
  for (const row of old) row.review = 'files'
  if (old.length === 0) return []
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
  return [`${path}: "review" is "files" instead of "code".`]
}

/** Carries rejections over from the state file of version 1.0.0 to `sources.lock`. Returns what was done. */
const upgradeState = (content: string): string[] => {
  const path = join(content, 'sources.state.json')
  if (!existsSync(path)) return []
  const { rejected = [] } = readJson(path) as { rejected?: { slug: string; digest: string }[] }
  const facts = rejected.map(({ slug, digest }) => {
    const record = join(content, 'skills', slug, 'skill.json')
    const { source } = existsSync(record)
      ? (readJson(record) as { source?: { url?: string } })
      : { source: undefined }
    return `${JSON.stringify({ address: source?.url ?? 'unknown', rejected: digest, slug })}\n`
  })
  const lock = join(content, 'sources.lock')
  const known = existsSync(lock) ? readFileSync(lock, 'utf8') : ''
  writeFileSync(lock, known + facts.join(''))
  rmSync(path)
  return [`Carried rejections over from ${path} to ${lock}: ${rejected.length}.`]
}

/** Removes the versions that waited in version 1.0.0: the next update takes them in, for a review in git. */
const dropPending = (content: string): string[] => {
  const path = join(content, 'pending')
  if (!existsSync(path)) return []
  rmSync(path, { recursive: true })
  return [
    `Removed ${path}: the next update writes these versions into skills/, for a review in git.`,
  ]
}

/** Removes what only older versions read from a content folder. Returns a sentence for each change. */
export const upgradeContent = (content: string): string[] => {
  const files = GONE_FILES.map((file) => join(content, file)).filter((path) => existsSync(path))
  for (const path of files) rmSync(path)
  return [
    ...files.map((path) => `Removed ${path}, which nothing reads any more.`),
    ...Object.entries(GONE_FIELDS).flatMap(([file, fields]) =>
      listFiles(content, file.split('/')).flatMap((path) =>
        removeFields(path, fields).map((field) => `Removed ${field} from ${path}.`),
      ),
    ),
    ...listFiles(content, RECORDS.split('/')).flatMap(upgradeSource),
    ...['site.json', 'sources.json']
      .flatMap((file) => listFiles(content, [file]))
      .flatMap(upgradeReview),
    ...upgradeState(content),
    ...dropPending(content),
  ]
}
