import { resolveMoves } from '../../../src/catalog/moves.ts'
import { COPIES_FILE } from '../../../src/catalog/copies.ts'
import type { Copies, Retired } from '../../../src/catalog/schema.ts'
import type { Step } from '../store/write.ts'
import { COUNTERS_FILE, RETIRED_FILE } from '../store/records.ts'
import type { Counters, Stored } from '../store/records.ts'
import { renderRecord } from '../store/write.ts'

/** What a catalog holds that the departure of a skill may change. */
export interface Holdings extends Stored {
  counters: Counters
  copies: Copies
}

/** How a skill leaves its slug: for good, for another slug, or for another skill that stays. */
export interface Departure {
  id: number
  slug: string
  movedTo?: string | undefined
  /** The slug it moves to is another skill's, with this id. */
  heir?: number | undefined
  reason?: string | undefined
  /** Where it came from. */
  source?: string | undefined
}

/** Says whether a skill stays, under another slug. */
export const isRename = ({ movedTo, heir }: Departure): boolean =>
  movedTo !== undefined && heir === undefined

const skillFolder = (slug: string): string => `skills/${slug}`

/** The loader passes over names that start with a dot, and so does `clearUnfinished` over this one. */
const asidePath = (slug: string): string => skillFolder(`.tmp-retired-${slug}`)

/** Makes the row that keeps a slug from being given again. */
export const makeRow = (departure: Departure): Retired => {
  const { id, slug, movedTo, reason, source } = departure
  return {
    id,
    slug,
    ...(movedTo === undefined ? {} : { movedTo }),
    ...(reason === undefined ? {} : { reason }),
    // A skill that stays under another slug has its source in its record.
    ...(source === undefined || isRename(departure) ? {} : { source }),
  }
}

const addCounters = (counters: Counters, from: number, to: number): Counters => {
  const { [from]: old, ...rest } = counters
  if (old === undefined) return counters
  const { views, installs } = rest[to] ?? { views: 0, installs: 0 }
  return { ...rest, [to]: { views: views + old.views, installs: installs + old.installs } }
}

const writeStep = (path: string, value: unknown): Step => ({
  do: 'write',
  path,
  text: renderRecord(value),
})

const inheritSteps = ({ id, heir }: Departure, counters: Counters): Step[] =>
  heir === undefined || counters[id] === undefined
    ? []
    : [writeStep(COUNTERS_FILE, addCounters(counters, id, heir))]

/** A copy whose original is nowhere does not load, so its entry goes before the folder. */
const forgetSteps = (departure: Departure, copies: Copies): Step[] => {
  if (isRename(departure)) return []
  const { id } = departure
  const entries = Object.entries(copies)
  const kept = entries.filter(([copy, original]) => Number(copy) !== id && original !== id)
  return kept.length === entries.length ? [] : [writeStep(COPIES_FILE, Object.fromEntries(kept))]
}

const folderSteps = (departure: Departure): { first: Step; last: Step[] } => {
  const { slug, movedTo = '' } = departure
  const path = skillFolder(slug)
  if (isRename(departure)) {
    return { first: { do: 'rename', path, to: skillFolder(movedTo) }, last: [] }
  }
  const aside = asidePath(slug)
  return {
    first: { do: 'rename', path, to: aside },
    last: [{ do: 'remove', path: aside }],
  }
}

/**
 * Plans the departure of a skill from its slug. The catalog loads after every step: rows that lead to
 * the skill are taken out while it is at neither address, and the folder goes before its row comes.
 */
export const planDeparture = (
  { retired, counters, copies }: Holdings,
  departure: Departure,
): Step[] => {
  const { id, slug, movedTo } = departure
  const leading = new Set(resolveMoves(retired, [{ id, slug }]).map((move) => move.slug))
  const meanwhile = retired.filter((row) => !leading.has(row.slug))
  // A skill that takes back a slug it had is no longer retired there.
  const kept = retired.filter((row) => row.slug !== movedTo)
  const { first, last } = folderSteps(departure)
  return [
    ...forgetSteps(departure, copies),
    ...(leading.size > 0 ? [writeStep(RETIRED_FILE, meanwhile)] : []),
    first,
    writeStep(RETIRED_FILE, [...kept, makeRow(departure)]),
    ...inheritSteps(departure, counters),
    ...last,
  ]
}
