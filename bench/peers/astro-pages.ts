import { cpSync, existsSync, renameSync } from 'node:fs'
import type { RegistryModule } from '../../src/documents/view.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { openProse } from '../../src/documents/prose.ts'
import { createPageModule } from '../../build/site/astro.ts'
import { readSettings } from '../../build/site/settings.ts'
import { renderWithAstro } from '../../build/site/templates.ts'
import { openWorkspace } from '../../build/site/astro.ts'

// Prints the page of every skill of CONTENT_DIR by Astro's getStaticPaths, through the routes and
// layouts of `src/`, into the folder that is named.

const createModule = (): RegistryModule => {
  const workspace = openWorkspace(readSettings(process.env))
  const { plans, site, catalog } = workspace
  const byPath = new Map(plans.map((plan) => [plan.path, plan]))
  const pages = createPageModule(() => workspace)
  return {
    ...pages,
    // The lists are left out, as other generators leave them out.
    pathsOf: (kind, route) => (kind === 'skill' ? pages.pathsOf(kind, route) : []),
    viewAt: (path) => {
      const plan = byPath.get(path)
      if (!plan) throw new Error(`no document has the path ${path}`)
      return viewDocument(plan.write(), site.origin, catalog.site.name, openProse)
    },
  }
}

const move = (from: string, to: string): void => {
  try {
    renameSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    // Another disk: it costs Astro some files' worth of copying.
    cpSync(from, to, { recursive: true })
  }
}

const [output = ''] = process.argv.slice(2)
// Astro takes nothing up from an earlier build; removing it would be a cost of its own.
if (existsSync(output)) renameSync(output, `${output}-before-${process.pid}`)
const rendered = await renderWithAstro(createModule())
move(rendered.folder, output)
rendered.remove()
