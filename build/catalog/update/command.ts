import { reviewPolicy } from '../../../src/catalog/schema.ts'
import type { SourceRow } from '../../../src/catalog/schema.ts'
import { createProgress } from '../../machine/progress.ts'
import {
  CONTENT_OPTION,
  CommandError,
  JSON_OPTION,
  WaitingError,
  checkOption,
  pluralize,
  readContentOption,
  renderJson,
} from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { isPrivateIn, readPending, readRecords } from '../store/records.ts'
import { renderMarkdown, renderText } from './report.ts'
import { SOURCES_FILE, chooseRows, nameWaiting, readSources, readWaiting } from './sources.ts'
import { followSources } from './update.ts'
import { HOLDS } from './review.ts'
import type { SourceReport } from './update.ts'

const readReview = ({ values: { review } }: Arguments): SourceRow['review'] =>
  review === undefined ? undefined : checkOption('review', reviewPolicy, review)

const printReport = (
  reports: readonly SourceReport[],
  content: string,
  { switches }: Arguments,
  print: CommandContext['print'],
): void => {
  const isDry = switches.has('dry-run')
  // A dry run puts nothing aside that could be accepted.
  const pending = isDry ? [] : readWaiting(content).map(nameWaiting)
  if (switches.has('json')) print(renderJson({ sources: reports, pending }))
  else if (switches.has('markdown')) print(renderMarkdown(reports, pending))
  else print(renderText(reports, pending))
}

/** Counts the versions that began to wait in this run, each under its first reason; empty if there are none. */
const countWaiting = (reports: readonly SourceReport[]): string => {
  const begun = reports.flatMap(({ versions }) => versions).filter((one) => one.isNewlyHeld)
  const byHold = Map.groupBy(begun, ({ holds: [first = 'all'] }) => first)
  const counts = [...byHold].map(
    ([hold, { length }]) => `${pluralize(length, 'skill')} ${HOLDS[hold]}`,
  )
  return counts.length > 0 ? `${counts.join(', ')}: held back.` : ''
}

/** Follows the chosen sources and prints the report. Throws CommandError. */
export const follow = async (
  content: string,
  chosen: readonly SourceRow[],
  args: Arguments,
  { print, stderr, today }: CommandContext,
): Promise<readonly SourceReport[]> => {
  const settings = {
    content,
    review: readReview(args),
    mayFlood: args.switches.has('all'),
    isDry: args.switches.has('dry-run'),
    isPrivate: isPrivateIn(content),
    today,
    progress: createProgress(stderr),
  }
  // Before the sources, so that a record that cannot be read ends the command at once.
  readRecords(content)
  readPending(content)
  const reports = await followSources(chosen, settings)
  printReport(reports, content, args, print)
  const failed = reports.flatMap((one) => one.failed)
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
    help: 'Prints the report as the body of a change request, whose job adds with "git add --force" what git ignores',
  },
  ...JSON_OPTION,
}

export const updateCommand: Command = {
  name: 'update',
  positionals: { usage: '<address>…', least: 0, most: Infinity },
  summary: 'Follows the sources of sources.json: all, or those named',
  options: {
    ...REPORT_OPTIONS,
    all: { help: 'Takes in more than 50 new skills of a source at once' },
    'dry-run': { help: 'Shows the report of what would be done, and writes nothing' },
  },
  help: [
    'An unchanged source costs one request.',
    'New versions are written as by import, except those that wait in pending/ until a curator accepts or rejects them.',
    'The field "review" in the row of a source says which wait: "findings" (the default), those with a new finding of high or medium severity; "code", those that change more than plain words; "all", all.',
    'Plain words are letters, whole numbers and punctuation of Markdown, in paragraphs without code, HTML, links, addresses, paths or other characters.',
    'Under "code" the description and the version number may differ, too. Every new skill waits.',
    'Under each of them a version also waits if a change of licence would remove its text, or if its source no longer has most of its skills.',
    'The report begins with new or graver findings; then come new skills, changes of others, gone skills, omissions, and one line for each source.',
    'Skills below folders named deprecated, in-progress or personal, or below folders of tests, templates and examples, are left out unless "include" names the folder.',
    'Exit code 3 if a version began to wait in this run, 1 if a source cannot be read.',
  ],
  run: async (args, context) => {
    const content = readContentOption(args)
    const chosen = chooseRows(readSources(content), args.positionals)
    // A new registry has none yet, and its scheduled runs should not fail.
    if (chosen.length === 0)
      context.stderr.write(`${SOURCES_FILE} lists no source; "add <address>" adds one.\n`)
    await follow(content, chosen, args, context)
  },
}
