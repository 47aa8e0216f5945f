import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { WordTable } from '../../src/catalog/word-table.ts'
import { appendDetails, openDetails } from './details-file.ts'
import type { DetailsFile, Place } from './details-file.ts'
import type { ColumnRow, RowColumns, RowPiece } from './row-columns.ts'
import { readStateFile, writeStateFile } from './state-file.ts'
import { StoredRow, toColumnRow } from './stored-row.ts'
import { readWords, writeWords } from './words-file.ts'

/** Folder of the output that holds the states of builds. */
export const STATE_FOLDER = 'state'

/** What a build knows of a skill from the last one. */
export interface SkillRow extends Pick<
  SkillFacts,
  'id' | 'slug' | 'name' | 'author' | 'category' | 'updated' | 'visibility' | 'views' | 'installs'
> {
  /** Digest of what its folder held. */
  digest: string
  /** Digest of what lists, comparisons and the search tell of it beside its counters. */
  told: string
  /** Digest of everything its page shows. */
  key: string
  /** Of its zip. */
  sha256: string
  size: number
  /** Names of its files in the site that are no page; none where it appears nowhere. */
  files: number
  /** Ids of the skills it is compared with, each between commas. */
  nearest: string
  /** How its folder looked. */
  signature: string
  /** The rest, as JSON, or where that lies: most builds need it of a few skills only. */
  details: string | (Place & { file: DetailsFile })
}

/** The part of a row that is read when it is needed. */
export interface SkillDetails {
  facts: SkillFacts
  /** Paths of its files in the zip. */
  paths: string[]
}

/** What was written into a site since the one before it. */
export interface Difference {
  /** Name of the generation before. */
  from: string
  written: string[]
  removed: string[]
}

/** How much a site holds. */
export interface Counts {
  skills: number
  /** Files of skills that are no pages. */
  files: number
  /** Slugs of skills that appear nowhere. */
  untraced: string[]
}

/** A file of words, and what to check it by. */
export interface WordsFile {
  name: string
  check: number
}

/** What a build knows from the last one, beside its skills. */
export interface StateHead {
  counts: Counts
  /** Digest of code, layouts and dependencies. */
  code: string
  /** Digest of that, and what every page shows of the site. */
  look: string
  /** Digest of that, the settings, and what the content says beside skills and counters. */
  frame: string
  /** Digest of which skills are copies. */
  copies: string
  /** Digest of what makes the search index beside the skills. */
  index: string
  /** Pages that are no skill's, by path: the digest of what they show, their day, and whether they are mapped. */
  pages: Record<string, [key: string, updated: string, isIndexable: boolean]>
  /** Names of the files that are no page and no skill's. */
  others: string[]
  before: Difference
  /** Names of the files beside the state that hold the details of rows and their words. */
  files: { details: string; words: WordsFile }
}

/** What a finished build leaves to the next one. */
export interface BuildState {
  head: StateHead
  columns: RowColumns
  /** Path of the file of details. */
  details: string
  rows: Map<string, SkillRow>
  /** Ids of the listed skills in popular order. */
  popular: Float64Array
  readWords: () => WordTable
}

/** Says whether a skill appears nowhere. */
export const isUntracedRow = ({ files }: SkillRow): boolean => files === 0

const nameOf = (generation: string): string => `${generation}.txt`

/**
 * Reads what the build of a generation left; undefined where there is nothing to go by. What is read later, of
 * details and words, throws DamagedStateError where it is not what was written.
 */
export const readState = (output: string, generation: string): BuildState | undefined => {
  const folder = join(output, STATE_FOLDER)
  const read = readStateFile(join(folder, nameOf(generation)))
  if (!read) return undefined
  const { head, columns } = read
  const words = join(folder, head.files.words.name)
  const details = join(folder, head.files.details)
  if (!existsSync(words) || !existsSync(details)) return undefined
  const file = openDetails(details)
  const rows = new Map<string, SkillRow>()
  for (let at = 0; at < columns.size; at += 1) {
    const row = new StoredRow(columns, at, file)
    rows.set(row.slug, row)
  }
  return { ...read, details, rows, readWords: () => readWords(words, head.files.words.check) }
}

/** Says how many times what is needed a file of details may hold. */
const SPARE_ROOM = 2

const findDetails = (rows: readonly SkillRow[]): string | undefined => {
  let needed = 0
  let path: string | undefined
  for (const { details } of rows) {
    if (typeof details === 'string') continue
    needed += details.length
    path = details.file.path
  }
  if (path === undefined) return undefined
  return statSync(path).size > SPARE_ROOM * needed ? undefined : path
}

/** Writes what is new of the details behind the old ones, or all where too few of these are wanted still. */
const keepDetails = (
  folder: string,
  generation: string,
  rows: readonly SkillRow[],
): { name: string; added: ReadonlyMap<SkillRow, Place> } => {
  const path = findDetails(rows)
  // A state may be written twice for one generation, the second time out of the first.
  const name =
    path === undefined ? `${generation}-${Date.now().toString(36)}.details` : basename(path)
  const news = rows.filter(({ details }) => path === undefined || typeof details === 'string')
  const places = appendDetails(join(folder, name), news.map(textOf))
  return { name, added: new Map(news.map((row, at) => [row, places[at]!])) }
}

const textOf = ({ details }: SkillRow): string =>
  typeof details === 'string' ? details : details.file.read(details)

const isKept = (row: SkillRow, old: RowColumns | undefined): row is StoredRow =>
  row instanceof StoredRow && row.isAsStored && row.columns === old

/** Parts rows into stretches of older columns and rows that are new, or lie elsewhere. */
const cutRows = (
  rows: readonly SkillRow[],
  added: ReadonlyMap<SkillRow, Place>,
  old: RowColumns | undefined,
): RowPiece[] => {
  const pieces: ({ from: number; to: number } | { rows: ColumnRow[] })[] = []
  for (const row of rows) {
    const last = pieces.at(-1)
    const place = added.get(row)
    if (!place && isKept(row, old)) {
      if (last && 'to' in last && last.to === row.at) last.to += 1
      else pieces.push({ from: row.at, to: row.at + 1 })
      continue
    }
    const written = toColumnRow(row, place ?? (row.details as Place))
    if (last && 'rows' in last) last.rows.push(written)
    else pieces.push({ rows: [written] })
  }
  return pieces
}

const keepWords = (folder: string, generation: string, words: WordTable): WordsFile => {
  const name = `${generation}.words`
  return { name, check: writeWords(join(folder, name), words) }
}

const NO_FILE: WordsFile = { name: '', check: 0 }

/** What is left to the next build. `words` where the table is other than that of the last build. */
export interface StateSource {
  head: Omit<StateHead, 'files'>
  rows: ReadonlyMap<string, SkillRow>
  popular: Float64Array
  /** Those that some of the rows stand in. */
  oldColumns: RowColumns | undefined
  /** The file of words that still holds. */
  oldWords: WordsFile | undefined
  words: WordTable | undefined
}

/** Leaves a state for the next build, which is there whole or not at all, and names its files. */
export const writeState = (
  output: string,
  generation: string,
  { head, rows, popular, oldColumns, oldWords, words }: StateSource,
): string[] => {
  const folder = join(output, STATE_FOLDER)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, nameOf(generation))
  const all = [...rows.values()]
  const { name, added } = keepDetails(folder, generation, all)
  const kept = words ? keepWords(folder, generation, words) : (oldWords ?? NO_FILE)
  const files: StateHead['files'] = { details: name, words: kept }
  const pieces = cutRows(all, added, oldColumns)
  writeStateFile(path, { head: { ...head, files }, popular }, pieces, oldColumns)
  return [nameOf(generation), name, kept.name]
}

/** Removes what states of other generations left. */
export const sweepStates = (output: string, kept: readonly string[]): void => {
  const folder = join(output, STATE_FOLDER)
  for (const name of readdirSync(folder))
    if (!kept.includes(name)) rmSync(join(folder, name), { force: true })
}
