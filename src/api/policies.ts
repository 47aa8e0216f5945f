/** Cache directive of a listing, as in the contract. */
const LISTING_CACHE = 's-maxage=60, stale-while-revalidate=300'

/** Cache directives of a private registry. */
const PRIVATE_CACHE = 'private, no-store'
const PRIVATE_ASSET_CACHE = 'private, max-age=31536000, immutable'

interface Policy {
  headers: Readonly<Record<string, string>>
  /** True for a strong ETag. Text has a weak ETag, because proxies may compress it. */
  isExact?: true
  /** Whether ranges may be requested (RFC 9110 14). */
  hasRanges?: true
}

const NO_GUESSING = { 'X-Content-Type-Options': 'nosniff' }
const REVALIDATE = { 'Cache-Control': 'public, max-age=0, must-revalidate' }
const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' }
const NO_STORE = { 'Cache-Control': 'no-store' }
const NO_INDEX = { 'X-Robots-Tag': 'noindex' }

/** The request headers that select a representation and a content coding (RFC 9110 12.5.5). */
const BY_FORM = { Vary: 'Accept, Accept-Encoding' }
const BY_CODING = { Vary: 'Accept-Encoding' }

/** For responses that scripts of any origin may read: pages of any origin may also embed them (Fetch 3.7). */
const EMBEDDED = { 'Cross-Origin-Resource-Policy': 'cross-origin' }
const NOT_EMBEDDED = { 'Cross-Origin-Resource-Policy': 'same-origin' }

/** Lets scripts of any origin read the response and these header fields. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers':
    'Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Retry-After',
  ...EMBEDDED,
}

/** Forbids inline scripts and styles, resources of other origins, and frames (CSP level 3). */
const PAGE_SECURITY = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  ...NOT_EMBEDDED,
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}

/** For untrusted files: browsers can show them but never run them. */
const INERT = { 'Content-Security-Policy': "default-src 'none'; sandbox" }

const PLAIN_TEXT = { 'Content-Type': 'text/plain; charset=utf-8' }

const TABLE = {
  html: {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...REVALIDATE,
      ...BY_FORM,
      ...NO_GUESSING,
      ...PAGE_SECURITY,
    },
  },
  /** A page that the function renders, such as search results. */
  onRequest: {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...NO_STORE,
      ...NO_INDEX,
      ...BY_FORM,
      ...NO_GUESSING,
      ...PAGE_SECURITY,
    },
  },
  markdown: {
    headers: {
      'Content-Type': 'text/markdown; charset=utf-8',
      ...NO_STORE,
      ...NO_INDEX,
      ...BY_FORM,
      ...NO_GUESSING,
      ...CORS,
    },
  },
  skillFile: {
    headers: { ...REVALIDATE, ...NO_INDEX, ...BY_CODING, ...NO_GUESSING, ...CORS, ...INERT },
    hasRanges: true,
  },
  /** `/skills/{slug}.json`: for programs; search engines should index the page of the skill instead. */
  skillJson: {
    headers: { ...REVALIDATE, ...NO_INDEX, ...BY_CODING, ...NO_GUESSING, ...CORS },
    hasRanges: true,
  },
  /** The site's pictures can be strangers' too. */
  siteFile: {
    headers: { ...REVALIDATE, ...BY_CODING, ...NO_GUESSING, ...CORS, ...INERT },
    hasRanges: true,
  },
  asset: {
    headers: {
      ...IMMUTABLE,
      ...BY_CODING,
      ...NO_GUESSING,
      ...NOT_EMBEDDED,
    },
    hasRanges: true,
  },
  zip: {
    headers: {
      'Content-Type': 'application/zip',
      ...REVALIDATE,
      ...NO_INDEX,
      ...NO_GUESSING,
      ...CORS,
    },
    isExact: true,
    hasRanges: true,
  },
  /** The zip of a version: its address contains a digest of its files, so it never changes. */
  versionZip: {
    headers: {
      'Content-Type': 'application/zip',
      ...IMMUTABLE,
      ...NO_INDEX,
      ...NO_GUESSING,
      ...CORS,
    },
    isExact: true,
    hasRanges: true,
  },
  listing: {
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': LISTING_CACHE,
      ...NO_INDEX,
      ...BY_CODING,
      ...NO_GUESSING,
      ...CORS,
    },
  },
  envelope: {
    headers: {
      'Content-Type': 'application/json',
      ...NO_STORE,
      ...NO_INDEX,
      ...NO_GUESSING,
      ...CORS,
    },
  },
  plain: {
    headers: { ...PLAIN_TEXT, ...NO_STORE, ...NO_GUESSING, ...INERT },
  },
  redirect: {
    headers: { ...PLAIN_TEXT, ...REVALIDATE, ...NO_GUESSING, ...CORS },
  },
  /** Model Context Protocol: each response is for one request only. */
  mcp: {
    headers: { ...NO_STORE, ...NO_INDEX, ...NO_GUESSING, ...CORS },
  },
  options: {
    headers: {
      'Access-Control-Allow-Headers': '*',
      'Access-Control-Max-Age': '86400',
      ...NO_STORE,
      ...CORS,
    },
  },
} as const satisfies Record<string, Policy>

/**
 * Adapts header fields to a private registry: caches must not store a response, robots must not index it, and pages of
 * other origins must not read it, since the network can be the only protection.
 */
export const fitPrivacy = (
  headers: Policy['headers'],
  isPrivate: boolean | undefined,
): Policy['headers'] => {
  if (!isPrivate) return headers
  // Browsers may cache styles and scripts, which reveal nothing.
  const isAsset =
    headers['Cache-Control'] === IMMUTABLE['Cache-Control'] && !('X-Robots-Tag' in headers)
  const own = Object.entries(headers).filter(([name]) => !name.startsWith('Access-Control-'))
  return {
    ...Object.fromEntries(own),
    ...('Cross-Origin-Resource-Policy' in headers && NOT_EMBEDDED),
    ...NO_INDEX,
    'Cache-Control': isAsset ? PRIVATE_ASSET_CACHE : PRIVATE_CACHE,
  }
}

export type PolicyName = keyof typeof TABLE

/** The header policy of every kind of response: the kinds of `Route`, and failures. */
export const POLICIES: Readonly<Record<PolicyName, Policy>> = TABLE

/** Media types of the site's own files, by extension; text is always UTF-8. */
const MEDIA_TYPES: Record<string, string> = {
  atom: 'application/atom+xml; charset=utf-8',
  avif: 'image/avif',
  css: 'text/css; charset=utf-8',
  gif: 'image/gif',
  ico: 'image/x-icon',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  ndjson: 'application/x-ndjson',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
  xml: 'application/xml; charset=utf-8',
}

export const BYTES = 'application/octet-stream'

/** Returns the media type of one of the site's own files; `BYTES` if its extension is unknown. */
const mediaTypeOf = (name: string): string => {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return (Object.hasOwn(MEDIA_TYPES, extension) && MEDIA_TYPES[extension]) || BYTES
}

/** Returns the header fields that describe one of the site's own files. */
export const describeFile = (name: string): Readonly<Record<string, string>> => ({
  'Content-Type': mediaTypeOf(name),
})
