import { CommandError, UsageError } from '../cli/errors.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { FoundSkill } from './find-skills.ts'
import { MANIFEST, hasManifest, readManifest } from './manifest.ts'
import type { ManifestRow } from './manifest.ts'
import type { Skip } from './report.ts'
import { childAddress, isWithin, parseTreeAddress, placeOf } from './tree-address.ts'
import type { StoredRecord } from '../store/records.ts'

/** Who made a skill and where it lies upstream; no url says that it is the registry's own. */
export interface Provenance {
  author: string
  url?: string
  row?: ManifestRow
}

/** Where the skills of a folder come from. */
export interface Origin {
  /** Gives a skill's provenance, or why it has none. */
  trace: (skill: FoundSkill) => Provenance | Skip
  /** Says whether a stored record would come from here, were it still there. */
  covers: (stored: StoredRecord) => boolean
  skips: Skip[]
  /** Folders that the origin names and that should be found. */
  expected: string[]
}

/** A commit of a repository, as it was fetched. */
export interface FetchedPlace {
  /** `https://host/owner/repository`. */
  web: string
  commit: string
  /** Folder inside it, empty for the whole. */
  folder: string
  owner: string
}

/** The options that say where skills come from. */
export interface OriginOptions {
  source?: string | undefined
  isOwn: boolean
  author?: string | undefined
}

/** Author of the registry's own skills where none is named. */
const OWN_AUTHOR = 'registry'

const EXPLANATION = `Where do these skills come from? There is no ${MANIFEST} in the folder, so say one of:
  --source https://github.com/<owner>/<repository>/tree/<ref>/<folder>
      they lie there: each is listed with its own address below it, and counts as alive while that answers
  --own [--author <handle>]
      they are the registry's own: its copy is their only source
Nothing was written.`

const checkHandle = (author: string): string => {
  const checked = skillRecord.shape.author.safeParse(author)
  if (checked.success) return checked.data
  throw new UsageError(`--author ${showValue(author)} ${checked.error.issues[0]?.message}.`)
}

const traceRow = (rows: ReadonlyMap<string, ManifestRow>, { path }: FoundSkill) => {
  const row = rows.get(path)
  if (row) return { author: row.owner, url: row.sourceUrl, row }
  const reason = `${MANIFEST} has no row for this folder`
  const remedy = 'add one with owner, dir and sourceUrl, or leave the folder out'
  return { path, kind: 'bad' as const, reason, remedy }
}

const fromManifest = (root: string): Origin => {
  const { rows, skips } = readManifest(root)
  if (rows.size === 0 && skips.length === 0) {
    throw new CommandError(`${MANIFEST} is empty; give it a row for each folder, or remove it.`)
  }
  const repos = new Set([...rows.values()].map(({ sourceUrl }) => placeOf(sourceUrl).repo))
  return {
    trace: (skill) => traceRow(rows, skill),
    covers: ({ record: { source } }) =>
      source.kind === 'upstream' && repos.has(placeOf(source.url).repo),
    skips,
    expected: [...rows.keys()],
  }
}

const fromAddress = (given: string, author: string | undefined): Origin => {
  const address = parseTreeAddress(given)
  const place = placeOf(address)
  const owner = author ?? place.owner
  if (owner === undefined) {
    throw new UsageError(`--source ${showValue(given)} names no owner; add --author <handle>.`)
  }
  const handle = checkHandle(owner)
  return {
    trace: ({ path }) => ({ author: handle, url: childAddress(address, path) }),
    covers: ({ record: { source } }) =>
      source.kind === 'upstream' && isWithin(placeOf(source.url), place),
    skips: [],
    expected: [],
  }
}

/** Settles where skills of a repository come from: their tree address at the commit that was fetched. */
export const originOfCommit = (place: FetchedPlace, author: string | undefined): Origin => {
  const { web, commit, folder, owner } = place
  const handle = checkHandle(author ?? owner)
  const address = childAddress(`${web}/tree/${commit}`, folder)
  return {
    trace: ({ path }) => ({ author: handle, url: childAddress(address, path) }),
    covers: ({ record: { source } }) =>
      source.kind === 'upstream' && isWithin(placeOf(source.url), placeOf(address)),
    skips: [],
    expected: [],
  }
}

/** Settles that skills are the registry's own, wherever they were copied from. */
export const originOfOwn = (author: string | undefined): Origin =>
  fromHere(checkHandle(author ?? OWN_AUTHOR))

const fromHere = (author: string): Origin => ({
  trace: () => ({ author }),
  covers: ({ record }) => record.source.kind === 'own' && record.author === author,
  skips: [],
  expected: [],
})

/** Settles where the skills of a folder come from. Throws UsageError where nothing says it. */
export const openOrigin = (root: string, { source, isOwn, author }: OriginOptions): Origin => {
  if (hasManifest(root)) {
    const given = source ? '--source' : isOwn ? '--own' : author ? '--author' : undefined
    if (given === undefined) return fromManifest(root)
    throw new UsageError(
      `${given} is refused: ${MANIFEST} in the folder says where each skill comes from. Leave ${given} out, or remove the manifest.`,
    )
  }
  if (source !== undefined && isOwn) {
    throw new UsageError('--source and --own exclude each other: a skill has one origin.')
  }
  if (source !== undefined) return fromAddress(source, author)
  if (isOwn) return originOfOwn(author)
  throw new UsageError(EXPLANATION)
}
