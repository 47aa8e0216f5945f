import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { showValue } from '../../../src/catalog/characters.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { createProgress } from '../../site/progress.ts'
import type { Given } from '../arguments.ts'
import type { Command, Surroundings } from '../commands.ts'
import { CommandError, UsageError } from '../faults.ts'
import { renderJson } from '../terminal.ts'
import { countReport, renderReport } from './report.ts'
import { importFolder } from './run.ts'
import type { ImportSettings } from './run.ts'
import { withUnpacked } from './unzip.ts'

const USAGE =
  'npm run catalog -- import <folder or .zip> --into <content folder> [--source <tree address> | --own] [--author <handle>] [--date YYYY-MM-DD] [--dry-run] [--json]'

const refuse = (message: string): never => {
  throw new UsageError(`${message}\nUsage: ${USAGE}`)
}

/** Gives the real path of a folder that may not be there yet. */
const realPath = (path: string): string => {
  if (existsSync(path)) return realpathSync(path)
  return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path))
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

const readPaths = ({ positionals, values }: Given): { from: string; into: string } => {
  const [source, ...more] = positionals
  if (source === undefined || source === '') return refuse('Name the folder to import.')
  if (more.length > 0) refuse(`One folder at a time; ${showValue(more[0])} is one too many.`)
  const { into } = values
  if (into === undefined) return refuse('Name the content folder with --into.')
  if (!existsSync(source)) refuse(`No such folder: ${showValue(source, 200)}.`)
  const paths = { from: realPath(resolve(source)), into: realPath(resolve(into)) }
  if (existsSync(paths.into) && !statSync(paths.into).isDirectory()) {
    refuse(`${showValue(into, 200)} is a file; --into wants a folder.`)
  }
  if (isBelow(paths.from, paths.into) || isBelow(paths.into, paths.from)) {
    refuse('The source and the content folder lie in each other; keep them apart.')
  }
  return paths
}

const readDate = (date: string | undefined): string | undefined => {
  const checked = skillRecord.shape.updated.optional().safeParse(date)
  if (checked.success) return checked.data
  return refuse(`--date ${showValue(date)} ${checked.error.issues[0]?.message}.`)
}

const readSettings = (given: Given, today: string): ImportSettings => ({
  ...readPaths(given),
  source: given.values['source'],
  isOwn: given.switches.has('own'),
  author: given.values['author'],
  date: readDate(given.values['date']),
  today,
  dryRun: given.switches.has('dry-run'),
})

const run = async (given: Given, { print, stderr, today }: Surroundings): Promise<void> => {
  const settings = readSettings(given, today)
  const progress = createProgress(stderr)
  const isZip = statSync(settings.from).isFile()
  const importFrom = (from: string) => importFolder({ ...settings, from }, progress)
  const report = isZip
    ? await withUnpacked(settings.from, importFrom)
    : await importFrom(settings.from)
  report.from = settings.from
  const seen = report.imported.length + report.updated.length + report.unchanged.length
  if (seen + report.skipped.length === 0) {
    throw new CommandError(`No SKILL.md lies below ${settings.from}; nothing was imported.`)
  }
  print(
    given.switches.has('json')
      ? renderJson({ ...report, counts: countReport(report) })
      : renderReport(report),
  )
}

/** `import`: sources -> content/skills. */
export const importCommand: Command = {
  name: 'import',
  usage: USAGE,
  summary: 'Adds a folder of SKILL.md files to the catalog, or brings it up to date',
  options: {
    into: { value: '<content folder>', help: 'Where the catalog lies; made if it is not there' },
    source: { value: '<tree address>', help: 'Address the folder was copied from' },
    own: { help: "The skills are the registry's own" },
    author: { value: '<handle>', help: "Author, where it is not the address's owner" },
    date: { value: 'YYYY-MM-DD', help: 'Day the source was seen; today where left out' },
    'dry-run': { help: 'Says what would be written, and writes nothing' },
    json: { help: 'Prints one JSON object; call npm with -s to get it alone' },
  },
  help: [
    'A manifest.ndjson in the folder says where each skill comes from, a row each with dir, owner and sourceUrl, and licence, updated, sha256 and references where known. Without one, --source or --own says it for all.',
    'Run again, it writes only what changed: ids, slugs, categories and editorial parts stay. A skill that the source no longer has is reported and stays. A file that cannot be read is reported and skipped.',
  ],
  run,
}
