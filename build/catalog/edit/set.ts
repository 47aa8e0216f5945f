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
  refuseField,
  refuseFile,
} from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { askList, partSchemas, skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { loadSkill } from '../../../src/catalog/skill-folder.ts'
import { countOf, decodeText, remember, showValue } from '../../../src/catalog/text.ts'
import { encodeSketch, findCopies } from '../../site/copies.ts'
import { findDuplicates } from '../check/places.ts'
import { CONTENT_OPTION, readContentOption, refuse } from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import {
  explainUnknown,
  readCategoryNames,
  readRecords,
  readSkillText,
  selectRecords,
} from '../store/records.ts'
import type { Stored, StoredRecord } from '../store/records.ts'
import { withLock, writeRecords } from '../store/write.ts'

const { examples: _, ...partTypes } = partSchemas
const { name, description, author, category, ...others } = skillRecord.shape
const { updated, licence, difficulty, owner } = others

/** The fields that can be removed. Without a text, a skill has the others only in its record. */
const OPTIONAL = { updated, licence, difficulty, owner, ...partTypes, asks: askList }

/** The fields that can be set; `asks` are the example prompts. */
const FIELDS: Readonly<Record<string, z.ZodType>> = {
  name,
  description,
  author,
  category,
  ...Object.fromEntries(Object.entries(OPTIONAL).map(([key, type]) => [key, type.nullable()])),
}

/** New values by field; null removes the field. */
type Values = Readonly<Record<string, unknown>>

const createSchema = (categories: readonly string[]) =>
  z.strictObject({ ...FIELDS, category: z.enum(categories) }).partial()

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

/** The fields of a record and its parts side by side. */
const spread = ({ parts: { examples, ...parts } = {}, ...record }: SkillRecord): Values => ({
  ...record,
  ...parts,
  asks: examples,
})

const changeRecord = (record: SkillRecord, values: Values): SkillRecord => {
  const { asks: examples, ...fields } = { ...spread(record), ...values }
  const stated = Object.entries({ ...fields, examples }).filter(([, value]) => value != null)
  const { part, own } = Object.groupBy(stated, ([field]) => (field in partSchemas ? 'part' : 'own'))
  const ofParts = part && { parts: Object.fromEntries(part) }
  // Parsing puts the fields in the order of the schema.
  return skillRecord.parse({ ...Object.fromEntries(own!), ...ofParts })
}

interface Edit extends StoredRecord {
  before: SkillRecord
  values: Values
  /** The file and line that asks for the change; empty for the command line. */
  file: string
}

const createEdit = ({ slug, record: before }: StoredRecord, values: Values, file = ''): Edit => ({
  slug,
  record: changeRecord(before, values),
  before,
  values,
  file,
})

/** Spells asks alike that differ in case, blanks or punctuation. */
const foldAsk = (ask: string): string => {
  const words = ask.normalize('NFKC').replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
  return words.trim().toLowerCase()
}

/** Makes a test of whether one of two skills is a copy of the other, as the build decides it. */
const createCopyTest = (content: string, { retired }: Stored) => {
  const sketch = remember((slug) => {
    const { skill } = loadSkill(content, slug)
    const text = splitLoosely(readSkillText(content, slug) ?? '').body
    return skill ? [{ skill, sketch: encodeSketch(skill, text) }] : []
  })
  return (...pair: [slug: string, other: string]): boolean => {
    const sorted = pair.flatMap(sketch).sort((a, b) => a.skill.id - b.skill.id)
    return Object.keys(findCopies(sorted, retired)).length > 0
  }
}

/** Finds the asks in `edits` that another listed skill will have, too, unless one is a copy of the other. */
const findSharedAsks = (content: string, stored: Stored, edits: readonly Edit[]): Problem[] => {
  const edited = new Map(edits.map((edit) => [edit.slug, edit]))
  const asks = stored.records.flatMap((row) => {
    const { slug, record } = edited.get(row.slug) ?? row
    const isGone = record.source.kind === 'upstream' && record.source.status === 'gone'
    return isGone ? [] : listAsks(record.parts ?? {}).map((ask) => ({ slug, key: foldAsk(ask) }))
  })
  const holders = Map.groupBy(asks, ({ key }) => key)
  const isCopy = createCopyTest(content, stored)
  return edits.flatMap(({ file, slug, values }) =>
    ((values['asks'] ?? []) as string[]).flatMap((value, at): Problem[] => {
      const slugs = holders.get(foldAsk(value))?.map((ask) => ask.slug) ?? []
      const other = slugs.find((one) => one !== slug && !isCopy(one, slug))
      if (other === undefined && slugs.indexOf(slug) === slugs.lastIndexOf(slug)) return []
      const tooGeneral = `is an ask of "${other}", too; say what only this skill does`
      const remedy = other === undefined ? 'appears twice' : tooGeneral
      return [refuseField(file, `asks.${at}`, value, remedy)]
    }),
  )
}

const readText = (path: string): string => {
  try {
    return decodeText(readPlainFile(path))
  } catch (error) {
    return refuse(`${showValue(path, 200)} cannot be read: ${(error as Error).message}.`)
  }
}

/** Reads a file with a line of JSON for each skill, such as `{"slug": …, "asks": […]}`. Throws UsageError, ContentError. */
const readLines = (content: string, path: string, stored: Stored, schema: Schema): Edit[] => {
  const withSlug = schema.extend({ slug: z.string() })
  const bySlug = new Map(stored.records.map((row) => [row.slug, row]))
  const lineOf = new Map<string, string>()
  const problems: Problem[] = []
  const lines = readText(path).split('\n')
  const edits = lines.flatMap((text, at) => {
    const file = `${basename(path)}:${at + 1}`
    if (text.trim() === '') return []
    const read = readRecord(file, () => text, withSlug, problems)
    if (!read) return []
    for (const { detail } of findDuplicates(text))
      problems.push(refuseFile(file, `${detail} appears twice`, 'keep one of the two'))
    const { slug, ...values } = read
    const from = bySlug.get(slug)
    const earlier = lineOf.get(slug)
    lineOf.set(slug, file)
    if (from && earlier === undefined) return [createEdit(from, values, file)]
    const remedy = from ? `has ${earlier} already` : explainUnknown(slug, stored)
    problems.push(refuseField(file, 'slug', slug, remedy))
    return []
  })
  problems.push(...findSharedAsks(content, stored, edits))
  if (problems.length > 0) throw new ContentError(problems)
  return edits
}

const renderValue = (value: unknown): string => (value === undefined ? 'none' : showValue(value))

const listChanges = ({ slug, record, before, values }: Edit): string[] =>
  Object.keys(values).flatMap((field) => {
    const [old, now] = [before, record].map((one) => spread(one)[field])
    if (isDeepStrictEqual(old, now)) return []
    return [`${slug}: ${field} ${renderValue(old)} -> ${renderValue(now)}`]
  })

const run = async (args: Arguments, { print }: CommandContext): Promise<void> => {
  const content = readContentOption(args)
  const schema = createSchema(readCategoryNames(content))
  const { from: path } = args.values
  const { assignments = [], patterns = [] } = Object.groupBy(args.positionals, (argument) =>
    argument.includes('=') ? 'assignments' : 'patterns',
  )
  if (path !== undefined && args.positionals.length > 0)
    refuse('With --from, the file names skills and values.')
  if (path === undefined && patterns.length === 0)
    refuse('Name a skill, or several with a pattern such as "csv-*"; "*" selects all.')
  if (path === undefined && assignments.length === 0)
    refuse('Name a field and its value, such as category=Writing.')
  const values = readAssignments(assignments, schema)
  await withLock(content, async () => {
    const stored = readRecords(content)
    const edits =
      path === undefined
        ? selectRecords(stored, patterns).map((row) => createEdit(row, values))
        : readLines(content, path, stored, schema)
    const changed = edits.filter((edit) => listChanges(edit).length > 0)
    writeRecords(content, changed)
    for (const line of changed.flatMap(listChanges)) print(line)
    const unchanged = edits.length - changed.length
    print(`wrote ${countOf(changed.length, 'record')}; ${unchanged} had these values already`)
  })
}

export const setCommand: Command = {
  name: 'set',
  positionals: { usage: '<slug, pattern or field=value>', least: 0, most: Infinity },
  summary: 'Changes fields of many records at once',
  options: {
    from: { value: '<file>', help: 'Takes skills and values from a file, all or none' },
    ...CONTENT_OPTION,
  },
  help: [
    `Fields: ${Object.keys(FIELDS).join(', ')}.`,
    'A pattern such as "csv-*" selects several skills; put it in quotes. An empty value, such as licence=, removes an optional field.',
    'The file has a line of JSON for each skill, such as {"slug": "csv-clean", "category": "Writing", "asks": ["my table is a mess"]}; null removes a field. Lists can only be set from a file. If a line is wrong, nothing is written.',
    '"asks" are the example prompts. An ask of another skill is refused, unless one of the two is a copy of the other.',
    'An import overwrites name, description, author, licence and updated from the source. Category, difficulty and parts stay as set, and so does owner unless its source has one in sources.json.',
    'A licence that you choose stays as long as the source leaves it open and its licence files and statements are the same. The next import or update then copies the text.',
  ],
  run,
}
