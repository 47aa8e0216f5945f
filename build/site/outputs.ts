import { hash } from 'node:crypto'
import { SKILL_MD, readSkillFile } from '../../src/catalog/skill-folder.ts'
import { HEADERS_FILE, renderHeadersFile } from '../../src/api/cdn-headers.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import type { ApiDescription } from '../../src/documents/api-document.ts'
import { renderLlms, renderRobots } from '../../src/documents/llms.ts'
import {
  LLMS_PATH,
  OPENAPI_PATH,
  ROBOTS_PATH,
  downloadPath,
  skillPath,
  twinPath,
} from '../../src/documents/paths.ts'
import { skillMdOf } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import { packZip } from './zip.ts'
import type { ZipEntry } from './zip.ts'

/** A file of the output: its name below the generation's folder, and how to make its bytes. */
export interface Output {
  name: string
  make: () => Uint8Array | string
}

/** Name of the public file under an address. */
export const publicName = (address: string): string => `public${decodeURIComponent(address)}`

/** Gives the file of a page: `/` is index.html, everything else its path and `.html`. */
export const pageName = (path: string): string => `public${path === '/' ? '/index' : path}.html`

/** Name of the file of a page's Markdown twin. */
export const twinName = (path: string): string => publicName(twinPath(path))

/** Names a skill's raw files have in the output, and its zip. */
export const skillNames = (
  { slug, id }: Pick<Skill, 'slug' | 'id'>,
  files: readonly string[],
): string[] => [
  pageName(skillPath(slug)),
  twinName(skillPath(slug)),
  ...files.map((path) => rawName(slug, path)),
  zipName(id),
]

/** Counts those of them that are no page. */
export const countFiles = (files: readonly string[]): number => files.length + 1

const rawName = (slug: string, path: string): string => `public${skillPath(slug)}/${path}`

const zipName = (id: number): string => publicName(downloadPath(id))

/** Paths of a skill's files in its zip, SKILL.md first, which is synthesized where there is none. */
export const listPaths = ({ files }: Pick<Skill, 'files'>): string[] => [
  SKILL_MD,
  ...files.map(({ path }) => path).filter((path) => path !== SKILL_MD),
]

/** Reads a skill's files as they lie in its zip. */
export const readFiles = (skill: Skill): ZipEntry[] =>
  listPaths(skill).map((path) => ({
    path,
    bytes: path === SKILL_MD ? skillMdOf(skill) : readSkillFile(skill, path),
  }))

/** What is known of a zip without opening it: its name for the reader, its digest and size. */
export interface Download {
  slug: string
  sha256: string
  size: number
}

/** Describes a skill's zip for the table of downloads. */
export const describeDownload = ({ slug }: Pick<Skill, 'slug'>, zip: Uint8Array): Download => ({
  slug,
  sha256: hash('sha256', zip, 'hex'),
  size: zip.length,
})

/** Packs a skill's zip: SKILL.md at the root, its files beside it (decisions, "Downloads"). */
export const packSkill = (skill: Skill): Buffer => packZip(readFiles(skill), skill.updated)

/** The files of one skill that are not pages, raw files and the zip; `read` is asked for their bytes. */
export const skillOutputs = (
  skill: Skill,
  read: () => readonly ZipEntry[] = () => readFiles(skill),
): { files: Output[]; zip: Output } => ({
  files: listPaths(skill).map((path, at) => ({
    name: rawName(skill.slug, path),
    make: () => read()[at]?.bytes ?? '',
  })),
  zip: { name: zipName(skill.id), make: () => packZip(read(), skill.updated) },
})

/** What the files for machines are written from. */
export interface SiteSource {
  site: Site
  api: ApiDescription
}

/** The files for machines that the whole catalog makes; the sitemap is written by its own writer. */
export const siteOutputs = ({ site, api }: SiteSource): Output[] => [
  { name: publicName(OPENAPI_PATH), make: () => `${JSON.stringify(api, null, 2)}\n` },
  { name: publicName(LLMS_PATH), make: () => renderLlms(site) },
  { name: publicName(ROBOTS_PATH), make: () => renderRobots(site.origin) },
  { name: `public/${HEADERS_FILE}`, make: renderHeadersFile },
]

/** Name of the table of zips, which the function reads. */
export const DOWNLOADS_NAME = 'private/downloads.json'

/** Name of the search index. */
export const INDEX_NAME = 'private/search.index'

/** The files beside the index that only the function reads: where the site is. */
export const privateOutputs = ({ site }: Pick<SiteSource, 'site'>): Output[] => [
  { name: 'private/site.json', make: () => `${JSON.stringify({ origin: site.origin })}\n` },
]
