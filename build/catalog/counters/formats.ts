export interface LogEntry {
  method: string
  /** The request target: a path with a query, or an absolute address. */
  target: string
  status: number
  /** Network address of the reader. */
  reader: string
  /** User-Agent; empty if missing. */
  agent: string
  /** Day of the request in UTC, YYYY-MM-DD. */
  day: string
  /** Whether the response was cut off. */
  isCut: boolean
}

/** The requests in a log line (possibly none), or the reason why it is unreadable. */
type ParsedLine = LogEntry[] | { reason: string }

const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"'

/**
 * The Combined Log Format of Apache and nginx: `host ident user [time] "request" status bytes
 * "referer" "agent"`; the Common Log Format lacks the last two.
 */
const COMBINED = new RegExp(
  `^(\\S+) [^[]*\\[(\\d{2}/[A-Za-z]{3}/\\d{4}:\\d{2}:\\d{2}):\\d{2} ([+-]\\d{4})\\] ${QUOTED} (\\d{3}) \\S+(?: ${QUOTED} ${QUOTED})?`,
)

const REQUEST = /^([A-Z]+) (\S+)/

const DAYS_KEPT = 1_000
const days = new Map<string, string | undefined>()

/** UTC day of `10/Oct/2026:13:55` and `-0700`; cached, since a log has few minutes and many lines. */
const dayOfMinute = (minute: string, zone: string): string | undefined => {
  const key = minute + zone
  if (days.has(key)) return days.get(key)
  // Some time zones have offsets of half hours.
  const [date = '', hours = '', minutes = ''] = minute.split(':')
  const time = Date.parse(`${date.replaceAll('/', ' ')} ${hours}:${minutes}:00 ${zone}`)
  const day = Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10)
  if (days.size >= DAYS_KEPT) days.clear()
  days.set(key, day)
  return day
}

const parseCombined = (line: string): ParsedLine => {
  const match = COMBINED.exec(line)
  if (!match) return { reason: 'no log format that is known' }
  const [, reader = '', minute = '', zone = '', request = '', status = '', , agent = ''] = match
  const day = dayOfMinute(minute, zone)
  if (day === undefined) return { reason: 'no day of the calendar' }
  // TLS handshakes and other non-HTTP bytes are logged too.
  const [, method = '', target = ''] = REQUEST.exec(request) ?? []
  const entry = { method, target, status: Number(status), reader, day, isCut: false }
  return [{ ...entry, agent: agent === '-' ? '' : agent }]
}

const dayOfSeconds = (seconds: number): string | undefined => {
  const date = new Date(seconds * 1e3)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10)
}

const ISO_UTC = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/** Units per second of epoch times; the first that gives a time before the year 5000 applies. */
const UNITS = [1, 1e3, 1e6]
const NANOSECOND = 1e9
const LATEST = 1e11

/** UTC day of an RFC 3339 time, or of seconds to nanoseconds since 1970. */
const dayOf = (time: unknown): string | undefined => {
  if (typeof time === 'string') {
    if (ISO_UTC.test(time)) return time.slice(0, 10)
    if (/^\d+$/.test(time)) return dayOf(Number(time))
    return dayOfSeconds(Date.parse(time) / 1e3)
  }
  if (typeof time !== 'number') return undefined
  const unit = UNITS.find((one) => time / one < LATEST) ?? NANOSECOND
  return dayOfSeconds(time / unit)
}

type Fields = Readonly<Record<string, unknown>>

type Part = 'method' | 'target' | 'status' | 'reader' | 'agent' | 'time'

/** A format of JSON logs: how to recognize its records, and the names of its fields. */
interface Format {
  name: string
  isOne: (fields: Fields) => boolean
  /** Undefined if the record is not a request. */
  read: (fields: Fields) => (Record<Part, unknown> & { isCut?: boolean }) | undefined
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const FORMATS: readonly Format[] = [
  {
    name: 'JSON lines of this server',
    isOne: (fields) => 'time' in fields && ('remote' in fields || 'error' in fields),
    read: ({ method, path, status, remote, agent, time, aborted, error }) =>
      error === undefined
        ? { method, target: path, status, reader: remote, agent, time, isCut: aborted === true }
        : undefined,
  },
  {
    name: 'Cloudflare Logpush, HTTP requests',
    isOne: (fields) => 'ClientRequestMethod' in fields || 'EdgeResponseStatus' in fields,
    read: (fields) => ({
      method: fields['ClientRequestMethod'],
      target: fields['ClientRequestURI'] ?? fields['ClientRequestPath'],
      status: fields['EdgeResponseStatus'],
      reader: fields['ClientIP'],
      agent: fields['ClientRequestUserAgent'],
      time: fields['EdgeStartTimestamp'] ?? fields['EdgeEndTimestamp'],
    }),
  },
  {
    name: 'Vercel log drain',
    isOne: (fields) => 'deploymentId' in fields || isFields(fields['proxy']),
    // Build records and function output outside of a request have no proxy.
    read: ({ proxy, timestamp }) =>
      isFields(proxy)
        ? {
            method: proxy['method'],
            target: proxy['path'],
            status: proxy['statusCode'],
            reader: proxy['clientIp'],
            agent: Array.isArray(proxy['userAgent']) ? proxy['userAgent'][0] : proxy['userAgent'],
            time: proxy['timestamp'] ?? timestamp,
          }
        : undefined,
  },
  {
    name: 'Netlify log drain',
    isOne: (fields) => 'log_type' in fields || 'client_ip' in fields,
    read: (fields) =>
      'status_code' in fields
        ? {
            method: fields['method'],
            target: fields['url'] ?? fields['path'],
            status: fields['status_code'],
            reader: fields['client_ip'],
            agent: fields['user_agent'],
            time: fields['timestamp'],
          }
        : undefined,
  },
]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const readRecord = (value: unknown): ParsedLine => {
  const format = isFields(value) ? FORMATS.find(({ isOne }) => isOne(value)) : undefined
  if (!format || !isFields(value)) return { reason: 'JSON of no log format that is known' }
  const parts = format.read(value)
  if (parts === undefined) return []
  const status = Number(parts.status)
  const day = dayOf(parts.time)
  if (!Number.isInteger(status)) return { reason: `${format.name}: no status` }
  if (day === undefined) return { reason: `${format.name}: no time` }
  return [
    {
      method: textOf(parts.method),
      target: textOf(parts.target),
      status,
      reader: textOf(parts.reader),
      agent: textOf(parts.agent),
      day,
      isCut: parts.isCut === true,
    },
  ]
}

const parseJson = (line: string): ParsedLine => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { reason: 'JSON that is not whole' }
  }
  // A drain may send a batch of records as one array.
  const entries: LogEntry[] = []
  for (const record of Array.isArray(value) ? value : [value]) {
    const parsed = readRecord(record)
    if (!Array.isArray(parsed)) return parsed
    entries.push(...parsed)
  }
  return entries
}

export const parseLine = (line: string): ParsedLine =>
  line.startsWith('{') || line.startsWith('[') ? parseJson(line) : parseCombined(line)
