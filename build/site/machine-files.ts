import { readFileSync } from 'node:fs'
import { isListed } from '../../src/catalog/skill.ts'
import type { SitemapRow } from '../../src/documents/llms.ts'
import { sitemapRow } from '../../src/documents/llms.ts'
import { skillPath } from '../../src/documents/paths.ts'
import type { Site } from '../../src/documents/site.ts'
import type { Inputs } from './inputs.ts'
import { movesOutput } from './moves-output.ts'
import { DOWNLOADS_NAME, INDEX_NAME, privateOutputs, siteOutputs } from './outputs.ts'
import type { Output } from './outputs.ts'
import { isSitemap, writeSitemaps } from './sitemap.ts'
import type { KnownSkill } from './skill-keys.ts'
import type { SkillRow, StateHead } from './state.ts'
import type { RenderedTemplates } from './templates.ts'
import type { Tree } from './tree.ts'

/** Writes the table of zips: slug, digest and size by id. */
export const renderDownloads = (rows: Iterable<SkillRow>): string => {
  const lines: string[] = []
  for (const { id, slug, sha256, size } of [...rows].sort((a, b) => a.id - b.id)) {
    // Slugs and digests are of letters that JSON writes as they are.
    const line = `"${id}":{"slug":"${slug}","sha256":"${sha256}","size":${size}}`
    if (sha256 !== '') lines.push(line)
  }
  return `{${lines.join(',')}}\n`
}

const listMapped = (
  pages: StateHead['pages'],
  skills: readonly KnownSkill[],
  origin: string,
): SitemapRow[] => [
  ...Object.entries(pages).flatMap(([path, [, updated, isIndexable]]) =>
    sitemapRow({ path, updated, isIndexable }, origin),
  ),
  ...skills.flatMap(({ facts }) =>
    sitemapRow(
      { path: skillPath(facts.slug), updated: facts.updated, isIndexable: isListed(facts) },
      origin,
    ),
  ),
]

/** What the files for machines are written from. */
export interface MachineSource {
  inputs: Inputs
  site: Site
  listSkills: () => readonly KnownSkill[]
  pages: StateHead['pages']
  assets: RenderedTemplates['assets']
  /** Names of those that are as they were, so that they are not made. */
  kept: ReadonlySet<string>
  makeIndex: () => Promise<Uint8Array>
}

// A kept file is named, and never made.
const nameKept = (name: string): Output => ({ name, make: () => '' })

const listSitemaps = async ({
  inputs,
  listSkills,
  pages,
  kept,
}: MachineSource): Promise<Output[]> => {
  const names = [...kept].filter(isSitemap)
  return names.length > 0
    ? names.map(nameKept)
    : writeSitemaps(listMapped(pages, listSkills(), inputs.origin), inputs.origin)
}

/** Puts the files that are neither a page nor a skill's into the tree, and names them all. */
export const printMachineFiles = async (source: MachineSource, tree: Tree): Promise<string[]> => {
  const { inputs, site, listSkills, assets, kept, makeIndex } = source
  const listRows = (): SkillRow[] => listSkills().map(({ row }) => row)
  const { retired } = inputs.frame
  const outputs = [
    ...assets.map(({ name, path }) => ({ name, make: () => readFileSync(path) })),
    ...(await listSitemaps(source)),
    ...siteOutputs({ site, api: inputs.api }),
    ...privateOutputs({ site }),
    movesOutput(retired, retired.length > 0 ? listRows() : []),
    { name: DOWNLOADS_NAME, make: () => renderDownloads(listRows()) },
  ]
  for (const { name, make } of outputs) {
    if (!kept.has(name)) tree.place(name, make())
  }
  // Last, since a thread may be at it still.
  if (!kept.has(INDEX_NAME)) tree.place(INDEX_NAME, await makeIndex())
  return [...outputs.map(({ name }) => name), INDEX_NAME]
}
