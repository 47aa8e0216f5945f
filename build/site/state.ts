import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { SkillFacts } from '../../src/catalog/skill.ts'

/** Raised when the file's shape changes; an older one is as good as none. */
const VERSION = 3

const FOLDER = 'state'

/** What a build knows of a skill from the last one. */
export interface SkillRow {
  slug: string
  id: number
  /** Digest of what its folder held. */
  digest: string
  /** Digest of everything its page shows. */
  key: string
  /** Of its zip. */
  sha256: string
  size: number
  /** Counters. */
  views: number
  installs: number
  /** How its folder looked. */
  signature: string
  /** The rest, as JSON: most builds need it of a few skills only. */
  details: string
}

/** The part of a row that is read when it is needed. */
export interface SkillDetails {
  facts: SkillFacts
  /** Paths of its files in the zip. */
  paths: string[]
  /** Ids of the skills it is compared with. */
  nearest: number[]
  isUntraced: boolean
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

/** What a build knows from the last one, beside its skills. */
export interface StateHead {
  counts: Counts
  /** Digest of code, layouts and dependencies. */
  code: string
  /** Digest of that, the settings, and what the content says beside skills and counters. */
  frame: string
  /** Digest of which skills are copies. */
  copies: string
  /** Digest of what nearness looks at. */
  nearness: string
  /** Digest of what makes the search index beside the skills. */
  index: string
  /** Pages that are no skill's, by path: the digest of what they show, their day, and whether they are mapped. */
  pages: Record<string, [key: string, updated: string, isIndexable: boolean]>
  /** Names of the files that are no page and no skill's. */
  others: string[]
  before: Difference
}

/** What a finished build leaves to the next one. */
export interface BuildState {
  head: StateHead
  rows: Map<string, SkillRow>
}

const parseRow = (line: string): [string, SkillRow] => {
  const [slug = '', id, digest = '', key = '', sha256 = '', size, views, installs, ...more] =
    line.split('\t')
  const [signature = '', details = ''] = more
  const numbers = {
    id: Number(id),
    size: Number(size),
    views: Number(views),
    installs: Number(installs),
  }
  return [slug, { slug, digest, key, sha256, ...numbers, signature, details }]
}

// JSON escapes tabs and newlines, and the other fields hold none.
const printRow = (row: SkillRow): string =>
  `${row.slug}\t${row.id}\t${row.digest}\t${row.key}\t${row.sha256}\t${row.size}\t${row.views}\t${row.installs}\t${row.signature}\t${row.details}\n`

/** Reads the rest of a row. */
export const readDetails = ({ details }: SkillRow): SkillDetails =>
  JSON.parse(details) as SkillDetails

const pathOf = (output: string, generation: string): string =>
  join(output, FOLDER, `${generation}.txt`)

/** Reads what the build of a generation left; undefined where there is nothing to go by. */
export const readState = (output: string, generation: string): BuildState | undefined => {
  const path = pathOf(output, generation)
  if (!existsSync(path)) return undefined
  const [first = '', second = '', ...lines] = readFileSync(path, 'utf8').split('\n')
  if (first !== String(VERSION)) return undefined
  const rows = new Map(lines.slice(0, -1).map(parseRow))
  return { head: JSON.parse(second) as StateHead, rows }
}

/** Lines that are written at a time: all in one string would be too long for a large catalog. */
const LINES = 5_000

/** Leaves a state for the next build; it is there whole or not at all. */
export const writeState = (
  output: string,
  generation: string,
  { head, rows }: BuildState,
): void => {
  mkdirSync(join(output, FOLDER), { recursive: true })
  const path = pathOf(output, generation)
  const beside = `${path}.new`
  writeFileSync(beside, `${VERSION}\n${JSON.stringify(head)}\n`)
  const sorted = [...rows.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))
  for (let at = 0; at < sorted.length; at += LINES) {
    writeFileSync(
      beside,
      sorted
        .slice(at, at + LINES)
        .map(printRow)
        .join(''),
      { flag: 'a' },
    )
  }
  renameSync(beside, path)
}

/** Removes the states of all generations but one. */
export const sweepStates = (output: string, generation: string): void => {
  const folder = join(output, FOLDER)
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (name !== `${generation}.txt`) rmSync(join(folder, name), { force: true })
  }
}
