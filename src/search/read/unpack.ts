import type { Copies } from '../../catalog/schema.ts'
import { Documents } from '../format/documents.ts'
import { InvalidIndexError, openSections, readHeader } from '../format/layout.ts'
import type { SearchDocument } from '../rank.ts'
import { readShippedVectors } from '../vector-file.ts'
import { VECTOR_SIZE } from '../vectors.ts'

/**
 * Reads the skills that `packIndex` wrote, in popular order, and the copies among them. Throws InvalidIndexError where
 * the file is damaged, or made with other vectors than those of this version.
 */
export const unpackIndex = (bytes: Uint8Array): { documents: SearchDocument[]; copies: Copies } => {
  const header = readHeader(bytes, bytes.length)
  const sections = openSections(bytes.subarray(0, header.headSize), header)
  const { facets, skillVectors, vectorNumbers, copies, originals } = sections
  const shipped = readShippedVectors().vectorNumbers
  if (
    shipped.length !== vectorNumbers.length ||
    shipped.some((one, at) => one !== vectorNumbers[at])
  )
    throw new InvalidIndexError('its vectors are of another version')
  const rows = new Documents(header, sections, (from, to) => bytes.subarray(from, to))
  const documents = Array.from({ length: header.count }, (_, at): SearchDocument => {
    const { summary, updated, licence, tokens, safety, touches, description } = rows.readCard(at)
    return {
      listed: rows.read(at),
      description,
      updated,
      facts: { summary, licence, tokens, safety, touches },
      // As `packFacets` made it: a database has no unsigned numbers.
      facets: facets[at]! | 0,
      vector: skillVectors.subarray(at * VECTOR_SIZE, (at + 1) * VECTOR_SIZE),
    }
  })
  const idOf = (ordinal: number): number => documents[ordinal]!.listed.id
  return {
    documents,
    copies: Object.fromEntries(
      Array.from(copies, (copy, at) => [idOf(copy), idOf(originals[at]!)]),
    ),
  }
}
