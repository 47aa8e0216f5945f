import { hash, randomBytes } from 'node:crypto'
import { isbot } from 'isbot'
import { resolveMoves } from '../../../src/catalog/references.ts'
import { DOWNLOAD_PATH, SKILLS_PATH } from '../../../src/documents/paths.ts'
import type { Stored } from '../store/records.ts'
import { parseLine } from './formats.ts'
import type { LogEntry } from './formats.ts'

type Kind = 'views' | 'installs'

/** Finds the skill of a page or zip address; undefined for other addresses. */
type TargetFinder = (address: string) => { id: number; kind: Kind } | undefined

const PAGE = new RegExp(`^${SKILLS_PATH}/([^/]+?)(?:\\.md|\\.html)?/?$`)
const ZIP = new RegExp(`^${DOWNLOAD_PATH}/([1-9]\\d*)$`)
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

/** The counts of a part of a log. */
export interface Counted {
  lines: number
  /** Counted requests for a skill's page or zip. */
  views: number
  installs: number
  /** Requests by robots and by readers already counted that day. */
  repeats: number
  robots: number
  bad: number
  /** The first unreadable lines. */
  firstBad: { line: number; reason: string }[]
  /** By id. */
  skills: Record<string, Record<Kind, number>>
}

const BAD_SHOWN = 5

export const countNothing = (): Counted => ({
  lines: 0,
  views: 0,
  installs: 0,
  repeats: 0,
  robots: 0,
  bad: 0,
  firstBad: [],
  skills: {},
})

export const addToSkill = (
  skills: Counted['skills'],
  id: string | number,
  { views, installs }: Record<Kind, number>,
): void => {
  const old = skills[id] ?? { views: 0, installs: 0 }
  skills[id] = { views: old.views + views, installs: old.installs + installs }
}

export const addCounted = (total: Counted, more: Counted): void => {
  for (const name of ['lines', 'views', 'installs', 'repeats', 'robots', 'bad'] as const) {
    total[name] += more[name]
  }
  total.firstBad.push(...more.firstBad.slice(0, BAD_SHOWN - total.firstBad.length))
  for (const [id, counts] of Object.entries(more.skills)) addToSkill(total.skills, id, counts)
}

export interface Rules {
  find: TargetFinder
  readers: Readers
  /** First day to leave for a later run, if any. */
  before?: string | undefined
}

/** Makes the counting rules of a catalog, which remember readers. */
export const createRules = (stored: Stored, before: string | undefined): Rules => ({
  find: createFinder(stored),
  readers: new Readers(),
  before,
})

const addBad = (counted: Counted, line: number, reason: string): void => {
  counted.bad += 1
  if (counted.firstBad.length < BAD_SHOWN) counted.firstBad.push({ line, reason })
}

const countEntry = (entry: LogEntry, { find, readers }: Rules, counted: Counted): void => {
  const { method, status, isCut, target, agent, day, reader } = entry
  if (method !== 'GET' || status !== 200 || isCut) return
  const found = find(target)
  if (!found) return
  const { kind, id } = found
  if (isRobot(agent)) counted.robots += 1
  else if (readers.isFirst(day, kind, id, reader)) {
    counted[kind] += 1
    addToSkill(counted.skills, id, { views: 0, installs: 0, [kind]: 1 })
  } else counted.repeats += 1
}

/**
 * Counts a line; `at` is its number in the log. Returns false without counting if its day is left for a later run.
 */
export const countLine = (line: string, at: number, rules: Rules, counted: Counted): boolean => {
  const parsed = line.trim() === '' ? [] : parseLine(line)
  const { before } = rules
  if (Array.isArray(parsed)) {
    if (before !== undefined && parsed.some(({ day }) => day >= before)) return false
    for (const entry of parsed) {
      if (entry.reader === '') addBad(counted, at, 'no address of a reader')
      else countEntry(entry, rules, counted)
    }
  } else addBad(counted, at, parsed.reason)
  counted.lines += 1
  return true
}
