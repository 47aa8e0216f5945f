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
import { loadSiteContent } from '../../src/catalog/load.ts'
import type { Look } from '../../src/catalog/schema.ts'
import type { DocumentKind } from '../../src/documents/document.ts'
import { compileTemplate } from '../../src/documents/template.ts'
import type { Template } from '../../src/documents/template.ts'
import type { SiteView } from '../../src/documents/view.ts'
import { viewSite } from './inputs.ts'
import { PROJECT_ROOT, readSettings } from './settings.ts'
import { OutputError, keepNewest, makeFolder } from './folders.ts'
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

const MODULE_ID = 'virtual:registry'
const LOOK_ID = 'virtual:look.css'
const LAYOUTS_NAME = 'registry-layouts'

/** Gives the layouts what they show of the site; without `site`, of the content that the environment names. */
export const registryLayouts = (site?: SiteView): AstroIntegration => ({
  name: LAYOUTS_NAME,
  hooks: {
    'astro:config:setup': ({ config, updateConfig }) => {
      const isReplaced = config.integrations.filter(({ name }) => name === LAYOUTS_NAME).length > 1
      if (!site && isReplaced) return
      const shown = site ?? viewSite(loadSiteContent(readSettings(process.env).contentFolder))
      const modules: Readonly<Record<string, string>> = {
        [MODULE_ID]: `export const site = ${JSON.stringify(shown)}`,
        [LOOK_ID]: renderLook(shown.look),
      }
      updateConfig({
        vite: {
          plugins: [
            {
              name: LAYOUTS_NAME,
              resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
              load: (id) => (id.startsWith('\0') ? modules[id.slice(1)] : undefined),
            },
          ],
        },
      })
    },
  },
})

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

const READ_ONLY = new Set(['EROFS', 'EACCES', 'EPERM'])
const UNWRITABLE = new Set([...READ_ONLY, 'EEXIST', 'ENOTDIR'])

const explainUnwritable = (error: unknown): unknown => {
  const { code = '', path, message } = error as NodeJS.ErrnoException
  if (!UNWRITABLE.has(code)) return error
  return new OutputError(
    `${path}: cannot render layouts in this folder; make it writable for the first build with a site's name and look (${message})`,
  )
}

const compileTemplates = (rendered: string): Record<DocumentKind, Template> =>
  Object.fromEntries(
    Object.entries(TEMPLATE_NAMES).map(([kind, name]) => [
      kind,
      compileTemplate(readFileSync(join(rendered, 'templates', `${name}.html`), 'utf8')),
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
    return READ_ONLY.has((error as NodeJS.ErrnoException).code ?? '')
  }
}

/** Templates and assets as Astro made them, kept for builds with the same layouts. */
export interface RenderedTemplates {
  templates: Record<DocumentKind, Template>
  /** Styles, scripts, the icon, preview pictures. */
  assets: { name: string; path: string }[]
}

/** Inside the project, so that Astro's bundle can resolve its packages. */
const CACHE = join(PROJECT_ROOT, 'node_modules/.cache/registry-templates')

/** Renders the templates of `src/pages` with Astro, and the preview pictures, into a folder of the cache. */
const renderInto = async (folder: string, site: SiteView): Promise<void> => {
  const scratch = `${folder}.${process.pid}`
  const rendered = join(scratch, 'client')
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  try {
    makeFolder(scratch)
    const { build } = await import('astro')
    const integrations = [registryLayouts(site)]
    await build({ root: PROJECT_ROOT, outDir: scratch, logLevel: 'error', integrations })
    for (const [name, bytes] of renderPreviews(site)) {
      mkdirSync(dirname(join(rendered, name)), { recursive: true })
      writeFileSync(join(rendered, name), bytes)
    }
    keepRendering(rendered, folder)
    keepNewest(dirname(folder), RENDERINGS_KEPT)
  } catch (error) {
    throw explainUnwritable(error)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Opens the cached templates of a key, or renders them with Astro. Throws OutputError. */
export const openTemplates = async (
  key: string,
  site: SiteView,
  cache = CACHE,
): Promise<RenderedTemplates> => {
  const folder = join(cache, key)
  if (!isKept(folder)) await renderInto(folder, site)
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
