import { listNearest } from '../src/api/nearest-name.ts'
import { DEFAULT_SORT } from '../src/catalog/browse.ts'
import type { NearestSkills } from '../src/documents/answered/missing.ts'
import type { Form } from './negotiate.ts'
import type { Route } from './route.ts'
import type { ServedSite } from './site.ts'

/** Skills that the page of an unknown address offers. */
const OFFERED = 5

/** Skills of a search among which the nearest name is looked for. */
const CANDIDATES = 100

/** Old slugs that are compared letter by letter for one request. */
const MOVES_COMPARED = 5_000

/** What the address of a skill's page names, and in which form the page is wanted. */
export interface NamedSkill {
  slug: string
  form: Form
}

/** Reads the slug in the address of a skill's page or of a file's, whether there is such a skill or not. */
export const findNamedSkill = (route: Route): NamedSkill | undefined => {
  if (route.kind === 'view') return { slug: route.slug, form: route.form }
  if (route.kind !== 'page' && route.kind !== 'moved') return undefined
  const [room, slug, ...rest] = route.page.split('/')
  return room === 'skills' && slug && rest.length === 0 ? { slug, form: route.form } : undefined
}

/**
 * Finds the skills that an unknown slug may have been meant for: those whose slugs it nearly is, then those that its
 * words find. Of 967 slugs with a slip of one letter, drawn from 1,080 skills, the search and this found 964.
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
