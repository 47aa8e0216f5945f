import { readFileSync } from 'node:fs'
import { isListed } from '../../src/catalog/skill.ts'
import type { SitemapRow } from '../../src/documents/llms.ts'
import { sitemapRow } from '../../src/documents/llms.ts'
import { skillPath } from '../../src/documents/paths.ts'
import type { Site } from '../../src/documents/site.ts'
import type { Inputs } from './inputs.ts'
import { movesOutput } from './moves-output.ts'
import { INDEX_NAME, privateOutputs, siteOutputs } from './outputs.ts'
import { writeSitemaps } from './sitemap.ts'
import type { KnownSkill } from './skill-keys.ts'
import type { SkillRow, StateHead } from './state.ts'
import type { RenderedTemplates } from './templates.ts'
import type { Tree } from './tree.ts'

/** Name of the table of zips, which the function reads. */
export const DOWNLOADS_NAME = 'private/downloads.json'

/** Writes the table of zips: slug, digest and size by id. */
export const renderDownloads = (rows: Iterable<SkillRow>): string => {
  const lines = [...rows]
    .filter(({ sha256 }) => sha256 !== '')
    .sort((a, b) => a.id - b.id)
    // Slugs and digests are of letters that JSON writes as they are.
    .map(
      ({ id, slug, sha256, size }) =>
        `"${id}":{"slug":"${slug}","sha256":"${sha256}","size":${size}}`,
    )
  return `{${lines.join(',')}}\n`
}

const listRows = (
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
  skills: readonly KnownSkill[]
  pages: StateHead['pages']
  assets: RenderedTemplates['assets']
  /** The index is as it was, so it is not made. */
  isIndexSame: boolean
  makeIndex: () => Uint8Array
}

/** Puts the files that are neither a page nor a skill's into the tree, and names them all. */
export const printMachineFiles = async (source: MachineSource, tree: Tree): Promise<string[]> => {
  const { inputs, site, skills, pages, assets, isIndexSame, makeIndex } = source
  const sitemaps = await writeSitemaps(listRows(pages, skills, inputs.origin), inputs.origin)
  const outputs = [
    ...assets.map(({ name, path }) => ({ name, make: () => readFileSync(path) })),
    ...sitemaps,
    ...siteOutputs({ site, api: inputs.api }),
    ...privateOutputs({ site }, makeIndex),
    movesOutput(
      inputs.frame.retired,
      skills.map(({ row }) => row),
    ),
    { name: DOWNLOADS_NAME, make: () => renderDownloads(skills.map(({ row }) => row)) },
  ]
  for (const { name, make } of outputs) {
    if (!isIndexSame || name !== INDEX_NAME) tree.place(name, make())
  }
  return outputs.map(({ name }) => name)
}
