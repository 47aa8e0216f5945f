import { readFileSync } from 'node:fs'
import { packFacets } from '../../src/catalog/facets.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import { SKILL_MD, isListed, listSkill } from '../../src/catalog/skill.ts'
import type { SkillFacts } from '../../src/catalog/skill.ts'
import { skillFilePath } from '../../src/documents/paths.ts'
import type { Site } from '../../src/documents/site.ts'
import { analyzeSkill, encodeAnalysis } from '../../src/search/analyze.ts'
import { writeRow } from '../../src/search/format/documents.ts'
import type { SearchDocument } from '../../src/search/index.ts'
import { packIndex } from '../../src/search/pack/pack.ts'
import { updateIndex } from '../../src/search/pack/update.ts'
import type { SkillChange, SkillRow } from './state.ts'

const searchDocument = (skill: SkillFacts, origin: string): SearchDocument => {
  const { description, updated, summary, licence, tokens, safety, hasScripts } = skill
  return {
    listed: listSkill(skill, origin + skillFilePath(skill.slug, SKILL_MD)),
    description,
    updated,
    facts: { summary, licence, tokens, safety, hasScripts },
  }
}

/** The search documents of the listed skills, for the index file and the database. */
export const searchDocuments = ({ listed, origin }: Site): SearchDocument[] =>
  listed.map((skill) => searchDocument(skill, origin))

/** A listed skill in the index. */
interface SearchEntry {
  /** Day of the last change, which popular order compares; empty if unknown. */
  updated: string
  facets: number
  /** The text of `toAnswer`. */
  answer: string
  /** The bytes of `encodeAnalysis`. */
  analysis: Uint8Array
}

/** The row and card that a search returns. */
const toAnswer = ({ facts }: SkillRow, origin: string): string =>
  writeRow(searchDocument(facts, origin))

/** Whether a search finds a skill. */
const isSearched = ({ files, facts }: SkillRow): boolean => files.length > 0 && isListed(facts)

const printSearched = (row: SkillRow | undefined, origin: string): string =>
  row && isSearched(row) ? JSON.stringify(searchDocument(row.facts, origin)) : ''

/** Whether a change affects neither how a search finds a skill nor what it returns. */
const isSearchUnchanged = ({ before, after }: SkillChange, origin: string): boolean =>
  printSearched(before, origin) === printSearched(after, origin)

export const analyzeFacts = (skill: SkillFacts): Uint8Array =>
  encodeAnalysis(analyzeSkill(searchDocument(skill, '')))

/** The entries of searchable skills; changed skills are already analysed. */
const toEntries = (
  one: SkillRow | undefined,
  origin: string,
  analyses?: ReadonlyMap<number, Uint8Array>,
): SearchEntry[] =>
  [one ?? []]
    .flat()
    .filter(isSearched)
    .map((row) => ({
      updated: row.facts.updated ?? '',
      facets: packFacets(row.facts),
      answer: toAnswer(row, origin),
      analysis: analyses?.get(row.id) ?? analyzeFacts(row.facts),
    }))

/** Whether the searched words of a skill are unchanged, even if its row differs. */
const hasSameWords = ({ before, after }: SkillChange): boolean =>
  before?.id === after?.id &&
  before?.factsDigest === after?.factsDigest &&
  [before, after].every((row) => row && isSearched(row))

/** The inputs of an index: the last one, if any, and the changes. */
interface IndexTask extends Record<'removed' | 'added', readonly SearchEntry[]> {
  /** The original of each copy, by id. */
  copies: Copies
  /** Path of the last index. */
  last: string | undefined
  /** New answers of skills of which only the counters changed. */
  recounted: readonly string[]
}

/** What may change an index. */
interface IndexSource extends Pick<IndexTask, 'copies' | 'last'> {
  changed: readonly SkillChange[]
  /** The encoded analyses of the skills that were read, by id. */
  analyses: ReadonlyMap<number, Uint8Array>
  origin: string
  /** Whether the last index was packed with the same copies. */
  hasSameCopies: boolean
}

/** Plans how to pack the next index; undefined if the last one is still valid. */
export const planIndex = (source: IndexSource): IndexTask | undefined => {
  const { last, copies, changed, analyses, origin, hasSameCopies } = source
  const others = last ? changed.filter((one) => !isSearchUnchanged(one, origin)) : changed
  if (last && others.length === 0 && hasSameCopies) return undefined
  const reworded = others.filter((one) => !hasSameWords(one))
  return {
    last,
    copies,
    removed: reworded.flatMap(({ before }) => toEntries(before, origin)),
    added: reworded.flatMap(({ after }) => toEntries(after, origin, analyses)),
    recounted: others
      .filter(hasSameWords)
      .flatMap(({ after }) => (after ? toAnswer(after, origin) : [])),
  }
}

const encodeEntry = ({ answer, ...more }: SearchEntry) => ({ ...more, row: Buffer.from(answer) })

/** Packs the search index from entries that are already analysed. */
export const packEntries = ({ last, removed, added, recounted, copies }: IndexTask): Uint8Array => {
  const entries = added.map(encodeEntry)
  if (last === undefined) return packIndex(entries, copies)
  const rows = recounted.map((answer) => Buffer.from(answer))
  const changes = { removed: removed.map(encodeEntry), added: entries, recounted: rows, copies }
  return updateIndex(readFileSync(last), changes)
}
