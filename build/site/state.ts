import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import type { WordTable } from '../../src/catalog/word-table.ts'
import { readCheckedLines, writeCheckedLines } from './checked-lines.ts'
import { appendDetails, openDetails } from './details-file.ts'
import type { DetailsFile, Place } from './details-file.ts'
import { readWords, writeWords } from './words-file.ts'

/** Raised when the file's shape changes; an older one is as good as none. */
const VERSION = 6

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
  rows: Map<string, SkillRow>
  readWords: () => WordTable
}

// None of the texts holds a tab or a newline. Both are written out, since every build does this of every skill.
const parseRow = (line: string, file: DetailsFile): SkillRow => {
  const parts = line.split('\t')
  const text = (at: number): string => parts[at] ?? ''
  return {
    slug: text(0),
    name: text(1),
    author: text(2),
    category: text(3) as SkillRow['category'],
    updated: text(4),
    visibility: text(5) as SkillRow['visibility'],
    digest: text(6),
    told: text(7),
    key: text(8),
    sha256: text(9),
    nearest: text(10),
    signature: text(11),
    id: Number(parts[12]),
    views: Number(parts[13]),
    installs: Number(parts[14]),
    size: Number(parts[15]),
    files: Number(parts[16]),
    details: { from: Number(parts[17]), length: Number(parts[18]), check: Number(parts[19]), file },
  }
}

const printRow = (row: SkillRow, { from, length, check }: Place): string =>
  `${row.slug}\t${row.name}\t${row.author}\t${row.category}\t${row.updated}\t${row.visibility}\t` +
  `${row.digest}\t${row.told}\t${row.key}\t${row.sha256}\t${row.nearest}\t${row.signature}\t` +
  `${row.id}\t${row.views}\t${row.installs}\t${row.size}\t${row.files}\t${from}\t${length}\t${check}\n`

/** Says whether a skill appears nowhere. */
export const isUntracedRow = ({ files }: SkillRow): boolean => files === 0

/** Reads the rest of a row. */
export const readDetails = ({ details }: SkillRow): SkillDetails =>
  JSON.parse(typeof details === 'string' ? details : details.file.read(details)) as SkillDetails

const nameOf = (generation: string): string => `${generation}.txt`

/**
 * Reads what the build of a generation left; undefined where there is nothing to go by. What is read later, of
 * details and words, throws DamagedStateError where it is not what was written.
 */
export const readState = (output: string, generation: string): BuildState | undefined => {
  const folder = join(output, STATE_FOLDER)
  const path = join(folder, nameOf(generation))
  if (!existsSync(path)) return undefined
  const [first = '', second = '', ...lines] = readCheckedLines(path) ?? []
  if (first !== String(VERSION)) return undefined
  const head = JSON.parse(second) as StateHead
  const words = join(folder, head.files.words.name)
  const details = join(folder, head.files.details)
  if (!existsSync(words) || !existsSync(details)) return undefined
  const file = openDetails(details)
  const rows = new Map<string, SkillRow>()
  for (const line of lines.slice(0, -1)) {
    const row = parseRow(line, file)
    rows.set(row.slug, row)
  }
  return { head, rows, readWords: () => readWords(words, head.files.words.check) }
}

/** Lines that are written at a time: all in one string would be too long for a large catalog. */
const LINES = 5_000

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
): { name: string; places: Place[] } => {
  const path = findDetails(rows)
  // A state may be written twice for one generation, the second time out of the first.
  const name =
    path === undefined ? `${generation}-${Date.now().toString(36)}.details` : basename(path)
  const isNew = ({ details }: SkillRow): boolean =>
    path === undefined || typeof details === 'string'
  const textOf = ({ details }: SkillRow): string =>
    typeof details === 'string' ? details : details.file.read(details)
  const added = appendDetails(join(folder, name), rows.filter(isNew).map(textOf)).values()
  const places = rows.map((row) => (isNew(row) ? added.next().value! : (row.details as Place)))
  return { name, places }
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
  /** The file of words that still holds. */
  oldWords: WordsFile | undefined
  words: WordTable | undefined
}

function* printTexts(
  head: StateHead,
  rows: readonly SkillRow[],
  places: readonly Place[],
): Generator<string> {
  yield `${VERSION}\n${JSON.stringify(head)}\n`
  for (let at = 0; at < rows.length; at += LINES) {
    const some = rows.slice(at, at + LINES)
    yield some.map((row, place) => printRow(row, places[at + place]!)).join('')
  }
}

/** Leaves a state for the next build, which is there whole or not at all, and names its files. */
export const writeState = (
  output: string,
  generation: string,
  { head, rows, oldWords, words }: StateSource,
): string[] => {
  const folder = join(output, STATE_FOLDER)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, nameOf(generation))
  const all = [...rows.values()]
  const { name, places } = keepDetails(folder, generation, all)
  const kept = words ? keepWords(folder, generation, words) : (oldWords ?? NO_FILE)
  const files: StateHead['files'] = { details: name, words: kept }
  writeCheckedLines(path, printTexts({ ...head, files }, all, places))
  return [nameOf(generation), name, kept.name]
}

/** Removes what states of other generations left. */
export const sweepStates = (output: string, kept: readonly string[]): void => {
  const folder = join(output, STATE_FOLDER)
  for (const name of readdirSync(folder))
    if (!kept.includes(name)) rmSync(join(folder, name), { force: true })
}
