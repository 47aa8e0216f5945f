import type { Problem } from '../../src/catalog/problems.ts'
import { ContentError } from '../../src/catalog/problems.ts'
import { readShippedVectors } from '../../src/search/vector-file.ts'
import { findRendering, openTemplates } from './astro.ts'
import { deriveSite, findProblems } from './derive.ts'
import { Generations, OUTPUT_NAMES } from './generations.ts'
import { readInputs } from './inputs.ts'
import type { Inputs } from './inputs.ts'
import { printSite } from './print-site.ts'
import {
  completeVersions,
  findWithdrawn,
  keepList,
  listWithdrawn,
  planSiteVersions,
  printSiteVersions,
  readList,
} from './print-versions.ts'
import type { PromisedVersions, PublishedAt } from './print-versions.ts'
import { fetchPublished } from '../versions/after.ts'
import { nameHistory } from '../versions/git.ts'
import { parsePublished, refuseLoss } from '../versions/published.ts'
import { readHistory } from '../versions/read.ts'
import { printSkills } from './print-skills.ts'
import type { Run } from './print-skills.ts'
import type { Progress } from '../machine/progress.ts'
import { findChanges, readSkills } from './read.ts'
import type { FolderChanges } from './read.ts'
import { viewSite } from './site-view.ts'
import { checkPlaces } from './settings.ts'
import type { BuildSettings } from './settings.ts'
import { openThreads } from './skill-jobs.ts'
import { BuildState } from './state.ts'
import type { BuildRecord } from './state.ts'
import { NextFolder, compareOutputs } from './target.ts'
import type { OutputFolder } from './target.ts'
import type { Threads } from '../machine/threads.ts'

// A build reads, derives, prints and publishes:
//
// - read: a skill folder with a known fingerprint or digest keeps its row; other folders are read. If nothing
//   changed, the build stops here.
// - derive: neighbours, lists and numbers are computed from all rows, each time.
// - print: an output has a key, the digest of its inputs. If the spare folder (not served) has the output with that
//   key, it stays. If the served folder has it, it is linked. Otherwise it is written.
// - publish: rows and keys are saved, and the link to the served folder is swapped.
//
// Before the spare folder is touched, the state forgets its keys. If a build is killed, the next one finds a
// folder that the state does not know, removes it, and fills another.

export interface BuildSummary extends Pick<
  BuildRecord,
  'skills' | 'untraced' | 'broken' | 'pages' | 'files'
> {
  /** Number of files whose outputs differ from the site that was served before. */
  written: number
  /** Number of files that were removed from the site. */
  removed: number
  /** Warnings for curators about pages and executable bits. */
  warnings: readonly Problem[]
  /** Notes about missing and forgotten versions. */
  notes: readonly string[]
}

/** Warns if executable bits were read from a disk that may not store them. */
const warnOfBits = ({ contentFolder, bits: { fault } }: Inputs): Problem[] => {
  const remedy = `executable bits were read from this disk, not from git: ${fault}`
  return fault === undefined ? [] : [{ file: contentFolder, field: '', remedy }]
}

const summarize = (
  { skills, untraced, broken, pages, files }: BuildRecord,
  changes: Pick<BuildSummary, 'written' | 'removed'>,
  warnings: readonly Problem[] = [],
  notes: readonly string[] = [],
): BuildSummary => ({ skills, untraced, broken, pages, files, ...changes, warnings, notes })

/** Returns the last build if its site is served and nothing has changed since. */
const findUnchanged = (
  { keys, content }: Inputs,
  { last }: BuildState,
  { toRead, gone }: FolderChanges,
  current: string | undefined,
): BuildRecord | undefined => {
  const isSame =
    toRead.length + gone.length + content.problems.length === 0 &&
    last?.contentKey === keys.content &&
    last.built === current
  return isSame ? last : undefined
}

/** Opens the folder of the next site: the folder that is not served, or an empty one. */
const openTarget = (state: BuildState, generations: Generations) => {
  const { current } = generations
  const served: OutputFolder =
    current === undefined
      ? { folder: '', outputs: new Map() }
      : { folder: generations.folderOf(current), outputs: state.readOutputs(current) }
  const known = state.listFolders().filter((name) => name !== current)
  const spare = known.find((name) => generations.has(name))
  const outputs = spare === undefined ? new Map() : state.readOutputs(spare)
  for (const name of known) state.forget(name)
  const name = generations.takeNext(spare)
  generations.sweep(current === undefined ? [name] : [name, current])
  return { name, served, target: new NextFolder(generations.folderOf(name), outputs, served) }
}

/** Prints everything. Throws ContentError. */
const printAll = async (run: Run, versions: PromisedVersions | undefined) => {
  const { inputs, progress, catalog, target } = run
  progress.stage('Rendering the layouts')
  const branding = viewSite(inputs.content, inputs.pageSite.isStatic)
  const rendered = openTemplates(await findRendering(), branding.view)
  progress.stage('Comparing skills')
  const plan = versions?.plan
  const withdrawn = plan ? listWithdrawn(inputs, plan) : findWithdrawn(inputs, catalog)
  const derived = deriveSite(inputs, catalog, withdrawn)
  const { templates } = rendered
  const printed = plan && (await printSiteVersions(run, derived, plan, templates.prose))
  const current = printed?.current
  const pageWarnings = await printSkills(run, derived, templates.skill, current)
  const warnings = [...warnOfBits(inputs), ...pageWarnings]
  if (versions && printed) completeVersions(run, derived, printed, versions)
  const pages = await printSite(run, derived, rendered, branding.files, current)
  target.sweep()
  const skills = Array.from(derived.shown.values(), ({ skill }) => skill)
  const broken = skills.filter(({ breaksSpecification }) => breaksSpecification).length
  return { skills: skills.length, pages, untraced: derived.untraced, broken, warnings }
}

const printAndPublish = async (
  parts: Omit<Run, 'target'>,
  versions: PromisedVersions | undefined,
  lastList: string | undefined,
  state: BuildState,
  generations: Generations,
): Promise<BuildSummary> => {
  const { inputs, catalog, progress, threads } = parts
  const { current } = generations
  const { name, served, target } = openTarget(state, generations)
  let summary: BuildSummary
  try {
    if (!versions) keepList(lastList, target)
    const { warnings, ...counts } = await printAll({ ...parts, target }, versions)
    progress.stage('Publishing the site')
    const record = {
      ...counts,
      codeKey: inputs.keys.code,
      contentKey: inputs.keys.content,
      built: name,
      ...(current === undefined ? {} : { previous: current }),
      // A build without versions keeps the saved history.
      history: versions ? nameHistory(versions.mainLine) : state.last?.history,
      files: [...target.outputs.values()].reduce((sum, { files }) => sum + files.length, 0),
    }
    generations.flush()
    state.save(record, catalog.listChanges(), target.outputs, versions?.history)
    const counted = compareOutputs(served.outputs, target.outputs)
    summary = summarize(record, counted, warnings, versions?.notes)
  } catch (error) {
    // A thread that is still running would write into the removed folder.
    await threads.close()
    generations.remove(name)
    throw error
  }
  // If this fails, keep the folder: the saved state lists it as complete.
  generations.publish(name)
  return summary
}

const THE_LAST = 'the last build'

/** Returns the published lists of versions that the build must include. Throws VersionsError. */
const readLists = async (
  { after, isFirst }: BuildSettings,
  last: string | undefined,
): Promise<PublishedAt[]> => {
  const site = after === undefined ? undefined : await fetchPublished(after, isFirst)
  return [
    ...(last === undefined ? [] : [[THE_LAST, parsePublished(last, THE_LAST)] as const]),
    ...(site ? [['the site at --after', site] as const] : []),
  ]
}

const buildNext = async (
  inputs: Inputs,
  settings: BuildSettings,
  threads: Threads,
  state: BuildState,
  generations: Generations,
  progress: Progress,
): Promise<BuildSummary> => {
  const { mainLine, today } = inputs
  const { current } = generations
  const lastList = current === undefined ? undefined : readList(generations.folderOf(current))
  const lists = mainLine ? await readLists(settings, lastList) : []
  const changes = findChanges(inputs, state)
  const unchanged = findUnchanged(inputs, state, changes, current)
  if (unchanged) {
    const last = lists.find(([place]) => place === THE_LAST)?.[1]
    for (const [place, before] of last ? lists : []) refuseLoss(before, last!, place, today)
    if (changes.touched.size > 0) state.touch(changes.touched)
    return summarize(unchanged, { written: 0, removed: 0 })
  }
  if (mainLine) progress.stage('Reading versions')
  const history = mainLine && readHistory(mainLine, state.readHistory())
  // If the word vectors are damaged, fail here once, not in each thread.
  readShippedVectors()
  const catalog = await readSkills(inputs, state, changes, threads, progress)
  const problems = findProblems(inputs, catalog)
  if (problems.length > 0) throw new ContentError(problems)
  const versions =
    mainLine && history && planSiteVersions(inputs, catalog, mainLine, history, lists)
  const parts = { inputs, catalog, progress, threads }
  return printAndPublish(parts, versions, lastList, state, generations)
}

/** Notes about versions that are not promised. */
const listNotes = ({ versionsFault, mainLine }: Inputs, { after }: BuildSettings): string[] => {
  if (versionsFault !== undefined) return [`Without versions: ${versionsFault}.`]
  return after === undefined || mainLine
    ? []
    : ['--after does nothing: site.json has no "versions" (npm run versions)']
}

/**
 * Builds what changed, and publishes the new site. Throws ContentError with all problems, SettingsError, VersionsError
 * or OutputError. Even then, the served site stays complete.
 */
export const buildSite = async (
  settings: BuildSettings,
  progress: Progress,
): Promise<BuildSummary> => {
  progress.stage('Looking for changes')
  checkPlaces(settings, OUTPUT_NAMES)
  const inputs = readInputs(settings)
  const isClean = settings.isClean === true
  using generations = new Generations(settings.outputFolder, isClean)
  using state = new BuildState(generations.statePath, inputs.keys.code, isClean)
  const threads = openThreads(inputs.workers)
  try {
    const summary = await buildNext(inputs, settings, threads, state, generations, progress)
    return { ...summary, notes: [...listNotes(inputs, settings), ...summary.notes] }
  } finally {
    await threads.close()
  }
}
