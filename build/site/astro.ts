import type { AstroIntegration } from 'astro'
import { groupCopies, isComparable } from '../../src/catalog/references.ts'
import { loadCatalog } from '../../src/catalog/load.ts'
import type { Catalog } from '../../src/catalog/load.ts'
import type { Look } from '../../src/catalog/schema.ts'
import { pickFacts } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { ApiDescription } from '../../src/documents/api-page.ts'
import { COMPARED_SKILLS } from '../../src/documents/comparison.ts'
import type { DocumentPlan } from '../../src/documents/document.ts'
import { planSitePages } from '../../src/documents/pages.ts'
import { skillPath } from '../../src/documents/paths.ts'
import { PRINTED } from '../../src/documents/printed.ts'
import { createSite } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import { writeSkillDocument } from '../../src/documents/skill-page.ts'
import { planStats, EMPTY_TALLY, countSkills, pickTraits } from '../../src/documents/stats.ts'
import type { Tally } from '../../src/documents/stats.ts'
import { markersOf } from '../../src/documents/template.ts'
import type { RegistryModule, SiteView } from '../../src/documents/view.ts'
import { PAGE_SHAPE, viewDocument } from '../../src/documents/view.ts'
import { describeSite, viewPageSite, viewSite } from './inputs.ts'
import { decodeWords } from './nearest-words.ts'
import { WordIndex } from './nearest.ts'
import { planComparison } from './pages.ts'
import { chooseOrigin } from './settings.ts'
import type { BuildSettings } from './settings.ts'
import { describeZip, encodeSkillWords, readZipFiles } from './skill-files.ts'

/** Renders a `look` as overrides of src/styles/tokens.css. */
export const renderLook = ({ accent, fonts = {} }: Look = {}): string => {
  const values = Object.entries({
    ...(accent ? { accent: `light-dark(${accent.light}, ${accent.dark})` } : {}),
    ...(accent ? { 'on-accent': 'var(--paper)' } : {}),
    ...fonts,
  })
  if (values.length === 0) return ''
  return `:root { ${values.map(([name, value]) => `--${name}: ${value};`).join(' ')} }`
}

/** A validated catalog and the plan of every page, for builds and the dev server. */
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
  const pageSite = viewPageSite(catalog, site.origin, catalog.skills.length)
  const byId = new Map(catalog.skills.map((skill) => [skill.id, pickFacts(skill)]))
  const find = (id: number): SkillFacts | undefined => byId.get(id)
  const { copies } = catalog
  const readers = catalog.skills.map((skill) => ({
    id: skill.id,
    ...decodeWords(encodeSkillWords(skill)),
    isCompared: isComparable(skill, copies, find),
  }))
  const words = new WordIndex(readers)
  const surroundings = { copies, copiesOf: groupCopies(copies), find }
  const skillPages = catalog.skills.map((skill, at): DocumentPlan => {
    return {
      kind: 'skill',
      path: skillPath(skill.slug),
      write: () => {
        const nearest = words.findNeighbours(at, COMPARED_SKILLS)
        const planned = planComparison(byId.get(skill.id)!, nearest, surroundings)
        const [skillMd, ...others] = readZipFiles(skill, site.origin)
        return writeSkillDocument({
          skill,
          skillMd: skillMd!.bytes,
          others,
          zip: describeZip(skill, site.origin),
          site: pageSite,
          ...planned,
        })
      },
    }
  })
  const countAll = (): Tally =>
    countSkills(
      EMPTY_TALLY,
      catalog.skills.map((skill, at) => ({
        facts: byId.get(skill.id)!,
        traits: pickTraits(skill, skillPages[at]!.write().parts ?? []),
      })),
    )
  const plans = [...planSitePages(site, api), planStats(countAll), ...skillPages]
  return { catalog, site, api, plans }
}

const MODULE_ID = 'virtual:registry'
const RESOLVED_ID = `\0${MODULE_ID}`
const LOOK_ID = 'virtual:look.css'
const BRIDGE = Symbol.for('skill-registry.pages')

/** Placeholder slug in the route of a template. */
const TEMPLATE_SLUG = 'template'

const matchRoute = (route: string, path: string): Record<string, string> | undefined => {
  const names = [...route.matchAll(/\[(?:\.\.\.)?(\w+)\]/g)].map(([, name]) => name ?? '')
  const pattern = route.replace(/\[\.\.\.\w+\]/g, '(.+)').replace(/\[\w+\]/g, '([^/]+)')
  const match = new RegExp(`^${pattern}$`).exec(path)
  return match
    ? Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? '']))
    : undefined
}

/** Serves placeholder values, so that each route is rendered once, as a template. */
export const createTemplateModule = (site: SiteView): RegistryModule => ({
  site: () => site,
  pathsOf: (_kind, route) => [
    { params: matchRoute(route, route.replace(/\[[^\]]+\]/g, TEMPLATE_SLUG)) ?? {} },
  ],
  viewAt: () => markersOf(PAGE_SHAPE),
})

/** Path prefix of the templates for pages that the function renders. */
export const ANSWERED_PATH = '/answered/'

/** Serves real values, looked up on each request so that a reload shows changes. */
export const createPageModule = (current: () => Workspace): RegistryModule => ({
  site: () => viewSite(current().catalog),
  pathsOf: (kind, route) =>
    current().plans.flatMap(({ path, ...plan }) => {
      if (plan.kind !== kind) return []
      const params = matchRoute(route, path)
      return params ? [{ params }] : []
    }),
  viewAt: (path) => {
    if (path.startsWith(ANSWERED_PATH)) return markersOf(PAGE_SHAPE)
    const { plans, site, catalog } = current()
    const plan = plans.find((one) => one.path === path)
    if (!plan) throw new Error(`no document has the path ${path}`)
    return viewDocument(plan.write(), site.origin, catalog.site.name, PRINTED)
  },
})

export const PAGES_NAME = 'registry-pages'

/**
 * Passes the pages of `src/pages` their data as the module `virtual:registry`. The module runs in
 * this process and reads the build's data through a global symbol instead of loading it twice.
 */
export const registryPages = (module: RegistryModule): AstroIntegration => ({
  name: PAGES_NAME,
  hooks: {
    'astro:config:setup': ({ updateConfig }) => {
      Object.assign(globalThis, { [BRIDGE]: module })
      const source = `export const { site, pathsOf, viewAt } = globalThis[Symbol.for('${BRIDGE.description}')]`
      updateConfig({
        vite: {
          plugins: [
            {
              name: 'registry-pages',
              resolveId: (id) => (id === MODULE_ID || id === LOOK_ID ? `\0${id}` : undefined),
              load: (id) => {
                if (id === RESOLVED_ID) return source
                return id === `\0${LOOK_ID}` ? renderLook(module.site().look) : undefined
              },
            },
          ],
        },
      })
    },
  },
})
