import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '../../src/catalog/problems.ts'
import { Generations, OUTPUT_NAMES, isWhole } from './generations.ts'
import { findChanges } from './changes.ts'
import type { Losses } from './changes.ts'
import { readInputs } from './inputs.ts'
import type { Inputs } from './inputs.ts'
import { UnprintableError } from './pages.ts'
import type { Run } from './pages.ts'
import { Pool } from './pool.ts'
import { printSite } from './print-site.ts'
import type { PrintedSite } from './print-site.ts'
import type { Progress } from './progress.ts'
import { INDEX_NAME } from './site-files.ts'
import type { SkillJobs } from './skill-worker.ts'
import { checkPlaces } from './settings.ts'
import type { BuildSettings } from './settings.ts'
import { BuildState, DamagedStateError } from './state.ts'
import type { BuildRecord } from './state.ts'
import { openTemplates } from './astro.ts'
import { linkFile, listFiles } from './tree.ts'

export interface BuildSummary {
  skills: number
  untraced: readonly string[]
  pages: number
  /** All files of the site. */
  files: number
  /** Number of files written; the others had not changed. */
  written: number
  /** Number of files removed from the site. */
  removed: number
  /** Warnings to curators about the printed pages. */
  warnings: readonly Problem[]
  /** The skills that could not be read or printed. */
  lost: readonly Problem[]
}

const REMEDY = 'simplify its SKILL.md and the files beside it, or retire it'

const describeLosses = (lost: BuildRecord['lost']): Problem[] =>
  Object.entries(lost).map(([slug, { reason, isKept }]) => {
    const done = isKept ? 'its last version stays on the site' : 'it is left out of the site'
    return { file: `skills/${slug}`, field: '', remedy: `${reason}, so ${done}; ${REMEDY}` }
  })

const summarize = (
  { skills, untraced, pages, total, lost }: PrintedSite['record'],
  { written, removed, warnings }: Omit<PrintedSite, 'record'>,
): BuildSummary => ({
  skills,
  untraced,
  pages,
  files: total,
  written: written.length,
  removed: removed.length,
  warnings,
  lost: describeLosses(lost),
})

/**
 * Opens the state of the last build if code and layouts are unchanged. The served site may be the one before it: after a
 * rollback, or if that build was killed before publishing.
 */
const openState = (
  settings: BuildSettings,
  { keys }: Inputs,
  generations: Generations,
  progress: Progress,
): BuildState => {
  const folder = generations.stateFolder
  const state = settings.isClean ? undefined : BuildState.open(folder)
  const { last } = state ?? {}
  if (state && last?.keys.layout === keys.layout) {
    const { generation, replaced, tableDigest } = last
    // After a power failure the files of that build may not have reached the disk.
    const isThere =
      generations.current === generation ||
      isWhole(generations.folderOf(generation), tableDigest, progress)
    if (isThere) {
      const isKnown = [generation, replaced].includes(generations.current)
      if (!isKnown) generations.publish(generation)
      return state
    }
  }
  state?.close()
  return BuildState.create(folder)
}

/** Links the files of the current generation into the next one, if the state describes the current one. */
const openFolder = (name: string, { state, progress, inputs }: Run, generations: Generations) => {
  const { last } = state
  if (!last) return generations.openEmpty(name)
  try {
    const isServed = generations.current === last.before.generation
    if (!isServed && generations.reuse(name, last.before, last.generation)) return
    progress.stage(`Linking the files of ${inputs.output}`)
    const [from, to] = [generations.folderOf(last.generation), generations.folderOf(name)]
    generations.openEmpty(name)
    const files = listFiles(from)
    if (files.length !== last.total) throw new DamagedStateError(`${from} lacks files`)
    for (const file of files) linkFile(from, to, file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'ENOENT' ? new DamagedStateError(message) : error
  }
}

/** Publishes a generation. If killed at any step, it leaves either the old state and site or the new ones. */
const publish = (name: string, run: Run, printed: PrintedSite, generations: Generations): void => {
  const { state, progress } = run
  const { last } = state
  const { written, removed } = printed
  const spare = `${name}-spare`
  const before: BuildRecord['before'] = last
    ? { generation: last.generation, written, removed }
    : { generation: spare, written: [], removed: [] }
  progress.stage('Putting the site in place')
  const previous = generations.current
  state.save({ ...printed.record, generation: name, before, replaced: previous })
  if (!last) {
    // The next build updates this copy, which saves linking the whole site.
    const unfinished = `${spare}.unfinished`
    generations.openEmpty(unfinished)
    const [from, to] = [generations.folderOf(name), generations.folderOf(unfinished)]
    for (const file of written) linkFile(from, to, file)
    generations.rename(unfinished, spare)
  }
  generations.publish(name)
  generations.sweep([name, before.generation, ...(previous === undefined ? [] : [previous])])
}

const buildNext = async (
  inputs: Inputs,
  settings: BuildSettings,
  progress: Progress,
  generations: Generations,
  losses: Losses,
): Promise<BuildSummary> => {
  const state = openState(settings, inputs, generations, progress)
  const pool = new Pool<SkillJobs>({
    file: new URL('./skill-worker.ts', import.meta.url),
    argument: inputs.contentFolder,
    size: inputs.workers,
    ...settings.pool,
  })
  const name = generations.nameNext()
  try {
    const changes = await findChanges(inputs, state, pool, progress, losses)
    const { last } = state
    if (last && changes.isLocal && changes.changed.length === 0) {
      const record = { ...last, lost: changes.lost }
      if (changes.touched.length > 0 || !isDeepStrictEqual(last, record)) {
        state.write('skill', changes.touched)
        state.save(record)
      }
      if (generations.current !== last.generation) generations.publish(last.generation)
      return summarize(record, { written: [], removed: [], warnings: [] })
    }
    const lastIndex = last && join(generations.folderOf(last.generation), INDEX_NAME)
    const run: Run = { inputs, progress, pool, state, changes, losses, lastIndex }
    progress.stage('Rendering the layouts')
    const rendered = await openTemplates(inputs.templatesKey, inputs.siteView)
    openFolder(name, run, generations)
    const printed = await printSite(run, { folder: generations.folderOf(name), ...rendered })
    publish(name, run, printed, generations)
    return summarize(printed.record, printed)
  } catch (error) {
    // A worker that goes on would write into the discarded folder.
    await pool.close()
    generations.discard(name)
    throw error
  } finally {
    state.close()
    await pool.close()
  }
}

/**
 * Builds the changed parts of the site into the next generation, then publishes it.
 * Throws ContentError, SettingsError or OutputError; the served site stays complete even then.
 */
export const buildSite = async (
  settings: BuildSettings,
  progress: Progress,
): Promise<BuildSummary> => {
  progress.stage('Looking for changes')
  checkPlaces(settings, OUTPUT_NAMES)
  const inputs = readInputs(settings)
  const generations = new Generations(settings.outputFolder)
  const losses: Losses = new Map()
  const build = async (next: BuildSettings): Promise<BuildSummary> => {
    try {
      return await buildNext(inputs, next, progress, generations, losses)
    } catch (error) {
      if (error instanceof UnprintableError) {
        progress.stage(`Building again without ${error.message}`)
        return build(next)
      }
      if (next.isClean || !(error instanceof DamagedStateError)) throw error
      progress.stage('The files of the last build are damaged: building everything again')
      return build({ ...next, isClean: true })
    }
  }
  try {
    return await build(settings)
  } finally {
    generations.close()
  }
}
