import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isUntraced } from '../../src/catalog/load.ts'
import { hasText, isInstallable } from '../../src/catalog/skill.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import { PATHS, skillPath, versionListPath, versionZipPath } from '../../src/documents/paths.ts'
import type { ListedVersion } from '../../src/documents/answered/version.ts'
import { VersionsError } from '../versions/git.ts'
import type { MainLine } from '../versions/git.ts'
import type { History } from '../versions/history.ts'
import { planVersions } from '../versions/plan.ts'
import type { CurrentSkill, VersionRow } from '../versions/plan.ts'
import { parsePublished, publish, refuseLoss, renderPublished } from '../versions/published.ts'
import type { Published, VersionPlan } from '../versions/published.ts'
import { readVersions } from '../versions/read.ts'
import type { Derived } from './derive.ts'
import { digestText } from './digests.ts'
import type { Run } from './print-skills.ts'
import { placeFiles } from './site-files.ts'
import { publicName, readIndex, zipName } from './skill-files.ts'
import { PRINT_VERSIONS } from './skill-jobs.ts'
import type { Told } from './state.ts'
import type { Output } from './target.ts'
import { versionIndexName, versionZipName } from './version-files.ts'
import type { VersionTask } from './version-files.ts'

/** What a build has of versions, where they are promised. */
export interface PromisedVersions {
  mainLine: MainLine
  history: History
  /** What the last build and the site named by `--after` have published. */
  published: { last?: Published | undefined; site?: Published | undefined }
}

const judgeSkill = (skill: Skill): CurrentSkill => {
  const { id, visibility } = skill
  if (visibility === 'gone' || isUntraced(skill)) return { id, standing: 'gone' }
  return hasText(skill) ? { id } : { id, standing: 'licence' }
}

/** The list of versions in a folder of a site, if it has one. Throws VersionsError. */
export const readPublished = (folder: string): Published | undefined => {
  const path = join(folder, publicName(PATHS.versions))
  return existsSync(path) ? parsePublished(readFileSync(path, 'utf8'), path) : undefined
}

export const THE_SITE = 'the site that --after names'

/** Plans the versions of a site. Throws VersionsError if one that is published would vanish. */
export const planSiteVersions = (
  { inputs: { content, today }, catalog }: Run,
  { mainLine: { since }, history, published }: PromisedVersions,
): VersionPlan => {
  const { keep = 3, days = 90 } = content.site.versions ?? {}
  const skills = new Map(Array.from(catalog.rows, ([slug, { skill }]) => [slug, judgeSkill(skill)]))
  const plan = planVersions(history.versions, skills, { keep, days }, today)
  const now = publish(since, plan)
  if (published.last) refuseLoss(published.last, now, 'the last build')
  if (published.site) refuseLoss(published.site, now, THE_SITE)
  return plan
}

/** What is served of a version, in the order in which it is looked at. */
interface Served {
  slug: string
  name: string
  row: VersionRow
  output: Output
  isCurrent: boolean
}

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

/** Bytes and number of earlier versions that are printed at once. */
const AT_ONCE = { bytes: 32 * 1024 * 1024, count: 1_000 }

/** Prints earlier versions, whose bytes git has. */
const printEarlier = async (
  { inputs, target, threads, progress }: Run,
  missing: readonly Served[],
  bySlug: Derived['bySlug'],
): Promise<void> => {
  progress.stage('Printing versions', missing.length)
  const { folder } = target
  const byVersion = new Map(missing.map((one) => [one.row.version, one]))
  const byName = new Map(missing.map((one) => [`${one.slug}@${one.name}`, one.output]))
  let tasks: VersionTask[] = []
  let bytes = 0
  const print = (): Promise<void> =>
    threads.run(
      PRINT_VERSIONS,
      tasks,
      { folder, limit: inputs.limit },
      (printed, { slug, name }) => {
        progress.step()
        const { files = [], ...told } = 'zip' in printed ? printed : { ...printed, files: [] }
        target.add({ ...byName.get(`${slug}@${name}`)!, files }, told)
      },
    )
  const versions = missing.map(({ row }) => row.version)
  for (const { version, record, files } of readVersions(inputs.contentFolder, versions)) {
    const { slug, name } = byVersion.get(version)!
    const accepted = bySlug.get(slug)?.skill.accepted ?? []
    tasks.push({ slug, name, files, record, accepted })
    bytes += files.reduce((sum, file) => sum + file.bytes.length, 0)
    if (bytes < AT_ONCE.bytes && tasks.length < AT_ONCE.count) continue
    await print()
    tasks = []
    bytes = 0
  }
  await print()
}

/** Gives the zip and the index of a skill the addresses of its version. */
const linkCurrent = ({ target }: Run, { slug, name, output }: Served, skill: Skill): void => {
  const [zip, index] = output.files
  target.link(zipName(skill.id), zip!)
  if (index !== undefined) {
    const { skills, ...rest } = JSON.parse(readIndex(target.folder, slug)) as { skills: object[] }
    const pinned = skills.map((entry) => Object.assign(entry, { url: versionZipPath(slug, name) }))
    target.place(index, `${JSON.stringify({ ...rest, skills: pinned })}\n`)
  }
  const label = skill.needs?.version
  target.add(output, { ...target.outputs.get(zipName(skill.id))?.told, label })
}

const planServed = (plan: VersionPlan, { bySlug }: Derived): Served[] =>
  [...plan].flatMap(([slug, rows]) =>
    rows.flatMap((row, at): Served[] => {
      const { name, standing, version } = row
      if (name === undefined || standing !== 'served') return []
      const { skill } = bySlug.get(slug)!
      const isCurrent = at === 0
      const key = digestText(
        JSON.stringify([version.digest, version.tree, isCurrent, skill.accepted]),
      )
      const files = [
        versionZipName(slug, name),
        ...(isInstallable(skill) ? [versionIndexName(slug, name)] : []),
      ]
      return [
        { slug, name, row, isCurrent, output: { name: `version ${slug}@${name}`, key, files } },
      ]
    }),
  )

/** What the list of a skill's versions says of one. */
const describeRow = (
  slug: string,
  { name, day, standing, to, version, changes }: VersionRow,
  { zip, label, withheld }: Told,
  origin: string,
): ListedVersion => ({
  name,
  day,
  standing: withheld === undefined ? standing : 'withheld',
  to,
  reason: withheld ?? version.fault,
  label,
  zip: zip && {
    url: origin + versionZipPath(slug, name!),
    size: zip.size,
    digest: `sha256:${zip.sha256}`,
  },
  source: version.url,
  changes,
})

/** Prints the versions that are served, and the lists of all. Skills have to be printed before. */
export const printSiteVersions = async (
  run: Run,
  derived: Derived,
  plan: VersionPlan,
  { mainLine: { since } }: PromisedVersions,
): Promise<void> => {
  const { inputs, target } = run
  const { shown, bySlug } = derived
  for (const { slug, skill } of shown.values())
    if (skill.visibility !== 'gone' && hasText(skill))
      refuseOthers(skill, plan.get(slug)?.[0], target.outputs.get(zipName(skill.id))?.told.digest)
  const served = planServed(plan, derived)
  const missing = served.filter(({ output }) => !target.keepOrClear(output))
  for (const one of missing) if (one.isCurrent) linkCurrent(run, one, bySlug.get(one.slug)!.skill)
  await printEarlier(
    run,
    missing.filter(({ isCurrent }) => !isCurrent),
    bySlug,
  )
  const told = new Map(
    served.map(({ row, output }) => [row, target.outputs.get(output.name)!.told]),
  )
  for (const [row, { withheld }] of told) if (withheld !== undefined) row.standing = 'withheld'
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
  placeFiles([{ name, bytes: renderPublished(since, plan) }], target)
}
