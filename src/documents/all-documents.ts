import { CATEGORIES } from '../catalog/categories.ts'
import type { Skill, SkillFacts } from '../catalog/skill.ts'
import type { ApiDescription } from './api-document.ts'
import { writeApiDocument } from './api-document.ts'
import type { Document, DocumentKind } from './document.ts'
import { writeHomeDocument } from './home-document.ts'
import {
  countListingPages,
  listedOnPage,
  writeAuthorDocument,
  writeCategoryDocument,
  writeListingDocument,
} from './listing-documents.ts'
import { authorPath, categoryPath, listingPath, postPath, skillPath } from './paths.ts'
import {
  prosePath,
  writeBlogDocument,
  writeMissingDocument,
  writePageDocument,
  writePostDocument,
} from './prose-documents.ts'
import { API_DOCS_PATH, BLOG_PATH, HOME_PATH, NOT_FOUND_PATH } from './paths.ts'
import { latestDay, skillMdOf } from './site.ts'
import type { Site } from './site.ts'
import { writeSkillDocument } from './skill-document.ts'
import type { ComparedSkill } from './skill-document.ts'
import type { NamedSkill } from './skill-facts.ts'

/** Skills beside this one in a comparison table. */
export const COMPARED_SKILLS = 4

/** A page that the site has, and how to write it when it is wanted. */
export interface DocumentPlan {
  kind: DocumentKind
  path: string
  /**
   * All it tells of the skills, where that is known without writing it: which ones, and of how many
   * pages it is one. Its words stay while these do.
   */
  shows?: { skills: readonly SkillFacts[]; pages: number }
  write: () => Document
}

/** Plans the page of a skill beside those it is compared with, and the one it copies; its SKILL.md is read where it is not given. */
export const planSkill = (
  skill: Skill,
  nearest: readonly ComparedSkill[],
  origin: string,
  skillMd?: Uint8Array,
  original?: NamedSkill,
): DocumentPlan => ({
  kind: 'skill',
  path: skillPath(skill.slug),
  write: () =>
    writeSkillDocument({
      skill,
      skillMd: skillMd ?? skillMdOf(skill),
      nearest,
      origin,
      original,
    }),
})

/**
 * Names every page of the site but the skills' own, the not-found page last. Twins, HTML and sitemap
 * all walk this list, so none can have a page that another lacks.
 */
export function* planSitePages(site: Site, api: ApiDescription): Generator<DocumentPlan> {
  const { catalog } = site
  const pages = countListingPages(site)
  yield { kind: 'home', path: HOME_PATH, write: () => writeHomeDocument(site) }
  for (let page = 1; page <= pages; page += 1) {
    yield {
      kind: page === 1 ? 'skills' : 'listing',
      path: listingPath(page),
      ...(page === 1 ? {} : { shows: { skills: listedOnPage(site, page), pages } }),
      write: () => writeListingDocument(site, page),
    }
  }
  for (const category of CATEGORIES) {
    yield {
      kind: 'listing',
      path: categoryPath(category),
      shows: { skills: site.byCategory.get(category) ?? [], pages: 1 },
      write: () => writeCategoryDocument(site, category),
    }
  }
  for (const [key, { skills }] of site.byAuthor) {
    yield {
      kind: 'listing',
      path: authorPath(key),
      shows: { skills, pages: 1 },
      write: () => writeAuthorDocument(site, key),
    }
  }
  yield { kind: 'blog', path: BLOG_PATH, write: () => writeBlogDocument(site) }
  for (const post of catalog.posts) {
    yield { kind: 'post', path: postPath(post.slug), write: () => writePostDocument(post) }
  }
  const latest = latestDay(site.listed.map((skill) => skill.updated))
  yield { kind: 'reference', path: API_DOCS_PATH, write: () => writeApiDocument(api, latest) }
  for (const page of catalog.pages) {
    yield { kind: 'prose', path: prosePath(page.slug), write: () => writePageDocument(page) }
  }
  yield { kind: 'missing', path: NOT_FOUND_PATH, write: () => writeMissingDocument(site) }
}
