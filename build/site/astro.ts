import type { AstroIntegration } from 'astro'
import type { Catalog } from '../../src/catalog/load.ts'
import { prosePath } from '../../src/documents/prose-documents.ts'
import type { RegistryModule, SiteView } from '../../src/documents/registry-module.ts'
import { ABOUT_PATH, API_DOCS_PATH, BLOG_PATH, SKILLS_PATH } from '../../src/documents/paths.ts'
import { markersOf } from '../../src/documents/template.ts'
import { PAGE_SHAPE, viewDocument } from '../../src/documents/view.ts'
import type { Workspace } from './workspace.ts'

const MODULE_ID = 'virtual:registry'
const RESOLVED_ID = `\0${MODULE_ID}`
const BRIDGE = Symbol.for('skill-registry.pages')

/** The slug that stands for all in a route whose template is rendered. */
export const TEMPLATE_SLUG = 'template'

const NAVIGATION = [
  { path: SKILLS_PATH, label: 'Skills' },
  { path: BLOG_PATH, label: 'Blog' },
  { path: API_DOCS_PATH, label: 'API' },
  { path: ABOUT_PATH, label: 'About' },
]

/** What every layout shows of the site; a build with another one renders its templates anew. */
export const viewSite = ({ site, pages }: Pick<Catalog, 'site' | 'pages'>): SiteView => {
  const isThere = (path: string): boolean =>
    path !== ABOUT_PATH || pages.some(({ slug }) => prosePath(slug) === path)
  return {
    name: site.name,
    tagline: site.tagline,
    navigation: NAVIGATION.filter(({ path }) => isThere(path)),
  }
}

const matchRoute = (route: string, path: string): Record<string, string> | undefined => {
  const names = [...route.matchAll(/\[(?:\.\.\.)?(\w+)\]/g)].map(([, name]) => name ?? '')
  const pattern = route.replace(/\[\.\.\.\w+\]/g, '(.+)').replace(/\[\w+\]/g, '([^/]+)')
  const match = new RegExp(`^${pattern}$`).exec(path)
  return match
    ? Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? '']))
    : undefined
}

/** Pages as markers: each route is rendered once, as the template of its kind. */
export const createTemplateModule = (site: SiteView): RegistryModule => ({
  site: () => site,
  pathsOf: (_kind, route) => [
    { params: matchRoute(route, route.replace(/\[[^\]]+\]/g, TEMPLATE_SLUG)) ?? {} },
  ],
  viewAt: () => markersOf(PAGE_SHAPE),
})

/** Pages with their real values, looked up at each request so that a reload shows what changed. */
export const createPageModule = (current: () => Workspace): RegistryModule => ({
  site: () => viewSite(current().catalog),
  pathsOf: (kind, route) =>
    current().plans.flatMap(({ path, ...plan }) => {
      if (plan.kind !== kind) return []
      const params = matchRoute(route, path)
      return params ? [{ params }] : []
    }),
  viewAt: (path) => {
    const { plans, site, catalog } = current()
    const plan = plans.find((one) => one.path === path)
    if (!plan) throw new Error(`no document has the path ${path}`)
    return viewDocument(plan.write(), site.origin, catalog.site.name)
  },
})

/**
 * Gives the pages of `src/pages` their data as the module `virtual:registry`. The module runs in
 * this process, so it reaches the build's data through a global symbol instead of loading it twice.
 */
export const registryPages = (module: RegistryModule): AstroIntegration => ({
  name: 'registry-pages',
  hooks: {
    'astro:config:setup': ({ updateConfig }) => {
      Object.assign(globalThis, { [BRIDGE]: module })
      const source = `export const { site, pathsOf, viewAt } = globalThis[Symbol.for('${BRIDGE.description}')]`
      updateConfig({
        vite: {
          plugins: [
            {
              name: 'registry-pages',
              resolveId: (id) => (id === MODULE_ID ? RESOLVED_ID : undefined),
              load: (id) => (id === RESOLVED_ID ? source : undefined),
            },
          ],
        },
      })
    },
  },
})
