import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { listSkillFiles } from '../../../src/catalog/folder-files.ts'
import { resolveMoves } from '../../../src/catalog/references.ts'
import { retiredRecords, siteRecord } from '../../../src/catalog/schema.ts'
import type { Retired } from '../../../src/catalog/schema.ts'
import { splitLoosely } from '../../../src/catalog/front-matter.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import {
  CommandError,
  CONTENT_OPTION,
  IF_KILLED,
  checkOption,
  readContentOption,
  refuse,
} from '../cli/command.ts'
import type { Command, CommandContext, Arguments } from '../cli/command.ts'
import { refuseLostBits } from '../import/notices.ts'
import { digestBody } from '../import/skill-md.ts'
import {
  RETIRED_FILE,
  checkFreeSlug,
  readBeside,
  readRecords,
  readSkillText,
  recordName,
  refuseUnknown,
} from '../store/records.ts'
import type { Stored, StoredRecord } from '../store/records.ts'
import { removeSkillFolder, renderRecord, withLock, writeWhole } from '../store/write.ts'
import { giveNewId } from './new-id.ts'
import { freeSlug, isOfOneRepository, takeOver } from './join.ts'
import type { Step } from './join.ts'

const SITE_FILE = 'site.json'

interface DepartureRequest {
  slug: string
  /** The new slug; undefined to retire the skill. */
  to?: string | undefined
  reason?: string | undefined
}

interface DepartureReport {
  dryRun: boolean
  /** The row in retired.json; undefined if there was nothing to do. */
  row?: Retired
  steps: Step[]
}

/** Refuses an invalid slug, or one that belongs or belonged to another skill. */
const checkNewSlug = ({ slug, record }: StoredRecord, to: string, stored: Stored): void => {
  if (to === slug) throw new CommandError(`The skill is at ${showValue(to)} already.`)
  checkFreeSlug(stored, to, record.id)
}

const writeStep = (content: string, file: string, value: unknown): Step => ({
  done: `wrote ${file}`,
  run: () => writeWhole(content, file, renderRecord(value)),
})

/** All slugs of a skill, current and former. */
const namesOf = (
  { slug, record: { id } }: StoredRecord,
  rows: readonly Retired[],
): ReadonlySet<string> =>
  new Set([slug, ...resolveMoves(rows, [{ id, slug }]).map((move) => move.slug)])

/** Plans the removal of a skill from the starter set, which may name a former slug. */
const listMentions = (content: string, skill: StoredRecord, rows: readonly Retired[]): Step[] => {
  const { starter = [], ...others } = readBeside(content, SITE_FILE, siteRecord) ?? {}
  const names = namesOf(skill, rows)
  const left = starter.filter((name) => !names.has(name))
  return left.length === starter.length
    ? []
    : [writeStep(content, SITE_FILE, { ...others, ...(left.length > 0 && { starter: left }) })]
}

/** Plans to drop a removed skill as the successor of deprecated skills, and as the original of copies. */
const listReferences = (
  content: string,
  names: ReadonlySet<string>,
  records: readonly StoredRecord[],
): Step[] =>
  records.flatMap(({ slug, record }) => {
    const { use, ...deprecated } = record.deprecated ?? {}
    const change = {
      ...(names.has(use ?? '') && { deprecated }),
      ...(names.has(record.copyOf || '') && { copyOf: undefined }),
    }
    return Object.keys(change).length > 0
      ? [writeStep(content, recordName(slug), { ...record, ...change })]
      : []
  })

/** Plans the removal of the retired row for a slug that its skill returns to. */
const listReturned = (
  content: string,
  to: string | undefined,
  rows: readonly Retired[],
): Step[] => {
  const left = rows.filter(({ slug }) => slug !== to)
  return left.length === rows.length ? [] : [writeStep(content, RETIRED_FILE, left)]
}

/** Plans to write the new slug as the name of an own skill. A copied skill keeps its author's name. */
const nameSkill = (content: string, { slug, record }: StoredRecord, to: string): Step[] => {
  const file = `skills/${slug}/${SKILL_MD}`
  // Latin-1 keeps every byte.
  const text = existsSync(join(content, file)) ? readFileSync(join(content, file), 'latin1') : ''
  const { block = '', start = 0 } = splitLoosely(text)
  const line = /^name:[ \t]*(["']?)([\w-]+)\1[ \t]*\r?$/m.exec(block)
  if (record.source.kind !== 'own' || line?.[2] !== slug) return []
  const at = start + line.index + line[0].indexOf(slug, 'name:'.length)
  const named = text.slice(0, at) + to + text.slice(at + slug.length)
  const run = (): void => writeWhole(content, file, Buffer.from(named, 'latin1'))
  return [{ done: `wrote ${file}`, run }]
}

/**
 * Plans how a skill leaves its slug. The row is written before the folder changes: the loader ignores a row whose skill
 * still exists, so the catalog loads after each step, and a second run completes what a killed run started.
 */
const planDeparture = (
  content: string,
  skill: StoredRecord,
  row: Retired,
  { records, retired: rows }: Stored,
): Step[] => {
  const { slug } = skill
  const to = row.movedTo
  const others = rows.filter((other) => other.slug !== slug)
  const rowStep = writeStep(content, RETIRED_FILE, [...others, row])
  if (to === undefined) {
    const run = (): void => removeSkillFolder(content, slug)
    return [
      ...listMentions(content, skill, rows),
      ...listReferences(content, namesOf(skill, rows), records),
      rowStep,
      { done: `removed skills/${slug}`, run },
    ]
  }
  const [from, place] = [join('skills', slug), join('skills', to)]
  const run = (): void => {
    const bits = readSkillBits(content)
    renameSync(join(content, from), join(content, place))
    const known = bits.ofSkill(slug)
    const { files } = listSkillFiles(join(content, place), '', { bits: known })
    if (known) refuseLostBits(to, bits.keep(to, files))
  }
  const renameStep = { done: `renamed ${from} to ${place}`, run }
  return [
    rowStep,
    ...nameSkill(content, skill, to),
    renameStep,
    ...listReturned(content, to, [...others, row]),
  ]
}

const makeRow = (
  { slug, record }: StoredRecord,
  { to, reason }: DepartureRequest,
  text?: string,
): Retired => ({
  id: record.id,
  slug,
  ...(to !== undefined && { movedTo: to }),
  ...(reason !== undefined && { reason }),
  // The record of a moved skill keeps the source.
  ...(to === undefined &&
    record.source.kind === 'upstream' && {
      source: record.source.url,
      ...(record.name !== undefined && { name: record.name }),
      ...(text !== undefined && { text: digestBody(text) }),
    }),
})

/** Plans how a skill absorbs another skill from its repository, whose slug then redirects to it. */
const planJoin = (
  content: string,
  skill: StoredRecord,
  other: StoredRecord,
  retired: readonly Retired[],
): { steps: Step[]; rows: Retired[] } => {
  const { slug, record } = other
  const row = { id: record.id, slug, movedTo: skill.slug }
  const rows = [...retired.filter((former) => former.slug !== slug), row]
  const run = (): void => removeSkillFolder(content, slug)
  const steps = [
    takeOver(content, skill, other),
    ...listMentions(content, other, rows),
    writeStep(content, RETIRED_FILE, rows),
    { done: `removed skills/${slug}`, run },
  ]
  return { steps, rows }
}

/** Plans a departure, or the steps that a killed run left undone. */
export const planRequest = (
  content: string,
  request: DepartureRequest,
): Omit<DepartureReport, 'dryRun'> => {
  const { slug, to } = request
  const stored = readRecords(content)
  const { records, retired } = stored
  const skill = records.find((record) => record.slug === slug)
  const other = records.find((record) => record.slug === to && to !== slug)
  if (!skill) {
    const row = retired.find((former) => former.slug === slug)
    if (!row || row.movedTo !== to) return refuseUnknown(slug, stored)
    return { steps: listReturned(content, to, retired) }
  }
  const joined =
    other && isOfOneRepository(skill.record, other.record)
      ? planJoin(content, skill, other, retired)
      : undefined
  const left = joined ? records.filter((record) => record !== other) : records
  const rows = freeSlug({ records: left, retired: joined?.rows ?? retired }, skill, to)
  if (to !== undefined) checkNewSlug(skill, to, { records: left, retired: rows })
  const row = makeRow(skill, request, readSkillText(content, slug))
  const steps = [
    ...(joined?.steps ?? []),
    ...planDeparture(content, skill, row, { records: left, retired: rows }),
  ]
  return { row, steps }
}

const applyRequest = (
  content: string,
  request: DepartureRequest,
  dryRun: boolean,
): DepartureReport => {
  const planned = planRequest(content, request)
  if (!dryRun) for (const { run } of planned.steps) run()
  return { dryRun, ...planned }
}

/** Retires or moves a skill, or only reports what would change. Throws CommandError. */
export const retireOrMove = async (
  content: string,
  request: DepartureRequest,
  dryRun: boolean,
): Promise<DepartureReport> =>
  dryRun
    ? applyRequest(content, request, dryRun)
    : withLock(content, async () => applyRequest(content, request, dryRun))

const PLANNED: Readonly<Record<string, string>> = {
  copied: 'would copy',
  wrote: 'would write',
  removed: 'would remove',
  renamed: 'would rename',
}

const renderPlanned = (done: string): string =>
  done.replace(/^\w+/, (word) => PLANNED[word] ?? word)

const describeSteps = ({ steps, dryRun }: DepartureReport): string[] => [
  ...new Set(steps.map(({ done }) => (dryRun ? renderPlanned(done) : done))),
]

const renderDeparture = (report: DepartureReport): string => {
  const { row, dryRun } = report
  if (row === undefined) return 'nothing to do: it was already done'
  const { id, slug, movedTo } = row
  const start = `${dryRun ? 'would have ' : ''}${movedTo === undefined ? 'retired' : 'moved'} ${slug}`
  return [
    ...describeSteps(report),
    `row in retired.json: ${JSON.stringify(row)}`,
    movedTo === undefined
      ? `${start} (id ${id}); its slug and id are never reused`
      : `${start} to ${movedTo} (still id ${id}); the old addresses answer 308 after the next build`,
  ].join('\n')
}

const OPTIONS: Command['options'] = {
  reason: { value: '<text>', help: 'The reason, in one line; shown at the old address' },
  ...CONTENT_OPTION,
  'dry-run': { help: 'Shows what would change, but changes nothing' },
}

const run = async (args: Arguments, { print }: CommandContext): Promise<void> => {
  const { positionals, switches } = args
  const [slug = '', to] = positionals
  const reason = checkOption('reason', retiredRecords.element.shape.reason, args.values['reason'])
  const dryRun = switches.has('dry-run')
  const report = await retireOrMove(readContentOption(args), { slug, to, reason }, dryRun)
  print(renderDeparture(report))
}

const runMove = async (args: Arguments, context: CommandContext): Promise<void> => {
  const [slug = '', to] = args.positionals
  const isForId = args.switches.has('new-id')
  if (isForId === (to !== undefined))
    refuse('Pass a slug and its new slug, or --new-id and a slug.')
  if (!isForId) return run(args, context)
  const content = readContentOption(args)
  context.print(await withLock(content, async () => giveNewId(content, slug)))
}

export const retireCommand: Command = {
  name: 'retire',
  positionals: { usage: '<slug>', least: 1, most: 1 },
  summary: 'Removes a skill from the catalog; its id and slug are never reused',
  options: OPTIONS,
  help: [
    'The folder of the skill is removed, and a row in retired.json reserves its id and slug. Its page, zip and files answer 404 after the next build.',
    IF_KILLED,
    'Retiring does not undo downloads: if a text contained a secret, withdraw its versions too.',
  ],
  run,
}

export const moveCommand: Command = {
  name: 'move',
  positionals: { usage: '<slug> <new slug>', least: 1, most: 2 },
  summary: 'Gives a skill another slug; the old addresses answer 308',
  options: {
    ...OPTIONS,
    'new-id': { help: 'Gives a skill another id instead, if two branches gave the same one twice' },
  },
  help: [
    "The skill keeps its id. The name in the SKILL.md of one of the registry's own skills changes, too.",
    'After the next build, the old addresses of its page, Markdown, SKILL.md and files answer 308 with the new address and the same query.',
    'A skill can return to one of its former slugs; no other skill gets them, unless the two become one skill.',
    'The new slug may belong to another skill from the same repository, for example after a folder was renamed there. Then both become one skill, with the id and counters of the first and the text of the second.',
    IF_KILLED,
  ],
  run: runMove,
}
