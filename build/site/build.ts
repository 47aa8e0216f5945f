import type { Problem } from '../../src/catalog/problems.ts'
import { ContentError, warnOfFile } from '../../src/catalog/problems.ts'
import { readShippedVectors } from '../../src/search/vector-file.ts'
import { openUmask } from '../machine/folders.ts'
import { findRendering, openTemplates } from './astro.ts'
import { deriveSite, findProblems } from './derive.ts'
import { Generations, OUTPUT_NAMES } from './generations.ts'
import { readInputs } from './inputs.ts'
import type { Inputs } from './inputs.ts'
import { printSite } from './print-site.ts'
import {
  findWithdrawn,
  listCurrent,
  listWithdrawn,
  planSiteVersions,
  printSiteVersions,
} from './print-versions.ts'
import { nameHistory } from '../versions/git.ts'
import type { History } from '../versions/history.ts'
import type { VersionPlan } from '../versions/plan.ts'
import { readHistory } from '../versions/read.ts'
import { printSkills } from './print-skills.ts'
import type { Run } from './print-skills.ts'
import type { Progress } from '../machine/progress.ts'
import { findChanges, readSkills } from './read.ts'
import type { FolderChanges } from './read.ts'
import { viewSite } from './site-view.ts'
import { checkOrigin, checkPlaces } from './settings.ts'
import type { BuildSettings } from './settings.ts'
import { openThreads } from './skill-jobs.ts'
import { BuildState } from './state.ts'
import type { BuildRecord, Neighbours } from './state.ts'
import { NextFolder, compareOutputs } from './target.ts'
import type { OutputFolder } from './target.ts'
import type { Threads } from '../machine/threads.ts'

// A build reads, derives, prints and publishes:
//
// - read: a skill folder with a known fingerprint or digest keeps its row; other folders are read. If nothing
//   changed, the build stops here.
// - derive: lists and numbers are computed from all rows, each time; neighbours, if what is compared has changed.
// - print: an output has a key, the digest of its inputs. If the spare folder (not served) has the output with that
//   key, it stays. If the served folder has it, it is linked. Otherwise it is written.
// - publish: rows and keys are saved, and the link to the served folder is swapped.
//
// Before the spare folder is touched, the state forgets its keys. If a build is killed, the next one finds a
// folder that the state does not know, removes it, and fills another.

export interface BuildSummary extends Pick<BuildRecord, 'skills' | 'broken' | 'pages' | 'files'> {
  /** Number of files whose outputs differ from the site that was served before. */
  written: number
  removed: number
  /** Warnings for curators about pages and executable bits. */
  warnings: readonly Problem[]
  /** Whether a trial has no versions, and why. */
  notes: readonly string[]
}

/** Warns if executable bits were read from a disk that may not store them. */
const warnOfBits = ({ contentFolder, bits: { fault } }: Inputs): Problem[] => {
  const message = 'executable bits were read from this disk, not from git'
  return fault === undefined ? [] : [warnOfFile(contentFolder, message, fault)]
}

const summarize = (
  { skills, broken, pages, files }: BuildRecord,
  changes: Pick<BuildSummary, 'written' | 'removed'>,
  warnings: readonly Problem[] = [],
): Omit<BuildSummary, 'notes'> => ({ skills, broken, pages, files, ...changes, warnings })

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

/** Prints everything. Throws ContentError, and VersionsError. */
const printAll = async (run: Run, plan: VersionPlan | undefined, known: Neighbours | undefined) => {
  const { inputs, progress, catalog, target } = run
  progress.stage('Rendering the layouts')
  const branding = viewSite(inputs.content)
  const rendered = openTemplates(await findRendering(), branding.view)
  progress.stage('Comparing skills')
  const withdrawn = plan ? listWithdrawn(inputs, plan) : findWithdrawn(inputs, catalog)
  const derived = deriveSite(inputs, catalog, withdrawn, known)
  const { templates } = rendered
  const current = plan && listCurrent(plan)
  const pageWarnings = await printSkills(run, derived, templates.skill, current)
  const warnings = [...warnOfBits(inputs), ...pageWarnings]
  if (plan) await printSiteVersions(run, derived, plan, templates.article)
  const pages = await printSite(run, derived, rendered, branding.files, current)
  target.sweep()
  const skills = Array.from(derived.shown.values(), ({ skill }) => skill)
  const broken = skills.filter(({ breaksSpecification }) => breaksSpecification).length
  const { neighbours } = derived
  return { skills: skills.length, pages, broken, warnings, neighbours }
}

const printAndPublish = async (
  parts: Omit<Run, 'target'>,
  history: History | undefined,
  state: BuildState,
  generations: Generations,
): Promise<ReturnType<typeof summarize>> => {
  const { inputs, catalog, progress, threads } = parts
  const { mainLine } = inputs
  const plan = history && planSiteVersions(inputs, catalog, history.versions)
  const { current } = generations
  const { name, served, target } = openTarget(state, generations)
  let summary: ReturnType<typeof summarize>
  try {
    const { warnings, ...counts } = await printAll(
      { ...parts, target },
      plan,
      state.last?.neighbours,
    )
    progress.stage('Publishing the site')
    const record = {
      ...counts,
      codeKey: inputs.keys.code,
      contentKey: inputs.keys.content,
      built: name,
      ...(current === undefined ? {} : { previous: current }),
      // A build without versions keeps the saved history.
      history: mainLine ? nameHistory(mainLine) : state.last?.history,
      files: [...target.outputs.values()].reduce((sum, { files }) => sum + files.length, 0),
    }
    generations.flush()
    state.save(record, catalog.listChanges(), target.outputs, history)
    const counted = compareOutputs(served.outputs, target.outputs)
    summary = summarize(record, counted, warnings)
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

const buildNext = async (
  inputs: Inputs,
  threads: Threads,
  state: BuildState,
  generations: Generations,
  progress: Progress,
): Promise<ReturnType<typeof summarize>> => {
  const { mainLine } = inputs
  const changes = findChanges(inputs, state)
  const unchanged = findUnchanged(inputs, state, changes, generations.current)
  if (unchanged) {
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
  const parts = { inputs, catalog, progress, threads }
  return printAndPublish(parts, history, state, generations)
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
  const isPrivate = inputs.frame.isPrivate === true
  using generations = new Generations(settings.outputFolder, { isClean, isPrivate })
  checkOrigin(settings, inputs.content.site.origin, generations.servedOrigin)
  using state = new BuildState(generations.statePath, inputs.keys.code, isClean)
  // The server often runs as another user. The state, and a private site, stay as the umask says.
  using _ = isPrivate ? undefined : openUmask()
  const threads = openThreads(inputs.workers)
  try {
    const summary = await buildNext(inputs, threads, state, generations, progress)
    const { versionsFault } = inputs
    const notes = versionsFault === undefined ? [] : [`Without versions: ${versionsFault}.`]
    return { ...summary, notes }
  } finally {
    await threads.close()
  }
}
