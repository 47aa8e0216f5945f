import { findOriginal, groupCopies, isComparable } from '../../src/catalog/references.ts'
import type { Mention } from '../../src/catalog/needs/found.ts'
import { ContentError } from '../../src/catalog/problems.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { Skill, SkillZip } from '../../src/catalog/skill.ts'
import {
  COMPARED_SKILLS,
  pickCompared,
  toCompared,
  toNamed,
} from '../../src/documents/skill/comparison.ts'
import { showCount } from '../../src/documents/lists/entries.ts'
import { skillPath } from '../../src/documents/paths.ts'
import type { CurrentVersion } from '../../src/documents/on-request/version.ts'
import type { Template } from '../../src/documents/template.ts'
import { relateByName } from './derive.ts'
import type { Derived } from './derive.ts'
import { digestText } from './digests.ts'
import type { Inputs } from './inputs.ts'
import type { Progress } from '../machine/progress.ts'
import type { SkillSet } from './read.ts'
import { listPageFiles, listRawFiles, pageName, zipName } from './skill-files.ts'
import type { PrintTask } from './skill-files.ts'
import { PRINT } from './skill-jobs.ts'
import type { SkillRow, OutputDetails } from './state.ts'
import type { Output, NextFolder } from './target.ts'
import type { Threads } from '../machine/threads.ts'

/** The parts of a running build. */
export interface Run {
  inputs: Inputs
  threads: Threads
  progress: Progress
  catalog: SkillSet
  target: NextFolder
}

/** The other skills on a skill's page. */
interface Surroundings {
  original: Skill | undefined
  /** Another listed skill with the same name. */
  namesake: Skill | undefined
  neighbours: readonly Skill[]
  copies: readonly Skill[]
  mentioned: readonly Mention[]
}

/** Puts skills before the deprecated skills that they replace. */
const putSuccessorsFirst = (skills: readonly Skill[]): Skill[] => [
  ...new Set(
    skills.flatMap((skill) => [
      ...skills.filter(({ slug }) => slug === skill.deprecated?.use),
      skill,
    ]),
  ),
]

const findSurroundings = (derived: Derived) => {
  const { shown } = derived
  const neighbours = new Map(derived.neighbours.ids)
  const { copies } = derived.site
  const related = relateByName(derived.mentions, derived.bySlug)
  const copiesOf = groupCopies(copies)
  const find = (id: number): Skill | undefined => shown.get(id)?.skill
  const list = (ids: readonly number[] = []): Skill[] => ids.flatMap((id) => find(id) ?? [])
  const listed = Array.from(shown.values(), (row) => row.skill).filter(isListed)
  const byName = Map.groupBy(listed, ({ name }) => name)
  return ({ skill }: SkillRow): Surroundings => {
    const original = findOriginal(skill, copies, find)
    // The notice at the top of a copy's page already links to its original.
    const isShown = (other: Skill): boolean =>
      other.id !== original?.id && isComparable(other, copies, find)
    const near = neighbours.get(skill.id) ?? []
    const relatedIds = related.get(skill.id) ?? []
    // First skills that are both related by name and similar, then those related by name, then similar skills.
    const ids = new Set([...relatedIds.filter((id) => near.includes(id)), ...relatedIds, ...near])
    return {
      original,
      namesake: byName.get(skill.name)?.find(({ id }) => id !== skill.id),
      neighbours: pickCompared(putSuccessorsFirst(list([...ids]).filter(isShown)), skill.author),
      copies: list(copiesOf.get(skill.id)).filter(
        (copy) => findOriginal(copy, copies, find)?.id === skill.id,
      ),
      mentioned: derived.mentions.get(skill.id)!,
    }
  }
}

/** Digests everything that a skill's page shows. */
const makePageKey = (
  { digest, skill }: SkillRow,
  { original, namesake, neighbours, copies, mentioned }: Surroundings,
  { shown }: Derived,
  version: CurrentVersion | undefined,
): string => {
  const digestOf = ({ id }: Skill): string => shown.get(id)!.factsDigest
  // Pages show rounded counters, so a slightly higher counter does not change a page.
  const compared = neighbours.map((other) => [digestOf(other), showCount(other.installs)])
  const others = [original ?? [], namesake ?? [], copies].map((some) => [some].flat().map(digestOf))
  const counted = [showCount(skill.views), showCount(skill.installs)]
  const shownBeside = [counted, compared, others, mentioned, version]
  return digestText(JSON.stringify([digest, ...shownBeside]))
}

const makeTask = (
  { skill }: SkillRow,
  { original, namesake, neighbours, copies, mentioned }: Surroundings,
): Omit<PrintTask, 'zip' | 'version'> => ({
  skill,
  comparison: {
    neighbours: neighbours.map(toCompared),
    copies: copies.slice(0, COMPARED_SKILLS).map(toNamed),
    copyCount: copies.length,
  },
  original: original && { slug: original.slug, name: original.name },
  namesake: namesake && { slug: namesake.slug, author: namesake.author },
  mentioned,
})

/** A withdrawn skill has no zip. */
const NO_ZIP: SkillZip = { size: 0, sha256: '' }

type SkillOutputs = Record<'page' | 'files' | 'zip', Output>

const planOutputs = ({ slug, digest, skill }: SkillRow, pageKey: string): SkillOutputs => ({
  page: { name: pageName(skillPath(slug)), key: pageKey, files: listPageFiles(slug) },
  files: { name: `public${skillPath(slug)}/`, key: digest, files: listRawFiles(skill) },
  zip: { name: zipName(skill.id), key: digest, files: [zipName(skill.id)] },
})

const byFile = (a: Problem, b: Problem): number => (a.file < b.file ? -1 : 1)

/** Prints the skills with missing outputs; returns warnings. Throws ContentError if skills take too long. */
export const printSkills = async (
  { inputs, threads, progress, catalog, target }: Run,
  derived: Derived,
  template: Template,
  versions: ReadonlyMap<string, CurrentVersion> | undefined,
): Promise<Problem[]> => {
  const surround = findSurroundings(derived)
  const planned = new Map<string, { row: SkillRow; outputs: SkillOutputs }>()
  const tasks: PrintTask[] = []
  for (const row of derived.shown.values()) {
    const others = surround(row)
    const outputs = planOutputs(row, makePageKey(row, others, derived, versions?.get(row.slug)))
    const hasPage = target.keepOrClear(outputs.page)
    // A withdrawn skill has only its page. An earlier build may have left its files in this folder.
    if (row.skill.withdrawn) for (const { name } of [outputs.files, outputs.zip]) target.drop(name)
    const [hasFiles, hasZip] = row.skill.withdrawn
      ? [true, true]
      : [outputs.files, outputs.zip].map((output) => target.keepOrClear(output))
    if (hasPage && hasFiles && hasZip) continue
    const known = target.outputs.get(outputs.zip.name)?.details.zip
    const zip = row.skill.withdrawn ? NO_ZIP : hasFiles && hasZip ? known : undefined
    tasks.push({ ...makeTask(row, others), zip, version: versions?.get(row.slug) })
    planned.set(row.slug, { row, outputs })
  }
  progress.stage('Printing skills', tasks.length)
  const { pageSite: site, frame, began, limit } = inputs
  const { folder } = target
  const settings = { folder, template, site, frame, began, limit }
  const warnings: Problem[] = []
  const problems: Problem[] = []
  await threads.run(PRINT, tasks, settings, (printed, { skill: { slug }, zip: known }) => {
    progress.step()
    if (!('zip' in printed)) return void problems.push(printed)
    const { zip, digest, isUncertain, unread, warnings: found } = printed
    const { row, outputs } = planned.get(slug)!
    if (unread !== undefined) catalog.noteUnread(slug, unread)
    if (isUncertain) row.digest = catalog.distrust(slug)
    const add = (output: Output, details?: OutputDetails): void =>
      target.add(isUncertain ? { ...output, key: row.digest } : output, details)
    add(outputs.page)
    if (!known) {
      add(outputs.files)
      add(outputs.zip, digest === undefined ? { zip } : { zip, digest })
    }
    warnings.push(...found)
  })
  if (problems.length > 0) throw new ContentError(problems.sort(byFile))
  return warnings.sort(byFile)
}
