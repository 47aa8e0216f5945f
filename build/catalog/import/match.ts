import type { Candidate } from './candidate.ts'
import { slugify } from './slug.ts'
import type { Stored } from './stored.ts'
import { placeKey, placeOf } from './tree-address.ts'

/** One way to know a skill again: both sides give the same text. */
interface Rule {
  ofCandidate: (candidate: Candidate) => string | undefined
  ofStored: (stored: Stored) => string | undefined
}

const upstream = (keyOf: (url: string) => string): Rule => ({
  ofCandidate: ({ provenance: { url } }) => (url === undefined ? undefined : keyOf(url)),
  ofStored: ({ record: { source } }) => (source.kind === 'own' ? undefined : keyOf(source.url)),
})

const own = (
  textOf: (candidate: Candidate) => string,
  textOfStored: (stored: Stored) => string,
): Rule => ({
  ofCandidate: (candidate) =>
    candidate.provenance.url === undefined
      ? `${candidate.provenance.author}\n${textOf(candidate)}`
      : undefined,
  ofStored: (stored) =>
    stored.record.source.kind === 'own'
      ? `${stored.record.author}\n${textOfStored(stored)}`
      : undefined,
})

/** The ways in order of trust. Each takes what the ones before it left. */
const RULES: readonly Rule[] = [
  upstream((url) => url),
  // The same folder at another commit is the same skill.
  upstream(placeKey),
  // A skill that moved inside its repository; only where the source would still have the old place.
  {
    ofCandidate: ({ provenance: { url }, name }) =>
      url === undefined ? undefined : `${placeOf(url).repo}\n${name}`,
    ofStored: ({ record: { source }, name, isCovered }) =>
      source.kind === 'own' || !isCovered || name === ''
        ? undefined
        : `${placeOf(source.url).repo}\n${name}`,
  },
  own(
    ({ sha256 }) => sha256,
    ({ sha256 }) => sha256,
  ),
  own(
    ({ name }) => name,
    ({ name }) => name,
  ),
  own(
    ({ name }) => slugify(name),
    ({ slug }) => slug,
  ),
]

/** Finds the stored record of each candidate that has one; no record is given to two. */
export const matchStored = (
  candidates: readonly Candidate[],
  stored: readonly Stored[],
): Map<Candidate, Stored> => {
  const matched = new Map<Candidate, Stored>()
  const claimed = new Set<Stored>()
  for (const { ofCandidate, ofStored } of RULES) {
    const free = Map.groupBy(
      stored.filter((one) => !claimed.has(one)),
      ofStored,
    )
    for (const candidate of candidates.filter((one) => !matched.has(one))) {
      const key = ofCandidate(candidate)
      const found = key === undefined ? undefined : free.get(key)?.shift()
      if (!found) continue
      matched.set(candidate, found)
      claimed.add(found)
    }
  }
  return matched
}
