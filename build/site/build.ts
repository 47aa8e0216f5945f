import { listSlugs } from '../../src/catalog/load.ts'
import { mergeReadings } from './changes.ts'
import { gatherCrew } from './crew.ts'
import type { Crew } from './crew.ts'
import { DamagedStateError } from './damaged-state.ts'
import { isLocal, printEdition } from './edition.ts'
import type { Edition, Run } from './edition.ts'
import { OUTPUT_NAMES, openGenerations } from './generation.ts'
import type { Generations } from './generation.ts'
import { readInputs } from './inputs.ts'
import type { Inputs } from './inputs.ts'
import { createTemplateModule } from './integration.ts'
import { namesOfState } from './names.ts'
import { checkPlaces } from './places.ts'
import type { Progress } from './progress.ts'
import type { BuildSettings } from './settings.ts'
import { readState, sweepStates, writeState } from './state.ts'
import type { BuildState, StateHead } from './state.ts'
import { beginLooking } from './suspects.ts'
import { openTemplates } from './templates.ts'

/** What a build found and wrote. */
export interface BuildSummary {
  skills: number
  untraced: readonly string[]
  pages: number
  /** Files the site has. */
  files: number
  /** Files that were written; the others were there already. */
  written: number
  /** Files that are no longer wanted. */
  removed: number
}

const summarize = (
  { counts, pages, others }: Edition['head'],
  written: number,
  removed: number,
) => {
  const total = Object.keys(pages).length + counts.skills
  return {
    skills: counts.skills,
    untraced: counts.untraced,
    pages: total,
    files: total * 2 + counts.files + others.length,
    written,
    removed,
  }
}

const readLast = (inputs: Inputs, { current }: Generations): BuildState | undefined =>
  current === undefined ? undefined : readState(inputs.output, current)

/** Makes the folder the next site is written into; it holds the files of the current one. */
const copyCurrent = async (
  { inputs, base, crew, progress }: Run,
  generations: Generations,
): Promise<string> => {
  const { current } = generations
  if (!base || current === undefined) return generations.openEmpty()
  const spare = generations.openSpare(base.head.before)
  if (spare !== undefined) return spare
  progress.stage(`Linking the files of ${inputs.output}`)
  const name = generations.openEmpty()
  await crew.link(generations.folderOf(current), generations.folderOf(name), namesOfState(base))
  return name
}

/** The same; throws DamagedStateError where a file of the current site is gone. */
const openFolder = async (run: Run, generations: Generations): Promise<string> => {
  try {
    return await copyCurrent(run, generations)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw code === 'ENOENT' ? new DamagedStateError(message) : error
  }
}

/** Makes the twin that the next build will write into, so that it need not copy a whole site first. */
const makeSpare = async (
  generations: Generations,
  crew: Crew,
  name: string,
  names: readonly string[],
): Promise<void> => {
  const unfinished = `${name}.unfinished`
  await crew.link(generations.folderOf(name), generations.folderOf(unfinished), names)
  generations.rename(unfinished, spareOf(name))
}

const spareOf = (name: string): string => `${name}-spare`

const publish = async (run: Run, generations: Generations, name: string, edition: Edition) => {
  const { inputs, progress, crew, base, changes } = run
  const { written, removed } = edition
  const { current } = generations
  const before: StateHead['before'] =
    base && current !== undefined
      ? { from: current, written, removed }
      : { from: spareOf(name), written: [], removed: [] }
  progress.stage('Putting the site in place')
  const kept = writeState(inputs.output, name, {
    head: { ...edition.head, before },
    rows: changes.rows,
    popular: edition.popular,
    oldColumns: run.last?.columns,
    words: edition.words,
    oldWords: run.last?.head.files.words,
  })
  generations.publish(name)
  if (before.from !== current) await makeSpare(generations, crew, name, written)
  sweepStates(inputs.output, kept)
  generations.sweep([name, before.from, ...(current === undefined ? [] : [current])])
}

const isNothingNew = (run: Run): boolean =>
  isLocal(run) && run.changes.changed.length === 0 && run.changes.removed.length === 0

const buildNext = async (
  inputs: Inputs,
  settings: BuildSettings,
  progress: Progress,
  generations: Generations,
): Promise<BuildSummary> => {
  const base = settings.isClean ? undefined : readLast(inputs, generations)
  const last = base?.head.code === inputs.code ? base : undefined
  const findSuspects = beginLooking(inputs.content, last, inputs.workers)
  const slugs = listSlugs(inputs.content)
  const suspects = await findSuspects(slugs)
  const crew = gatherCrew(inputs.content, inputs.workers, suspects.length)
  try {
    progress.stage('Reading skills', suspects.length)
    const readings = await crew.read(suspects, progress.step)
    const changes = mergeReadings(slugs, readings, inputs.frame, last)
    const run: Run = { inputs, progress, crew, base, last, changes }
    if (last && generations.current !== undefined && isNothingNew(run)) {
      if (changes.isSeenAnew) {
        const { head } = last
        const kept = writeState(inputs.output, generations.current, {
          head,
          rows: changes.rows,
          popular: last.popular,
          oldColumns: last.columns,
          words: undefined,
          oldWords: head.files.words,
        })
        sweepStates(inputs.output, kept)
      }
      return summarize(last.head, 0, 0)
    }
    progress.stage('Rendering the layouts')
    const rendered = await openTemplates(inputs.look, () => createTemplateModule(inputs.siteView))
    const name = await openFolder(run, generations)
    try {
      const edition = await printEdition(run, { folder: generations.folderOf(name), rendered })
      await publish(run, generations, name, edition)
      return summarize(edition.head, edition.written.length, edition.removed.length)
    } catch (error) {
      generations.discard(name)
      throw error
    }
  } finally {
    await crew.close()
  }
}

/**
 * Builds what changed of the site into the next generation and puts it in place at the end.
 * Throws ContentError, SettingsError or OutputError; the served site is whole whatever happens.
 */
export const buildSite = async (
  settings: BuildSettings,
  progress: Progress,
): Promise<BuildSummary> => {
  progress.stage('Looking for changes')
  checkPlaces(settings, OUTPUT_NAMES)
  const inputs = readInputs(settings)
  const generations = openGenerations(settings.outputFolder)
  try {
    return await buildNext(inputs, settings, progress, generations)
  } catch (error) {
    if (!(error instanceof DamagedStateError)) throw error
    progress.stage('What the last build left is damaged: building anew')
    return await buildNext(inputs, { ...settings, isClean: true }, progress, generations)
  } finally {
    generations.close()
  }
}
