import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isbot } from 'isbot'
import { resolveMoves } from '../../../src/catalog/references.ts'
import { PATHS } from '../../../src/documents/paths.ts'
import type { Stored } from '../store/records.ts'

/** A request in an access log. */
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
}

const QUOTED = String.raw`"((?:[^"\\]|\\.)*)"`

/**
 * The Combined Log Format of Apache and nginx: `host ident user [time] "request" status bytes
 * "referer" "agent"`; the Common Log Format lacks the last two.
 */
const COMBINED = new RegExp(
  String.raw`^(\S+) [^[]*\[([^\]]+)\] ${QUOTED} (\d{3}) \S+(?: ${QUOTED} ${QUOTED})?`,
)

/** `10/Oct/2026:13:55:36 -0700` */
const CLOCK = /^(\d{2})\/([A-Za-z]{3})\/(\d{4}):(\d{2}:\d{2}:\d{2} [+-]\d{4})$/

const dayOf = (time: string): string | undefined => {
  const date = new Date(time.replace(CLOCK, '$1 $2 $3 $4'))
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().slice(0, 10)
}

const parseCombined = (line: string): LogEntry | undefined => {
  const [, reader = '', time = '', request = '', status = '', , agent = ''] =
    COMBINED.exec(line) ?? []
  const day = dayOf(time)
  // Logs also contain requests that are not HTTP, such as TLS handshakes.
  const [method = '', target = ''] = request.split(' ')
  const entry = {
    method,
    target,
    status: Number(status),
    reader,
    agent: agent === '-' ? '' : agent,
  }
  return day === undefined ? undefined : { ...entry, day }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Parses a JSON line from this server. */
const parseJson = (line: string): LogEntry | undefined => {
  let fields: Record<string, unknown>
  try {
    fields = JSON.parse(line) as Record<string, unknown>
  } catch {
    return undefined
  }
  const day = dayOf(textOf(fields['time']))
  // An aborted response does not count.
  const status = fields['aborted'] === true ? 0 : Number(fields['status'] ?? 0)
  const [method, target, reader, agent] = ['method', 'path', 'remote', 'agent'].map((name) =>
    textOf(fields[name]),
  ) as [string, string, string, string]
  return day === undefined ? undefined : { method, target, status, reader, agent, day }
}

/** Parses a line of an access log; undefined if it has neither format. */
export const parseLine = (line: string): LogEntry | undefined =>
  line.startsWith('{') ? parseJson(line) : parseCombined(line)

export type Kind = 'views' | 'installs'

const PAGE = new RegExp(String.raw`^${PATHS.skills}/([^/]+?)(?:\.md|\.html)?/?$`)
const ZIP = new RegExp(String.raw`^${PATHS.download}/([1-9]\d*)$`)

/** Returns a function that finds the skill of a page or zip; requests for a former address count as well. */
export const createFinder = ({ records, retired }: Stored) => {
  const skills = records.map(({ slug, record: { id } }) => ({ slug, id }))
  const moves = resolveMoves(retired, skills)
  const bySlug = new Map([
    ...skills.map(({ slug, id }): [string, number] => [slug, id]),
    ...moves.map(({ slug, to }): [string, number] => [slug, to.id]),
  ])
  const byId = new Map([
    ...skills.map(({ id }): [string, number] => [String(id), id]),
    ...moves.map(({ id, to }): [string, number] => [String(id), to.id]),
  ])
  return (target: string): { id: number; kind: Kind } | undefined => {
    const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/, '')
    const page = bySlug.get(PAGE.exec(path)?.[1] ?? '')
    if (page !== undefined) return { id: page, kind: 'views' }
    const zip = byId.get(ZIP.exec(path)?.[1] ?? '')
    return zip === undefined ? undefined : { id: zip, kind: 'installs' }
  }
}

/** Programs that act for a person, as opposed to robots. */
const TOOLS = new RegExp(
  [
    '^(?:curl|wget|libcurl|aria2|httpie|xh|powershell|node|node-fetch|undici|axios|got|bun|deno',
    '|skills|opencode|claude-code|claude-cli|codex|cursor|gemini-cli)(?:[\\s/-]|$)',
    '|\\b(?:Claude-User|ChatGPT-User|Perplexity-User|MistralAI-User|DuckAssistBot)\\b',
  ].join(''),
  'i',
)

export const isRobot = (agent: string): boolean =>
  agent !== '' && !TOOLS.test(agent) && isbot(agent)

/** Identifies the reader behind a network address; in IPv6, one household or server usually has a whole /64. */
export const nameReader = (address: string): string => {
  if (isIP(address) !== 6) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
