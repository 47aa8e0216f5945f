import { existsSync } from 'node:fs'
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
import { SOURCES_FILE, readCategoryNames } from '../store/records.ts'
import { renderRecord, withLock, writeWhole } from '../store/write.ts'
import { printReport } from './report.ts'
import { followedKey, readSources } from './sources.ts'
import { openStage } from './stage.ts'
import { followNew, followSources } from './update.ts'

/** Throws UsageError. */
const makeRow = (
  { positionals: [address = ''], values, switches }: Arguments,
  content: string,
): { row: SourceRow; known: SourceRow | undefined } => {
  const { ref, include, exclude, author, owner, source, note } = values
  const categories = z.enum(readCategoryNames(content)).optional()
  const category = checkOption('category', categories, values['category'])
  const globs = { include: include?.split(','), exclude: exclude?.split(',') }
  const own = switches.has('own') || undefined
  const key = followedKey({ address, ref })
  const known = readSources(content).find((row) => followedKey(row) === key)
  const review = values['review'] ?? known?.review
  const texts = { address, ref, author, category, owner, source, note }
  const all = { ...texts, ...globs, own, review }
  // Options that are not given are not written.
  const input = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const { data: row, error } = sourceRecords.element.safeParse(input)
  if (error) return refuse(listProblems('add', input, error).map(renderProblem).join('\n'))
  return { row, known }
}

const pickFields = ({ address: _address, ref: _ref, ...fields }: SourceRow): object => fields

const nameFollowed = ({ address }: SourceRow, known: SourceRow): string =>
  `${showValue(address, 200)} is followed already${known.address === address ? '' : ` as ${known.address}`}`

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
    'Imports the skills of a source and prints the report, as update does. Saves the address only if it has a skill, even a faulty one.',
    'If the repository is a registry itself, only its own skills are imported; the report lists the addresses that it follows.',
  ],
  run: async (args, context) => {
    const content = resolve(args.values['content'] ?? 'content')
    const { row, known } = makeRow(args, content)
    const stage = openStage(content)
    const settings = { content, stage, ...context }
    if (known) {
      const words = nameFollowed(row, known)
      if (!isDeepStrictEqual(pickFields(known), pickFields(row)))
        refuse(`${words}, with other fields; change its row in ${SOURCES_FILE}.`)
      context.stderr.write(`${words}.\n`)
      return printReport(await followSources([known], settings), content, stage, context)
    }
    const isMine = hasOwnChanges(content)
    const save = async (): Promise<void> => {
      const write = async (): Promise<void> =>
        writeWhole(content, SOURCES_FILE, renderRecord([...readSources(content), row]))
      await withLock(content, write, { create: true })
      stage.add(SOURCES_FILE)
      if (isMine) stage.paths.delete(SOURCES_FILE)
    }
    printReport([await followNew(row, settings, save)], content, stage, context)
  },
}
