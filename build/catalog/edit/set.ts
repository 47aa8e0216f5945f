import { suggestNearest } from '../../../src/catalog/nearest-name.ts'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { z } from 'zod'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { countOf, showValue } from '../../../src/catalog/text.ts'
import { CONTENT_OPTION, readContentOption, refuse } from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { readCategoryNames, readRecords, recordName, selectRecords } from '../store/records.ts'
import { renderRecord, withLock, writeWhole } from '../store/write.ts'

/** The fields of a record whose value can be a text. */
const FIELDS = [
  'name',
  'description',
  'author',
  'category',
  'updated',
  'licence',
  'difficulty',
  'owner',
] as const satisfies readonly (keyof SkillRecord)[]

type Field = (typeof FIELDS)[number]

/** The fields that may be removed. Name and description stay: a skill without a text has them only in its record. */
const REMOVABLE: ReadonlySet<Field> = new Set(['updated', 'licence', 'difficulty', 'owner'])

/** New values by field; undefined removes the field. */
type Values = ReadonlyMap<Field, string | undefined>

const readField = (name: string): Field => {
  const field = FIELDS.find((known) => known === name)
  if (field !== undefined) return field
  if (Object.hasOwn(skillRecord.shape, name)) {
    return refuse(`${showValue(name)} cannot be set with this command; edit it in skill.json.`)
  }
  const advice = suggestNearest(name, FIELDS) || '.'
  return refuse(`No field ${showValue(name)}${advice} Fields: ${FIELDS.join(', ')}.`)
}

/** Reads assignments such as `category=Writing`. Throws UsageError. */
const readValues = (assignments: readonly string[], categories: readonly string[]): Values => {
  const values = new Map<Field, string | undefined>()
  for (const assignment of assignments) {
    const at = assignment.indexOf('=')
    const field = readField(assignment.slice(0, at))
    const text = assignment.slice(at + 1)
    const value = text === '' && REMOVABLE.has(field) ? undefined : text
    if (values.has(field)) refuse(`"${field}" appears twice.`)
    const schema = field === 'category' ? z.enum(categories) : skillRecord.shape[field]
    const { error } = schema.safeParse(value)
    const [problem] = error ? listProblems('', value, error) : []
    if (problem) refuse(renderProblem({ ...problem, field }))
    values.set(field, value)
  }
  return values
}

interface Change {
  slug: string
  field: Field
  before: SkillRecord[Field]
  after: string | undefined
}

/** Writes new values into the selected records, or only lists the changes. */
const setFields = (
  content: string,
  patterns: readonly string[],
  values: Values,
  dryRun: boolean,
): { selected: number; changes: Change[] } => {
  const selected = selectRecords(readRecords(content), patterns)
  const changes = selected.flatMap(({ slug, record }) => {
    const ofSkill = [...values]
      .map(([field, after]): Change => ({ slug, field, before: record[field], after }))
      .filter(({ before, after }) => before !== after)
    if (ofSkill.length > 0 && !dryRun) {
      // Parsing puts the fields in the order of the schema.
      const changed = skillRecord.parse({ ...record, ...Object.fromEntries(values) })
      writeWhole(content, recordName(slug), renderRecord(changed))
    }
    return ofSkill
  })
  return { selected: selected.length, changes }
}

const renderValue = (value: SkillRecord[Field]): string =>
  value === undefined ? 'none' : showValue(value)

const run = async (args: Arguments, { print }: CommandContext): Promise<void> => {
  const content = readContentOption(args)
  const dryRun = args.switches.has('dry-run')
  const { assignments = [], patterns = [] } = Object.groupBy(args.positionals, (argument) =>
    argument.includes('=') ? 'assignments' : 'patterns',
  )
  if (patterns.length === 0)
    refuse('Name a skill, or several with a pattern such as "csv-*"; "*" selects all.')
  if (assignments.length === 0) refuse('Name a field and its value, such as category=Writing.')
  const values = readValues(assignments, readCategoryNames(content))
  const set = async () => setFields(content, patterns, values, dryRun)
  const { selected, changes } = await (dryRun ? set() : withLock(content, set))
  const changed = new Set(changes.map(({ slug }) => slug)).size
  for (const { slug, field, before, after } of changes) {
    print(`${slug}: ${field} ${renderValue(before)} -> ${renderValue(after)}`)
  }
  const wrote = dryRun ? 'would write' : 'wrote'
  print(`${wrote} ${countOf(changed, 'record')}; ${selected - changed} had these values already`)
}

export const setCommand: Command = {
  name: 'set',
  positionals: { usage: '<slug, pattern or field=value>', least: 2, most: Infinity },
  summary: 'Changes a field of many records at once',
  options: {
    ...CONTENT_OPTION,
    'dry-run': { help: 'Shows what would change, but changes nothing' },
  },
  help: [
    `Fields: ${FIELDS.join(', ')}. A pattern such as "csv-*" selects several skills; put it in quotes. An empty value, such as licence=, removes an optional field.`,
    'An import overwrites name, description, author, licence and updated from the source. Category and difficulty stay as set, and so does owner unless its source has one in sources.json.',
    'A licence that you choose stays as long as the source leaves it open and its licence files and statements are the same. The next import or update then copies the text.',
  ],
  run,
}
