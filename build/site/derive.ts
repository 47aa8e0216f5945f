import { join } from 'node:path'
import { isUntraced, findMisfits } from '../../src/catalog/load.ts'
import { findStarter, isComparable } from '../../src/catalog/references.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import type { Copies } from '../../src/catalog/schema.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { Skill, SkillFacts } from '../../src/catalog/skill.ts'
import { COMPARED_SKILLS } from '../../src/documents/skill/comparison.ts'
import { createSite } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import type { Inputs } from './inputs.ts'
import { decodeWords } from './nearest-words.ts'
import { findNeighbours } from './nearest.ts'
import { decodeVector } from './state.ts'
import type { SkillSet } from './read.ts'
import type { SkillRow } from './state.ts'

/** What follows from all skills together. */
export interface Derived {
  site: Site
  /** Skills that have a page, with their counters, by id. */
  shown: ReadonlyMap<number, SkillRow>
  bySlug: ReadonlyMap<string, SkillRow>
  /** Ids of the most similar skills, by id, closest first. */
  nearest: ReadonlyMap<number, readonly number[]>
  /** Slugs of skills whose source was never seen. */
  untraced: readonly string[]
  /** The skills of the root index. */
  starter: readonly SkillFacts[]
}

const NO_COUNTERS = { views: 0, installs: 0 }

/** Skills whose current version is withdrawn, by slug. */
export type Withdrawn = ReadonlyMap<string, NonNullable<Skill['withdrawn']>>

/** What is left of a skill whose current version is withdrawn: what its record says, and nothing of its author's. */
const withdrawSkill = (skill: Skill, withdrawn: NonNullable<Skill['withdrawn']>): Skill => ({
  ...skill,
  withdrawn,
  visibility: 'gone',
  safety: 'No findings',
  findings: [],
  noted: undefined,
  files: [],
  size: 0,
  hasScripts: false,
  tokens: undefined,
  needs: undefined,
  label: undefined,
})

/** Completes a row; one of a withdrawn skill gets digests of its own, so that all that was printed of it is printed anew. */
const completeRow = (row: SkillRow, inputs: Inputs, withdrawn: Withdrawn | undefined): SkillRow => {
  const skill = completeSkill(row.skill, inputs)
  const why = withdrawn?.get(row.slug)
  if (!why) return { ...row, skill }
  const mark = ` withdrawn by ${JSON.stringify(why)}`
  return {
    ...row,
    skill: withdrawSkill(skill, why),
    digest: row.digest + mark,
    factsDigest: row.factsDigest + mark,
  }
}

/** Adds what is not in a skill's folder: where it is, and its counters. */
const completeSkill = (skill: Skill, { contentFolder, content: { counters } }: Inputs): Skill => ({
  ...skill,
  folder: join(contentFolder, 'skills', skill.slug),
  ...((Object.hasOwn(counters, skill.id) && counters[skill.id]) || NO_COUNTERS),
})

/** Finds the ids of the skills that are most similar to each. */
const compareSkills = (
  shown: ReadonlyMap<number, Pick<SkillRow, 'words' | 'vector'> & { skill: SkillFacts }>,
  copies: Copies,
): Derived['nearest'] => {
  const skills = Array.from(shown.values(), ({ skill, words, vector }) => ({
    id: skill.id,
    words: decodeWords(words),
    vector: decodeVector(vector),
    isCompared: isComparable(skill, copies, (id) => shown.get(id)?.skill),
  }))
  const nearest = findNeighbours(skills, COMPARED_SKILLS)
  return new Map(skills.map(({ id }, at) => [id, nearest[at]!]))
}

/** Lists the skills of the catalog that the text of a skill names. */
export const listMentioned = ({ needs }: Skill, { bySlug }: Pick<Derived, 'bySlug'>): Skill[] =>
  (needs?.skills ?? []).flatMap((slug) => bySlug.get(slug)?.skill ?? []).filter(isListed)

/** Finds what is wrong with the skills and with the catalog as a whole. */
export const findProblems = ({ content }: Inputs, { rows, problems }: SkillSet): Problem[] => {
  const skills = Array.from(rows.values(), ({ skill }) => skill)
  return [...content.problems, ...problems, ...findMisfits(content, skills)]
}

/** Derives everything that pages and lists show of more than one skill. */
export const deriveSite = (inputs: Inputs, { rows }: SkillSet, withdrawn?: Withdrawn): Derived => {
  const { content, origin } = inputs
  const all = [...rows.values()]
  const traced = all.filter(({ skill }) => !isUntraced(skill))
  const shown = traced.map((row) => completeRow(row, inputs, withdrawn))
  shown.sort((a, b) => a.skill.id - b.skill.id)
  const byId = new Map(shown.map((row) => [row.skill.id, row]))
  const skills = shown.map(({ skill }) => skill)
  const site = createSite(content, skills, origin, inputs.pageSite.isStatic)
  return {
    site,
    shown: byId,
    bySlug: new Map(shown.map((row) => [row.slug, row])),
    nearest: compareSkills(byId, content.copies),
    untraced: all.flatMap(({ skill }) => (isUntraced(skill) ? skill.slug : [])),
    starter: findStarter(content.site.starter ?? [], site.listed, content.retired).skills,
  }
}
