import { StringTable } from '../format/bytes.ts'
import { Documents } from '../format/documents.ts'
import { InvalidIndexError, openSections, readHeader } from '../format/layout.ts'
import type { Header, Sections } from '../format/layout.ts'
import { listBodyHolders } from '../format/postings.ts'
import type { SearchDocument } from '../rank.ts'
import { readShippedVectors } from '../vector-file.ts'
import { VECTOR_SIZE } from '../vectors.ts'

/** Reads the body of each skill. Terms are sorted, so the result equals the output of `pickBody`. */
const readBodies = (
  bytes: Uint8Array,
  { count, headSize }: Header,
  sections: Sections,
): string[] => {
  const { termBytes, termBlocks, postingOffsets } = sections
  const bodies = Array.from({ length: count }, (): string[] => [])
  const terms = new StringTable(termBytes, termBlocks, postingOffsets.length - 1)
  for (let term = 0; term < terms.size; term++) {
    const [from, to] = [postingOffsets[term]!, postingOffsets[term + 1]!]
    const stem = terms.read(term)
    for (const ordinal of listBodyHolders(bytes.subarray(headSize + from, headSize + to)))
      bodies[ordinal]!.push(stem)
  }
  return bodies.map((stems) => stems.join(' '))
}

/** The id of another skill by the id of each skill that has one. */
type IdPairs = Readonly<Record<string, number>>

export type UnpackedIndex = ReturnType<typeof unpackIndex>

/**
 * Reads the contents of an index, skills in popular order. Throws InvalidIndexError if the file is damaged or was made
 * with the word vectors of another version.
 */
export const unpackIndex = (bytes: Uint8Array) => {
  const header = readHeader(bytes, bytes.length)
  const sections = openSections(bytes.subarray(0, header.headSize), header)
  const { facets, skillVectors, vectorNumbers } = sections
  const shipped = readShippedVectors().vectorNumbers
  if (
    shipped.length !== vectorNumbers.length ||
    shipped.some((number, at) => number !== vectorNumbers[at])
  )
    throw new InvalidIndexError('its word vectors are not those of this version')
  const rows = new Documents(header, sections, (from, to) => bytes.subarray(from, to))
  const bodies = readBodies(bytes, header, sections)
  const documents = Array.from({ length: header.count }, (_, at): SearchDocument => {
    const { listed, card } = rows.readLines(at)
    const { description = listed.description, updated, ...facts } = card
    return {
      listed,
      description,
      body: bodies[at]!,
      updated,
      facts,
      // Signed, like the result of `packFacets`: a database has no unsigned numbers.
      facets: facets[at]! | 0,
      vector: skillVectors.subarray(at * VECTOR_SIZE, (at + 1) * VECTOR_SIZE),
    }
  })
  const idOf = (ordinal: number): number => documents[ordinal]!.listed.id
  const readPairs = (skills: Uint32Array, others: Uint32Array): IdPairs =>
    Object.fromEntries(Array.from(skills, (skill, at) => [idOf(skill), idOf(others[at]!)]))
  return {
    documents,
    copies: readPairs(sections.copies, sections.originals),
    /** The replacements of deprecated skills. */
    successors: readPairs(sections.replaced, sections.successors),
    /** The eldest namesakes. */
    eldest: readPairs(sections.namesakes, sections.eldest),
  }
}
