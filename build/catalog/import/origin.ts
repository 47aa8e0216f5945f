import { isWithin, listPlaces, readAddress } from '../../../src/catalog/address.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { checkOption, UsageError } from '../cli/command.ts'
import type { StoredRecord } from '../store/records.ts'
import { childAddress, parseSourceOption } from './git-address.ts'

/** A skill's author and address upstream; without `url` it is the registry's own. */
export interface Provenance {
  author: string
  url?: string
  /** Address of the link in the source that leads to `url`, if that is outside of the source. */
  link?: string
  /** Day of the commit that `url` names. */
  committed?: string | undefined
}

export interface Origin {
  /** Traces a skill by its folder, relative to the source's root. */
  trace: (path: string) => Provenance
  /** Whether a skill of the catalog comes from this source. */
  covers: (stored: StoredRecord) => boolean
}

export interface OriginOptions {
  source?: string | undefined
  isOwn: boolean
  author?: string | undefined
  /** Whether the registry is private, which allows ssh, http and logins. */
  isPrivate?: boolean
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
  }
}

/** Makes every skill the registry's own, wherever it was copied from. */
const originOfOwn = (owner = 'registry'): Origin => {
  const author = checkAuthor(owner)
  return {
    trace: () => ({ author }),
    covers: ({ record }) => record.source.kind === 'own' && record.author === author,
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

const EXPLANATION = `Where do these skills come from? Pass one of:
  --source https://github.com/<owner>/<repository>/tree/<ref>/<folder>
            each skill is listed with its own address there, as seen today or on the day of --date
  --own [--author <handle>]
            they are the registry's own; this copy is their only source
Nothing was written.`

/** Decides the origin of a folder's skills. Throws UsageError if nothing states it. */
export const originOfFolder = ({ source, isOwn, author }: OriginOptions): Origin => {
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
