import { parseCombined } from './combined.ts'
import { dayOf } from './days.ts'
import type { Entry, Reading } from './entry.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a format calls the parts of a request. */
interface Parts {
  method: unknown
  target: unknown
  status: unknown
  reader: unknown
  agent: unknown
  time: unknown
  isCut?: boolean
}

/** A format of JSON logs: how a record is known as its own, and what its fields are called. */
interface Format {
  name: string
  isOne: (fields: Fields) => boolean
  /** Undefined where the record is of something else than a request. */
  read: (fields: Fields) => Parts | undefined
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The formats of JSON logs, known by their shape. */
export const FORMATS: readonly Format[] = [
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
    // A build, or a line that a function printed outside a request, has no proxy.
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

const toEntry = (parts: Parts): Entry | string => {
  const status = Number(parts.status)
  const day = dayOf(parts.time)
  if (!Number.isInteger(status)) return 'no status'
  if (day === undefined) return 'no time'
  return {
    method: textOf(parts.method),
    target: textOf(parts.target),
    status,
    reader: textOf(parts.reader),
    agent: textOf(parts.agent),
    day,
    isCut: parts.isCut === true,
  }
}

const readRecord = (value: unknown): Reading => {
  const format = isFields(value) ? FORMATS.find(({ isOne }) => isOne(value)) : undefined
  if (!format || !isFields(value)) return { flaw: 'JSON of no log format that is known' }
  const parts = format.read(value)
  if (parts === undefined) return []
  const entry = toEntry(parts)
  return typeof entry === 'string' ? { flaw: `${format.name}: ${entry}` } : [entry]
}

const readBatch = (values: readonly unknown[]): Reading => {
  const entries: Entry[] = []
  for (const value of values) {
    const reading = readRecord(value)
    if (!Array.isArray(reading)) return reading
    entries.push(...reading)
  }
  return entries
}

const parseJson = (line: string): Reading => {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { flaw: 'JSON that is not whole' }
  }
  // A drain may send a batch of records as one array.
  return Array.isArray(value) ? readBatch(value) : readRecord(value)
}

/** Parses a line of a log, each by its own shape. */
export const parseLine = (line: string): Reading =>
  line.startsWith('{') || line.startsWith('[') ? parseJson(line) : parseCombined(line)
