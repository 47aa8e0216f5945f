import type { Skill } from '../catalog/skill.ts'
import { skillPath } from './paths.ts'

/** What a skill's page takes from its site. */
export interface SkillPageSite {
  /** Origin of every absolute address. */
  origin: string
  /** Address of a form or an issue tracker, from `site.json`. */
  contact?: string | undefined
  /** Whether a counter was ever written for the catalog; until then no page shows any. */
  isCounted: boolean
  /** Whether each skill has a picture of its own. */
  hasPreviews?: boolean
}

/**
 * The address at which readers write to the curators of a skill's page, with a title and the beginning of a text filled
 * in; undefined where the site names no contact.
 */
export const contactAddress = (
  { slug }: Pick<Skill, 'slug'>,
  { contact, origin }: SkillPageSite,
  title: string,
  body: string,
): string | undefined => {
  if (contact === undefined) return undefined
  const address = new URL(contact)
  address.searchParams.set('title', `${title}: ${slug}`)
  address.searchParams.set('body', `${origin}${skillPath(slug)}\n\n${body}`)
  return address.href
}
