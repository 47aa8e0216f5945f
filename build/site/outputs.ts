import { createHash } from 'node:crypto'
import { serializeIndex } from '../../src/catalog/search/index.ts'
import { SKILL_MD, readSkillFile } from '../../src/catalog/skill-files.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import { renderLlms, renderRobots } from '../../src/documents/llms.ts'
import {
  LLMS_PATH,
  OPENAPI_PATH,
  ROBOTS_PATH,
  downloadPath,
  skillFilePath,
} from '../../src/documents/paths.ts'
import { skillMdOf } from '../../src/documents/site.ts'
import { searchDocuments } from './search-documents.ts'
import type { Workspace } from './workspace.ts'
import { packZip } from './zip.ts'

/** A file of the output: its name below the generation's folder, and how to make its bytes. */
export interface Output {
  name: string
  make: () => Uint8Array | string
}

/** Name of the public file under an address. */
export const publicName = (address: string): string => `public${decodeURIComponent(address)}`

/** Gives the file of a page: `/` is index.html, everything else its path and `.html`. */
export const pageName = (path: string): string => `public${path === '/' ? '/index' : path}.html`

const filesOf = (skill: Skill): { path: string; bytes: Uint8Array }[] => [
  { path: SKILL_MD, bytes: skillMdOf(skill) },
  ...skill.files
    .filter(({ path }) => path !== SKILL_MD)
    .map(({ path }) => ({ path, bytes: readSkillFile(skill, path) })),
]

/** Packs a skill's zip: SKILL.md at the root, its files beside it (decisions, "Downloads"). */
export const packSkill = (skill: Skill): Buffer => packZip(filesOf(skill), skill.updated)

/** What is known of a zip without opening it: its name for the reader, its digest and size. */
export interface Download {
  slug: string
  sha256: string
  size: number
}

/** Describes a skill's zip for the table of downloads. */
export const describeDownload = ({ slug }: Skill, zip: Uint8Array): Download => ({
  slug,
  sha256: createHash('sha256').update(zip).digest('hex'),
  size: zip.length,
})

/** The files of one skill that are not pages: raw files, and the zip. */
export const skillOutputs = (skill: Skill): { files: Output[]; zip: Output } => ({
  files: [
    { name: publicName(skillFilePath(skill.slug, SKILL_MD)), make: () => skillMdOf(skill) },
    ...skill.files
      .filter(({ path }) => path !== SKILL_MD)
      .map(({ path }) => ({
        name: publicName(skillFilePath(skill.slug, path)),
        make: () => readSkillFile(skill, path),
      })),
  ],
  zip: { name: publicName(downloadPath(skill.id)), make: () => packSkill(skill) },
})

/** The files for machines that the whole catalog makes; the sitemap is written by its own writer. */
export const siteOutputs = ({ site, api }: Workspace): Output[] => [
  { name: publicName(OPENAPI_PATH), make: () => `${JSON.stringify(api, null, 2)}\n` },
  { name: publicName(LLMS_PATH), make: () => renderLlms(site) },
  { name: publicName(ROBOTS_PATH), make: () => renderRobots(site.origin) },
]

/** The files that only the function reads: where the site is, and the search index. */
export const privateOutputs = ({ site }: Workspace): Output[] => [
  { name: 'private/site.json', make: () => `${JSON.stringify({ origin: site.origin })}\n` },
  { name: 'private/search.json', make: () => serializeIndex(searchDocuments(site)) },
]
