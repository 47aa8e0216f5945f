import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { locate } from '../../../src/catalog/address.ts'
import { listSkillFiles } from '../../../src/catalog/folder-files.ts'
import { retiredRecords } from '../../../src/catalog/schema.ts'
import type { Retired, SkillRecord } from '../../../src/catalog/schema.ts'
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
import { mergeRecords } from '../import/record.ts'
import { chooseSlug, digestBody } from '../import/skill-md.ts'
import {
  RETIRED_FILE,
  SITE_FILE,
  checkFreeSlug,
  readRecords,
  readSite,
  readSkillText,
  recordName,
  refuseUnknown,
  slugsOf,
} from '../store/records.ts'
import type { Stored, StoredRecord } from '../store/records.ts'
import { isDraft } from '../store/earlier.ts'
import { openStage, refuseFaults, stageAll } from '../update/stage.ts'
import type { Stage } from '../update/stage.ts'
import {
  compareFolder,
  listForCopy,
  removeSkillFolder,
  renderRecord,
  withLock,
  writeSkillFolder,
  writeWhole,
} from '../store/write.ts'
import { giveNewId } from './new-id.ts'

interface DepartureRequest {
  slug: string
  /** The new slug; undefined to retire the skill. */
  to?: string | undefined
  reason?: string | undefined
}

interface Departure {
  /** The row in retired.json; undefined if there was nothing to do. */
  row?: Retired
  /** What was written, removed and renamed, in the past tense. */
  done: string[]
}

/** Refuses an invalid slug, or one that belongs or belonged to another skill. */
const checkNewSlug = ({ slug, record }: StoredRecord, to: string, stored: Stored): void => {
  if (to === slug) throw new CommandError(`The skill is at ${showValue(to)} already.`)
  checkFreeSlug(stored, to, record.id)
}

/** Writes into a content folder and stages it, and keeps what was done. */
class Writer {
  readonly done: string[] = []
  readonly content: string
  readonly stage: Stage

  constructor(content: string) {
    this.content = content
    this.stage = openStage(content)
  }

  note(done: string, ...paths: string[]): void {
    this.done.push(done)
    for (const path of paths) this.stage.add(path)
  }

  write(file: string, value: unknown): void {
    writeWhole(this.content, file, renderRecord(value))
    this.note(`wrote ${file}`, file)
  }

  remove(slug: string): void {
    removeSkillFolder(this.content, slug)
    this.note(`removed skills/${slug}`, `skills/${slug}`)
  }
}

/** Removes a skill from the starter set, which may name a former slug. */
const dropMentions = (writer: Writer, skill: StoredRecord, rows: readonly Retired[]): void => {
  const { starter = [], ...others } = readSite(writer.content) ?? {}
  const names = slugsOf(skill, rows)
  const left = starter.filter((name) => !names.has(name))
  if (left.length === starter.length) return
  writer.write(SITE_FILE, { ...others, ...(left.length > 0 && { starter: left }) })
}

/** Drops a removed skill as the successor of deprecated skills, and as the original of copies. */
const dropReferences = (
  writer: Writer,
  names: ReadonlySet<string>,
  records: readonly StoredRecord[],
): void => {
  for (const { slug, record } of records) {
    const { use, ...deprecated } = record.deprecated ?? {}
    const change = {
      ...(names.has(use ?? '') && { deprecated }),
      ...(names.has(record.copyOf || '') && { copyOf: undefined }),
    }
    if (Object.keys(change).length > 0) writer.write(recordName(slug), { ...record, ...change })
  }
}

/** Removes the retired row for a slug to which its skill returned. */
const dropReturned = (writer: Writer, to: string | undefined, rows: readonly Retired[]): void => {
  const left = rows.filter(({ slug }) => slug !== to)
  if (left.length < rows.length) writer.write(RETIRED_FILE, left)
}

/** Writes the new slug as the name of an own skill. A copied skill keeps its author's name. */
const nameSkill = (writer: Writer, { slug, record }: StoredRecord, to: string): void => {
  const { content } = writer
  const file = `skills/${slug}/${SKILL_MD}`
  // Latin-1 keeps every byte.
  const text = existsSync(join(content, file)) ? readFileSync(join(content, file), 'latin1') : ''
  const { block = '', start = 0 } = splitLoosely(text)
  const line = /^name:[ \t]*(["']?)([\w-]+)\1[ \t]*\r?$/m.exec(block)
  if (record.source.kind !== 'own' || line?.[2] !== slug) return
  const at = start + line.index + line[0].indexOf(slug, 'name:'.length)
  const named = text.slice(0, at) + to + text.slice(at + slug.length)
  writeWhole(content, file, Buffer.from(named, 'latin1'))
  writer.note(`wrote ${file}`)
}

const renameFolder = (writer: Writer, slug: string, to: string): void => {
  const { content } = writer
  const [from, place] = [join('skills', slug), join('skills', to)]
  const bits = readSkillBits(content)
  renameSync(join(content, from), join(content, place))
  writer.note(`renamed ${from} to ${place}`, from, place)
  const known = bits.ofSkill(slug)
  const { files } = listSkillFiles(join(content, place), '', { bits: known })
  if (known) refuseLostBits(to, bits.keep(to, files))
}

/**
 * Takes a skill from its slug. The row is written before the folder changes: the loader ignores a row whose skill still
 * exists, so the catalog loads after each step, and a second run completes what a killed run started.
 */
const leaveSlug = (
  writer: Writer,
  skill: StoredRecord,
  row: Retired,
  { records, retired: rows }: Stored,
): void => {
  const { slug } = skill
  const to = row.movedTo
  const left = [...rows.filter((other) => other.slug !== slug), row]
  if (to === undefined) {
    dropMentions(writer, skill, rows)
    dropReferences(writer, slugsOf(skill, rows), records)
    writer.write(RETIRED_FILE, left)
    writer.remove(slug)
  } else {
    writer.write(RETIRED_FILE, left)
    nameSkill(writer, skill, to)
    renameFolder(writer, slug, to)
    dropReturned(writer, to, left)
  }
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

// When a folder is renamed upstream, an update sees one skill disappear and a new one appear. A curator can join them.

const isOfOneRepository = (skill: SkillRecord, other: SkillRecord): boolean => {
  const [here, there] = [skill.source, other.source]
  if (here.kind === 'own' || there.kind === 'own') return false
  return locate(here.url).repository === locate(there.url).repository
}

/**
 * Replaces the files and the source of a skill with those of another skill of the catalog. Id, category and all that a
 * curator wrote stay.
 */
const takeOver = (content: string, old: StoredRecord, next: StoredRecord): void => {
  const bits = readSkillBits(content)
  const files = listForCopy(content, next.slug, bits.ofSkill(next.slug))
  const place = join(content, 'skills', old.slug)
  const change = compareFolder(place, files, bits.ofSkill(old.slug))
  const record = mergeRecords(next.record, old.record)
  refuseLostBits(old.slug, writeSkillFolder(content, old.slug, files, change, record, bits))
}

/** Frees a slug of another skill that redirects to this skill. The other skill gets a slug that was never used. */
const freeSlug = (
  { records, retired }: Stored,
  { slug, record }: StoredRecord,
  to: string | undefined,
): Retired[] => {
  const takenSlugs = new Set([...records, ...retired].map((row) => row.slug))
  return retired.map((row) => {
    if (row.slug !== to || row.movedTo !== slug || row.id === record.id) return row
    const name = { name: to, folderName: to, author: String(row.id), id: row.id }
    return { ...row, slug: chooseSlug(name, takenSlugs) }
  })
}

/** Makes a skill absorb another. `rows` are those of retired.json; undefined if the other one leaves none. */
const absorb = (
  writer: Writer,
  skill: StoredRecord,
  other: StoredRecord,
  rows: readonly Retired[] | undefined,
): void => {
  takeOver(writer.content, skill, other)
  writer.note(
    `copied the files of skills/${other.slug} into skills/${skill.slug}`,
    `skills/${skill.slug}`,
  )
  dropMentions(writer, other, rows ?? [])
  if (rows) writer.write(RETIRED_FILE, rows)
  writer.remove(other.slug)
}

/** Retires or moves a skill, or completes what a killed run left undone. Call it under the lock. Throws CommandError. */
export const depart = (content: string, request: DepartureRequest): Departure => {
  const { slug, to } = request
  const stored = readRecords(content)
  const { records, retired } = stored
  const writer = new Writer(content)
  const skill = records.find((record) => record.slug === slug)
  if (!skill) {
    const row = retired.find((former) => former.slug === slug)
    if (!row || row.movedTo !== to) return refuseUnknown(slug, stored)
    dropReturned(writer, to, retired)
    // The killed run may not have come to stage the last of what it had written.
    const folders = [slug, to ?? slug].map((name) => `skills/${name}`)
    stageAll(content, [...folders, RETIRED_FILE])
    return { done: writer.done }
  }
  const other = records.find((record) => record.slug === to && to !== slug)
  const isOfDraft = other !== undefined && isDraft(content, other.slug)
  const isJoined = other && (isOfDraft || isOfOneRepository(skill.record, other.record))
  const left = isJoined ? records.filter((record) => record !== other) : records
  // The slug of a published skill redirects to the one that absorbs it.
  const joined =
    isJoined && !isOfDraft
      ? [
          ...retired.filter((former) => former.slug !== other.slug),
          { id: other.record.id, slug: other.slug, movedTo: slug },
        ]
      : undefined
  const rows = freeSlug({ records: left, retired: joined ?? retired }, skill, to)
  if (to !== undefined) checkNewSlug(skill, to, { records: left, retired: rows })
  const row = makeRow(skill, request, readSkillText(content, slug))
  if (isJoined) absorb(writer, skill, other, joined)
  leaveSlug(writer, skill, row, { records: left, retired: rows })
  refuseFaults(writer.stage)
  return { row, done: writer.done }
}

const renderDeparture = ({ row, done }: Departure): string => {
  if (row === undefined) return 'nothing to do: it was already done'
  const { id, slug, movedTo } = row
  return [
    ...new Set(done),
    `row in retired.json: ${JSON.stringify(row)}`,
    movedTo === undefined
      ? `retired ${slug} (id ${id}); its slug and id are never reused`
      : `moved ${slug} to ${movedTo} (still id ${id}); the old addresses answer 308 after the next build`,
  ].join('\n')
}

const OPTIONS: Command['options'] = {
  reason: { value: '<text>', help: 'The reason, in one line; shown at the old address' },
  ...CONTENT_OPTION,
}

const run = async (args: Arguments, { print }: CommandContext): Promise<void> => {
  const [slug = '', to] = args.positionals
  const reason = checkOption('reason', retiredRecords.element.shape.reason, args.values['reason'])
  const content = readContentOption(args)
  print(renderDeparture(await withLock(content, async () => depart(content, { slug, to, reason }))))
}

const runMove = async (args: Arguments, context: CommandContext): Promise<void> => {
  const [slug = '', to] = args.positionals
  const isForId = args.switches.has('new-id')
  if (isForId === (to !== undefined))
    refuse('Pass a slug and its new slug, or --new-id and a slug.')
  if (!isForId) return run(args, context)
  const content = readContentOption(args)
  const line = await withLock(content, async () => {
    const done = giveNewId(content, slug)
    stageAll(content, [recordName(slug)])
    return done
  })
  context.print(line)
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
    'The new slug may belong to a skill that is not committed, for example after a folder was renamed in its source, or to another skill from the same repository.',
    'Then both become one skill, with the id, counters and record of the first and the files and source of the second.',
    IF_KILLED,
  ],
  run: runMove,
}
