import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isUntraced } from '../../src/catalog/load.ts'
import { ADVISORIES_FILE } from '../../src/catalog/references.ts'
import { hasText, isInstallable } from '../../src/catalog/skill.ts'
import type { Advisory } from '../../src/catalog/schema.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import {
  PATHS,
  skillPath,
  versionListPath,
  versionPath,
  versionZipPath,
} from '../../src/documents/paths.ts'
import type { ListedVersion } from '../../src/documents/answered/version.ts'
import { VersionsError } from '../versions/git.ts'
import type { MainLine } from '../versions/git.ts'
import type { History, SkillVersion } from '../versions/history.ts'
import { planVersions, withdrawVersions } from '../versions/plan.ts'
import type { CurrentSkill, Standing, VersionRow } from '../versions/plan.ts'
import { parsePublished, refuseLoss, renderPublished } from '../versions/published.ts'
import type { Published, VersionPlan } from '../versions/published.ts'
import { readVersions } from '../versions/read.ts'
import type { Derived, Withdrawn } from './derive.ts'
import { digestText } from './digests.ts'
import type { Inputs } from './inputs.ts'
import type { Run } from './print-skills.ts'
import type { SkillSet } from './read.ts'
import { placeFiles } from './site-files.ts'
import {
  pageName,
  publicName,
  readIndex,
  readZipFiles,
  sumUpFiles,
  twinName,
  zipName,
} from './skill-files.ts'
import { PRINT_VERSIONS } from './skill-jobs.ts'
import type { Told } from './state.ts'
import type { NextFolder, Output } from './target.ts'
import { versionIndexName, versionZipName } from './version-files.ts'
import type { CurrentVersion } from '../../src/documents/skill/version-page.ts'
import type { Template } from '../../src/documents/template.ts'
import { readDifferences } from '../versions/diff.ts'
import type { Pair } from '../versions/diff.ts'
import { digestSums, nameVersion } from '../versions/name.ts'
import type { VersionTask } from './version-files.ts'

/** What a build has of versions, where they are promised. */
export interface PromisedVersions {
  mainLine: MainLine
  history: History
  plan: VersionPlan
  /** What is forgotten. */
  notes: readonly string[]
}

/** A list of versions that must not be lost, and who has it. */
export type PublishedAt = readonly [place: string, published: Published]

const judgeSkill = (skill: Skill): CurrentSkill => {
  const { id, visibility } = skill
  if (visibility === 'gone' || isUntraced(skill)) return { id, standing: 'gone' }
  return hasText(skill) ? { id } : { id, standing: 'licence' }
}

/** Where the last list of versions lies in a site that has none, for the next build that promises some. */
const KEPT_LIST = 'private/versions.ndjson'

/** The list of versions in a folder of a site, or the last one before it. */
export const readList = (folder: string): string | undefined => {
  const paths = [publicName(PATHS.versions), KEPT_LIST].map((name) => join(folder, name))
  const path = paths.find((one) => existsSync(one))
  return path && readFileSync(path, 'utf8')
}

/** Keeps the last list in a site without versions. */
export const keepList = (list: string | undefined, target: NextFolder): void => {
  if (list !== undefined) placeFiles([{ name: KEPT_LIST, bytes: list }], target)
}

/** Plans the versions of a site. Throws VersionsError if one that is published would vanish. */
export const planSiteVersions = (
  { content, today }: Inputs,
  catalog: SkillSet,
  mainLine: MainLine,
  history: History,
  published: readonly PublishedAt[],
): PromisedVersions => {
  const { keep = 3, days = 90 } = content.site.versions ?? {}
  const skills = new Map(Array.from(catalog.rows, ([slug, { skill }]) => [slug, judgeSkill(skill)]))
  const plan = planVersions(history.versions, skills, { keep, days }, today)
  const now = parsePublished(renderPublished(mainLine, plan), 'this build')
  const notes = published.flatMap(([place, before]) => refuseLoss(before, now, place, today))
  const [lost] = withdrawVersions(plan, content.advisories)
  if (lost !== undefined)
    throw new VersionsError(
      `${ADVISORIES_FILE} withdraws ${lost}, which no skill had since "since"; correct it`,
    )
  return { mainLine, history, plan, notes }
}

const pickReason = ({ id, published, summary }: Advisory) => ({ id, published, summary })

/** The skills whose current version is withdrawn. */
export const listWithdrawn = (plan: VersionPlan): Withdrawn =>
  new Map(
    [...plan].flatMap(([slug, [row]]) =>
      row?.advisory && row.until === undefined ? [[slug, pickReason(row.advisory)]] : [],
    ),
  )

/** The same without a history: the files on the disk name the version. */
export const findWithdrawn = (
  { content: { advisories }, contentFolder, origin }: Inputs,
  { rows }: SkillSet,
): Withdrawn =>
  new Map(
    advisories
      .filter(({ withdrawn }) => withdrawn === undefined)
      .flatMap((advisory) =>
        advisory.affected.flatMap(({ slug, versions }) => {
          const skill = rows.get(slug)?.skill
          if (!skill || !hasText(skill)) return []
          const folder = join(contentFolder, 'skills', slug)
          const files = sumUpFiles(readZipFiles({ ...skill, folder }, origin))
          const isAffected = versions.includes(nameVersion(digestSums(files)))
          return isAffected ? [[slug, pickReason(advisory)] as const] : []
        }),
      ),
  )

/** Throws VersionsError if a skill on the disk is not what git has, whose bytes a version would promise. */
const refuseOthers = (
  skill: Skill,
  row: VersionRow | undefined,
  digest: string | undefined,
): void => {
  if (row && (row.version.digest === undefined || row.version.digest === digest)) return
  throw new VersionsError(
    `skills/${skill.slug}: the files on this disk are not those of the newest commit, of which versions are; git changes line ends or ignores a file: put "skills/** -text" into .gitattributes beside it, and see git status --ignored`,
  )
}

/** A version that is served, and what is written for it. */
interface Served {
  slug: string
  name: string
  row: VersionRow
  isCurrent: boolean
  page: Output
  /** Its zip and its index, which stay when another version becomes current. */
  zip: Output
}

const standingOf = (rows: readonly VersionRow[], version: SkillVersion | undefined) =>
  rows.find((row) => row.version.key === version?.key)?.standing

/** A version whose text is given out nowhere, so in no difference either. */
const isClosed = (standing: Standing | undefined): boolean =>
  standing === 'withdrawn' || standing === 'licence' || standing === 'withheld'

const planServed = (plan: VersionPlan, { bySlug }: Derived): Served[] =>
  [...plan].flatMap(([slug, rows]) =>
    rows.flatMap((row, at): Served[] => {
      const { name, standing, version, before, day, until } = row
      if (name === undefined || standing !== 'served') return []
      const { skill } = bySlug.get(slug)!
      const isCurrent = at === 0
      const own = [version.digest, version.tree, skill.accepted]
      const others = [before?.tree, standingOf(rows, before), day, isCurrent || until]
      const path = versionPath(slug, name)
      const page = {
        name: `version ${slug}@${name}`,
        key: digestText(JSON.stringify([...own, ...others])),
        files: [pageName(path), twinName(path)],
      }
      const zip = {
        name: `zip ${slug}@${name}`,
        key: digestText(JSON.stringify(own)),
        files: [
          versionZipName(slug, name),
          ...(isInstallable(skill) ? [versionIndexName(slug, name)] : []),
        ],
      }
      return [{ slug, name, row, isCurrent, page, zip }]
    }),
  )

/** Bytes and number of versions that are printed at once. */
const AT_ONCE = { bytes: 32 * 1024 * 1024, count: 1_000 }

const countBytes = (past: VersionTask['past']): number =>
  past?.files.reduce((sum, file) => sum + file.bytes.length, 0) ?? 0

/** Prints the pages of versions, and the zips and indexes of earlier ones, whose bytes git has. */
const printPages = async (
  { inputs, target, threads, progress }: Run,
  missing: readonly Served[],
  plan: VersionPlan,
  { bySlug }: Derived,
  template: Template,
): Promise<void> => {
  progress.stage('Printing versions', missing.length)
  const { contentFolder, limit, pageSite: site, frame } = inputs
  const settings = { folder: target.folder, limit, template, site, frame }
  const byName = new Map(missing.map((one) => [`${one.slug}@${one.name}`, one]))
  let tasks: { task: VersionTask; pair: Pair | undefined }[] = []
  let bytes = 0
  const print = async (): Promise<void> => {
    const pairs = tasks.flatMap(({ pair }) => pair ?? [])
    const differences = readDifferences(contentFolder, pairs).values()
    for (const { task, pair } of tasks) if (pair) task.difference = differences.next().value
    const ready = tasks.map(({ task }) => task)
    await threads.run(PRINT_VERSIONS, ready, settings, (printed, { slug, name }) => {
      progress.step()
      const { page, zip } = byName.get(`${slug}@${name}`)!
      if ('withheld' in printed) {
        target.add({ ...page, files: [] }, printed)
        target.drop(zip.name)
        return
      }
      target.add(page, { label: printed.label, change: printed.change })
      if (printed.zip) target.add(zip, { zip: printed.zip })
    })
    tasks = []
    bytes = 0
  }
  const wanted = missing.flatMap(({ isCurrent, row: { version, before } }) => [
    ...(isCurrent ? [] : [version]),
    ...(before?.digest === undefined ? [] : [before]),
  ])
  const read = readVersions(contentFolder, wanted)
  for (const { slug, name, isCurrent, row } of missing) {
    const { day, until, version, before, changes } = row
    const { skill } = bySlug.get(slug)!
    const past = isCurrent ? undefined : read.next().value!
    const readBefore = before?.digest === undefined ? undefined : read.next().value!
    const standing = standingOf(plan.get(slug)!, before)
    const pastBefore = isClosed(standing) ? undefined : readBefore
    const beforeName = before?.digest && nameVersion(before.digest)
    const task = {
      slug,
      name,
      day,
      until,
      source: version.url,
      files: changes,
      past,
      pastBefore,
      current: isCurrent ? skill : undefined,
      difference: undefined,
      before: before && { name: beforeName, isServed: standing === 'served' },
      accepted: skill.accepted ?? [],
    }
    tasks.push({
      task,
      pair: before && !isClosed(standing) ? { before, after: version } : undefined,
    })
    bytes += countBytes(past) + countBytes(pastBefore)
    if (bytes >= AT_ONCE.bytes || tasks.length >= AT_ONCE.count) await print()
  }
  await print()
}

/** Gives the zip and the index of a skill the addresses of its version. */
const linkCurrent = ({ target }: Run, { slug, name, zip: output }: Served, skill: Skill): void => {
  const [zip = '', index] = output.files
  target.link(zipName(skill.id), zip)
  if (index !== undefined) {
    const { skills, ...rest } = JSON.parse(readIndex(target.folder, slug)) as { skills: object[] }
    const pinned = skills.map((entry) => Object.assign(entry, { url: versionZipPath(slug, name) }))
    target.place(index, `${JSON.stringify({ ...rest, skills: pinned })}\n`)
  }
  const { zip: told } = target.outputs.get(zipName(skill.id))?.told ?? {}
  target.add(output, told && { zip: told })
}

/** What the list of a skill's versions says of one. */
const describeRow = (
  slug: string,
  { name, fault, day, standing, to, version, changes, advisory }: VersionRow,
  { zip, label, withheld }: Told,
  origin: string,
): ListedVersion => ({
  name,
  day,
  standing: withheld === undefined ? standing : 'withheld',
  to,
  reason: withheld ?? advisory?.summary ?? fault,
  advisory: advisory?.id,
  label,
  zip: zip && {
    url: origin + versionZipPath(slug, name!),
    size: zip.size,
    digest: `sha256:${zip.sha256}`,
  },
  source: version.url,
  changes,
})

/** The versions of a site while it is printed. */
export interface SiteVersions {
  plan: VersionPlan
  served: readonly Served[]
  /** Those of `served` that are current, and whose zips are missing. */
  unlinked: readonly Served[]
}

/** Prints the versions that are served, but for the zips and indexes of current ones, which are those of their skills. */
export const printSiteVersions = async (
  run: Run,
  derived: Derived,
  plan: VersionPlan,
  template: Template,
): Promise<SiteVersions> => {
  const { target } = run
  const planned = planServed(plan, derived)
  const kept = planned.map(({ page, zip }) => {
    const hasPage = target.keepOrClear(page)
    const withheld = hasPage && target.outputs.get(page.name)!.told.withheld !== undefined
    return { hasPage, hasZip: withheld || target.keepOrClear(zip) }
  })
  const missing = planned.filter(({ isCurrent }, at) => {
    const { hasPage, hasZip } = kept[at]!
    return !hasPage || (!hasZip && !isCurrent)
  })
  await printPages(run, missing, plan, derived, template)
  const unlinked = planned.filter(({ isCurrent }, at) => isCurrent && !kept[at]!.hasZip)
  for (const { row, page } of planned)
    if (target.outputs.get(page.name)!.told.withheld !== undefined) row.standing = 'withheld'
  return { plan, served: planned, unlinked }
}

/** The versions of each skill, for the page of the skill. */
export const listCurrent = (
  { plan, served }: SiteVersions,
  { outputs }: Pick<Run['target'], 'outputs'>,
): ReadonlyMap<string, CurrentVersion> => {
  const pages = new Map(served.map(({ row, page }) => [row, outputs.get(page.name)!.told] as const))
  const current = new Map<string, CurrentVersion>()
  for (const [slug, [row, ...others]] of plan) {
    if (row?.standing === 'dropped' && row.fault !== undefined)
      current.set(slug, { fault: row.fault })
    const earlier = others.flatMap(({ name, standing, day, until }) =>
      name !== undefined && standing === 'served' ? { name, day, until } : [],
    )
    const told = row && pages.get(row)
    if (row?.name !== undefined && told)
      current.set(slug, { name: row.name, day: row.day, change: told.change, earlier })
  }
  return current
}

/** Prints the pins of current versions, and the lists of all. Skills have to be printed before. */
export const printPins = (
  run: Run,
  { shown, bySlug }: Derived,
  { plan, served, unlinked }: SiteVersions,
  { mainLine }: PromisedVersions,
): void => {
  const { inputs, target } = run
  for (const { slug, skill } of shown.values())
    if (skill.visibility !== 'gone' && hasText(skill))
      refuseOthers(skill, plan.get(slug)?.[0], target.outputs.get(zipName(skill.id))?.told.digest)
  for (const one of unlinked) linkCurrent(run, one, bySlug.get(one.slug)!.skill)
  const told = new Map(
    served.map(({ row, page, zip }) => {
      const [own, files] = [page, zip].map(({ name }) => target.outputs.get(name)?.told)
      return [row, { ...own, ...files }]
    }),
  )
  const lists = Array.from(plan, ([slug, rows]) => ({
    name: publicName(versionListPath(slug)),
    bytes: `${JSON.stringify({
      slug,
      page: inputs.origin + skillPath(slug),
      versions: rows.map((row) => describeRow(slug, row, told.get(row) ?? {}, inputs.origin)),
    })}\n`,
  }))
  placeFiles(lists, target)
  const name = publicName(PATHS.versions)
  placeFiles([{ name, bytes: renderPublished(mainLine, plan) }], target)
}
