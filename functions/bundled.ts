import { isInstallable, isNamedTooLong } from '../src/catalog/skill.ts'
import type { Unbundled } from '../src/documents/answered/bundle.ts'
import type { SkillSheet } from '../src/documents/answered/compare.ts'
import { findOffers } from './compared.ts'
import type { ServedSite } from './site.ts'

/** Most unknown slugs of one address for which suggestions are searched. */
const MOST_EXPLAINED = 4

/** Result of looking up a bundle: a part for each skill, corrected slugs, or the slugs that cannot be bundled. */
type Bundled<Part> =
  | { parts: Part[] }
  | { moved: readonly string[] }
  | { unbundled: readonly Unbundled[] }

/** Finds the sheet of a skill whose own text can be installed from here. */
export const findInstalled = async (
  slug: string,
  site: ServedSite,
): Promise<SkillSheet | undefined> => {
  const sheet = await site.findSheet(slug)
  return sheet && isInstallable(sheet) && sheet.visibility !== 'gone' ? sheet : undefined
}

const whyNot = (sheet: SkillSheet): Unbundled['why'] => {
  if (sheet.visibility === 'gone') return 'gone'
  return sheet.tokens === undefined || !isNamedTooLong(sheet) ? 'withheld' : 'long'
}

const explain = async (
  slug: string,
  slugs: readonly string[],
  site: ServedSite,
  isSearched: boolean,
): Promise<Unbundled> => {
  const sheet = await site.findSheet(slug)
  if (sheet) return { slug, why: whyNot(sheet), nearest: [] }
  const nearest = isSearched ? await findOffers(slug, slugs, site) : []
  return { slug, why: 'unknown', nearest }
}

/** Reads a part of every skill of a bundle (`undefined` if a skill has none), or explains why the bundle does not exist. */
export const findBundle = async <Part extends object>(
  slugs: readonly string[],
  read: (slug: string, site: ServedSite) => Promise<Part | undefined>,
  site: ServedSite,
): Promise<Bundled<Part>> => {
  const found = await Promise.all(slugs.map((slug) => read(slug, site)))
  const parts = found.flatMap((part) => part ?? [])
  if (parts.length === slugs.length) return { parts }
  const moves = (await site.moves()).slugs
  const moved = slugs.map((slug) => (Object.hasOwn(moves, slug) ? (moves[slug] ?? slug) : slug))
  if (moved.some((slug, at) => slug !== slugs[at])) return { moved: [...new Set(moved)] }
  const missing = slugs.filter((_, at) => found[at] === undefined)
  const unbundled = missing.map((slug, at) => explain(slug, slugs, site, at < MOST_EXPLAINED))
  return { unbundled: await Promise.all(unbundled) }
}
