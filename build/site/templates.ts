import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DocumentKind } from '../../src/documents/document.ts'
import type { RegistryModule } from '../../src/documents/registry-module.ts'
import type { Template } from '../../src/documents/template.ts'
import { compileTemplate } from '../../src/documents/template.ts'
import { registryPages } from './integration.ts'
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

/** What Astro rendered, until it is removed. */
export interface Rendered {
  /** Folder of its public files. */
  folder: string
  /** The adapter's entry: the on-demand route as a handler for servers of Node. */
  entry: string
  remove: () => void
}

/** Renders the routes of `src/pages` with Astro, whose pages get their data from `module`. */
export const renderWithAstro = async (module: RegistryModule): Promise<Rendered> => {
  // Astro runs what it bundles, which finds its packages only below the project.
  const cache = join(PROJECT_ROOT, 'node_modules', '.cache')
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'registry-'))
  const remove = (): void => rmSync(scratch, { recursive: true, force: true })
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  try {
    const { build } = await import('astro')
    await build({
      root: PROJECT_ROOT,
      outDir: scratch,
      logLevel: 'error',
      integrations: [registryPages(module)],
    })
  } catch (error) {
    remove()
    throw error
  }
  return { folder: join(scratch, 'client'), entry: join(scratch, 'server', 'entry.mjs'), remove }
}

/** Compiles what Astro rendered into one template a kind. */
export const compileTemplates = (rendered: string): Record<DocumentKind, Template> =>
  Object.fromEntries(
    Object.entries(TEMPLATE_FILES).map(([kind, file]) => [
      kind,
      compileTemplate(readFileSync(join(rendered, file), 'utf8')),
    ]),
  ) as Record<DocumentKind, Template>

/** Copies what is no page: styles, scripts, the icon. */
export const copyAssets = (rendered: string, target: string): void => {
  for (const entry of readdirSync(rendered, { withFileTypes: true })) {
    const isPage = entry.name.endsWith('.html') || (entry.isDirectory() && entry.name !== '_astro')
    if (!isPage) cpSync(join(rendered, entry.name), join(target, entry.name), { recursive: true })
  }
}
