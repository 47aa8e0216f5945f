import type { SiteContent } from '../../src/catalog/load.ts'
import { findStrayCopies } from '../../src/catalog/copies.ts'
import { findClashes } from '../../src/catalog/load.ts'
import { ContentError } from '../../src/catalog/problems.ts'
import { digestText } from './digest.ts'
import { countFiles } from './outputs.ts'
import type { SkillReading } from './printer.ts'
import type { BuildState, SkillDetails, SkillRow } from './state.ts'
import { isUntracedRow } from './state.ts'
import { copyRow } from './stored-row.ts'

// What is nearest stays until it is found anew, which is when names, words or categories change.
const toRow = (reading: SkillReading, old: SkillRow | undefined): SkillRow | undefined => {
  const { slug, signature, digest, facts, paths, isUntraced } = reading
  if (old?.digest === digest && digest !== '') return copyRow(old, { signature })
  if (!facts) return undefined
  const details: SkillDetails = { facts, paths }
  return {
    slug,
    id: facts.id,
    name: facts.name,
    author: facts.author,
    category: facts.category,
    updated: facts.updated,
    visibility: facts.visibility,
    digest,
    told: digestText(JSON.stringify(facts)),
    key: '',
    sha256: '',
    size: 0,
    views: 0,
    installs: 0,
    files: isUntraced ? 0 : countFiles(paths),
    nearest: old?.id === facts.id ? old.nearest : '',
    signature,
    details: JSON.stringify(details),
  }
}

const tellsSame = (row: SkillRow, old: SkillRow): boolean =>
  row.told === old.told && isUntracedRow(row) === isUntracedRow(old)

const NO_COUNTERS = { views: 0, installs: 0 }

const withCounters = (row: SkillRow, { counters }: SiteContent): SkillRow => {
  const { views, installs } = (Object.hasOwn(counters, row.id) && counters[row.id]) || NO_COUNTERS
  return row.views === views && row.installs === installs ? row : copyRow(row, { views, installs })
}

const NO_ROWS: BuildState['rows'] = new Map()

/** What the content folder's skills are now, beside what they were. */
export interface Changes {
  rows: Map<string, SkillRow>
  /** Skills whose files are new or other than they were. */
  changed: string[]
  /** Skills that have other counters than they had, of those whose files are as they were. */
  recounted: string[]
  /** Skills that are no longer there. */
  removed: string[]
  /** Nothing that lists, comparisons or the search tell of a skill is other than it was. */
  areFactsSame: boolean
  /** Some folder looks other than it did, whether or not it holds the same. */
  isSeenAnew: boolean
}

/**
 * Puts what was read beside what was known. `last` is what still holds of the last build.
 * Throws ContentError with every problem at once.
 */
export const mergeReadings = (
  slugs: readonly string[],
  readings: readonly SkillReading[],
  frame: SiteContent,
  last: BuildState | undefined,
): Changes => {
  const read = new Map(readings.map((reading) => [reading.slug, reading]))
  const rows = new Map<string, SkillRow>()
  const others: { row: SkillRow; old: SkillRow | undefined }[] = []
  let kept = 0
  for (const slug of slugs) {
    const reading = read.get(slug)
    const old = last?.rows.get(slug)
    const known = reading ? toRow(reading, old) : old
    if (!known) continue
    const row = withCounters(known, frame)
    rows.set(slug, row)
    if (row !== old) others.push({ row, old })
    if (old) kept += 1
  }
  const problems = [
    ...frame.problems,
    ...slugs.filter((slug) => read.has(slug)).flatMap((slug) => read.get(slug)?.problems ?? []),
    ...findClashes([...rows.values()], frame.retired),
    ...findStrayCopies(frame.copies),
  ]
  if (problems.length > 0) throw new ContentError(problems)
  const changed: SkillRow[] = []
  const recounted: string[] = []
  for (const { row, old } of others) {
    if (row.digest !== old?.digest) changed.push(row)
    else if (row.views !== old.views || row.installs !== old.installs) recounted.push(row.slug)
  }
  const before = last?.rows ?? NO_ROWS
  const removed = kept === before.size ? [] : [...before.keys()].filter((slug) => !rows.has(slug))
  const areFactsSame =
    removed.length === 0 &&
    recounted.length === 0 &&
    changed.every((row) => {
      const old = last?.rows.get(row.slug)
      return old !== undefined && tellsSame(row, old)
    })
  return {
    rows,
    changed: changed.map(({ slug }) => slug),
    recounted,
    removed,
    areFactsSame,
    isSeenAnew: readings.length > 0,
  }
}
