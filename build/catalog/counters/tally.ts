import { hash, randomBytes } from 'node:crypto'
import { isbot } from 'isbot'
import { resolveMoves } from '../../../src/catalog/references.ts'
import { PATHS } from '../../../src/documents/paths.ts'
import type { Stored } from '../store/records.ts'

interface LogEntry {
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

type Kind = 'views' | 'installs'

/** Finds the skill of a page or zip address; undefined for other addresses. */
type TargetFinder = (address: string) => { id: number; kind: Kind } | undefined

const PAGE = new RegExp(`^${PATHS.skills}/([^/]+?)(?:\\.md|\\.html)?/?$`)
const ZIP = new RegExp(`^${PATHS.download}/([1-9]\\d*)$`)
const ORIGIN = /^https?:\/\/[^/?#]*/i

const pathOf = (address: string): string => {
  const local = address.startsWith('/') ? address : address.replace(ORIGIN, '')
  const end = local.search(/[?#]/)
  return end < 0 ? local : local.slice(0, end)
}

/** Decodes percent-encoded ASCII; other escapes are kept, since skill addresses have none. */
const decodePath = (path: string): string =>
  path.includes('%')
    ? path.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : path

/** Requests for a moved slug or id count for the skill that it redirects to. */
const createFinder = ({ records, retired }: Stored): TargetFinder => {
  const skills = records.map(({ slug, record: { id } }) => ({ slug, id }))
  const moves = resolveMoves(retired, skills)
  const bySlug = new Map(skills.map(({ slug, id }) => [slug, id]))
  const byId = new Map(skills.map(({ id }) => [String(id), id]))
  for (const { slug, id, to } of moves) {
    bySlug.set(slug, to.id)
    byId.set(String(id), to.id)
  }
  return (address) => {
    const path = decodePath(pathOf(address))
    const page = PAGE.exec(path)?.[1]
    const id = page === undefined ? byId.get(ZIP.exec(path)?.[1] ?? '') : bySlug.get(page)
    return id === undefined ? undefined : { id, kind: page === undefined ? 'installs' : 'views' }
  }
}

/**
 * Clients that act for a person: they identify themselves as programs, but people install with them.
 */
const TOOLS =
  /^(?:curl|wget|libcurl|aria2|httpie|xh|powershell|node|node-fetch|undici|axios|got|bun|deno|skills|clawhub|opencode|claude-code|claude-cli|codex|cursor|gemini-cli)(?:[\s/-]|$)|\b(?:Claude-User|ChatGPT-User|Perplexity-User|MistralAI-User|DuckAssistBot)\b/i

const AGENTS_KEPT = 10_000
const robots = new Map<string, boolean>()

const isRobot = (agent: string): boolean => {
  const known = robots.get(agent)
  if (known !== undefined) return known
  const robot = agent !== '' && !TOOLS.test(agent) && isbot(agent)
  if (robots.size >= AGENTS_KEPT) robots.clear()
  // A copy: a slice would retain the whole chunk in memory.
  robots.set(Buffer.from(agent).toString(), robot)
  return robot
}

/**
 * Remembers who requested what on which day during a run, as digests with a random salt that is never written.
 */
class Readers {
  private readonly salt = randomBytes(32).toString('latin1')
  private readonly days = new Map<string, Set<number>>()

  /** Whether this is the reader's first such request of the day; records it. */
  isFirst(day: string, kind: Kind, id: number, reader: string): boolean {
    const seen = this.days.get(day) ?? new Set()
    this.days.set(day, seen)
    // 48 bits: with a million digests a day, one collision in 500 days.
    const digest = hash('sha256', `${this.salt}${day} ${kind} ${id} ${reader}`, 'buffer')
    const { size } = seen
    return seen.add(digest.readUIntBE(0, 6)).size > size
  }
}

const BAD_SHOWN = 5

type SkillCounts = Record<string, Record<Kind, number>>

export const addToSkill = (
  skills: SkillCounts,
  id: string | number,
  { views, installs }: Record<Kind, number>,
): void => {
  const old = skills[id] ?? { views: 0, installs: 0 }
  skills[id] = { views: old.views + views, installs: old.installs + installs }
}

/** The counting rules of a catalog, which remember readers. */
export class Rules {
  readonly find: TargetFinder
  readonly readers = new Readers()
  /** First day to leave for a later run, if any. */
  readonly before: string | undefined

  constructor(stored: Stored, before: string | undefined) {
    this.find = createFinder(stored)
    this.before = before
  }
}

export type Counted = Omit<LogTally, 'add' | 'countLine'>

/** The counts of a part of a log. */
export class LogTally {
  lines = 0
  /** Counted requests for a skill's page or zip. */
  views = 0
  installs = 0
  /** Requests by robots and by readers already counted that day. */
  repeats = 0
  robots = 0
  bad = 0
  /** The first unreadable lines. */
  firstBad: { line: number; reason: string }[] = []
  /** By id. */
  skills: SkillCounts = {}

  add(more: Counted): void {
    for (const name of ['lines', 'views', 'installs', 'repeats', 'robots', 'bad'] as const) {
      this[name] += more[name]
    }
    this.firstBad.push(...more.firstBad.slice(0, BAD_SHOWN - this.firstBad.length))
    for (const [id, counts] of Object.entries(more.skills)) addToSkill(this.skills, id, counts)
  }

  /** Counts line `at` of a log. Returns false without counting if its day is left for a later run. */
  countLine(line: string, at: number, rules: Rules): boolean {
    const parsed = line.trim() === '' ? [] : parseLine(line)
    const { before } = rules
    if (Array.isArray(parsed)) {
      if (before !== undefined && parsed.some(({ day }) => day >= before)) return false
      for (const entry of parsed) {
        if (entry.reader === '') this.#addBad(at, 'no address of a reader')
        else this.#countEntry(entry, rules)
      }
    } else this.#addBad(at, parsed.reason)
    this.lines += 1
    return true
  }

  #addBad(line: number, reason: string): void {
    this.bad += 1
    if (this.firstBad.length < BAD_SHOWN) this.firstBad.push({ line, reason })
  }

  #countEntry(entry: LogEntry, { find, readers }: Rules): void {
    const { method, status, isCut, target, agent, day, reader } = entry
    if (method !== 'GET' || status !== 200 || isCut) return
    const found = find(target)
    if (!found) return
    const { kind, id } = found
    if (isRobot(agent)) this.robots += 1
    else if (readers.isFirst(day, kind, id, reader)) {
      this[kind] += 1
      addToSkill(this.skills, id, { views: 0, installs: 0, [kind]: 1 })
    } else this.repeats += 1
  }
}
