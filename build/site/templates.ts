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
import type { DocumentKind } from '../../src/documents/document.ts'
import type { RegistryModule } from '../../src/documents/view.ts'
import type { Template } from '../../src/documents/template.ts'
import { compileTemplate } from '../../src/documents/template.ts'
import { OutputError, keepNewest, makeFolder, makeScratch, sweepScratch } from './folders.ts'
import { registryPages } from './astro.ts'
import { renderPreviews } from './previews.ts'
import { PROJECT_ROOT } from './settings.ts'

/** File that Astro renders for each kind of page when every value is a placeholder. */
const TEMPLATE_FILES: Record<DocumentKind, string> = {
  home: 'index.html',
  skills: 'skills.html',
  results: 'answered/results.html',
  compare: 'answered/compare.html',
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
export interface Rendered {
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

const renderInto = async (folder: string, module: RegistryModule): Promise<void> => {
  const rendered = await renderWithAstro(module)
  try {
    for (const [name, bytes] of renderPreviews(module.site())) {
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
    .filter(({ name }) => !name.includes(sep) || /^(?:_astro|previews)[\\/]/.test(name))
    .map(({ name }) => ({
      name: `public/${name.replaceAll(sep, '/')}`,
      path: join(rendered, name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
