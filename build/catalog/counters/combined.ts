import type { Reading } from './entry.ts'

const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"'

/**
 * The Combined Log Format of Apache and nginx: `host ident user [time] "request" status bytes
 * "referer" "agent"`; the Common one leaves the last two out.
 */
const COMBINED = new RegExp(
  `^(\\S+) [^[]*\\[(\\d{2}/[A-Za-z]{3}/\\d{4}:\\d{2}:\\d{2}):\\d{2} ([+-]\\d{4})\\] ${QUOTED} (\\d{3}) \\S+(?: ${QUOTED} ${QUOTED})?`,
)

const REQUEST = /^([A-Z]+) (\S+)/

const FLAW = { flaw: 'no log format that is known' }

const DAYS_KEPT = 1_000
const days = new Map<string, string | undefined>()

/** Gives the UTC day of `10/Oct/2026:13:55` and `-0700`; a log has few minutes and many lines. */
const dayOfMinute = (minute: string, zone: string): string | undefined => {
  const key = minute + zone
  if (days.has(key)) return days.get(key)
  // Zones are not all of whole hours.
  const [date = '', hours = '', minutes = ''] = minute.split(':')
  const time = Date.parse(`${date.replaceAll('/', ' ')} ${hours}:${minutes}:00 ${zone}`)
  const day = Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10)
  if (days.size >= DAYS_KEPT) days.clear()
  days.set(key, day)
  return day
}

/** Parses a line of the Combined Log Format. */
export const parseCombined = (line: string): Reading => {
  const match = COMBINED.exec(line)
  if (!match) return FLAW
  const [, reader = '', minute = '', zone = '', request = '', status = '', , agent = ''] = match
  const day = dayOfMinute(minute, zone)
  if (day === undefined) return { flaw: 'no day of the calendar' }
  // What was no request of HTTP, such as a TLS greeting, has a line too.
  const [, method = '', target = ''] = REQUEST.exec(request) ?? []
  return [
    {
      method,
      target,
      status: Number(status),
      reader,
      agent: agent === '-' ? '' : agent,
      day,
      isCut: false,
    },
  ]
}
