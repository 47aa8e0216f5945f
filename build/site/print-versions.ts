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
import type { VersionList } from '../../src/documents/on-request/version.ts'
import { VersionsError } from '../versions/git.ts'
import type { MainLine, TreePair } from '../versions/git.ts'
import type { History } from '../versions/history.ts'
import { planVersions, withdrawVersions } from '../versions/plan.ts'
import type { CurrentSkill, Standing, VersionRow } from '../versions/plan.ts'
import { renderPublished } from '../versions/published.ts'
import type { VersionPlan } from '../versions/published.ts'
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
import type { OutputDetails } from './state.ts'
import type { NextFolder, Output } from './target.ts'
import { versionIndexName, versionZipName } from './version-files.ts'
import type { CurrentVersion } from '../../src/documents/skill/version-page.ts'
import type { Template } from '../../src/documents/template.ts'
import { readDifferences } from '../versions/diff.ts'
import { digestSums, nameVersion } from '../versions/name.ts'
import type { VersionTask } from './version-files.ts'

/** The versions of a site whose `site.json` promises them. */
export interface PromisedVersions {
  mainLine: MainLine
  history: History
  plan: VersionPlan
}

const judgeSkill = (skill: Skill): CurrentSkill => {
  const { id, visibility } = skill
  if (visibility === 'gone' || isUntraced(skill)) return { id, standing: 'gone' }
  return hasText(skill) ? { id } : { id, standing: 'licence' }
}

/** Plans the versions of a site. Throws VersionsError. */
export const planSiteVersions = (
  { content, today }: Inputs,
  catalog: SkillSet,
  mainLine: MainLine,
  history: History,
): PromisedVersions => {
  const { keep = 3, days = 90 } = content.site.versions ?? {}
  const skills = new Map(Array.from(catalog.rows, ([slug, { skill }]) => [slug, judgeSkill(skill)]))
  const plan = planVersions(history.versions, skills, { keep, days }, today)
  const [unknown] = withdrawVersions(plan, content.advisories)
  if (unknown !== undefined)
    throw new VersionsError(
      `${ADVISORIES_FILE} withdraws ${unknown}, but no skill has had that version from "since" on; correct it`,
    )
  return { mainLine, history, plan }
}

const pickReason = ({ id, published, summary }: Advisory) => ({ id, published, summary })

/** Lists the skills whose current version is withdrawn. */
export const listWithdrawn = ({ content: { advisories } }: Inputs, plan: VersionPlan): Withdrawn =>
  new Map(
    [...plan].flatMap(([slug, [row]]) => {
      const advisory = advisories.find(({ id }) => id === row?.advisory)
      return advisory && row?.until === undefined ? [[slug, pickReason(advisory)] as const] : []
    }),
  )

/** Lists the skills whose current version is withdrawn, from the files on the disk, for a site without a history. */
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

/** Throws VersionsError if a skill's files on the disk differ from those in git, from which its version is made. */
const refuseDifferentFiles = (
  skill: Skill,
  row: VersionRow | undefined,
  digest: string | undefined,
): void => {
  if (row && (row.version.digest === undefined || row.version.digest === digest)) return
  throw new VersionsError(
    `skills/${skill.slug}: the files on this disk differ from those of the newest commit, ` +
      'because git changes line ends or ignores a file: ' +
      'put "skills/** -text" into a .gitattributes file beside skills/, and see git status --ignored',
  )
}

/** A version to serve, and its outputs. */
interface ServedVersion {
  slug: string
  row: VersionRow & { name: string }
  isCurrent: boolean
  before: VersionTask['before']
  page: Output
  /** Its zip and index, which do not change when a newer version becomes current. */
  zip: Output
}

/** Standings of versions whose text no page shows, not even as removed lines of a difference. */
const HIDDEN = new Set<Standing | undefined>(['withdrawn', 'licence'])

const describeBefore = (
  rows: readonly VersionRow[],
  { before }: VersionRow,
): VersionTask['before'] => {
  if (!before) return undefined
  const standing = rows.find(({ version }) => version.key === before.key)?.standing
  const name = before.digest && nameVersion(before.digest)
  return { name, isServed: standing === 'served', isShowable: !HIDDEN.has(standing) }
}

const pageOutput = (slug: string, name: string): string => `version ${slug}@${name}`

const planServed = (plan: VersionPlan, { bySlug }: Derived): ServedVersion[] =>
  [...plan].flatMap(([slug, rows]) =>
    rows.flatMap((row, place): ServedVersion | [] => {
      const { name, standing, version, day, until } = row
      if (name === undefined || standing !== 'served') return []
      const { skill } = bySlug.get(slug)!
      const isCurrent = place === 0
      const before = describeBefore(rows, row)
      const files = [version.digest, version.tree, skill.accepted]
      const shown = [files, row.before?.tree, before, day, isCurrent || until]
      const path = versionPath(slug, name)
      const index = isInstallable(skill) ? [versionIndexName(slug, name)] : []
      return {
        slug,
        row: Object.assign(row, { name }),
        isCurrent,
        before,
        page: {
          name: pageOutput(slug, name),
          key: digestText(JSON.stringify(shown)),
          files: [pageName(path), twinName(path)],
        },
        zip: {
          name: `zip ${slug}@${name}`,
          key: digestText(JSON.stringify(files)),
          files: [versionZipName(slug, name), ...index],
        },
      }
    }),
  )

/** Yields the tasks of versions, with the files and differences that git has. */
function* readTasks(
  contentFolder: string,
  served: readonly ServedVersion[],
  { bySlug }: Derived,
): Generator<VersionTask> {
  const wanted = served.map(({ row: { version, before }, isCurrent, before: shown }) => ({
    past: isCurrent ? undefined : version,
    pastBefore: shown?.isShowable && shown.name !== undefined ? before : undefined,
  }))
  const versions = wanted.flatMap(({ past, pastBefore }) => [past ?? [], pastBefore ?? []].flat())
  const pairs = served.flatMap(({ row, before }): TreePair[] =>
    before?.isShowable ? [[row.before!.tree, row.version.tree]] : [],
  )
  const files = readVersions(contentFolder, versions)
  const differences = readDifferences(contentFolder, pairs)
  for (const [place, { slug, row, before }] of served.entries()) {
    const { past, pastBefore } = wanted[place]!
    yield {
      skill: bySlug.get(slug)!.skill,
      version: row,
      past: past && files.next().value!,
      pastBefore: pastBefore && files.next().value!,
      difference: before?.isShowable ? differences.next().value! : undefined,
      before,
    }
  }
}

/** Limits of the versions that are printed together, because their files must fit in memory. */
const GROUP = { bytes: 32 * 1024 * 1024, count: 1_000 }

function* groupTasks(tasks: Iterable<VersionTask>): Generator<VersionTask[]> {
  let group: VersionTask[] = []
  let bytes = 0
  for (const task of tasks) {
    group.push(task)
    for (const past of [task.past, task.pastBefore])
      for (const file of past?.files ?? []) bytes += file.bytes.length
    if (bytes < GROUP.bytes && group.length < GROUP.count) continue
    yield group
    group = []
    bytes = 0
  }
  yield group
}

/** Prints the pages of versions, and the zips and indexes of earlier versions. */
const printPages = async (
  { inputs, target, threads, progress }: Run,
  missing: readonly ServedVersion[],
  derived: Derived,
  template: Template,
): Promise<void> => {
  progress.stage('Printing versions', missing.length)
  const { contentFolder, limit, pageSite: site, frame } = inputs
  const settings = { folder: target.folder, limit, template, site, frame }
  const byRow = new Map(missing.map((version) => [version.row, version] as const))
  for (const tasks of groupTasks(readTasks(contentFolder, missing, derived)))
    await threads.run(PRINT_VERSIONS, tasks, settings, (printed, { version }) => {
      progress.step()
      const { page, zip } = byRow.get(version as ServedVersion['row'])!
      const { zip: packed, ...details } = printed
      const isWithheld = details.withheld !== undefined
      target.add(isWithheld ? { ...page, files: [] } : page, details)
      if (isWithheld) target.drop(zip.name)
      if (packed) target.add(zip, { zip: packed })
    })
}

const detailsOf = ({ outputs }: NextFolder, name: string): OutputDetails =>
  outputs.get(name)?.details ?? {}

/** Gives the zip of a skill a second name, and writes its index again with that address. */
const linkCurrent = (
  target: NextFolder,
  { slug, row, zip: output }: ServedVersion,
  id: number,
): void => {
  const [zip = '', index] = output.files
  target.link(zipName(id), zip)
  if (index !== undefined) {
    const { skills, ...rest } = JSON.parse(readIndex(target.folder, slug)) as { skills: object[] }
    const url = versionZipPath(slug, row.name)
    const pinned = skills.map((entry) => Object.assign(entry, { url }))
    target.place(index, `${JSON.stringify({ ...rest, skills: pinned })}\n`)
  }
  const { zip: known } = detailsOf(target, zipName(id))
  target.add(output, known && { zip: known })
}

/** The versions of a site while it is printed. */
interface SiteVersions {
  served: readonly ServedVersion[]
  /** The current version of each skill, for the page of the skill. */
  current: ReadonlyMap<string, CurrentVersion>
}

/** Lists the versions of each skill as the page of the skill shows them. */
const listCurrent = (plan: VersionPlan, target: NextFolder): SiteVersions['current'] => {
  const current = new Map<string, CurrentVersion>()
  for (const [slug, [row, ...others]] of plan) {
    if (!row) continue
    const earlier = others.flatMap(({ name, standing, day, until }) =>
      name !== undefined && standing === 'served' ? { name, day, until } : [],
    )
    const { name, day, standing, reason } = row
    if (name !== undefined && (standing === 'served' || standing === 'withheld')) {
      const { change } = detailsOf(target, pageOutput(slug, name))
      current.set(slug, { name, day, change, earlier })
    } else if (standing === 'dropped' && reason !== undefined)
      current.set(slug, { fault: reason, earlier })
  }
  return current
}

/** Prints the served versions, but not the zips and indexes of current versions, which `completeVersions` makes. */
export const printSiteVersions = async (
  run: Run,
  derived: Derived,
  plan: VersionPlan,
  template: Template,
): Promise<SiteVersions> => {
  const { target } = run
  const served = planServed(plan, derived)
  const missing = served.filter(({ page, zip, isCurrent }) => {
    const hasPage = target.keepOrClear(page)
    if (hasPage && detailsOf(target, page.name).withheld !== undefined) return false
    const hasZip = target.keepOrClear(zip)
    return !hasPage || !(hasZip || isCurrent)
  })
  await printPages(run, missing, derived, template)
  for (const { row, page } of served) {
    const { withheld, label } = detailsOf(target, page.name)
    Object.assign(
      row,
      withheld === undefined ? { label } : { standing: 'withheld', reason: withheld },
    )
  }
  return { served, current: listCurrent(plan, target) }
}

/** Fields of a row that only the build uses. */
const PRIVATE_FIELDS = new Set(['version', 'before', 'until'])

/** Makes zips and indexes of current versions, and all lists of versions. The skills must have been printed before. */
export const completeVersions = (
  run: Run,
  { shown, bySlug }: Derived,
  { served }: SiteVersions,
  plan: VersionPlan,
): void => {
  const { inputs, target } = run
  for (const { slug, skill } of shown.values())
    if (skill.visibility !== 'gone' && hasText(skill))
      refuseDifferentFiles(skill, plan.get(slug)?.[0], detailsOf(target, zipName(skill.id)).digest)
  for (const version of served) {
    const { slug, row, zip: output } = version
    const isMissing = row.standing === 'served' && !target.outputs.has(output.name)
    if (isMissing) linkCurrent(target, version, bySlug.get(slug)!.skill.id)
    const { zip } = detailsOf(target, output.name)
    const url = inputs.origin + versionZipPath(slug, row.name)
    if (zip) row.zip = { url, size: zip.size, digest: `sha256:${zip.sha256}` }
  }
  const lists = Array.from(plan, ([slug, rows]) => {
    const list: VersionList = { slug, page: inputs.origin + skillPath(slug), versions: rows }
    const bytes = JSON.stringify(list, (key, value: unknown) =>
      PRIVATE_FIELDS.has(key) ? undefined : value,
    )
    return { name: publicName(versionListPath(slug)), bytes: `${bytes}\n` }
  })
  const all = { name: publicName(PATHS.versions), bytes: renderPublished(plan) }
  placeFiles([...lists, all], target)
}
