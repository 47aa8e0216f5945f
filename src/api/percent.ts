/**
 * Decodes percent-encoded UTF-8 strictly (RFC 3986 2.1). What is malformed, overlong or a lone
 * surrogate is thrown as the error that `refuse` makes.
 */
export const decodePercent = (raw: string, refuse: () => Error): string => {
  if (!raw.isWellFormed()) throw refuse()
  try {
    return decodeURIComponent(raw)
  } catch {
    throw refuse()
  }
}

/** Decodes a name or value of a query string, where `+` is a blank. */
export const decodeField = (raw: string, refuse: () => Error): string =>
  decodePercent(raw.replaceAll('+', ' '), refuse)
