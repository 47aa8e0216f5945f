import { join } from 'node:path'
import { mapMoves } from '../../src/catalog/references.ts'
import { hasText } from '../../src/catalog/skill.ts'
import type { Advisory } from '../../src/catalog/schema.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import type { VersionList } from '../../src/documents/on-request/version.ts'
import { PATHS, skillPath, versionListPath, versionZipPath } from '../../src/documents/paths.ts'
import { viewDocument } from '../../src/documents/view.ts'
import { renderTwin } from '../../src/documents/prose/markdown.ts'
import { writeVersionsDocument } from '../../src/documents/skill/versions-page.ts'
import { fillTemplate } from '../../src/documents/template.ts'
import type { CurrentVersion } from '../../src/documents/on-request/version.ts'
import type { Template } from '../../src/documents/template.ts'
import { VersionsError } from '../versions/git.ts'
import type { SkillVersion } from '../versions/history.ts'
import { digestSums, nameVersion } from '../versions/name.ts'
import { DEFAULT_KEEP, planVersions, renderPlan } from '../versions/plan.ts'
import type { VersionPlan, VersionRow } from '../versions/plan.ts'
import { readVersions } from '../versions/read.ts'
import type { Derived, Withdrawn } from './derive.ts'
import { digestText } from './digests.ts'
import type { Inputs } from './inputs.ts'
import type { Run } from './print-skills.ts'
import type { SkillSet } from './read.ts'
import { placeFiles } from './site-files.ts'
import { pageName, publicName, readZipFiles, sumUpFiles, twinName, zipName } from './skill-files.ts'
import { PRINT_VERSIONS } from './skill-jobs.ts'
import type { OutputDetails } from './state.ts'
import type { NextFolder, Output } from './target.ts'
import { listVersionFiles, versionZipName } from './version-files.ts'
import type { VersionTask } from './version-files.ts'

const GONE =
  'The source of the skill no longer exists, so the registry does not distribute its text.'
const NO_LICENCE = 'The licence of the skill does not allow the registry to distribute its text.'

/** Why no version of a skill may be given out; undefined if they may. */
const explainRefusal = (skill: Skill): string | undefined => {
  if (skill.visibility === 'gone') return GONE
  return hasText(skill) ? undefined : NO_LICENCE
}

/** Plans the versions of a site. Throws VersionsError. */
export const planSiteVersions = (
  { content: { site, retired, advisories } }: Inputs,
  { rows }: SkillSet,
  versions: readonly SkillVersion[],
): VersionPlan => {
  const skills = Array.from(rows.values(), ({ skill }) => skill)
  return planVersions(versions, {
    skills: new Map(skills.map((skill) => [skill.slug, explainRefusal(skill)])),
    moves: mapMoves(retired, skills),
    advisories,
    keep: site.versions?.keep ?? DEFAULT_KEEP,
  })
}

const pickReason = ({ id, published, summary }: Advisory) => ({ id, published, summary })

/** Lists the skills whose current version is withdrawn. */
export const listWithdrawn = ({ content: { advisories } }: Inputs, plan: VersionPlan): Withdrawn =>
  new Map(
    [...plan].flatMap(([slug, [row]]) => {
      const advisory = advisories.find(({ id }) => id === row?.advisory)
      return advisory ? [[slug, pickReason(advisory)] as const] : []
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

const pickShown = ({ name, day, reason, changes }: VersionRow) => ({ name, day, reason, changes })

/** Lists the versions of each skill as its page shows them. */
export const listCurrent = (plan: VersionPlan): ReadonlyMap<string, CurrentVersion> =>
  new Map(
    [...plan].flatMap(([slug, [row, ...others]]) => {
      if (!row || row.reason !== row.version.fault) return []
      const kept = others.filter(({ reason }) => reason === undefined)
      return [[slug, { current: pickShown(row), earlier: kept.map(pickShown) }] as const]
    }),
  )

const detailsOf = ({ outputs }: NextFolder, name: string): OutputDetails =>
  outputs.get(name)?.details ?? {}

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

interface ServedVersion {
  skill: Skill
  row: VersionRow & { name: string }
  isCurrent: boolean
  /** The version before it, if its text may be shown. */
  shownBefore: SkillVersion | undefined
  output: Output
}

const planServed = (plan: VersionPlan, { bySlug }: Derived): ServedVersion[] =>
  [...plan].flatMap(([slug, rows]) =>
    rows.flatMap((row, place): ServedVersion | [] => {
      const { name, reason, version, before, day } = row
      if (name === undefined || reason !== undefined) return []
      const { skill } = bySlug.get(slug)!
      const isCurrent = place === 0
      const isWithdrawn = rows.some((other) => other.version === before && other.advisory)
      const shownBefore = before?.digest === undefined || isWithdrawn ? undefined : before
      const shown = [version.digest, version.record, before?.digest, shownBefore?.record]
      return {
        skill,
        row: Object.assign(row, { name }),
        isCurrent,
        shownBefore,
        output: {
          name: `version ${slug}@${name}`,
          key: digestText(JSON.stringify([shown, skill.accepted, day, isCurrent])),
          files: listVersionFiles(skill, name),
        },
      }
    }),
  )

/** Limits of the versions that are printed together, because their files must fit in memory. */
const GROUP = { bytes: 32 * 1024 * 1024, count: 1_000 }

/** Yields groups of tasks, with the files that git has. */
function* readTasks(
  { inputs: { contentFolder }, target }: Run,
  missing: readonly ServedVersion[],
): Generator<VersionTask[]> {
  const versions = missing.flatMap(({ row, shownBefore }) => [row.version, shownBefore ?? []])
  const files = readVersions(contentFolder, versions.flat())
  let group: VersionTask[] = []
  let bytes = 0
  for (const { skill, row, isCurrent, shownBefore } of missing) {
    const past = files.next().value!
    const pastBefore = shownBefore && files.next().value!
    const { digest } = row.before ?? {}
    const before = digest && nameVersion(digest)
    const zip = isCurrent ? detailsOf(target, zipName(skill.id)).zip : undefined
    group.push({ skill, version: row, before, zip, past, pastBefore })
    for (const file of [...past.files, ...(pastBefore?.files ?? [])]) bytes += file.bytes.length
    if (bytes < GROUP.bytes && group.length < GROUP.count) continue
    yield group
    group = []
    bytes = 0
  }
  yield group
}

/** Fields of a row that only the build uses; JSON leaves them out. */
const PRIVATE_FIELDS = { version: undefined, before: undefined }

/** Prints the served versions and all lists of versions. The skills must have been printed before. */
export const printSiteVersions = async (
  run: Run,
  derived: Derived,
  plan: VersionPlan,
  template: Template,
): Promise<void> => {
  const { inputs, target, threads, progress } = run
  for (const { slug, skill } of derived.shown.values())
    if (skill.visibility !== 'gone' && hasText(skill))
      refuseDifferentFiles(skill, plan.get(slug)?.[0], detailsOf(target, zipName(skill.id)).digest)
  const served = planServed(plan, derived)
  const missing = served.filter(({ output }) => !target.keepOrClear(output))
  progress.stage('Printing versions', missing.length)
  const { limit, pageSite: site, frame, origin } = inputs
  const settings = { folder: target.folder, limit, template, site, frame }
  const outputs = new Map(missing.map(({ row, output }) => [row, output] as const))
  for (const tasks of readTasks(run, missing))
    await threads.run(PRINT_VERSIONS, tasks, settings, (printed, { skill, version, zip }) => {
      progress.step()
      const output = outputs.get(version as VersionRow & { name: string })!
      const isWithheld = printed.withheld !== undefined
      if (zip && !isWithheld)
        target.link(zipName(skill.id), versionZipName(skill.slug, version.name))
      target.add(isWithheld ? { ...output, files: [] } : output, printed)
    })
  for (const { skill, row, output } of served) {
    const { withheld, label, lines, zip } = detailsOf(target, output.name)
    const url = origin + versionZipPath(skill.slug, row.name)
    if (withheld !== undefined) row.reason = `Today’s scan rules block it: ${withheld}.`
    else
      Object.assign(row, {
        label,
        lines,
        zip: { url, size: zip!.size, digest: `sha256:${zip!.sha256}` },
      })
  }
  const lists = [...plan].flatMap(([slug, rows]) => {
    const skill = derived.bySlug.get(slug)?.skill
    const versions = rows.map((row) => Object.assign({}, row, PRIVATE_FIELDS))
    const list: VersionList = { slug, page: skill && origin + skillPath(slug), versions }
    const json = { name: publicName(versionListPath(slug)), bytes: `${JSON.stringify(list)}\n` }
    if (!skill) return [json]
    const document = writeVersionsDocument(skill, list)
    const view = viewDocument(document, frame)
    return [
      json,
      { name: pageName(document.path), bytes: fillTemplate(template, view) },
      { name: twinName(document.path), bytes: renderTwin(document) },
    ]
  })
  placeFiles([...lists, { name: publicName(PATHS.versions), bytes: renderPlan(plan) }], target)
}
