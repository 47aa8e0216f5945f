import { existsSync, readdirSync, rmSync, rmdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { z } from 'zod'
import { sourceRecords } from '../../../src/catalog/schema.ts'
import type { SourceRow } from '../../../src/catalog/schema.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { askGit } from '../../machine/checkout.ts'
import { CONTENT_OPTION, checkOption, refuse } from '../cli/command.ts'
import type { Arguments, Command } from '../cli/command.ts'
import { SOURCES_FILE, isPrivateIn, readCategoryNames } from '../store/records.ts'
import { SOURCES_LOCK, readSourcesLock } from '../store/sources-lock.ts'
import { LOCK_FILE, renderRecord, withLock, writeSourcesLock, writeWhole } from '../store/write.ts'
import { printReport } from './report.ts'
import { followedKey, nameOf, readSources } from './sources.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import { followSources, parseFollowed, requestCommit } from './update.ts'

/** Throws UsageError. */
const makeRow = (
  { positionals: [address], values, switches }: Arguments,
  content: string,
): SourceRow => {
  const { ref, include, exclude, author, owner, source, note } = values
  const categories = z.enum(readCategoryNames(content)).optional()
  const category = checkOption('category', categories, values['category'])
  const globs = { include: include?.split(','), exclude: exclude?.split(',') }
  const own = switches.has('own') || undefined
  const key = followedKey({ address: address ?? '', ref })
  const known = readSources(content).find((row) => followedKey(row) === key)
  const review = values['review'] ?? known?.review
  const texts = { address, ref, author, category, owner, source, note }
  const all = { ...texts, ...globs, own, review }
  // Options that are not given are not written.
  const input = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const checked = sourceRecords.element.safeParse(input)
  if (checked.success) return checked.data
  return refuse(listProblems('add', input, checked.error).map(renderProblem).join('\n'))
}

const pickFields = ({ address: _address, ref: _ref, ...fields }: SourceRow): object => fields

/** Adds a row, or returns the row that follows the same. Throws UsageError if that has other fields. */
const writeRow = (content: string, row: SourceRow): Promise<SourceRow | undefined> =>
  withLock(
    content,
    async () => {
      const rows = readSources(content)
      const key = followedKey(row)
      const known = rows.find((other) => followedKey(other) === key)
      if (!known) writeWhole(content, SOURCES_FILE, renderRecord([...rows, row]))
      else if (!isDeepStrictEqual(pickFields(known), pickFields(row)))
        refuse(`${nameFollowed(row, known)}, with other fields; change its row in ${SOURCES_FILE}.`)
      return known
    },
    { create: true },
  )

const nameFollowed = ({ address }: SourceRow, known: SourceRow): string =>
  `${showValue(address, 200)} is followed already${known.address === address ? '' : ` as ${known.address}`}`

/** Undoes `add`: removes the row, its state, and every file and folder that did not exist before. */
const undoAdd = async (
  content: string,
  row: SourceRow,
  namesBefore: readonly string[] | undefined,
  stage: Stage,
): Promise<void> => {
  await withLock(content, async () => {
    const rows = readSources(content).filter((other) => !isDeepStrictEqual(other, row))
    writeWhole(content, SOURCES_FILE, renderRecord(rows))
    const lock = readSourcesLock(content)
    lock.read.delete(nameOf(row))
    writeSourcesLock(content, lock)
    const kept = new Set([LOCK_FILE, ...(namesBefore ?? [])])
    for (const name of readdirSync(content))
      if (!kept.has(name)) rmSync(join(content, name), { recursive: true })
  })
  if (namesBefore === undefined) rmdirSync(content)
  else for (const file of [SOURCES_FILE, SOURCES_LOCK]) stage.add(file)
  stage.paths.clear()
}

/** Whether the list of sources has changes that are not committed: the command that takes all back would lose them. */
const hasOwnChanges = (content: string): boolean =>
  existsSync(join(content, SOURCES_FILE)) &&
  askGit(content, ['status', '--porcelain', '--', SOURCES_FILE]) !== ''

export const addCommand: Command = {
  name: 'add',
  positionals: { usage: '<git address>', least: 1, most: 1 },
  summary: 'Adds a source to sources.json and imports its skills',
  options: {
    ref: { value: '<name>', help: 'Branch, tag or commit to follow' },
    include: {
      value: '<globs>',
      help: 'Only these folders, for example skills/*,plugins/**',
    },
    exclude: { value: '<globs>', help: 'Not these folders' },
    author: { value: '<handle>', help: 'Author, if not the owner in the address' },
    category: { value: '<name>', help: 'Category of its new skills' },
    owner: { value: '<name>', help: 'Who maintains its skills, for example payments-team' },
    note: { value: '<text>', help: 'A note for curators' },
    source: { value: '<address>', help: 'Public address of a file:// repository' },
    own: { help: "The skills are the registry's own" },
    review: {
      value: 'findings|files|all',
      help: 'Which versions need a look; saved in the row of the source',
    },
    ...CONTENT_OPTION,
  },
  help: [
    'Saves the address only if it answers. Then imports its skills and prints the report, as update does.',
    'If the repository is a registry itself, only its own skills are imported; the report lists the addresses that it follows.',
  ],
  run: async (args, context) => {
    const content = resolve(args.values['content'] ?? 'content')
    const row = makeRow(args, content)
    await requestCommit(parseFollowed(row, isPrivateIn(content)))
    const namesBefore = existsSync(content) ? readdirSync(content) : undefined
    const isMine = hasOwnChanges(content)
    const known = await writeRow(content, row)
    const stage = openStage(content)
    stage.add(SOURCES_FILE)
    if (isMine) stage.paths.delete(SOURCES_FILE)
    if (known) context.stderr.write(`${nameFollowed(row, known)}.\n`)
    const reports = await followSources([known ?? row], { content, stage, ...context })
    for (const report of reports)
      if (!known && report.found === 0 && (report.isEmpty || report.failed.length > 0)) {
        await undoAdd(content, row, namesBefore, stage)
        const source = showValue(row.address, 200)
        report.failed.push(`No skill was taken from ${source}, so it is not followed.`)
      }
    printReport(reports, content, stage, context)
  },
}
