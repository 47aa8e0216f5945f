import { showValue } from '../../../src/catalog/characters.ts'
import type { Candidate } from './candidate.ts'
import type { Skip } from './report.ts'

/** What makes a candidate a second one of the same, and how that is told. */
const SAME: readonly {
  keyOf: (candidate: Candidate) => string | undefined
  describe: (first: string) => string
}[] = [
  {
    keyOf: ({ provenance }) => provenance.url,
    describe: (first) => `has the same source address as ${first}`,
  },
  {
    keyOf: ({ provenance, name, sha256 }) => `${provenance.author}\n${name}\n${sha256}`,
    describe: (first) => `is a copy of ${first}: same author, name and bytes`,
  },
]

/** Keeps the first of each skill, by path; the others are skipped. */
export const dropDuplicates = (
  candidates: readonly Candidate[],
): { kept: Candidate[]; skips: Skip[] } => {
  const seen = SAME.map(() => new Map<string, string>())
  const skips: Skip[] = []
  const kept = candidates.filter((candidate) => {
    const keys = SAME.map(({ keyOf }) => keyOf(candidate))
    for (const [index, { describe }] of SAME.entries()) {
      const first = seen[index]?.get(keys[index] ?? '')
      if (first === undefined) continue
      const reason = describe(showValue(first))
      const remedy = 'nothing to do; it is imported once'
      skips.push({ path: candidate.file, kind: 'duplicate', reason, remedy })
      return false
    }
    for (const [index, key] of keys.entries()) {
      if (key !== undefined) seen[index]?.set(key, candidate.file)
    }
    return true
  })
  return { kept, skips }
}
