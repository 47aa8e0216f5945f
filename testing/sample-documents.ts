import { packFacets } from '../src/catalog/facets.ts'
import type { FacetFacts } from '../src/catalog/facets.ts'
import type { Copies } from '../src/catalog/references.ts'
import type { ListedSkill } from '../src/catalog/skill.ts'
import type { FindRequest, PackedIndex } from '../src/search/read/open.ts'
import type { SearchDocument } from '../src/search/rank.ts'
import { pickBody } from '../src/search/body.ts'
import { openIndex } from '../src/search/read/open.ts'
import { openShippedVectors } from '../src/search/vector-file.ts'
import { packIndex } from '../src/search/pack/pack.ts'

/** The facts of a skill that a row shows, and those that its facets are made from. */
export type SampleFacts = SearchDocument['facts'] & FacetFacts

/** The facts of a skill without any details. */
export const NO_FACTS: SampleFacts = {
  summary: '',
  safety: 'No findings',
}

/** Makes a document for tests, from a name, a description and other values that matter. */
export const sampleDocument = (
  id: number,
  name: string,
  description = '',
  {
    updated,
    facts = NO_FACTS,
    text = '',
    ...more
  }: Partial<
    ListedSkill & Pick<SearchDocument, 'updated'> & { facts: SampleFacts; text: string }
  > = {},
): SearchDocument => ({
  description,
  body: pickBody(text),
  updated,
  facts,
  facets: packFacets(facts),
  vector: openShippedVectors().ofSkill({ name, description }),
  listed: {
    id,
    slug: `skill-${id}`,
    name,
    author: 'somebody',
    description: description.slice(0, 240),
    category: 'Coding',
    views: 0,
    installs: 0,
    ...more,
  },
})

/** Packs an index of documents. */
export const packDocuments = (
  documents: readonly SearchDocument[],
  copies: Copies = {},
): Uint8Array<ArrayBuffer> => packIndex(documents, copies)

/** Opens an index over documents, as a server does: through the file. */
export const openSample = (
  documents: readonly SearchDocument[],
  copies: Copies = {},
): PackedIndex => openIndex(packDocuments(documents, copies))

/** Returns the score of every skill that matches a query, by id. */
export const scoreAll = (index: PackedIndex, q: string): Map<number, number> =>
  index.scoring.score(
    index.plan(q).plan,
    undefined,
    ({ count, ordinals, scores }) =>
      new Map(
        Array.from(ordinals.subarray(0, count), (ordinal) => [
          index.documents.read(ordinal).id,
          scores[ordinal]!,
        ]),
      ),
  )

/** Makes a request for the first page of all skills; a test names only what differs. */
export const askFor = (request: Partial<FindRequest>): FindRequest => ({
  sort: 'popular',
  categories: [],
  limit: 24,
  offset: 0,
  ...request,
})
