import type { Skill } from '../catalog/skill.ts'
import { skillPath } from './paths.ts'

/** Settings of the site that a skill's page needs. */
export interface SkillPageSite {
  /** Origin of every absolute address. */
  origin: string
  /** Address of a form or an issue tracker, from `site.json`. */
  contact?: string | undefined
  /** Whether the catalog has counters; otherwise no page shows any. */
  isCounted: boolean
  /** Whether each skill has a picture of its own. */
  hasPreviews?: boolean
}

/**
 * The address for writing to the curators about a skill, with a title and the beginning of the text filled in;
 * undefined if the site has no contact.
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
