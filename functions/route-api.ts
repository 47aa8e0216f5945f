import { parseDownload } from '../src/api/query.ts'
import { DOWNLOAD_PATH, LISTING_API_PATH } from '../src/documents/paths.ts'
import { addressNotFound } from '../src/api/errors.ts'
import { decodePercent } from '../src/api/query.ts'
import { parseListingQuery } from '../src/api/query.ts'
import type { Route } from './route.ts'
import type { Target } from './target.ts'

const decodeSegment = (path: string, segment: string): string =>
  decodePercent(segment, () => addressNotFound(path))

/** Compares segment by segment, so that an escaped slash is no separator. */
const isAt = (path: string, address: string): boolean => {
  const raw = path.split('/')
  const wanted = address.split('/')
  return (
    raw.length === wanted.length &&
    raw.every((segment, at) => decodeSegment(path, segment) === wanted[at])
  )
}

/** Routes a path under `/api`. Throws NOT_FOUND, or the fault of the endpoint's parameters. */
export const routeApi = ({ path, query }: Target): Route => {
  const lastSlash = path.lastIndexOf('/')
  if (isAt(path.slice(0, lastSlash), DOWNLOAD_PATH)) {
    return { kind: 'download', id: parseDownload(path.slice(lastSlash + 1), query) }
  }
  if (isAt(path, LISTING_API_PATH)) return { kind: 'listing', query: parseListingQuery(query) }
  throw addressNotFound(path)
}
