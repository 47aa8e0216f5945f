import { CATEGORIES } from '../../catalog/categories.ts'
import { FIELD_NAMES } from '../fields.ts'
import { InvalidIndexError } from '../invalid-index.ts'
import { LONGEST_FIELD } from './layout.ts'
import type { Header, Sections } from './layout.ts'
import { BLOCK } from './string-table.ts'

/** What the sections of a head must be to each other; `count` is that of skills. */
const RULES: Record<string, (header: Header, sections: Sections) => boolean> = {
  terms: (_, { termBlocks, postingOffsets }) =>
    postingOffsets.length > 0 &&
    termBlocks.length === Math.ceil((postingOffsets.length - 1) / BLOCK),
  postings: ({ postingsSize }, { postingOffsets }) =>
    postingOffsets[0] === 0 && postingOffsets.at(-1) === postingsSize,
  words: (_, { wordBlocks, wordLeast, wordLongest, wordTerms, wordLengths }) =>
    wordTerms.length === wordLengths.length &&
    wordLeast.length === wordBlocks.length &&
    wordLongest.length === wordBlocks.length &&
    wordBlocks.length === Math.ceil(wordTerms.length / BLOCK),
  fields: ({ count }, sections) =>
    sections.averages.length === FIELD_NAMES.length &&
    sections.longest.length === FIELD_NAMES.length &&
    sections.longest.every((length) => length <= LONGEST_FIELD) &&
    FIELD_NAMES.every((name) => sections[`${name}Lengths`].length === count),
  categories: ({ count }, { categories, categoryCounts }) =>
    categories.length === count && categoryCounts.length === CATEGORIES.length,
  orders: ({ count }, { byInstalls, byViews, byName }) =>
    [byInstalls, byViews, byName].every((order) => order.length === count),
  names: (_, { nameHashes, nameOrdinals }) => nameHashes.length === nameOrdinals.length,
  rows: ({ count, documentsSize }, { documentOffsets, documentChecksums }) =>
    documentOffsets.length === count + 1 &&
    documentChecksums.length === count &&
    documentOffsets[0] === 0 &&
    documentOffsets[count] === documentsSize,
}

/**
 * Checks that the sections of a head fit together. What stands in them is as it was written, for the
 * checksum is right; whoever follows an offset checks that one.
 */
export const checkSections = (header: Header, sections: Sections): void => {
  for (const [what, holds] of Object.entries(RULES))
    if (!holds(header, sections)) throw new InvalidIndexError(`its ${what} do not fit together`)
}
