const SECOND = 1_000

/** The date of HTTP that is in use (RFC 9110 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Gives how long Retry-After asks to wait, in milliseconds; undefined where it says nothing clear. */
export const parseRetryAfter = (value: string | undefined, now: number): number | undefined => {
  const text = value?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND
  if (!HTTP_DATE.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : Math.max(0, time - now)
}
