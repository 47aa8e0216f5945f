import { join } from 'node:path'
import type { Problem } from '../../src/catalog/problems.ts'
import { Generations, OUTPUT_NAMES, isWhole } from './generations.ts'
import { findChanges } from './changes.ts'
import { readInputs } from './inputs.ts'
import type { Inputs } from './inputs.ts'
import type { Run } from './pages.ts'
import { Pool } from './pool.ts'
import { printSite } from './print-site.ts'
import type { PrintedSite } from './print-site.ts'
import type { Progress } from './progress.ts'
import { INDEX_NAME } from './site-files.ts'
import { checkPlaces } from './settings.ts'
import type { BuildSettings } from './settings.ts'
import { BuildState, DamagedStateError } from './state.ts'
import type { BuildRecord } from './state.ts'
import { openTemplates } from './astro.ts'
import { listFiles } from './tree.ts'

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
}

const summarize = (
  { skills, untraced, pages, total }: PrintedSite['record'],
  { written, removed, warnings }: Omit<PrintedSite, 'record'>,
): BuildSummary => ({
  skills,
  untraced,
  pages,
  files: total,
  written: written.length,
  removed: removed.length,
  warnings,
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
const openFolder = async (
  name: string,
  { state, pool, progress, inputs }: Run,
  generations: Generations,
) => {
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
    await pool.linkFiles(from, to, files)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'ENOENT' ? new DamagedStateError(message) : error
  }
}

/** Publishes a generation. If killed at any step, it leaves either the old state and site or the new ones. */
const publish = async (name: string, run: Run, printed: PrintedSite, generations: Generations) => {
  const { state, pool, progress } = run
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
    await pool.linkFiles(generations.folderOf(name), generations.folderOf(unfinished), written)
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
): Promise<BuildSummary> => {
  const state = openState(settings, inputs, generations, progress)
  const pool = new Pool(inputs.contentFolder, inputs.workers)
  const name = generations.nameNext()
  try {
    const changes = await findChanges(inputs, state, pool, progress)
    const { last } = state
    if (last && changes.isLocal && changes.changed.length === 0) {
      if (changes.touched.length > 0) {
        state.write('skill', changes.touched)
        state.save(last)
      }
      if (generations.current !== last.generation) generations.publish(last.generation)
      return summarize(last, { written: [], removed: [], warnings: [] })
    }
    const lastIndex = last && join(generations.folderOf(last.generation), INDEX_NAME)
    const run: Run = { inputs, progress, pool, state, changes, lastIndex }
    progress.stage('Rendering the layouts')
    const rendered = await openTemplates(inputs.templatesKey, inputs.siteView)
    await openFolder(name, run, generations)
    const printed = await printSite(run, { folder: generations.folderOf(name), ...rendered })
    await publish(name, run, printed, generations)
    return summarize(printed.record, printed)
  } catch (error) {
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
  try {
    return await buildNext(inputs, settings, progress, generations)
  } catch (error) {
    if (!(error instanceof DamagedStateError)) throw error
    progress.stage('The files of the last build are damaged: building everything again')
    return await buildNext(inputs, { ...settings, isClean: true }, progress, generations)
  } finally {
    generations.close()
  }
}
