import { showValue } from '../../../src/catalog/text.ts'
import type { Retired } from '../../../src/catalog/schema.ts'
import type { Candidate } from './candidate.ts'
import type { Skip } from './report.ts'
import { locate, locationKey } from './source-url.ts'

interface Selected {
  /** In the order they were given. */
  kept: Candidate[]
  skips: Skip[]
}

type IsKnown = (candidate: Candidate) => boolean

const describeRetired = ({ slug, id, reason }: Retired): string =>
  `was retired as ${slug} (id ${id})${reason === undefined ? '' : `: ${reason}`}`

/** A source that still has a skill which a curator retired does not bring it back. */
export const dropRetired = (
  candidates: readonly Candidate[],
  retired: readonly Retired[],
  isKnown: IsKnown,
): Selected => {
  const rows = new Map(
    retired.flatMap((row) => (row.source === undefined ? [] : [[locationKey(row.source), row]])),
  )
  const selected: Selected = { kept: [], skips: [] }
  for (const candidate of candidates) {
    const { url } = candidate
    const row = url === undefined || isKnown(candidate) ? undefined : rows.get(locationKey(url))
    if (row === undefined) selected.kept.push(candidate)
    else {
      const remedy = 'to list it again, take "source" out of its row in retired.json'
      const reason = describeRetired(row)
      selected.skips.push({ path: candidate.file, kind: 'retired', reason, remedy })
    }
  }
  return selected
}

/** Two candidates that share the key of one of these are the same skill. */
const SAMENESS: readonly {
  keyOf: (candidate: Candidate) => string | undefined
  describe: (first: string) => string
}[] = [
  {
    keyOf: ({ url }) => (url === undefined ? undefined : locationKey(url)),
    describe: (first) => `has the same source address as ${first}`,
  },
  {
    keyOf: ({ url, author, name, textDigest }) =>
      [url === undefined ? author : locate(url).repository, name, textDigest].join('\n'),
    describe: (first) => `is a copy of ${first}: same repository, name and bytes`,
  },
]

/** More segments than a path of any system has. */
const FLAG = 10_000

/** Of several copies the plainest place is the original: no link, no tool's folder, not deep down. */
const rankOf = ({ path, isLink }: Candidate, isKnown: boolean): number => {
  const segments = path.split('/')
  const isHidden = segments.some((segment) => segment.startsWith('.'))
  return (
    (isKnown ? 0 : 4 * FLAG) + (isLink ? 2 * FLAG : 0) + (isHidden ? FLAG : 0) + segments.length
  )
}

/** Keeps one of each skill: the one that the catalog has already, else the one in the plainest place. */
export const dropDuplicates = (candidates: readonly Candidate[], isKnown: IsKnown): Selected => {
  /** By each key, the file of the candidate that was kept. */
  const firsts = SAMENESS.map(() => new Map<string | undefined, string>())
  const kept = new Set<Candidate>()
  const skips: Skip[] = []
  const ranked = candidates
    .map((candidate) => ({ candidate, rank: rankOf(candidate, isKnown(candidate)) }))
    .sort((a, b) => a.rank - b.rank)
  for (const { candidate } of ranked) {
    const keys = SAMENESS.map(({ keyOf }) => keyOf(candidate))
    const reasons = SAMENESS.flatMap(({ describe }, at) => {
      const first = firsts[at]?.get(keys[at])
      return first === undefined ? [] : [describe(showValue(first))]
    })
    if (reasons[0] !== undefined) {
      const remedy = 'nothing to do; it is imported once'
      skips.push({ path: candidate.file, kind: 'duplicate', reason: reasons[0], remedy })
      continue
    }
    kept.add(candidate)
    for (const [at, key] of keys.entries()) {
      if (key !== undefined) firsts[at]?.set(key, candidate.file)
    }
  }
  skips.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { kept: candidates.filter((candidate) => kept.has(candidate)), skips }
}
