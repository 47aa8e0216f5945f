import { listNearest } from '../src/api/nearest-name.ts'
import { DEFAULT_SORT } from '../src/catalog/browse.ts'
import type { ListedSkill } from '../src/catalog/skill.ts'
import { isInstallable, isNamedTooLong } from '../src/catalog/skill.ts'
import type { Unbundled } from '../src/documents/answered/bundle.ts'
import type { Incomparable, SkillSheet } from '../src/documents/answered/compare.ts'
import type { NearestSkills } from '../src/documents/answered/missing.ts'
import type { Form } from './negotiate.ts'
import type { Route } from './route.ts'
import type { ServedSite } from './site.ts'

/** Most suggestions on the page of an unknown address. */
const OFFERED = 5

/** Search results among which the nearest name is chosen. */
const CANDIDATES = 100

/** Most old slugs whose edit distance is computed for one request. */
const MOVES_COMPARED = 5_000

/** The slug in the address of a page, and the requested form. */
export interface NamedSkill {
  slug: string
  form: Form
}

/** Returns the slug in the address of a skill or of one of its files; the skill need not exist. */
export const findNamedSkill = (route: Route): NamedSkill | undefined => {
  if (route.kind === 'view') return { slug: route.slug, form: route.form }
  if (route.kind !== 'page' && route.kind !== 'moved') return undefined
  const [room, slug, ...rest] = route.page.split('/')
  return room === 'skills' && slug && rest.length === 0 ? { slug, form: route.form } : undefined
}

/**
 * Finds suggestions for an unknown slug: skills with a similar slug, then those that a search for its
 * words finds. Of 967 slugs with one wrong letter, drawn from 1,080 skills, 964 were found.
 */
export const findNearestSkills = async (slug: string, site: ServedSite): Promise<NearestSkills> => {
  const { slugs } = await site.moves()
  const [old] = listNearest(slug, Object.keys(slugs).slice(0, MOVES_COMPARED))
  const search = await site.search()
  const { skills } = await search.find({
    q: slug,
    categories: [],
    sort: DEFAULT_SORT,
    limit: CANDIDATES,
    offset: 0,
  })
  const near = listNearest(
    slug,
    skills.map((skill) => skill.slug),
  )
  const rankOf = (one: string): number => (near.includes(one) ? near.indexOf(one) : near.length)
  return {
    skills: skills.sort((a, b) => rankOf(a.slug) - rankOf(b.slug)).slice(0, OFFERED),
    moves: old === undefined ? [] : [{ slug: old, to: slugs[old]! }],
  }
}

/** Most suggestions for an unknown slug among several. */
const OFFERED_EACH = 3

/** Result of looking up a comparison: the skills, corrected slugs, or the unknown slugs. */
type Sheets =
  | { sheets: readonly SkillSheet[] }
  | { moved: readonly string[] }
  /** All slugs belong to this skill, which may have moved. */
  | { one: string }
  | { missing: readonly Incomparable[] }

/** Finds suggestions for an unknown slug that are not in the list already. */
const findOffers = async (
  slug: string,
  slugs: readonly string[],
  site: ServedSite,
): Promise<ListedSkill[]> => {
  const { skills } = await findNearestSkills(slug, site)
  return skills.filter((one) => !slugs.includes(one.slug)).slice(0, OFFERED_EACH)
}

const explainMissing = async (
  slug: string,
  slugs: readonly string[],
  isGone: boolean,
  site: ServedSite,
): Promise<Incomparable> => ({
  slug,
  isGone,
  nearest: isGone ? [] : await findOffers(slug, slugs, site),
})

const isListed = (sheet: SkillSheet | undefined): sheet is SkillSheet =>
  sheet !== undefined && sheet.visibility !== 'gone'

/** The slugs that skills have now. */
const followMoves = async (slugs: readonly string[], site: ServedSite): Promise<string[]> => {
  const moves = (await site.moves()).slugs
  return slugs.map((slug) => (Object.hasOwn(moves, slug) ? (moves[slug] ?? slug) : slug))
}

const differ = (moved: readonly string[], slugs: readonly string[]): boolean =>
  moved.some((slug, at) => slug !== slugs[at])

/** Finds the skills of a comparison. */
export const findSheets = async (slugs: readonly string[], site: ServedSite): Promise<Sheets> => {
  const moved = await followMoves(slugs, site)
  const [one, ...others] = new Set(moved)
  if (one !== undefined && others.length === 0) return { one }
  if (differ(moved, slugs)) return { moved: [...new Set(moved)] }
  const sheets = await Promise.all(slugs.map((slug) => site.findSheet(slug)))
  if (sheets.every(isListed)) return { sheets }
  const missing = slugs.flatMap((slug, at) => {
    if (isListed(sheets[at])) return []
    return explainMissing(slug, slugs, sheets[at] !== undefined, site)
  })
  return { missing: await Promise.all(missing) }
}

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
  const moved = await followMoves(slugs, site)
  if (differ(moved, slugs)) return { moved: [...new Set(moved)] }
  const missing = slugs.filter((_, at) => found[at] === undefined)
  const unbundled = missing.map((slug, at) => explain(slug, slugs, site, at < MOST_EXPLAINED))
  return { unbundled: await Promise.all(unbundled) }
}
