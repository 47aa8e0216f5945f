import { decodePercent } from '../src/api/query.ts'

const NOT_A_SEGMENT = new Set(['', '.', '..'])

const isPlain = (segment: string): boolean =>
  !NOT_A_SEGMENT.has(segment) && !/[/\\\p{Cc}]/u.test(segment)

/**
 * Splits a raw path into decoded segments; `/` has none, and a trailing slash is said, not kept.
 * Undefined where the path names nothing: malformed escapes, dot segments, empty segments,
 * backslashes, control characters, and slashes that are escaped (RFC 3986 3.3).
 */
export const parseSegments = (
  path: string,
): { segments: string[]; hasTrailingSlash: boolean } | undefined => {
  const raw = path.slice(1).split('/')
  const hasTrailingSlash = raw.length > 1 && raw.at(-1) === ''
  if (raw.at(-1) === '') raw.pop()
  try {
    const segments = raw.map((segment) => decodePercent(segment, () => new URIError(segment)))
    return segments.every(isPlain) ? { segments, hasTrailingSlash } : undefined
  } catch {
    return undefined
  }
}

/** Gives decoded segments as a path; never `//`, so never the address of another host. */
export const renderPath = (segments: readonly string[]): string =>
  `/${segments.map((segment) => encodeURIComponent(segment)).join('/')}`
