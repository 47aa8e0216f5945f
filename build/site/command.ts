import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { listSlugs } from '../../src/catalog/load.ts'
import { DISK_REMEDIES } from '../../src/catalog/disk-errors.ts'
import { ContentError, renderProblem } from '../../src/catalog/problems.ts'
import { countOf } from '../../src/catalog/text.ts'
import { InvalidVectorsError } from '../../src/search/vector-file.ts'
import { LayoutError } from './astro.ts'
import { buildSite } from './build.ts'
import type { BuildSummary } from './build.ts'
import { OutputError } from '../machine/folders.ts'
import { cpuSeconds, createProgress } from '../machine/progress.ts'
import type { Progress } from '../machine/progress.ts'
import { VersionsError } from '../versions/git.ts'
import type { NpmPackage } from './npm.ts'
import { SettingsError, readSettings } from './settings.ts'

const USAGE = `Usage: npm run build [-- --workers N] [--timings] [--clean] [--static] [--npm] [--drafts]

  --workers N  threads for 300 skills or more, from 1 to 999; by default 1, or one for each core from 5,000 skills on
  --timings    shows the time of each stage
  --clean      builds everything again, including output files that were deleted or changed by hand
  --static     writes a site for static hosts: no API, and search runs in the browser
  --npm        also writes the skills as an npm package, into npm/ in the output; its version comes from the last change of
               the content in git, unless --npm-version <version> is given
  --drafts     also shows drafts and future posts, marked as such; npm run dev always does
  --trial      builds without versions if the history is missing, as npm start and npm run dev do`

/** An invalid option; commands then exit with 2. */
class UsageError extends SettingsError {}

/** Throws UsageError. */
const readBuildOptions = (options: readonly string[]) => {
  try {
    const { values } = parseArgs({
      args: [...options],
      options: {
        workers: { type: 'string' },
        timings: { type: 'boolean', default: false },
        clean: { type: 'boolean', default: false },
        static: { type: 'boolean', default: false },
        npm: { type: 'boolean', default: false },
        'npm-version': { type: 'string' },
        drafts: { type: 'boolean', default: false },
        trial: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.workers !== undefined && !/^[1-9]\d{0,2}$/.test(values.workers)) {
      throw new UsageError(
        `--workers ${values.workers}: must be a whole number from 1 to 999\n${USAGE}`,
      )
    }
    if (values['npm-version'] !== undefined && !values.npm)
      throw new UsageError('--npm-version requires --npm')
    return values
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${(error as Error).message}\n${USAGE}`)
  }
}

const printTimings = (costs: ReturnType<Progress['timings']>): void => {
  for (const { name, wall, cpu } of costs) {
    console.log(
      `${name.padEnd(45)} ${wall.toFixed(1).padStart(7)} s ${cpu.toFixed(1).padStart(7)} CPU s`,
    )
  }
  console.log(`Total: ${cpuSeconds().toFixed(1)} CPU s`)
  console.log(`Peak memory: ${Math.round(process.resourceUsage().maxRSS / 1_024)} MiB`)
}

/** Remedies that are specific to a build, by error code. */
const REMEDIES: Readonly<Record<string, string>> = {
  ...DISK_REMEDIES,
  ENOENT: 'the file is gone; build again, with --clean if it is a file of the built site',
  CORRUPT:
    'the state of the last build is damaged; build everything again (npm run build -- --clean)',
  ERR_WORKER_OUT_OF_MEMORY:
    'a thread ran out of memory; give Node more: NODE_OPTIONS=--max-old-space-size=2000',
}

/** SQLite result codes mapped to system error codes (sqlite.org/rescode.html). */
const SQLITE_CODES: Readonly<Record<number, string>> = {
  // A table is missing.
  1: 'CORRUPT',
  8: 'EROFS',
  10: 'EIO',
  11: 'CORRUPT',
  13: 'ENOSPC',
  14: 'EACCES',
  26: 'CORRUPT',
}

/** Errors whose message is complete; only "the built site is unchanged" is added. */
const UNCHANGED = [LayoutError, InvalidVectorsError, VersionsError]

/** Describes why a build failed, with a remedy. `place` is the path to report if the error has none. */
export const describeFailure = (error: unknown, place = 'The output'): string => {
  if (error instanceof ContentError) {
    return [
      ...error.problems.map(renderProblem),
      `${error.message}; the built site is unchanged.`,
    ].join('\n')
  }
  if (error instanceof SettingsError || error instanceof OutputError) return error.message
  if (UNCHANGED.some((type) => error instanceof type))
    return `${(error as Error).message}; the built site is unchanged.`
  const fault = error as NodeJS.ErrnoException
  const { errcode = 0 } = error as { errcode?: number }
  // The lowest byte is the primary result code.
  const code = fault.code === 'ERR_SQLITE_ERROR' ? SQLITE_CODES[errcode & 0xff] : fault.code
  const remedy = code === undefined ? undefined : REMEDIES[code]
  if (remedy !== undefined) return `${fault.path ?? place}: ${remedy} (${fault.message})`
  return `The build failed; the built site is unchanged: ${fault.stack ?? String(error)}`
}

/** Lists the warnings of a build, one per line. */
export const listWarnings = ({
  warnings,
  broken,
  notes,
}: Pick<BuildSummary, 'warnings' | 'broken' | 'notes'>): string[] => [
  ...notes,
  ...warnings.map(renderProblem),
  ...(broken === 0
    ? []
    : [
        `${countOf(broken, 'skill')} ${broken === 1 ? 'breaks' : 'break'} the specification: npm run catalog -- check`,
      ]),
]

/** Writes the built site for static hosts. */
const printStatic = async (outputFolder: string): Promise<void> => {
  const { writeStatic } = await import('../hosts/static.ts')
  const folder = join(outputFolder, 'hosts/static')
  const { leftOut, limitations } = await writeStatic(join(outputFolder, 'current'), folder)
  for (const name of leftOut) console.log(`left out: ${name} (a host or a browser might run it)`)
  console.log(`Wrote ${folder}; ${countOf(leftOut.length, 'raw file')} left out\n${limitations}`)
}

/** Writes the built site as an npm package. */
const printPackage = async (outputFolder: string, plan: NpmPackage): Promise<void> => {
  const { writePackage } = await import('./npm.ts')
  const folder = join(outputFolder, 'npm')
  for (const line of await writePackage(join(outputFolder, 'current'), folder, plan))
    console.log(line)
}

/** Runs `npm run build`. */
export const main = async (): Promise<void> => {
  const progress = createProgress(process.stderr)
  let place: string | undefined
  try {
    const options = readBuildOptions(process.argv.slice(2))
    if (options.help) return console.log(USAGE)
    const settings = {
      ...readSettings(process.env),
      ...(options.workers === undefined ? {} : { workers: Number(options.workers) }),
      isClean: options.clean,
      isStatic: options.static,
      hasDrafts: options.drafts,
      isTrial: options.trial,
    }
    place = settings.outputFolder
    if (options.static) {
      const { checkSize } = await import('../hosts/static.ts')
      checkSize(listSlugs(settings.contentFolder).length)
    }
    const plan = options.npm
      ? (await import('./npm.ts')).planPackage(settings.contentFolder, options['npm-version'])
      : undefined
    const summary = await buildSite(settings, progress)
    progress.end()
    for (const line of listWarnings(summary)) console.warn(line)
    const { skills, pages, files, written, removed } = summary
    console.log(
      `Built ${countOf(skills, 'skill')}, ${pages} pages, ${files} files in ${settings.outputFolder}: ${written} written, ${removed} removed`,
    )
    if (options.static) await printStatic(settings.outputFolder)
    if (plan) await printPackage(settings.outputFolder, plan)
    if (options.timings) printTimings(progress.timings())
  } catch (error) {
    progress.abort()
    const failure = describeFailure(error, place)
    console.error(failure)
    // `npm run dev` shows the failure in the browser.
    process.send?.(error instanceof ContentError ? error.problems.map(renderProblem) : [failure])
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}
