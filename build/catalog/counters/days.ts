const SECOND = 1
const MILLISECOND = 1e3
const NANOSECOND = 1e9

/** Units of a number of time since 1970: the first whose seconds lie before the year 5000. */
const UNITS = [SECOND, MILLISECOND, 1e6, NANOSECOND]
const LATEST = 1e11

const dayOfSeconds = (seconds: number): string | undefined => {
  const date = new Date(seconds * MILLISECOND)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10)
}

const ISO_UTC = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/** Gives the UTC day of a time as logs write it: RFC 3339, or seconds to nanoseconds since 1970. */
export const dayOf = (time: unknown): string | undefined => {
  if (typeof time === 'string') {
    if (ISO_UTC.test(time)) return time.slice(0, 10)
    if (/^\d+$/.test(time)) return dayOf(Number(time))
    return dayOfSeconds(Date.parse(time) / MILLISECOND)
  }
  if (typeof time !== 'number') return undefined
  const unit = UNITS.find((one) => time / one < LATEST) ?? NANOSECOND
  return dayOfSeconds(time / unit)
}
