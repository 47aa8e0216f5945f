import { join } from 'node:path'
import type { DocumentKind } from '../../src/documents/document.ts'
import type { SitemapRow } from '../../src/documents/llms.ts'
import { sitemapRow } from '../../src/documents/llms.ts'
import { renderTwin } from '../../src/documents/markdown.ts'
import { twinPath } from '../../src/documents/paths.ts'
import type { Template } from '../../src/documents/template.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { openGeneration } from './generation.ts'
import type { Generation } from './generation.ts'
import { createTemplateModule } from './integration.ts'
import {
  describeDownload,
  pageName,
  privateOutputs,
  publicName,
  siteOutputs,
  skillOutputs,
} from './outputs.ts'
import type { Download } from './outputs.ts'
import type { Progress } from './progress.ts'
import type { BuildSettings } from './settings.ts'
import { writeSitemaps } from './sitemap.ts'
import { compileTemplates, copyAssets, renderWithAstro } from './templates.ts'
import { openWorkspace } from './workspace.ts'
import type { Workspace } from './workspace.ts'

/** What a build wrote. */
export interface BuildSummary {
  skills: number
  untraced: readonly string[]
  pages: number
  files: number
}

type Templates = Record<DocumentKind, Template>

const writePages = (
  { plans, site, catalog }: Workspace,
  templates: Templates,
  generation: Generation,
  progress: Progress,
): SitemapRow[] => {
  const rows: SitemapRow[] = []
  for (const plan of plans) {
    const document = plan.write()
    const view = viewDocument(document, site.origin, catalog.site.name)
    generation.write({
      name: pageName(plan.path),
      make: () => fillTemplate(templates[document.kind], view),
    })
    generation.write({ name: publicName(twinPath(plan.path)), make: () => renderTwin(document) })
    rows.push(...sitemapRow(document, site.origin))
    progress.step()
  }
  return rows
}

const writeSkillFiles = (
  { catalog }: Workspace,
  generation: Generation,
  progress: Progress,
): { downloads: Record<number, Download>; files: number } => {
  const downloads: Record<number, Download> = {}
  let files = 0
  for (const skill of catalog.skills) {
    const outputs = skillOutputs(skill)
    for (const output of outputs.files) generation.write(output)
    const zip = generation.write(outputs.zip)
    downloads[skill.id] = describeDownload(skill, Buffer.from(zip))
    files += outputs.files.length + 1
    progress.step()
  }
  return { downloads, files }
}

/**
 * Builds the whole site into the next generation and puts it in place at the end.
 * Throws ContentError, SettingsError or OutputError; the served site is whole whatever happens.
 */
export const buildSite = async (
  settings: BuildSettings,
  progress: Progress,
): Promise<BuildSummary> => {
  progress.stage('Reading the catalog')
  const workspace = openWorkspace(settings)
  const generation = openGeneration(settings.outputFolder)
  try {
    progress.stage('Rendering the layouts')
    const rendered = await renderWithAstro(createTemplateModule(workspace))
    const templates = compileTemplates(rendered.folder)
    copyAssets(rendered.folder, join(generation.folder, 'public'))
    rendered.remove()
    progress.stage('Printing pages', workspace.plans.length)
    const rows = writePages(workspace, templates, generation, progress)
    progress.stage('Packing skills', workspace.catalog.skills.length)
    const { downloads, files } = writeSkillFiles(workspace, generation, progress)
    progress.stage('Writing the index and the files for machines')
    const others = [
      ...(await writeSitemaps(rows, workspace.site.origin)),
      ...siteOutputs(workspace),
      ...privateOutputs(workspace),
      { name: 'private/downloads.json', make: () => `${JSON.stringify(downloads)}\n` },
    ]
    for (const output of others) generation.write(output)
    generation.publish()
    const pages = workspace.plans.length
    return {
      skills: workspace.catalog.skills.length,
      untraced: workspace.catalog.untraced,
      pages,
      files: pages * 2 + files + others.length,
    }
  } finally {
    generation.close()
  }
}
