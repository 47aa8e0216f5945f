import type { Catalog } from '../../src/catalog/load.ts'
import { loadCatalog } from '../../src/catalog/load.ts'
import { COMPARED_SKILLS, planSitePages, planSkill } from '../../src/documents/all-documents.ts'
import type { DocumentPlan } from '../../src/documents/all-documents.ts'
import type { ApiDescription } from '../../src/documents/api-document.ts'
import { createNearest } from '../../src/catalog/nearest.ts'
import { comparableSkills, findOriginal } from '../../src/catalog/copies.ts'
import { createSite } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import { describeSite } from './inputs.ts'
import type { BuildSettings } from './settings.ts'
import { chooseOrigin } from './settings.ts'

/** A checked catalog and every page planned from it: what a build prints and a dev server shows. */
export interface Workspace {
  catalog: Catalog
  site: Site
  api: ApiDescription
  plans: readonly DocumentPlan[]
}

/** Loads the content and plans the site. Throws ContentError with every problem at once. */
export const openWorkspace = (settings: BuildSettings): Workspace => {
  const catalog = loadCatalog(settings.contentFolder)
  const site = createSite(catalog, catalog.skills, chooseOrigin(settings, catalog.site.origin))
  const api = describeSite(catalog, site.origin)
  const compared = new Set(comparableSkills(catalog.skills, catalog.copies))
  const nearest = createNearest(catalog.skills, (skill) => compared.has(skill))
  const byId = new Map(catalog.skills.map((skill) => [skill.id, skill]))
  const skillPages = catalog.skills.map((skill) =>
    planSkill(
      skill,
      nearest(skill, COMPARED_SKILLS),
      site.origin,
      undefined,
      findOriginal(skill, catalog.copies, (id) => byId.get(id)),
    ),
  )
  return { catalog, site, api, plans: [...planSitePages(site, api), ...skillPages] }
}
