import { existsSync, readdirSync, rmSync, rmdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { sourceRecords } from '../../../src/catalog/schema.ts'
import type { SourceRow } from '../../../src/catalog/schema.ts'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { createProgress } from '../../machine/progress.ts'
import {
  CONTENT_OPTION,
  CommandError,
  FindingsError,
  JSON_OPTION,
  pluralize,
  readContentOption,
  refuse,
  renderJson,
} from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { isPrivateIn, readPending, readRecords } from '../store/records.ts'
import { LOCK_FILE, renderRecord, withLock, writeWhole } from '../store/write.ts'
import { isDeserted, renderMarkdown, renderText } from './report.ts'
import { SOURCES_FILE, chooseRows, keyOf, readSources, readState, writeState } from './sources.ts'
import { askCommit, followSources, parseFollowed } from './update.ts'
import type { SourceReport, UpdateSettings, VersionReport } from './update.ts'

const readFailOn = ({ values }: Arguments): UpdateSettings['failOn'] => {
  const value = values['fail-on']
  if (value === undefined || value === 'high' || value === 'medium') return value
  return refuse(`--fail-on must be high or medium, not ${JSON.stringify(value)}.`)
}

const printReport = (
  reports: readonly SourceReport[],
  content: string,
  { switches }: Arguments,
  print: CommandContext['print'],
): void => {
  const pending = readPending(content).map(({ slug }) => slug)
  if (switches.has('json')) print(renderJson({ sources: reports, pending }))
  else if (switches.has('markdown')) print(renderMarkdown(reports, pending))
  else print(renderText(reports, pending))
}

const follow = async (
  content: string,
  chosen: readonly SourceRow[],
  args: Arguments,
  { print, stderr, today }: CommandContext,
): Promise<readonly SourceReport[]> => {
  const settings = {
    content,
    failOn: readFailOn(args),
    isReview: args.switches.has('review'),
    isPrivate: isPrivateIn(content),
    today,
    progress: createProgress(stderr),
  }
  // Before the sources, so that a record that cannot be read ends the command at once.
  readRecords(content)
  readPending(content)
  const reports = await followSources(chosen, readSources(content), settings)
  printReport(reports, content, args, print)
  const held = reports.flatMap((one) => one.versions).filter(({ state }) => state === 'held')
  const deserted = new Set(reports.filter(isDeserted).flatMap(({ versions }) => versions))
  const kinds: [(one: VersionReport) => boolean, string][] = [
    [(one) => one.isGrave, `with new findings of ${settings.failOn} severity`],
    [(one) => one.loss !== undefined, 'whose licence went away'],
    [(one) => deserted.has(one), 'of a source that most skills left'],
  ]
  // Each under its first reason.
  const byReason = Map.groupBy(held, (one) => kinds.find(([holds]) => holds(one))?.[1])
  const reasons = kinds.flatMap(([, what]) => {
    const count = byReason.get(what)?.length ?? 0
    return count > 0 ? [`${pluralize(count, 'skill')} ${what}`] : []
  })
  if (settings.failOn && reasons.length > 0)
    throw new FindingsError(`${reasons.join(', ')}: held back.`)
  const failed = reports.flatMap((one) => one.failed)
  if (failed.length > 0) throw new CommandError(failed.join('\n'))
  return reports
}

const REPORT_OPTIONS: Command['options'] = {
  'fail-on': {
    value: 'high|medium',
    help: 'Holds back versions with new findings of this severity, and exits with 3 if one was held back',
  },
  review: { help: 'Puts every new or changed version aside into pending/' },
  ...CONTENT_OPTION,
  markdown: { help: 'Prints the report as the body of a change request' },
  ...JSON_OPTION,
}

export const updateCommand: Command = {
  name: 'update',
  positionals: { usage: '<address>…', least: 0, most: Infinity },
  summary: 'Follows the sources of sources.json: all, or those named',
  options: REPORT_OPTIONS,
  help: [
    'An unchanged source costs one request.',
    'New versions are written as by import, except that one with a new finding of high or medium severity is held back in pending/ until a curator accepts or rejects it; with --fail-on high, only one of high severity.',
    'So is a version that would lose its text because its licence went away, and whatever is new or changed in a source that no longer has most of its skills.',
    'The report begins with new or graver findings; then come new skills, what changed in others, what is gone, what was left out, and one line a source.',
    'Skills below folders named deprecated, in-progress or personal, or below folders of tests, templates and examples, are left out unless "include" names the folder.',
    'Exit code 3 if --fail-on is given and held back a version, 1 if a source cannot be read.',
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

/** Throws UsageError. */
const makeRow = ({ positionals: [address], values, switches }: Arguments): SourceRow => {
  const { ref, include, exclude, author, category, source, note } = values
  const tokenFrom = values['token-from']
  const globs = { include: include?.split(','), exclude: exclude?.split(',') }
  const own = switches.has('own') || undefined
  // A field that is not given is not written.
  const all = { address, ref, ...globs, author, category, source, own, tokenFrom, note }
  const input = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const checked = sourceRecords.element.safeParse(input)
  if (checked.success) return checked.data
  return refuse(listProblems('add', input, checked.error).map(renderProblem).join('\n'))
}

/** Writes a row into the list, unless it is there. Throws UsageError for another of this address. */
const writeRow = (content: string, row: SourceRow): Promise<boolean> =>
  withLock(
    content,
    async () => {
      const rows = readSources(content)
      if (rows.some((one) => isDeepStrictEqual(one, row))) return false
      if (rows.some(({ address, ref }) => address === row.address && ref === row.ref))
        refuse(`${SOURCES_FILE} has this address with other fields; change its row there.`)
      writeWhole(content, SOURCES_FILE, renderRecord([...rows, row]))
      return true
    },
    { create: true },
  )

/** Why a skill is not taken that could be read. */
const NOT_WANTED = new Set(['left out', 'not included'])

/** Whether no skill of a source is for its readers, or none is wanted. */
const givesNothing = ({ isUnchanged, found, leftOut }: SourceReport): boolean =>
  !isUnchanged && found === 0 && leftOut.every(({ kind }) => NOT_WANTED.has(kind))

/** The names in a content folder; undefined if there is no such folder. */
const listNames = (content: string): string[] | undefined =>
  existsSync(content) ? readdirSync(content) : undefined

/** Takes a row back that was just written, with what is known of it and every name that was not there before. */
const takeBack = async (
  content: string,
  row: SourceRow,
  before: readonly string[] | undefined,
): Promise<void> => {
  await withLock(content, async () => {
    const rows = readSources(content).filter((one) => !isDeepStrictEqual(one, row))
    writeWhole(content, SOURCES_FILE, renderRecord(rows))
    const state = readState(content)
    const read = Object.entries(state.read).filter(([key]) => key !== keyOf(row))
    writeState(content, { ...state, read: Object.fromEntries(read) })
    const kept = new Set([LOCK_FILE, ...(before ?? [])])
    for (const name of readdirSync(content))
      if (!kept.has(name)) rmSync(join(content, name), { recursive: true })
  })
  if (before === undefined) rmdirSync(content)
}

export const addCommand: Command = {
  name: 'add',
  positionals: { usage: '<git address or registry>', least: 1, most: 1 },
  summary: 'Writes a source into sources.json, and imports its skills',
  options: {
    ref: { value: '<name>', help: 'Branch, tag or commit to follow' },
    include: { value: '<globs>', help: 'Only these folders, as skills/*,plugins/**, or slugs' },
    exclude: { value: '<globs>', help: 'Not these folders or slugs' },
    author: { value: '<handle>', help: 'Author, if not the owner in the address' },
    category: { value: '<name>', help: 'Category of its new skills' },
    note: { value: '<text>', help: 'A note for curators' },
    source: { value: '<address>', help: 'Public address of a file:// repository' },
    own: { help: "The skills are the registry's own" },
    'token-from': { value: '<name>', help: 'Variable that holds the token of a registry' },
    ...REPORT_OPTIONS,
  },
  help: [
    'The address is asked first, and written only if it answers. Then its skills are taken in as by update, with the same report.',
  ],
  run: async (args, context) => {
    const content = resolve(args.values['content'] ?? 'content')
    const row = makeRow(args)
    await askCommit(parseFollowed(row, isPrivateIn(content)))
    const before = listNames(content)
    const isNew = await writeRow(content, row)
    const reports = await follow(content, [row], args, context)
    if (!isNew || !reports.every(givesNothing)) return
    await takeBack(content, row, before)
    throw new CommandError(
      `No skill is taken from ${showValue(row.address, 200)}; it is not followed.`,
    )
  },
}
