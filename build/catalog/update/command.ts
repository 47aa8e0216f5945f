import { countOf } from '../../../src/catalog/text.ts'
import { reviewPolicy } from '../../../src/catalog/schema.ts'
import type { SourceRow } from '../../../src/catalog/schema.ts'
import { createProgress } from '../../machine/progress.ts'
import {
  CONTENT_OPTION,
  CommandError,
  JSON_OPTION,
  WaitingError,
  checkOption,
  readContentOption,
  renderJson,
} from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { SOURCES_FILE, isPrivateIn, readRecords } from '../store/records.ts'
import { renderMarkdown, renderText } from './report.ts'
import { chooseRows, nameByDigest, readSources, readWaiting } from './sources.ts'
import { followSources } from './update.ts'
import { HOLDS } from './review.ts'
import type { SourceReport } from './update.ts'

/** Counts the versions held back for the first time, each under its first reason; empty if there are none. */
const countWaiting = (reports: readonly SourceReport[]): string => {
  const held = reports.flatMap(({ versions }) => versions).filter((version) => version.isNewlyHeld)
  const byHold = Map.groupBy(held, ({ holds: [first = 'all'] }) => first)
  const counts = [...byHold].map(
    ([hold, { length }]) => `${countOf(length, 'skill')} ${HOLDS[hold]}`,
  )
  return counts.length > 0 ? `${counts.join(', ')}: held back.` : ''
}

/** Follows the chosen sources and prints the report. Throws CommandError. */
export const follow = async (
  content: string,
  chosen: readonly SourceRow[],
  { values, switches }: Arguments,
  { print, stderr, now, today }: CommandContext,
): Promise<readonly SourceReport[]> => {
  const isDry = switches.has('dry-run')
  const settings = {
    content,
    review: checkOption('review', reviewPolicy.optional(), values['review']),
    mayFlood: switches.has('all'),
    isDry,
    isPrivate: isPrivateIn(content),
    now,
    today,
    progress: createProgress(stderr),
  }
  // An unreadable record should stop the command before any source is read.
  readRecords(content)
  readWaiting(content)
  const reports = await followSources(chosen, settings)
  // A dry run writes nothing to pending/, so its report offers nothing to accept.
  const pending = isDry ? [] : readWaiting(content).map(nameByDigest)
  if (switches.has('json')) print(renderJson({ sources: reports, pending }))
  else if (switches.has('markdown')) print(renderMarkdown(reports, pending))
  else print(renderText(reports, pending))
  const failed = reports.flatMap((report) => report.failed)
  const waiting = countWaiting(reports)
  if (failed.length > 0) throw new CommandError([...failed, waiting].join('\n').trimEnd())
  if (waiting !== '') throw new WaitingError(waiting)
  return reports
}

export const REPORT_OPTIONS: Command['options'] = {
  review: {
    value: 'findings|code|all',
    help: 'Which versions wait for a curator; overrides the rows',
  },
  ...CONTENT_OPTION,
  markdown: {
    help: 'Prints the report as the body of a change request; the job that opens it should run "git add --force"',
  },
}

export const updateCommand: Command = {
  name: 'update',
  positionals: { usage: '<address>…', least: 0, most: Infinity },
  summary: 'Updates the catalog from the sources in sources.json: all, or the given ones',
  options: {
    ...REPORT_OPTIONS,
    ...JSON_OPTION,
    all: { help: 'Lets a source add more than 50 skills at once' },
    'dry-run': { help: 'Prints the report without writing anything' },
  },
  help: [
    'An unchanged source costs one request.',
    'New versions are written to the catalog, or to pending/ if a curator has to accept or reject them first.',
    'The field "review" in the row of a source says which versions wait: with "findings" (the default), those with a new finding of high or medium severity; with "code", those that change more than plain words; with "all", every version.',
    'Plain words are letters, whole numbers and Markdown punctuation, in paragraphs without code, HTML, links, addresses, paths or other characters.',
    'With "code", the version number and plain words in the description can change without review. Every new skill waits.',
    'With every setting, a version also waits if its skill has a finding of high or medium severity, open or accepted, if a licence change would remove its text, or if most skills are gone from its source.',
    'A skill is marked as gone if it is missing in its source on two days. If a repository is not found or asks for a login, its skills are missing, but only if another repository of the same host was read in the same run.',
    'The report starts with new and more severe findings, followed by new skills, changed skills, gone skills, omissions, and one line per source.',
    'Skills below folders named deprecated, in-progress or personal, or below folders of tests, templates and examples, are left out unless "include" names the folder.',
    'The exit code is 3 if a version was held back in this run, and 1 if a source cannot be read.',
  ],
  run: async (args, context) => {
    const content = readContentOption(args)
    const chosen = chooseRows(readSources(content), args.positionals)
    // Scheduled runs of a new registry without sources should not fail.
    if (chosen.length === 0)
      context.stderr.write(`${SOURCES_FILE} lists no source; "add <address>" adds one.\n`)
    await follow(content, chosen, args, context)
  },
}
