import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { splitLoosely } from '../../../src/catalog/front-matter.ts'
import { listAsks } from '../../../src/catalog/parts.ts'
import {
  ContentError,
  listProblems,
  readPlainFile,
  readRecord,
  renderProblem,
} from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { askList, partSchemas, skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { loadSkill } from '../../../src/catalog/skill-folder.ts'
import { countOf, showValue } from '../../../src/catalog/text.ts'
import { encodeSketch, findCopies } from '../../site/copies.ts'
import { CONTENT_OPTION, readContentOption, refuse } from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import {
  explainUnknown,
  readCategoryNames,
  readRecords,
  readSkillText,
  recordName,
  selectRecords,
} from '../store/records.ts'
import type { Stored, StoredRecord } from '../store/records.ts'
import { renderRecord, withLock, writeWhole } from '../store/write.ts'

const { examples: _, ...ownParts } = partSchemas

/** The parts that can be set; `asks` are the example prompts. */
const PARTS: Readonly<Record<string, z.ZodType>> = { ...ownParts, asks: askList }

const { shape } = skillRecord

/** The other fields that can be set. Those without null stay: a skill without a text has them only in its record. */
const FIELDS = {
  name: shape.name,
  description: shape.description,
  author: shape.author,
  category: shape.category,
  updated: shape.updated.nullable(),
  licence: shape.licence.nullable(),
  difficulty: shape.difficulty.nullable(),
  owner: shape.owner.nullable(),
} as const

/** New values by field; null removes the field. */
type Values = Readonly<Record<string, unknown>>

const createSchema = (categories: readonly string[]) =>
  z
    .strictObject({
      ...FIELDS,
      category: z.enum(categories),
      ...Object.fromEntries(
        Object.entries(PARTS).map(([field, schema]) => [field, schema.nullable()]),
      ),
    })
    .partial()

type Schema = ReturnType<typeof createSchema>

/** Reads assignments such as `category=Writing`. Throws UsageError. */
const readAssignments = (assignments: readonly string[], schema: Schema): Values => {
  const pairs = assignments.map((assignment): [string, string | null] => {
    const at = assignment.indexOf('=')
    const [field, text] = [assignment.slice(0, at), assignment.slice(at + 1)]
    const removes = text === '' && schema.safeParse({ [field]: null }).success
    return [field, removes ? null : text]
  })
  const twice = pairs.find(([field], at) => pairs.findIndex(([other]) => other === field) < at)
  if (twice) refuse(`"${twice[0]}" appears twice.`)
  const values = Object.fromEntries(pairs)
  const { error } = schema.safeParse(values)
  const [problem] = error ? listProblems('', values, error, schema) : []
  if (problem) refuse(renderProblem(problem))
  return values
}

const readField = ({ parts, ...record }: SkillRecord, field: string): unknown => {
  const place: Values = field in FIELDS ? record : { ...parts, asks: parts?.examples }
  return place[field]
}

const changeRecord = ({ parts, ...record }: SkillRecord, values: Values): SkillRecord => {
  const ofRecord: Record<string, unknown> = { ...record }
  const ofParts: Record<string, unknown> = { ...parts }
  for (const [field, value] of Object.entries(values)) {
    if (field in FIELDS) ofRecord[field] = value ?? undefined
    else ofParts[field === 'asks' ? 'examples' : field] = value ?? undefined
  }
  const isEmpty = Object.values(ofParts).every((part) => part === undefined)
  // Parsing puts the fields in the order of the schema.
  return skillRecord.parse({ ...ofRecord, ...(isEmpty ? {} : { parts: ofParts }) })
}

/** Spells asks alike that differ in case, blanks or punctuation. */
const foldAsk = (ask: string): string =>
  (ask.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).join(' ')

/** Makes a test of whether one of two skills is a copy of the other, as the build decides it. */
const createCopyTest = (content: string, { retired }: Stored) => {
  const sketch = ({ slug }: StoredRecord) => {
    const { skill } = loadSkill(content, slug)
    const text = splitLoosely(readSkillText(content, slug) ?? '').body
    return skill ? [{ skill, sketch: encodeSketch(skill, text) }] : []
  }
  return (...pair: [StoredRecord, StoredRecord]): boolean => {
    const sorted = pair.toSorted((a, b) => a.record.id - b.record.id)
    return Object.keys(findCopies(sorted.flatMap(sketch), retired)).length > 0
  }
}

/** Finds the asks in `edits` that another listed skill will have, too, unless one is a copy of the other. */
const findSharedAsks = (content: string, stored: Stored, edits: readonly Edit[]): Problem[] => {
  const edited = new Map(edits.map((edit) => [edit.to.slug, edit.to]))
  const listed = stored.records
    .map((row) => edited.get(row.slug) ?? row)
    .filter(({ record }) => record.source.kind === 'own' || record.source.status === 'alive')
  const asks = listed.flatMap((row) =>
    listAsks(row.record.parts ?? {}).map((ask) => ({ row, key: foldAsk(ask) })),
  )
  const holders = Map.groupBy(asks, ({ key }) => key)
  const isCopy = createCopyTest(content, stored)
  return edits.flatMap(({ file, to, values }) =>
    ((values['asks'] ?? []) as string[]).flatMap((value, at): Problem[] => {
      const others = holders.get(foldAsk(value)) ?? []
      const other = others.find(({ row }) => row !== to && !isCopy(row, to))
      const isTwice = others.filter(({ row }) => row === to).length > 1
      if (!other && !isTwice) return []
      const remedy = other
        ? `is an ask of "${other.row.slug}", too; say what only this skill does`
        : 'appears twice'
      return [{ file, field: `asks.${at}`, value, remedy }]
    }),
  )
}

/** The change of one record. */
interface Edit {
  /** The file and line that asks for it; empty for the command line. */
  file: string
  from: StoredRecord
  to: StoredRecord
  values: Values
}

const createEdit = (from: StoredRecord, values: Values, file = ''): Edit => ({
  file,
  from,
  to: { slug: from.slug, record: changeRecord(from.record, values) },
  values,
})

/** Reads a file with a line of JSON for each skill, such as `{"slug": …, "asks": […]}`. Throws ContentError. */
const readLines = (content: string, path: string, stored: Stored, schema: Schema): Edit[] => {
  const withSlug = schema.extend({ slug: z.string() })
  const bySlug = new Map(stored.records.map((row) => [row.slug, row]))
  const lineOf = new Map<string, string>()
  const problems: Problem[] = []
  const edits = readPlainFile(path)
    .toString('utf8')
    .split('\n')
    .flatMap((text, at) => {
      const file = `${basename(path)}:${at + 1}`
      if (text.trim() === '') return []
      const read = readRecord(file, () => text, withSlug, problems)
      if (!read) return []
      const { slug, ...values } = read
      const from = bySlug.get(slug)
      const earlier = lineOf.get(slug)
      lineOf.set(slug, file)
      if (from && earlier === undefined) return [createEdit(from, values, file)]
      const remedy = from ? `has ${earlier} already` : explainUnknown(slug, stored)
      problems.push({ file, field: 'slug', value: slug, remedy })
      return []
    })
  problems.push(...findSharedAsks(content, stored, edits))
  if (problems.length > 0) throw new ContentError(problems)
  return edits
}

const renderValue = (value: unknown): string => (value === undefined ? 'none' : showValue(value))

/** Writes edits, or only lists the changes. Returns the lines to print. */
const writeEdits = (content: string, edits: readonly Edit[], dryRun: boolean): string[] => {
  const changes = edits.flatMap(({ from, to, values }) => {
    const lines = Object.keys(values).flatMap((field) => {
      const [before, after] = [from, to].map(({ record }) => readField(record, field))
      if (isDeepStrictEqual(before, after)) return []
      return [`${from.slug}: ${field} ${renderValue(before)} -> ${renderValue(after)}`]
    })
    if (lines.length > 0 && !dryRun)
      writeWhole(content, recordName(to.slug), renderRecord(to.record))
    return lines.length > 0 ? [lines] : []
  })
  const wrote = `${dryRun ? 'would write' : 'wrote'} ${countOf(changes.length, 'record')}`
  return [...changes.flat(), `${wrote}; ${edits.length - changes.length} had these values already`]
}

const run = async (args: Arguments, { print }: CommandContext): Promise<void> => {
  const content = readContentOption(args)
  const schema = createSchema(readCategoryNames(content))
  const { from: path } = args.values
  const { assignments = [], patterns = [] } = Object.groupBy(args.positionals, (argument) =>
    argument.includes('=') ? 'assignments' : 'patterns',
  )
  if (path !== undefined && args.positionals.length > 0)
    refuse('With --from, the file names skills and values.')
  if (path !== undefined && !existsSync(path)) refuse(`No file ${showValue(path, 200)}.`)
  if (path === undefined && patterns.length === 0)
    refuse('Name a skill, or several with a pattern such as "csv-*"; "*" selects all.')
  if (path === undefined && assignments.length === 0)
    refuse('Name a field and its value, such as category=Writing.')
  const values = readAssignments(assignments, schema)
  const dryRun = args.switches.has('dry-run')
  const set = async () => {
    const stored = readRecords(content)
    const edits =
      path === undefined
        ? selectRecords(stored, patterns).map((row) => createEdit(row, values))
        : readLines(content, path, stored, schema)
    return writeEdits(content, edits, dryRun)
  }
  for (const line of await (dryRun ? set() : withLock(content, set))) print(line)
}

export const setCommand: Command = {
  name: 'set',
  positionals: { usage: '<slug, pattern or field=value>', least: 0, most: Infinity },
  summary: 'Changes fields of many records at once',
  options: {
    from: { value: '<file>', help: 'Takes skills and values from a file, all or none' },
    ...CONTENT_OPTION,
    'dry-run': { help: 'Shows what would change, but changes nothing' },
  },
  help: [
    `Fields: ${[...Object.keys(FIELDS), ...Object.keys(PARTS)].join(', ')}. A pattern such as "csv-*" selects several skills; put it in quotes. An empty value, such as licence=, removes an optional field.`,
    'The file has a line of JSON for each skill, such as {"slug": "csv-clean", "category": "Writing", "asks": ["my table is a mess"]}; null removes a field. Lists can only be set from a file. If a line is wrong, nothing is written. "asks" are the example prompts; an ask of another skill is refused, unless one of the two is a copy of the other.',
    'An import overwrites name, description, author, licence and updated from the source. Category, difficulty and parts stay as set, and so does owner unless its source has one in sources.json.',
    'A licence that you choose stays as long as the source leaves it open and its licence files and statements are the same. The next import or update then copies the text.',
  ],
  run,
}
