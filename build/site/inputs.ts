import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { nameCategories } from '../../src/catalog/categories.ts'
import { describeApi } from '../../src/api/openapi.ts'
import { SKILL_TIME } from '../../src/catalog/in-time.ts'
import { listSlugs, loadSiteContent } from '../../src/catalog/load.ts'
import type { Catalog } from '../../src/catalog/load.ts'
import type { ApiDescription } from '../../src/documents/api-page.ts'
import { PATHS, prosePath } from '../../src/documents/paths.ts'
import type { SkillPageSite } from '../../src/documents/skill/facts.ts'
import type { SiteFrame } from '../../src/documents/view.ts'
import { readSkillBits } from '../machine/checkout.ts'
import { listFilesBelow } from '../machine/folders.ts'
import { countThreads } from '../machine/threads.ts'
import { listNavigation } from './site-view.ts'
import { VersionsError, openMainLine } from '../versions/git.ts'
import type { MainLine } from '../versions/git.ts'
import { digestFiles, digestText } from './digests.ts'
import { PROJECT_ROOT, chooseOrigin } from './settings.ts'
import type { BuildSettings } from './settings.ts'

/** The code that determines the output. Dependencies are in `package-lock.json`, or in a package's `package.json`. */
const CODE = [
  'src',
  'build/machine',
  'build/site',
  'build/versions',
  'package.json',
  'package-lock.json',
  'astro.config.mjs',
]

const listCodeFiles = (path: string): string[] => {
  const place = join(PROJECT_ROOT, path)
  if (!statSync(place).isDirectory()) return [path]
  return listFilesBelow(place)
    .map((file) => `${path}/${file}`)
    .sort()
}

let codeDigest: string | undefined

/** Digests all inputs except the content: layouts, code, dependencies and Node. Computed once per process. */
export const digestCode = (): string => {
  codeDigest ??= digestFiles([
    ['node', Buffer.from(process.version)],
    ...CODE.filter((path) => existsSync(join(PROJECT_ROOT, path)))
      .flatMap(listCodeFiles)
      .filter((path) => !path.endsWith('.test.ts'))
      .map((path) => [path, readFileSync(join(PROJECT_ROOT, path))] as const),
  ])
  return codeDigest
}

/** Opens the history of versions. A trial continues without it and keeps the reason. Throws VersionsError. */
const openHistory = (
  { contentFolder, isTrial }: BuildSettings,
  since: string | undefined,
): { mainLine: MainLine | undefined; versionsFault: string | undefined } => {
  try {
    const mainLine = since === undefined ? undefined : openMainLine(contentFolder, since)
    return { mainLine, versionsFault: undefined }
  } catch (error) {
    if (!(error instanceof VersionsError) || !isTrial) throw error
    return { mainLine: undefined, versionsFault: error.message }
  }
}

/** Reads all inputs of a build except the skills. Throws ContentError if there is no content, and VersionsError. */
export const readInputs = (settings: BuildSettings) => {
  const today = settings.today ?? new Date().toISOString().slice(0, 10)
  const loaded = loadSiteContent(settings.contentFolder, {
    today,
    hasDrafts: settings.hasDrafts === true,
  })
  const { mainLine, versionsFault } = openHistory(settings, loaded.site.versions?.since)
  const content = mainLine ? loaded : { ...loaded, site: { ...loaded.site, versions: undefined } }
  const { site, pictures, posts, pages, retired, advisories } = content
  const { counters } = content
  const origin = chooseOrigin(settings, site.origin).replace(/\/+$/, '')
  const slugs = listSlugs(settings.contentFolder)
  const isStatic = settings.isStatic === true
  const { name: siteName, footer, theme, private: isPrivate } = site
  const hasVersionDocs = pages.some(({ slug }) => prosePath(slug) === PATHS.versionDocs)
  const pageSite: SkillPageSite = {
    origin,
    isStatic,
    isPrivate,
    contact: site.contact,
    isCounted: content.isCounted,
    // Undefined, not false, so that the key of a site without versions stays the same.
    hasVersions: mainLine && (true as const),
    hasVersionDocs: hasVersionDocs || undefined,
  }
  const frame: SiteFrame = { origin, siteName, navigation: listNavigation(content), isPrivate }
  const shown = [footer, theme, pictures.logo]
  const code = digestText(JSON.stringify([digestCode(), pageSite, frame, shown]))
  const siteKey = digestText(JSON.stringify([site, pictures, posts, pages, retired, ...advisories]))
  const versions = mainLine ? [mainLine.line.at(-1)!.id] : []
  return {
    contentFolder: settings.contentFolder,
    workers: settings.workers ?? countThreads(slugs.length),
    /** Time limit for the files of a skill, in milliseconds. */
    limit: settings.limit ?? SKILL_TIME,
    content,
    /** Slugs of all skills, in order. */
    slugs,
    bits: readSkillBits(settings.contentFolder),
    origin,
    api: describeSite(content, origin, isStatic),
    frame,
    pageSite,
    /** The commits from which versions are read; undefined if no versions are promised. */
    mainLine,
    /** Why a trial has no versions. */
    versionsFault,
    keys: {
      /** Digest of code, dependencies, Node and the site data of every page. */
      code,
      /** Digest of all content except skills and counters. */
      site: siteKey,
      /** Digest of all content except skills. */
      content: digestText(JSON.stringify([siteKey, counters, ...versions])),
    },
    /** Time at which the build began to read skills. */
    began: Date.now(),
  }
}

export type Inputs = ReturnType<typeof readInputs>

const describeSite = (
  { site }: Pick<Catalog, 'site'>,
  origin: string,
  isStatic = false,
): ApiDescription =>
  describeApi({
    name: site.name,
    description: site.description,
    origin,
    isStatic,
    isPrivate: site.private,
    ...(site.categories && { categories: nameCategories(site) }),
    ...(site.contact ? { contact: site.contact } : {}),
  }) as ApiDescription
