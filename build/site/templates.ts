import { cpSync, readFileSync, readdirSync } from 'node:fs'
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

/** Renders every route once with Astro into `folder`; gives the folder of its public files. */
export const renderWithAstro = async (module: RegistryModule, folder: string): Promise<string> => {
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  const { build } = await import('astro')
  await build({
    root: PROJECT_ROOT,
    outDir: folder,
    logLevel: 'error',
    integrations: [registryPages(module)],
  })
  return join(folder, 'client')
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
