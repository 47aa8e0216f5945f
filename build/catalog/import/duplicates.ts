import { showValue } from '../../../src/catalog/text.ts'
import type { Candidate } from './candidate.ts'
import type { Skip } from './report.ts'
import { placeKey, placeOf } from './tree-address.ts'

const repositoryOf = ({ provenance: { url, author } }: Candidate): string =>
  url === undefined ? author : placeOf(url).repo

/** What makes a candidate a second one of the same, and how that is told. */
const SAME: readonly {
  keyOf: (candidate: Candidate) => string | undefined
  describe: (first: string) => string
}[] = [
  {
    keyOf: ({ provenance: { url } }) => (url === undefined ? undefined : placeKey(url)),
    describe: (first) => `has the same source address as ${first}`,
  },
  {
    keyOf: (candidate) => `${repositoryOf(candidate)}\n${candidate.name}\n${candidate.sha256}`,
    describe: (first) => `is a copy of ${first}: same repository, name and bytes`,
  },
]

/** Of several copies the plainest place is the original: no link, no tool's folder, not deep down. */
const rankOf = ({ path, isLink }: Candidate, isKnown: boolean): number[] => {
  const segments = path.split('/')
  return [
    isKnown ? 0 : 1,
    isLink ? 1 : 0,
    segments.some((segment) => segment.startsWith('.')) ? 1 : 0,
    segments.length,
  ]
}

const compareRanks = (a: readonly number[], b: readonly number[]): number =>
  a.map((rank, index) => rank - (b[index] ?? 0)).find((difference) => difference !== 0) ?? 0

/**
 * Keeps one of each skill: the one that the catalog has already, else the plainest place; the others
 * are skipped. The order of what is kept stays.
 */
export const dropDuplicates = (
  candidates: readonly Candidate[],
  isKnown: (candidate: Candidate) => boolean,
): { kept: Candidate[]; skips: Skip[] } => {
  const seen = SAME.map(() => new Map<string, string>())
  const skips: Skip[] = []
  const ranked = candidates
    .map((candidate) => ({ candidate, rank: rankOf(candidate, isKnown(candidate)) }))
    .sort((a, b) => compareRanks(a.rank, b.rank))
  const kept = new Set<Candidate>()
  for (const { candidate } of ranked) {
    const keys = SAME.map(({ keyOf }) => keyOf(candidate))
    const at = SAME.findIndex((_, index) => seen[index]?.has(keys[index] ?? ''))
    const first = seen[at]?.get(keys[at] ?? '')
    if (first !== undefined) {
      const reason = SAME[at]?.describe(showValue(first)) ?? ''
      const remedy = 'nothing to do; it is imported once'
      skips.push({ path: candidate.file, kind: 'duplicate', reason, remedy })
      continue
    }
    kept.add(candidate)
    for (const [index, key] of keys.entries()) {
      if (key !== undefined) seen[index]?.set(key, candidate.file)
    }
  }
  skips.sort((a, b) => (a.path < b.path ? -1 : 1))
  return { kept: candidates.filter((candidate) => kept.has(candidate)), skips }
}
