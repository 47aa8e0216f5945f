import { existsSync, readFileSync, readdirSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentKind } from '../../src/documents/document.ts'
import { renderSiteValues } from '../../src/documents/site-view.ts'
import type { SiteView } from '../../src/documents/site-view.ts'
import { compileTemplate } from '../../src/documents/template.ts'
import type { SiteValues, Template } from '../../src/documents/template.ts'
import { keepNewest, makeFolder } from './folders.ts'
import { digestCode } from './inputs.ts'
import { PROJECT_ROOT } from './settings.ts'

/** The template in src/pages/templates of each kind of page. */
const TEMPLATE_NAMES: Record<DocumentKind, string> = {
  home: 'home',
  skills: 'search',
  results: 'search',
  bundle: 'listing',
  listing: 'listing',
  skill: 'skill',
  blog: 'listing',
  post: 'article',
  prose: 'article',
  reference: 'reference',
  file: 'file',
  missing: 'article',
}

const compileTemplates = (rendered: string, site: SiteValues): Record<DocumentKind, Template> =>
  Object.fromEntries(
    Object.entries(TEMPLATE_NAMES).map(([kind, name]) => [
      kind,
      compileTemplate(readFileSync(join(rendered, 'templates', `${name}.html`), 'utf8'), site),
    ]),
  ) as Record<DocumentKind, Template>

/** Renderings kept; each change of the code makes a new one. */
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
  } catch {
    return false
  }
}

/** Templates and assets as Astro made them, kept for builds with the same layouts. */
export interface RenderedTemplates {
  templates: Record<DocumentKind, Template>
  /** Styles, scripts, fonts. */
  assets: { name: string; path: string }[]
}

/** Inside the project, so that Astro's bundle can resolve its packages. */
const CACHE = join(PROJECT_ROOT, 'node_modules/.cache/registry-templates')

/** The layouts of an installed package, which npm run pack rendered. */
const PACKED = join(PROJECT_ROOT, 'layouts')

/** Renders the templates of `src/pages`, for any registry, into a folder that does not exist. */
const renderTemplates = async (folder: string): Promise<void> => {
  const scratch = `${folder}.${process.pid}`
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  process.env['LAYOUTS_ONLY'] = '1'
  try {
    makeFolder(scratch)
    const { build } = await import('astro')
    await build({ root: PROJECT_ROOT, outDir: scratch, logLevel: 'error' })
    keepRendering(join(scratch, 'client'), folder)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Finds the rendered layouts, which only code determines, or renders them. */
export const findRendering = async (): Promise<string> => {
  if (existsSync(PACKED)) return PACKED
  const folder = join(CACHE, digestCode())
  if (!isKept(folder)) {
    await renderTemplates(folder)
    keepNewest(CACHE, RENDERINGS_KEPT)
  }
  return folder
}

const ASSETS = '_astro'

/** Opens a rendering for a site. */
export const openTemplates = (rendered: string, site: SiteView): RenderedTemplates => {
  const names = readdirSync(join(rendered, ASSETS)).sort()
  const fonts = site.fonts.flatMap((font) =>
    names
      .filter((name) => name.startsWith(`${font}.`) && name.endsWith('.woff2'))
      .map((name) => `/${ASSETS}/${name}`),
  )
  return {
    templates: compileTemplates(rendered, renderSiteValues(site, fonts)),
    assets: names.map((name) => ({
      name: `public/${ASSETS}/${name}`,
      path: join(rendered, ASSETS, name),
    })),
  }
}
