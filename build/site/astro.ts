import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { renderSiteValues } from '../../src/documents/site-view.ts'
import type { SiteView } from '../../src/documents/site-view.ts'
import { PAGE_KINDS, compileTemplate } from '../../src/documents/template.ts'
import type { PageKind, SiteValues, Template } from '../../src/documents/template.ts'
import { makeFolder } from '../machine/folders.ts'
import { digestCode } from './inputs.ts'
import { PROJECT_ROOT } from './settings.ts'

const compileTemplates = (rendered: string, site: SiteValues): Record<PageKind, Template> =>
  Object.fromEntries(
    PAGE_KINDS.map((kind) => [
      kind,
      compileTemplate(readFileSync(join(rendered, 'templates', `${kind}.html`), 'utf8'), site),
    ]),
  ) as Record<PageKind, Template>

/** Renames a rendering into place. If another build was faster, keeps the other rendering. */
export const keepRendering = (rendered: string, folder: string): void => {
  try {
    renameSync(rendered, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** Inside the project, so that Astro's bundle can resolve its packages. */
const CACHE = join(PROJECT_ROOT, 'node_modules/.cache/registry-templates')

/** The layouts in an installed package, rendered by `npm run pack`. */
const PACKED = join(PROJECT_ROOT, 'layouts')

/** A layout cannot be rendered. The message is one line and has the place of the error. */
export class LayoutError extends Error {}

/** An error of Astro or its bundler; each has its own fields. */
interface RenderingFault {
  message: string
  /** The module, or the page that was rendered. */
  id?: string
  loc?: { file?: string; line: number; column: number }
  /** All styles joined into one text, to which `loc` refers. */
  source?: string
}

/** The place of an error, in the format in which a bundler prints it above the quoted code. */
const QUOTED_PLACE = /\[ (\S+:\d+:\d+) \]/

const findErrorPlace = (root: string, { message, id, loc, source }: RenderingFault): string => {
  const file = loc?.file ?? id
  if (file !== undefined) {
    const name = relative(root, resolve(root, file))
    return loc ? `${name}:${loc.line}:${loc.column}` : name
  }
  // A declaration that does not end is reported on the next line, so show the line above, too.
  if (loc && source !== undefined)
    return `a style near "${source
      .split('\n')
      .slice(loc.line - 2, loc.line)
      .join(' ')}"`
  return QUOTED_PLACE.exec(message)?.[1] ?? 'a layout'
}

const describeFault = (root: string, error: unknown): string => {
  const [first] = (error as { errors?: RenderingFault[] }).errors ?? [error as RenderingFault]
  const fault = { ...first, message: stripVTControlCharacters(String(first?.message)) }
  return `${findErrorPlace(root, fault)}: ${fault.message.split('\n', 1)[0]}`
}

/** Renders the templates of `src/pages`, for any registry, into a folder that does not exist. Throws LayoutError. */
export const renderTemplates = async (folder: string, root = PROJECT_ROOT): Promise<void> => {
  const scratch = `${folder}.${process.pid}`
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  process.env['LAYOUTS_ONLY'] = '1'
  try {
    makeFolder(scratch)
    const { build } = await import('astro')
    await build({ root, outDir: scratch, logLevel: 'silent' }).catch((cause: unknown) => {
      throw new LayoutError(describeFault(root, cause), { cause })
    })
    keepRendering(join(scratch, 'client'), folder)
  } finally {
    delete process.env['LAYOUTS_ONLY']
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Age in milliseconds after which a rendering is removed. Each change of the code makes a new rendering. */
const DAY = 24 * 60 * 60 * 1_000

/** Removes old renderings from the cache. A rendering that is still needed is made again. */
export const dropOld = (cache: string): void => {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < Date.now() - DAY) rmSync(path, { recursive: true, force: true })
  }
}

/** Finds the rendered layouts or renders them. They depend on code only. */
export const findRendering = async (): Promise<string> => {
  if (existsSync(PACKED)) return PACKED
  const folder = join(CACHE, digestCode())
  if (!existsSync(folder)) {
    await renderTemplates(folder)
    dropOld(CACHE)
  }
  return folder
}

const ASSETS = '_astro'

export type RenderedTemplates = ReturnType<typeof openTemplates>

/** Compiles the templates of a rendering with the values of a site, and lists its styles, scripts and fonts. */
export const openTemplates = (rendered: string, site: SiteView) => {
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
