import { COPIES_FILE } from '../../../src/catalog/copies.ts'
import type { CopiesChange } from './copies-file.ts'
import type { Copy } from './families.ts'
import type { Described } from './texts.ts'

/** One change of the file: which skill is a copy of which, by slug. */
export interface CopyLine {
  copy: string
  original: string
}

/** What `families` found, and what it changed. */
export interface FamiliesReport {
  dryRun: boolean
  content: string
  skills: number
  families: number
  copies: (CopyLine & { overlap: number })[]
  added: CopyLine[]
  removed: CopyLine[]
  /** Files written, or that would be; paths inside the content folder. */
  written: string[]
}

/** Makes the report of a run. */
export const makeReport = (
  content: string,
  members: readonly Described[],
  found: readonly Copy[],
  { before, after, isOther }: CopiesChange,
  dryRun: boolean,
): FamiliesReport => {
  const slugs = new Map(members.map(({ id, slug }) => [id, slug]))
  const nameSkill = (id: number): string => slugs.get(id) ?? `id ${id}`
  const subtract = (some: CopiesChange['after'], others: CopiesChange['after']): CopyLine[] =>
    Object.entries(some)
      .filter(([copy, original]) => !Object.hasOwn(others, copy) || others[copy] !== original)
      .map(([copy, original]) => ({ copy: nameSkill(Number(copy)), original: nameSkill(original) }))
  return {
    dryRun,
    content,
    skills: members.length,
    families: new Set(found.map(({ original }) => original)).size,
    copies: found.map(({ id, original, overlap }) => ({
      copy: nameSkill(id),
      original: nameSkill(original),
      overlap: Math.round(overlap * 100) / 100,
    })),
    added: subtract(after, before),
    removed: subtract(before, after),
    written: isOther ? [COPIES_FILE] : [],
  }
}

const count = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`

const renderWriting = ({ dryRun, written, content }: FamiliesReport): string => {
  if (written.length === 0) return `${COPIES_FILE} says so already`
  return `${dryRun ? 'would write' : 'wrote'} ${written.join(', ')} in ${content}`
}

/** Renders a report for a person: what changes, then what there is. */
export const renderFamilies = (report: FamiliesReport): string =>
  [
    ...report.removed.map(({ copy, original }) => `- ${copy} is no longer a copy of ${original}`),
    ...report.added.map(({ copy, original }) => `+ ${copy} is a copy of ${original}`),
    `${count(report.copies.length, 'copy', 'copies')} in ${count(report.families, 'family', 'families')} among ${count(report.skills, 'skill', 'skills')}; ${renderWriting(report)}`,
  ].join('\n')
