import { isRobot } from './agents.ts'
import type { Entry } from './entry.ts'
import { parseLine } from './formats.ts'
import type { Readers } from './readers.ts'
import type { Kind, TargetFinder } from './targets.ts'

/** A line that could not be read. */
export interface BadLine {
  line: number
  flaw: string
}

/** What was counted in a part of a log. */
export interface Counted {
  lines: number
  /** Requests of a skill's page or zip that count. */
  views: number
  installs: number
  /** The same by readers who were counted that day already, and by robots. */
  repeats: number
  robots: number
  bad: number
  /** The first of them. */
  firstBad: BadLine[]
  bySkill: Map<number, Record<Kind, number>>
}

/** Bad lines that are shown. */
const BAD_SHOWN = 5

/** Gives counts of nothing. */
export const countNothing = (): Counted => ({
  lines: 0,
  views: 0,
  installs: 0,
  repeats: 0,
  robots: 0,
  bad: 0,
  firstBad: [],
  bySkill: new Map(),
})

/** Adds counts to others. */
export const addCounted = (total: Counted, more: Counted): void => {
  for (const name of ['lines', 'views', 'installs', 'repeats', 'robots', 'bad'] as const) {
    total[name] += more[name]
  }
  total.firstBad.push(...more.firstBad.slice(0, BAD_SHOWN - total.firstBad.length))
  for (const [id, { views, installs }] of more.bySkill) {
    const skill = total.bySkill.get(id) ?? { views: 0, installs: 0 }
    total.bySkill.set(id, { views: skill.views + views, installs: skill.installs + installs })
  }
}

/** How the lines of a log are counted. */
export interface Rules {
  find: TargetFinder
  readers: Readers
  /** First day that is left for another time; undefined where none is. */
  before?: string | undefined
}

const takeEntry = (entry: Entry, { find, readers }: Rules, counted: Counted): void => {
  const { method, status, isCut, target, agent, day, reader } = entry
  if (method !== 'GET' || status !== 200 || isCut) return
  const found = find(target)
  if (!found) return
  if (isRobot(agent)) {
    counted.robots += 1
  } else if (readers.isFirst(day, found.kind, found.id, reader)) {
    const skill = counted.bySkill.get(found.id) ?? { views: 0, installs: 0 }
    skill[found.kind] += 1
    counted.bySkill.set(found.id, skill)
    counted[found.kind] += 1
  } else {
    counted.repeats += 1
  }
}

const addBad = (counted: Counted, line: number, flaw: string): void => {
  counted.bad += 1
  if (counted.firstBad.length < BAD_SHOWN) counted.firstBad.push({ line, flaw })
}

/**
 * Counts one line; its number is that in the whole log. False where it is of a day that is left for
 * another time, and nothing was counted.
 */
export const countLine = (line: string, at: number, rules: Rules, counted: Counted): boolean => {
  const reading = line.trim() === '' ? [] : parseLine(line)
  const { before } = rules
  if (Array.isArray(reading)) {
    if (before !== undefined && reading.some(({ day }) => day >= before)) return false
    for (const entry of reading) {
      if (entry.reader === '') addBad(counted, at, 'no address of a reader')
      else takeEntry(entry, rules, counted)
    }
  } else {
    addBad(counted, at, reading.flaw)
  }
  counted.lines += 1
  return true
}
