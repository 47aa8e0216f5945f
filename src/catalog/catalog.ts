import type { Copies, Retired, Site } from './schema.ts'
import type { Skill } from './skill.ts'
import { isListed } from './skill.ts'

/** A blog post or page of the registry's own, in Markdown. */
export interface Prose {
  slug: string
  title: string
  description: string
  /** Day it was published, YYYY-MM-DD. */
  date: string
  /** Day of its last change, YYYY-MM-DD. */
  updated: string
  markdown: string
}

/** Everything the registry knows, checked: what the content folder says and nothing else. */
export interface Catalog {
  site: Site
  /** Every skill that has a page, by id. */
  skills: Skill[]
  /** Slugs of records whose source was never seen: they appear nowhere. */
  untraced: string[]
  retired: Retired[]
  /** Which skills are copies of which, by id. */
  copies: Copies
  /** Newest first. */
  posts: Prose[]
  pages: Prose[]
}

/** Gives the skills that listings, search, the sitemap and comparisons may show. */
export const listedSkills = (catalog: Catalog): Skill[] => catalog.skills.filter(isListed)
