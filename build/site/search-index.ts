import type { SearchDocument } from '../../src/search/index.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { isListed } from '../../src/catalog/skill.ts'
import { searchDocument } from './search-documents.ts'

/** A skill that is told of otherwise than it was; what it was or is may be missing. */
export interface ChangedFacts {
  before: SkillFacts | undefined
  after: SkillFacts | undefined
}

/** A skill as an index has it, and as it is now; one is missing where it came or left. */
interface ChangedDocument {
  before: SearchDocument | undefined
  after: SearchDocument | undefined
}

/** Says what the index tells otherwise than it did: skills that it does not list are none of it. */
export const listChangedDocuments = (
  changed: readonly ChangedFacts[],
  origin: string,
): ChangedDocument[] => {
  const toDocument = (one: SkillFacts | undefined): SearchDocument | undefined =>
    one && isListed(one) ? searchDocument(one, origin) : undefined
  return changed
    .map(({ before, after }) => ({ before: toDocument(before), after: toDocument(after) }))
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
}
