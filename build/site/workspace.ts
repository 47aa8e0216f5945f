import type { Catalog } from '../../src/catalog/load.ts'
import { loadCatalog } from '../../src/catalog/load.ts'
import { COMPARED_SKILLS, planSitePages, planSkill } from '../../src/documents/all-documents.ts'
import type { DocumentPlan } from '../../src/documents/all-documents.ts'
import type { ApiDescription } from '../../src/documents/api-document.ts'
import { findOriginal } from '../../src/catalog/copies.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import { createSite } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import { describeSite } from './inputs.ts'
import { findNeighbours, findSurroundings, readHolders } from './nearest.ts'
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
  const byId = new Map(catalog.skills.map((skill) => [skill.id, skill]))
  const find = (id: number): Skill | undefined => byId.get(id)
  const readers = catalog.skills.map((skill) => {
    const isCompared = isListed(skill) && !findOriginal(skill, catalog.copies, find)
    return { ...skill, isCompared }
  })
  const [holders, surroundings] = [readHolders(readers), findSurroundings(readers, COMPARED_SKILLS)]
  const skillPages = catalog.skills.map((skill) => {
    const nearest = findNeighbours(skill, holders, surroundings, COMPARED_SKILLS)
    const compared = nearest.flatMap((id) => find(id) ?? [])
    const original = findOriginal(skill, catalog.copies, find)
    return planSkill(skill, compared, site.origin, undefined, original)
  })
  return { catalog, site, api, plans: [...planSitePages(site, api), ...skillPages] }
}
