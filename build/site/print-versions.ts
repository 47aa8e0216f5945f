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
import type { VersionList } from '../../src/documents/on-request/version.ts'
import { VersionsError } from '../versions/git.ts'
import type { MainLine, TreePair } from '../versions/git.ts'
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
import type { OutputDetails } from './state.ts'
import type { NextFolder, Output } from './target.ts'
import { versionIndexName, versionZipName } from './version-files.ts'
import type { CurrentVersion } from '../../src/documents/skill/version-page.ts'
import type { Template } from '../../src/documents/template.ts'
import { readDifferences } from '../versions/diff.ts'
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
export const listWithdrawn = ({ content: { advisories } }: Inputs, plan: VersionPlan): Withdrawn =>
  new Map(
    advisories.flatMap((advisory) =>
      [...plan].flatMap(([slug, [row]]) =>
        row?.advisory === advisory.id && row.until === undefined
          ? [[slug, pickReason(advisory)] as const]
          : [],
      ),
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
    `skills/${skill.slug}: the files on this disk differ from those of the newest commit, ` +
      'from which versions are made; git changes line ends or ignores a file: ' +
      'put "skills/** -text" into .gitattributes beside it, and see git status --ignored',
  )
}

/** A version that is served, and what is written for it. */
interface Served {
  slug: string
  row: VersionRow & { name: string }
  isCurrent: boolean
  /** The one before it: what became of that, and whether its text is given out, also in a difference. */
  before: { standing: Standing | undefined; isOpen: boolean }
  page: Output
  /** Its zip and its index, which stay when another version becomes current. */
  zip: Output
}

const CLOSED = new Set<Standing | undefined>(['withdrawn', 'licence', 'withheld'])

const planServed = (plan: VersionPlan, { bySlug }: Derived): Served[] =>
  [...plan].flatMap(([slug, rows]) =>
    rows.flatMap((row, at): Served[] => {
      const { name, standing, version, before, day, until } = row
      if (name === undefined || standing !== 'served') return []
      const { skill } = bySlug.get(slug)!
      const isCurrent = at === 0
      const past = rows.find((one) => one.version.key === before?.key)?.standing
      const own = [version.digest, version.tree, skill.accepted]
      const path = versionPath(slug, name)
      const index = isInstallable(skill) ? [versionIndexName(slug, name)] : []
      return [
        {
          slug,
          row: Object.assign(row, { name }),
          isCurrent,
          before: { standing: past, isOpen: before !== undefined && !CLOSED.has(past) },
          page: {
            name: `version ${slug}@${name}`,
            key: digestText(JSON.stringify([own, before?.tree, past, day, isCurrent || until])),
            files: [pageName(path), twinName(path)],
          },
          zip: {
            name: `zip ${slug}@${name}`,
            key: digestText(JSON.stringify(own)),
            files: [versionZipName(slug, name), ...index],
          },
        },
      ]
    }),
  )

/** Bytes and number of versions that are printed at once. */
const AT_ONCE = { bytes: 32 * 1024 * 1024, count: 1_000 }

const countBytes = (past: VersionTask['past']): number =>
  past?.files.reduce((sum, file) => sum + file.bytes.length, 0) ?? 0

/** Yields what is printed, some versions at a time, with what git has of them and of those before them. */
function* readTasks(
  contentFolder: string,
  missing: readonly Served[],
  { bySlug }: Derived,
): Generator<VersionTask[]> {
  const wanted = missing.map(({ row: { version, before }, isCurrent, before: { isOpen } }) => [
    isCurrent ? undefined : version,
    isOpen && before?.digest !== undefined ? before : undefined,
  ])
  const read = readVersions(
    contentFolder,
    wanted.flat().flatMap((version) => version ?? []),
  )
  const next = (version: SkillVersion | undefined) => version && read.next().value!
  let tasks: VersionTask[] = []
  let pairs: TreePair[] = []
  let bytes = 0
  const finish = (): VersionTask[] => {
    const found = readDifferences(contentFolder, pairs).values()
    for (const task of tasks) if (task.before?.isOpen) task.difference = found.next().value
    return tasks
  }
  for (const [
    place,
    {
      slug,
      row,
      isCurrent,
      before: { standing, isOpen },
    },
  ] of missing.entries()) {
    const { skill } = bySlug.get(slug)!
    const { version, before } = row
    const [past, pastBefore] = wanted[place]!.map(next)
    const name = before?.digest && nameVersion(before.digest)
    tasks.push({
      slug,
      version: row,
      past,
      pastBefore,
      current: isCurrent ? skill : undefined,
      difference: undefined,
      before: before && { name, isServed: standing === 'served', isOpen },
      accepted: skill.accepted ?? [],
    })
    if (before && isOpen) pairs.push([before.tree, version.tree])
    bytes += countBytes(past) + countBytes(pastBefore)
    if (bytes < AT_ONCE.bytes && tasks.length < AT_ONCE.count) continue
    yield finish()
    ;[tasks, pairs, bytes] = [[], [], 0]
  }
  yield finish()
}

/** Prints the pages of versions, and the zips and indexes of earlier ones. */
const printPages = async (
  { inputs, target, threads, progress }: Run,
  missing: readonly Served[],
  derived: Derived,
  template: Template,
): Promise<void> => {
  progress.stage('Printing versions', missing.length)
  const { contentFolder, limit, pageSite: site, frame } = inputs
  const settings = { folder: target.folder, limit, template, site, frame }
  const byRow = new Map(missing.map((one) => [one.row, one] as const))
  for (const tasks of readTasks(contentFolder, missing, derived))
    await threads.run(PRINT_VERSIONS, tasks, settings, (printed, { version }) => {
      progress.step()
      const { page, zip } = byRow.get(version as Served['row'])!
      if ('withheld' in printed) {
        target.add({ ...page, files: [] }, printed)
        target.drop(zip.name)
        return
      }
      target.add(page, { label: printed.label, change: printed.change })
      if (printed.zip) target.add(zip, { zip: printed.zip })
    })
}

/** Gives the zip and the index of a skill the addresses of its version. */
const linkCurrent = ({ target }: Run, { slug, row, zip: output }: Served, skill: Skill): void => {
  const [zip = '', index] = output.files
  target.link(zipName(skill.id), zip)
  if (index !== undefined) {
    const { skills, ...rest } = JSON.parse(readIndex(target.folder, slug)) as { skills: object[] }
    const url = versionZipPath(slug, row.name)
    const pinned = skills.map((entry) => Object.assign(entry, { url }))
    target.place(index, `${JSON.stringify({ ...rest, skills: pinned })}\n`)
  }
  const { zip: known } = target.outputs.get(zipName(skill.id))?.details ?? {}
  target.add(output, known && { zip: known })
}

/** The versions of a site while it is printed. */
interface SiteVersions {
  served: readonly Served[]
  /** Those of `served` that are current, and whose zips are missing. */
  unlinked: readonly Served[]
  /** The versions of each skill, for its page. */
  current: ReadonlyMap<string, CurrentVersion>
}

/** The versions of each skill as its page shows them. */
const listCurrent = (
  plan: VersionPlan,
  detailsOf: (row: VersionRow) => OutputDetails | undefined,
) => {
  const current = new Map<string, CurrentVersion>()
  for (const [slug, [row, ...others]] of plan) {
    const earlier = others.flatMap(({ name, standing, day, until }) =>
      name !== undefined && standing === 'served' ? { name, day, until } : [],
    )
    const details = row && detailsOf(row)
    if (row?.name !== undefined && details)
      current.set(slug, { name: row.name, day: row.day, change: details.change, earlier })
    else if (row?.standing === 'dropped' && row.reason !== undefined)
      current.set(slug, { fault: row.reason, earlier })
  }
  return current
}

/** Prints the versions that are served, but for the zips and indexes of current ones, which are those of their skills. */
export const printSiteVersions = async (
  run: Run,
  derived: Derived,
  plan: VersionPlan,
  template: Template,
): Promise<SiteVersions> => {
  const { target } = run
  const served = planServed(plan, derived)
  const detailsOf = ({ page }: Served): OutputDetails => target.outputs.get(page.name)!.details
  const unlinked: Served[] = []
  const missing = served.filter((one) => {
    const hasPage = target.keepOrClear(one.page)
    const isWithheld = hasPage && detailsOf(one).withheld !== undefined
    const hasZip = isWithheld || target.keepOrClear(one.zip)
    if (!hasZip && one.isCurrent) unlinked.push(one)
    return !hasPage || (!hasZip && !one.isCurrent)
  })
  await printPages(run, missing, derived, template)
  for (const one of served) {
    const { withheld, label } = detailsOf(one)
    Object.assign(
      one.row,
      withheld === undefined ? { label } : { standing: 'withheld', reason: withheld },
    )
  }
  const byRow = new Map(served.map((one) => [one.row as VersionRow, detailsOf(one)] as const))
  return { served, unlinked, current: listCurrent(plan, (row) => byRow.get(row)) }
}

/** What of a row no reader gets. */
const OF_BUILD = new Set(['version', 'before', 'until'])

/** Prints the pins of current versions, and the lists of all. Skills have to be printed before. */
export const printPins = (
  run: Run,
  { shown, bySlug }: Derived,
  { served, unlinked }: SiteVersions,
  { mainLine, plan }: PromisedVersions,
): void => {
  const { inputs, target } = run
  const detailsOf = (name: string): OutputDetails => target.outputs.get(name)?.details ?? {}
  for (const { slug, skill } of shown.values())
    if (skill.visibility !== 'gone' && hasText(skill))
      refuseOthers(skill, plan.get(slug)?.[0], detailsOf(zipName(skill.id)).digest)
  for (const one of unlinked) linkCurrent(run, one, bySlug.get(one.slug)!.skill)
  for (const { slug, row, zip: output } of served) {
    const { zip } = detailsOf(output.name)
    const url = inputs.origin + versionZipPath(slug, row.name)
    if (zip) row.zip = { url, size: zip.size, digest: `sha256:${zip.sha256}` }
  }
  const lists = Array.from(plan, ([slug, rows]) => {
    const list: VersionList = { slug, page: inputs.origin + skillPath(slug), versions: rows }
    const bytes = JSON.stringify(list, (key, value: unknown) =>
      OF_BUILD.has(key) ? undefined : value,
    )
    return { name: publicName(versionListPath(slug)), bytes: `${bytes}\n` }
  })
  const all = { name: publicName(PATHS.versions), bytes: renderPublished(mainLine, plan) }
  placeFiles([...lists, all], target)
}
