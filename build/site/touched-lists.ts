import { insertPopular } from '../../src/catalog/browse.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { LISTING_SIZE } from '../../src/documents/listing-documents.ts'
import { authorPath, categoryPath, listingPath } from '../../src/documents/paths.ts'
import type { Site } from '../../src/documents/site.ts'
import type { ChangedFacts } from './search-index.ts'

type Listed = Pick<Site, 'listed'>

const onlyListed = (facts: readonly (SkillFacts | undefined)[]): SkillFacts[] =>
  facts.filter((one) => one !== undefined).filter(isListed)

/** Puts the listed skills as they were before some changed; the others are where they are in the list now. */
const listBefore = (
  { listed }: Listed,
  before: readonly SkillFacts[],
  after: readonly SkillFacts[],
): readonly SkillFacts[] => {
  const ids = new Set(after.map(({ id }) => id))
  return insertPopular(
    listed.filter(({ id }) => !ids.has(id)),
    before,
  )
}

const pageOf = (place: number): number => Math.floor(place / LISTING_SIZE) + 1

const listTouchedPages = (
  was: readonly SkillFacts[],
  is: readonly SkillFacts[],
): ReadonlySet<number> => {
  // Each page says of how many it is one.
  const isOtherCount = pageOf(was.length - 1) !== pageOf(is.length - 1)
  const touched = new Set<number>()
  for (let place = 0; place < Math.max(was.length, is.length); place += 1)
    if (isOtherCount || was[place] !== is[place]) touched.add(pageOf(place))
  return touched
}

/**
 * Gives the paths of the lists that may show other skills than they did, or of their skills other things, since
 * some changed: pages of the listing, of categories and of authors.
 */
export const listTouchedLists = (
  site: Listed,
  changed: readonly ChangedFacts[],
): ReadonlySet<string> => {
  const before = onlyListed(changed.map((one) => one.before))
  const after = onlyListed(changed.map((one) => one.after))
  return new Set([
    ...[...before, ...after].flatMap(({ author, category }) => [
      authorPath(author),
      categoryPath(category),
    ]),
    ...[...listTouchedPages(listBefore(site, before, after), site.listed)].map(listingPath),
  ])
}
