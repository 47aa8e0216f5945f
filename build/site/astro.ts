import type { AstroIntegration } from 'astro'
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { groupCopies, isComparable } from '../../src/catalog/references.ts'
import { loadCatalog } from '../../src/catalog/load.ts'
import type { Catalog } from '../../src/catalog/load.ts'
import type { Look } from '../../src/catalog/schema.ts'
import { pickFacts } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { ApiDescription } from '../../src/documents/api-page.ts'
import { COMPARED_SKILLS } from '../../src/documents/comparison.ts'
import type { DocumentPlan, DocumentKind } from '../../src/documents/document.ts'
import { planSitePages } from '../../src/documents/pages.ts'
import { skillPath } from '../../src/documents/paths.ts'
import { PRINTED } from '../../src/documents/printed.ts'
import { createSite } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import { writeSkillDocument } from '../../src/documents/skill-page.ts'
import { planStats, EMPTY_TALLY, countSkills, pickTraits } from '../../src/documents/stats.ts'
import type { Tally } from '../../src/documents/stats.ts'
import { markersOf, compileTemplate, PAGE_SHAPE } from '../../src/documents/template.ts'
import type { RegistryModule, SiteView } from '../../src/documents/view.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { describeSite, viewPageSite, viewSite } from './inputs.ts'
import { decodeWords } from './nearest-words.ts'
import { WordIndex } from './nearest.ts'
import { listMentioned, planComparison } from './pages.ts'
import { chooseOrigin, PROJECT_ROOT } from './settings.ts'
import type { BuildSettings } from './settings.ts'
import { describeZip, encodeSkillWords, readZipFiles } from './skill-files.ts'
import type { Template } from '../../src/documents/template.ts'
import { OutputError, keepNewest, makeFolder, makeScratch, sweepScratch } from './folders.ts'
import { renderPreviews } from './previews.ts'

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
interface Workspace {
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
  const pageSite = viewPageSite(catalog, site.origin)
  const byId = new Map(catalog.skills.map((skill) => [skill.id, pickFacts(skill)]))
  const find = (id: number): SkillFacts | undefined => byId.get(id)
  const { copies } = catalog
  const readers = catalog.skills.map((skill) => ({
    id: skill.id,
    ...decodeWords(encodeSkillWords(skill)),
    isCompared: isComparable(skill, copies, find),
  }))
  const words = new WordIndex(readers)
  const bySlug = new Map(catalog.skills.map((skill) => [skill.slug, skill]))
  const findSlug = (slug: string) => bySlug.get(slug)
  const surroundings = { copies, copiesOf: groupCopies(copies), find, findSlug }
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
          mentioned: listMentioned((skill.needs?.skills ?? []).join(' '), surroundings),
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
const createTemplateModule = (site: SiteView): RegistryModule => ({
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

/** File that Astro renders for each kind of page when every value is a placeholder. */
const TEMPLATE_FILES: Record<DocumentKind, string> = {
  home: 'index.html',
  skills: 'skills.html',
  results: 'answered/results.html',
  bundle: 'answered/bundle.html',
  listing: 'skills/page/template.html',
  skill: 'skills/template.html',
  blog: 'blog.html',
  post: 'blog/template.html',
  prose: 'template.html',
  reference: 'docs/api.html',
  file: 'answered/file.html',
  missing: '404.html',
}

/** Inside the project, so that Astro's bundle can resolve its packages. */
const SCRATCH_PARENT = join(PROJECT_ROOT, 'node_modules', '.cache')
const SCRATCH_PREFIX = 'registry-'

/** What Astro rendered, until it is removed. */
interface Rendered {
  /** Folder of its public files. */
  folder: string
  /** The adapter's entry: the on-demand route as a handler for Node servers. */
  entry: string
  remove: () => void
}

const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'EEXIST', 'ENOTDIR'])

const explainUnwritable = (error: unknown): unknown => {
  const { code = '', path, message } = error as NodeJS.ErrnoException
  if (!UNWRITABLE.has(code)) return error
  return new OutputError(
    `${path}: cannot render layouts in this folder; make it writable for the first build with a site's name and look (${message})`,
  )
}

/** Creates a folder for Astro's output. Throws OutputError. */
export const openScratch = (parent = SCRATCH_PARENT): string => {
  try {
    makeFolder(parent)
    return makeScratch(parent, SCRATCH_PREFIX)
  } catch (error) {
    throw explainUnwritable(error)
  }
}

/** Renders the routes of `src/pages` with Astro; pages get their data from `module`. */
export const renderWithAstro = async (module: RegistryModule): Promise<Rendered> => {
  const scratch = openScratch()
  const rendered = join(scratch, 'site')
  const remove = (): void => rmSync(scratch, { recursive: true, force: true })
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  try {
    const { build } = await import('astro')
    await build({
      root: PROJECT_ROOT,
      // Not the folder of the lock itself, because Astro empties its output folder.
      outDir: rendered,
      logLevel: 'error',
      integrations: [registryPages(module)],
    })
  } catch (error) {
    remove()
    throw explainUnwritable(error)
  }
  return { folder: join(rendered, 'client'), entry: join(rendered, 'server', 'entry.mjs'), remove }
}

const compileTemplates = (rendered: string): Record<DocumentKind, Template> =>
  Object.fromEntries(
    Object.entries(TEMPLATE_FILES).map(([kind, file]) => [
      kind,
      compileTemplate(readFileSync(join(rendered, file), 'utf8')),
    ]),
  ) as Record<DocumentKind, Template>

/** Renderings kept; each change of the layouts or of the site's name makes a new one. */
const RENDERINGS_KEPT = 8

/** Renames a rendering into place; if another build was faster, keeps the other's. */
export const keepRendering = (rendered: string, folder: string): void => {
  try {
    renameSync(rendered, folder)
  } catch (error) {
    if (!isKept(folder)) throw error
  }
}

/** Whether a rendering exists. Marks it as used, so that no concurrent build removes it. */
export const isKept = (folder: string): boolean => {
  const now = new Date()
  try {
    utimesSync(folder, now, now)
    return true
  } catch (error) {
    // On a read-only file system no build removes renderings either.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Templates and assets as Astro made them, kept for builds with the same layouts. */
interface RenderedTemplates {
  templates: Record<DocumentKind, Template>
  /** Styles, scripts, the icon, preview pictures. */
  assets: { name: string; path: string }[]
}

const CACHE = join(SCRATCH_PARENT, 'registry-templates')

const renderInto = async (folder: string, site: SiteView): Promise<void> => {
  const rendered = await renderWithAstro(createTemplateModule(site))
  try {
    for (const [name, bytes] of renderPreviews(site)) {
      mkdirSync(dirname(join(rendered.folder, name)), { recursive: true })
      writeFileSync(join(rendered.folder, name), bytes)
    }
    mkdirSync(CACHE, { recursive: true })
    keepRendering(rendered.folder, folder)
    keepNewest(CACHE, RENDERINGS_KEPT)
  } finally {
    rendered.remove()
  }
}

/** Opens the cached templates of a key, or renders them with Astro. */
export const openTemplates = async (key: string, site: SiteView): Promise<RenderedTemplates> => {
  const folder = join(CACHE, key)
  if (isKept(folder)) sweepScratch(SCRATCH_PARENT, SCRATCH_PREFIX)
  else await renderInto(folder, site)
  return { templates: compileTemplates(folder), assets: listAssets(folder) }
}

const listAssets = (rendered: string): RenderedTemplates['assets'] =>
  readdirSync(rendered, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: join(relative(rendered, entry.parentPath), entry.name) }))
    .filter(({ name }) => !name.endsWith('.html'))
    .filter(({ name }) => !name.includes(sep) || /^(?:_astro|previews)[\\/]/.test(name))
    .map(({ name }) => ({
      name: `public/${name.replaceAll(sep, '/')}`,
      path: join(rendered, name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
