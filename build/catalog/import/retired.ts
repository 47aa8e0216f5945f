import type { Retired } from '../../../src/catalog/schema.ts'
import type { Candidate } from './candidate.ts'
import type { Skip } from './report.ts'
import { placeKey } from './tree-address.ts'

const describeRow = ({ slug, id, reason }: Retired): string =>
  `was retired as ${slug} (id ${id})${reason === undefined ? '' : `: ${reason}`}`

/** Leaves out what a curator took out of the catalog: a source that still has it does not bring it back. */
export const dropRetired = (
  candidates: readonly Candidate[],
  retired: readonly Retired[],
  isKnown: (candidate: Candidate) => boolean,
): { kept: Candidate[]; skips: Skip[] } => {
  const rows = new Map(
    retired.flatMap((row) => (row.source === undefined ? [] : [[placeKey(row.source), row]])),
  )
  const rowOf = (candidate: Candidate): Retired | undefined =>
    candidate.provenance.url === undefined || isKnown(candidate)
      ? undefined
      : rows.get(placeKey(candidate.provenance.url))
  const skips = candidates.flatMap((candidate): Skip[] => {
    const row = rowOf(candidate)
    if (row === undefined) return []
    const remedy = 'to list it again, take "source" out of its row in retired.json'
    return [{ path: candidate.file, kind: 'retired', reason: describeRow(row), remedy }]
  })
  return { kept: candidates.filter((candidate) => rowOf(candidate) === undefined), skips }
}
