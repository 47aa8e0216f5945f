import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isWithin, listPlaces, locate, readAddress } from '../../../src/catalog/address.ts'
import { ifThere } from '../../../src/catalog/disk-errors.ts'
import { NotTextError, decodeText, showValue } from '../../../src/catalog/text.ts'
import { listProblems } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { makeProblem } from '../rules.ts'
import { checkOption, CommandError, UsageError } from '../cli/command.ts'
import type { StoredRecord } from '../store/records.ts'
import { childAddress, parseSourceOption } from './git-address.ts'

/** The file that states the origin of each folder in a source. */
export const MANIFEST = 'manifest.ndjson'

const relative = z
  .string()
  .refine(
    (path) => !/^\/|\\/.test(path) && !path.split('/').includes('..'),
    'must be a path inside the folder',
  )

const upstream = skillRecord.shape.source.options[1]

/** A manifest row; unknown fields are ignored. */
const manifestRow = z.object({
  dir: relative.transform((dir) => dir.replace(/^\.\/|\/+$/g, '')),
  sourceUrl: upstream.shape.url,
  owner: skillRecord.shape.author,
  licence: z.string().nullish(),
  updated: skillRecord.shape.updated.nullish(),
  sha256: z.string().nullish(),
  references: z.array(relative).nullish(),
})

type ManifestRow = z.infer<typeof manifestRow>

/** A skill's author and address upstream; without `url` it is the registry's own. */
export interface Provenance {
  author: string
  url?: string
  /** Address of the link in the source that leads to `url`, if that is outside of the source. */
  link?: string
  /** Day of the commit that `url` names. */
  committed?: string | undefined
  row?: Partial<ManifestRow>
}

export interface Origin {
  /** Traces a skill by its folder, relative to the source's root; undefined if the manifest has no row for it. */
  trace: (path: string) => Provenance | undefined
  /** Whether a skill of the catalog comes from this source. */
  covers: (stored: StoredRecord) => boolean
  skips: Problem[]
  expected: string[]
}

/** Options that state the origin of skills. */
export interface OriginOptions {
  source?: string | undefined
  isOwn: boolean
  author?: string | undefined
  /** Whether the registry is private, which allows ssh, http and logins. */
  isPrivate?: boolean
}

/** Parses a manifest row. Returns the reason as a string if it is invalid. */
const parseRow = (line: string): ManifestRow | string => {
  let input: unknown
  try {
    input = JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return `the row is not JSON: ${error.message}`
    throw error
  }
  const checked = manifestRow.safeParse(input)
  if (checked.success) return checked.data
  return listProblems('', input, checked.error)
    .map(({ message, remedy }) => `${message} ${remedy}`.trim())
    .join('; ')
}

const readManifest = (path: string): string => {
  try {
    return decodeText(readFileSync(path))
  } catch (error) {
    if (!(error instanceof NotTextError)) throw error
    throw new CommandError(`${path}: ${error.message}.`)
  }
}

/** Reads origins from a manifest. If a folder has two rows, the first counts. */
const originOfManifest = (manifest: string): Origin => {
  const rows = new Map<string, ManifestRow>()
  const skips: Problem[] = []
  // Split at line feeds only: JSON strings may contain U+2028.
  for (const [index, line] of readManifest(manifest).split('\n').entries()) {
    if (line.trim() === '') continue
    const skip = (message: string, remedy?: string): void => {
      const violation = { rule: 'manifest', message, remedy }
      skips.push(makeProblem(`${MANIFEST} line ${index + 1}`, violation))
    }
    const row = parseRow(line)
    if (typeof row === 'string') skip(row)
    else if (rows.has(row.dir))
      skip(`repeats the folder ${showValue(row.dir)}`, 'give each folder one row')
    else rows.set(row.dir, row)
  }
  if (rows.size === 0 && skips.length === 0) {
    throw new CommandError(`${MANIFEST} is empty; give it a row for each folder, or remove it.`)
  }
  const repositories = new Set(
    [...rows.values()].map(({ sourceUrl }) => locate(sourceUrl).repository),
  )
  return {
    trace: (path) => {
      const row = rows.get(path)
      return row && { author: row.owner, url: row.sourceUrl, row }
    },
    covers: ({ record: { source } }) =>
      source.kind === 'upstream' && repositories.has(locate(source.url).repository),
    skips,
    expected: [...rows.keys()],
  }
}

const checkAuthor = (author: string): string =>
  checkOption('author', skillRecord.shape.author, author)

/** Gives each skill its own address below the source's address. */
const originOfAddress = (address: string, owner: string, committed?: string): Origin => {
  const author = checkAuthor(owner)
  return {
    trace: (path) => ({ author, url: childAddress(address, path), committed }),
    covers: ({ record: { source } }) =>
      source.kind === 'upstream' && listPlaces(source).some((url) => isWithin(url, address)),
    skips: [],
    expected: [],
  }
}

/** Makes every skill the registry's own, wherever it was copied from. */
const originOfOwn = (owner = 'registry'): Origin => {
  const author = checkAuthor(owner)
  return {
    trace: () => ({ author }),
    covers: ({ record }) => record.source.kind === 'own' && record.author === author,
    skips: [],
    expected: [],
  }
}

/** Decides the origin of a repository's skills; `web` is the address of the requested folder at a commit of the day `committed`. */
export const originOfRepository = (
  web: string | undefined,
  owner: string,
  { isOwn, author }: OriginOptions,
  committed?: string,
): Origin =>
  isOwn || web === undefined
    ? originOfOwn(author)
    : originOfAddress(web, author ?? owner, committed)

const EXPLANATION = `Where do these skills come from? There is no ${MANIFEST} in the folder, so pass one of:
  --source https://github.com/<owner>/<repository>/tree/<ref>/<folder>
            each skill is listed with its own address there, as seen today or on the day of --date
  --own [--author <handle>]
            they are the registry's own; this copy is their only source
Nothing was written.`

/** Decides the origin of a folder's skills. Throws UsageError if nothing states it. */
export const originOfFolder = (root: string, { source, isOwn, author }: OriginOptions): Origin => {
  const manifest = join(root, MANIFEST)
  // Accept only a regular file: reading a pipe might never end.
  if (ifThere(() => statSync(manifest))?.isFile()) {
    const option = source ? '--source' : isOwn ? '--own' : author ? '--author' : undefined
    if (option === undefined) return originOfManifest(manifest)
    throw new UsageError(
      `${option} is refused: ${MANIFEST} in the folder states where each skill comes from. Leave ${option} out, or remove the manifest.`,
    )
  }
  if (isOwn) return originOfOwn(author)
  if (source === undefined) throw new UsageError(EXPLANATION)
  const address = parseSourceOption(source)
  const { isGitHub, path } = readAddress(address)
  const owner = author ?? (isGitHub ? path.split('/')[1] : undefined)
  if (owner === undefined) {
    throw new UsageError(`--source ${showValue(source)} names no owner; add --author <handle>.`)
  }
  return originOfAddress(address, owner)
}
