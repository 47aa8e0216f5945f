import type { Retired } from '../../../src/catalog/schema.ts'
import type { Candidate } from './candidate.ts'
import { matchStored } from './match.ts'
import { chooseSlug } from './slug.ts'
import type { Stored } from './stored.ts'

/** A candidate and the place it has, or gets, in the catalog. */
export interface Assigned {
  candidate: Candidate
  id: number
  slug: string
  stored?: Stored | undefined
}

/** Gives each candidate its record's id and slug, or the next ones that were never given. */
export const assignPlaces = (
  candidates: readonly Candidate[],
  stored: readonly Stored[],
  retired: readonly Retired[],
): Assigned[] => {
  const matched = matchStored(candidates, stored)
  const taken = new Set([...stored, ...retired].map(({ slug }) => slug.toLowerCase()))
  const ids = [...stored.map(({ record }) => record.id), ...retired.map(({ id }) => id)]
  let last = ids.reduce((highest, id) => Math.max(highest, id), 0)
  return candidates.map((candidate) => {
    const known = matched.get(candidate)
    if (known) return { candidate, id: known.record.id, slug: known.slug, stored: known }
    last += 1
    const { name, folderName, provenance } = candidate
    const named = { name, folderName, author: provenance.author, id: last }
    const slug = chooseSlug(named, (one) => taken.has(one))
    taken.add(slug)
    return { candidate, id: last, slug }
  })
}
