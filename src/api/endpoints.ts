/** Methods every address answers; anything else is METHOD_NOT_ALLOWED. */
export const METHODS = ['GET', 'HEAD', 'OPTIONS'] as const

/** The `Allow` header of every address (RFC 9110 10.2.1). */
export const ALLOW = METHODS.join(', ')

/** Cache directive of a listing, to the letter of registry-api 4.1 rule 4. */
export const LISTING_CACHE = 's-maxage=60, stale-while-revalidate=300'

/** Seconds after which an unavailable service is worth asking again. */
export const RETRY_AFTER = 10

/** Longest address the server reads, in characters. */
export const TARGET_LIMIT = 32 * 1024
