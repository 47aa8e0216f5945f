import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { DocumentKind } from '../../src/documents/document.ts'
import type { RegistryModule } from '../../src/documents/view.ts'
import type { Template } from '../../src/documents/template.ts'
import { compileTemplate } from '../../src/documents/template.ts'
import { makeFolder, makeScratch, sweepScratch } from './folders.ts'
import { registryPages } from './astro.ts'
import { OutputError } from './folders.ts'
import { PROJECT_ROOT } from './settings.ts'

/** File that Astro renders for each kind of page when every value is a marker. */
const TEMPLATE_FILES: Record<DocumentKind, string> = {
  home: 'index.html',
  skills: 'skills.html',
  listing: 'skills/page/template.html',
  skill: 'skills/template.html',
  blog: 'blog.html',
  post: 'blog/template.html',
  prose: 'template.html',
  reference: 'docs/api.html',
  missing: '404.html',
}

/** Astro runs what it bundles, which finds its packages only below the project. */
const SCRATCH_PARENT = join(PROJECT_ROOT, 'node_modules', '.cache')
const SCRATCH_PREFIX = 'registry-'

/** What Astro rendered, until it is removed. */
export interface Rendered {
  /** Folder of its public files. */
  folder: string
  /** The adapter's entry: the on-demand route as a handler for servers of Node. */
  entry: string
  remove: () => void
}

/** Codes of the system that say where nothing may be written. */
const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'EEXIST', 'ENOTDIR'])

const explainUnwritable = (error: unknown): unknown => {
  const { code = '', path, message } = error as NodeJS.ErrnoException
  if (!UNWRITABLE.has(code)) return error
  return new OutputError(
    `${path}: layouts are rendered there, once for a SITE_URL and a site's name; build once where it may be written (${message})`,
  )
}

/** Makes a folder that Astro can render into. Throws OutputError where none can be made. */
export const openScratch = (parent = SCRATCH_PARENT): string => {
  try {
    makeFolder(parent)
    return makeScratch(parent, SCRATCH_PREFIX)
  } catch (error) {
    throw explainUnwritable(error)
  }
}

/** Renders the routes of `src/pages` with Astro, whose pages get their data from `module`. */
export const renderWithAstro = async (module: RegistryModule): Promise<Rendered> => {
  const scratch = openScratch()
  const rendered = join(scratch, 'site')
  const remove = (): void => rmSync(scratch, { recursive: true, force: true })
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  try {
    const { build } = await import('astro')
    await build({
      root: PROJECT_ROOT,
      // Astro empties it, and the lock lies above.
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

/** Compiles what Astro rendered into one template a kind. */
const compileTemplates = (rendered: string): Record<DocumentKind, Template> =>
  Object.fromEntries(
    Object.entries(TEMPLATE_FILES).map(([kind, file]) => [
      kind,
      compileTemplate(readFileSync(join(rendered, file), 'utf8')),
    ]),
  ) as Record<DocumentKind, Template>

/** Renderings kept; a build of other layouts or another site's name makes a new one. */
const RENDERINGS_KEPT = 8

/** Removes all renderings but those that were used last. */
export const forgetOldest = (cache: string): void => {
  const byAge = readdirSync(cache)
    .map((name) => ({ path: join(cache, name), used: lastUseOf(join(cache, name)) }))
    .sort((a, b) => b.used - a.used)
  for (const { path } of byAge.slice(RENDERINGS_KEPT))
    rmSync(path, { recursive: true, force: true })
}

/** One that another build removes at the same time was used never. */
const lastUseOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Puts what was rendered in its place, whole; where another build was faster, its rendering is as good. */
export const keepRendering = (rendered: string, folder: string): void => {
  try {
    renameSync(rendered, folder)
  } catch (error) {
    if (!isKept(folder)) throw error
  }
}

/** Whether a rendering is kept. Marks it as used, so that no other build drops it meanwhile. */
export const isKept = (folder: string): boolean => {
  const now = new Date()
  try {
    utimesSync(folder, now, now)
    return true
  } catch (error) {
    // Where nothing may be written nothing is forgotten either.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

/** Templates and assets as Astro made them, kept for builds whose layouts are the same. */
interface RenderedTemplates {
  templates: Record<DocumentKind, Template>
  /** Files that are no pages: styles, scripts, the icon. */
  assets: { name: string; path: string }[]
}

const CACHE = join(SCRATCH_PARENT, 'registry-templates')

const renderInto = async (folder: string, module: RegistryModule): Promise<void> => {
  const rendered = await renderWithAstro(module)
  try {
    mkdirSync(CACHE, { recursive: true })
    keepRendering(rendered.folder, folder)
    forgetOldest(CACHE)
  } finally {
    rendered.remove()
  }
}

/** Opens the templates of a key; Astro renders them if no build has yet. */
export const openTemplates = async (
  key: string,
  createModule: () => RegistryModule,
): Promise<RenderedTemplates> => {
  const folder = join(CACHE, key)
  if (isKept(folder)) sweepScratch(SCRATCH_PARENT, SCRATCH_PREFIX)
  else await renderInto(folder, createModule())
  return { templates: compileTemplates(folder), assets: listAssets(folder) }
}

const listAssets = (rendered: string): RenderedTemplates['assets'] =>
  readdirSync(rendered, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: join(relative(rendered, entry.parentPath), entry.name) }))
    .filter(({ name }) => !name.endsWith('.html'))
    .filter(({ name }) => !name.includes(sep) || name.startsWith(`_astro${sep}`))
    .map(({ name }) => ({
      name: `public/${name.replaceAll(sep, '/')}`,
      path: join(rendered, name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
