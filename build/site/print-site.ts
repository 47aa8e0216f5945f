import type { DocumentPlan } from '../../src/documents/document.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { showCount } from '../../src/documents/lists/entries.ts'
import { sitemapRow } from '../../src/documents/feeds/llms.ts'
import type { SitemapRow } from '../../src/documents/feeds/llms.ts'
import { renderTwin } from '../../src/documents/prose/markdown.ts'
import { planSitePages } from '../../src/documents/pages.ts'
import { renderSkillJson } from '../../src/documents/skill/skill-json.ts'
import type { CurrentVersion } from '../../src/documents/on-request/version.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import type { PageKind, Template } from '../../src/documents/template.ts'
import { viewDocument } from '../../src/documents/view.ts'
import type { RenderedTemplates } from './astro.ts'
import type { Derived } from './derive.ts'
import { digestText } from './digests.ts'
import { drawPreviews, renderPreview } from './previews.ts'
import type { Run } from './print-skills.ts'
import { printIndex } from './search-index.ts'
import {
  listClientLists,
  listSiteFiles,
  listZipTables,
  mapSkill,
  placeFiles,
  renderList,
  writeSitemaps,
} from './site-files.ts'
import type { SiteFile } from './site-files.ts'
import { jsonName, pageName, publicName, readIndex, twinName, zipName } from './skill-files.ts'
import type { NextFolder } from './target.ts'

const findZip = (target: NextFolder, id: number) => target.outputs.get(zipName(id))?.details.zip

const rowOf = ({ shown }: Derived, { id }: SkillFacts) => shown.get(id)!

/** Returns a function that makes the key of a page from the skills that it shows. */
const createKeys = ({ inputs }: Run, derived: Derived) => {
  // List entries show installs but not views.
  const keyOf = (facts: SkillFacts): string =>
    `${rowOf(derived, facts).factsDigest} ${showCount(facts.installs)}`
  return ({ skills, pages, otherData = '' }: DocumentPlan['shows'] & {}): string =>
    digestText([inputs.keys.site, pages, otherData, ...skills.map(keyOf)].join(' '))
}

/** Prints all pages except pages of skills and of versions; returns their paths. */
const printPages = (
  plans: Iterable<DocumentPlan>,
  templates: Record<PageKind, Template>,
  run: Run,
  derived: Derived,
): string[] => {
  const { inputs, target } = run
  const keyOf = createKeys(run, derived)
  return Array.from(plans, ({ path, shows, write }) => {
    const print = () => {
      const document = write()
      const view = viewDocument(document, inputs.frame)
      const html = fillTemplate(templates[document.kind], view)
      const details = document.isUnindexed ? {} : { day: document.updated }
      return { bytes: [html, renderTwin(document)], details }
    }
    // If the plan does not list the skills on a page, the key is the digest of the printed page.
    const printed = shows ? undefined : print()
    const key = shows ? keyOf(shows) : digestText(JSON.stringify(printed))
    const output = { name: pageName(path), key, files: [pageName(path), twinName(path)] }
    if (target.keepOrClear(output)) return path
    const { bytes, details } = printed ?? print()
    target.write(output, bytes, details)
    return path
  })
}

/** The current versions of skills; undefined if no versions are promised. */
type CurrentVersions = ReadonlyMap<string, CurrentVersion> | undefined

const listChanged = (versions: NonNullable<CurrentVersions>): ReadonlyMap<string, string> =>
  new Map(
    [...versions].flatMap(([slug, version]) =>
      version.current.name && version.current.changes ? [[slug, version.current.name]] : [],
    ),
  )

/** Prints the JSON of each skill. It has exact counters, so it changes more often than the page. */
const printSkillJson = (
  { inputs, target }: Run,
  derived: Derived,
  versions: CurrentVersions,
): void => {
  const { origin, isPrivate } = inputs.pageSite
  for (const { slug, digest, skill } of derived.shown.values()) {
    const mentioned = derived.mentions.get(skill.id)!
    const version = versions?.get(slug)
    const shown = [digest, skill.views, skill.installs, mentioned, version]
    const key = digestText(JSON.stringify(shown))
    const output = { name: jsonName(slug), key, files: [jsonName(slug)] }
    if (target.keepOrClear(output)) continue
    const zip = findZip(target, skill.id)
    const input = { skill, origin, isPrivate, zip, mentioned, version }
    target.write(output, [renderSkillJson(input)])
  }
}

const printLists = ({ inputs, target }: Run, derived: Derived): void => {
  const { site, starter } = derived
  const source = {
    ...inputs.frame,
    readIndex: (slug: string) => readIndex(target.folder, slug),
    zipDigestOf: ({ id }: SkillFacts) => findZip(target, id)?.sha256 ?? '',
  }
  for (const list of listClientLists(site, starter)) {
    const name = publicName(list.path)
    const digests = list.skills.map((facts) => rowOf(derived, facts).digest)
    const key = digestText([inputs.keys.site, ...digests].join(' '))
    const output = { name, key, files: [name] }
    if (!target.keepOrClear(output)) target.write(output, [renderList(list, source)])
  }
}

/** Draws the preview pictures that are shown when a page of the site or of a category is shared. */
const printPreviews = ({ inputs: { content, origin }, target }: Run): void => {
  for (const [path, svg] of drawPreviews(content.site, origin)) {
    const name = publicName(path)
    const output = { name, key: digestText(svg), files: [name] }
    if (!target.keepOrClear(output)) target.write(output, [renderPreview(svg)])
  }
}

const printSitemaps = async (
  rows: readonly SitemapRow[],
  { inputs, target }: Run,
): Promise<void> => {
  const output = { name: 'sitemaps', key: digestText(JSON.stringify(rows)), files: [] }
  if (target.keepOrClear(output)) return
  const written = await writeSitemaps(rows, inputs.origin)
  const files = written.map(({ name }) => name)
  const contents = written.map(({ bytes }) => bytes)
  target.write({ ...output, files }, contents)
}

/** Prints everything except skills, which must have been printed before. Returns the number of pages. */
export const printSite = async (
  run: Run,
  derived: Derived,
  { templates, assets }: RenderedTemplates,
  files: readonly SiteFile[],
  versions: CurrentVersions,
): Promise<number> => {
  const { inputs, progress, target } = run
  const { api, content, origin } = inputs
  const { shown } = derived
  const site = {
    ...derived.site,
    ...(versions && { changed: listChanged(versions) }),
  }
  const detailsOf = (name: string) => target.outputs.get(name)?.details
  progress.stage('Writing the index')
  const listed = [...shown.values()].filter(({ skill }) => isListed(skill))
  printIndex(listed, { origin, copies: site.copies }, target)
  progress.stage('Printing lists and other pages')
  const pages = planSitePages(site, api)
  const paths = printPages(pages, templates, run, derived)
  progress.stage('Writing JSON, feeds and other files')
  printSkillJson(run, derived, versions)
  printLists(run, derived)
  const skills = Array.from(shown.values(), ({ skill }) => skill)
  const days = paths.flatMap((path) => {
    const updated = detailsOf(pageName(path))?.day
    return updated === undefined ? [] : sitemapRow({ path, updated }, origin)
  })
  const mapped = [...days, ...skills.flatMap((skill) => mapSkill(skill, origin))]
  const zips = skills.flatMap((skill) => {
    const zip = findZip(target, skill.id)
    return zip ? { skill, ...zip } : []
  })
  const { frame } = inputs
  const { retired, pictures } = content
  const advisories = versions && content.advisories
  const source = { site, api, retired, skills, advisories, assets, templates, frame, pictures }
  printPreviews(run)
  placeFiles(files, target)
  await printSitemaps(mapped, run)
  placeFiles(listSiteFiles(source), target)
  placeFiles(listZipTables(zips), target)
  return skills.length + paths.length
}
