import { join } from 'node:path'
import { findMisfits } from '../../src/catalog/load.ts'
import { findStarter, isComparable } from '../../src/catalog/references.ts'
import type { Copies } from '../../src/catalog/references.ts'
import type { Problem } from '../../src/catalog/problems.ts'
import { plainRepository, readAddress } from '../../src/catalog/address.ts'
import type { Mention } from '../../src/catalog/needs/found.ts'
import { isListed } from '../../src/catalog/skill.ts'
import type { Skill, SkillFacts } from '../../src/catalog/skill.ts'
import { COMPARED_SKILLS } from '../../src/documents/skill/comparison.ts'
import { pickSampleLabel } from '../../src/documents/skill/label-lines.ts'
import { SORTS } from '../../src/catalog/browse.ts'
import { createSite } from '../../src/documents/site.ts'
import type { Site } from '../../src/documents/site.ts'
import { findCopies } from './copies.ts'
import { digestText } from './digests.ts'
import type { Inputs } from './inputs.ts'
import { decodeHashes } from './neighbour-words.ts'
import { findNeighbours } from './neighbours.ts'
import { decodeVector } from './state.ts'
import type { SkillSet } from './read.ts'
import type { Neighbours, SkillRow } from './state.ts'

/** Data that is derived from all skills together. */
export interface Derived {
  site: Site
  /** Skills that have a page, with their counters, by id. */
  shown: ReadonlyMap<number, SkillRow>
  bySlug: ReadonlyMap<string, SkillRow>
  /** The other skills that the text of each skill mentions, by id. */
  mentions: ReadonlyMap<number, readonly Mention[]>
  neighbours: Neighbours
  /** The skills in the root index. */
  starter: readonly SkillFacts[]
}

const NO_COUNTERS = { views: 0, installs: 0 }

/** Skills whose current version is withdrawn, by slug. */
export type Withdrawn = ReadonlyMap<string, NonNullable<Skill['withdrawn']>>

/** Reduces a skill whose current version is withdrawn to its record, without any text of its author. */
const withdrawSkill = (skill: Skill, withdrawn: NonNullable<Skill['withdrawn']>): Skill => ({
  ...skill,
  withdrawn,
  description: `Withdrawn: ${withdrawn.summary}`,
  summary: `Withdrawn: ${withdrawn.summary}`,
  licenceWords: undefined,
  visibility: 'gone',
  safety: 'No findings',
  findings: [],
  files: [],
  size: 0,
  tokens: undefined,
  allTokens: undefined,
  testCases: undefined,
  front: undefined,
  whenToUse: undefined,
  touches: undefined,
  missing: undefined,
  language: undefined,
  needs: undefined,
  statesLicence: undefined,
})

/** Completes a row. A withdrawn skill gets other digests, so that everything about the skill is printed again. */
const completeRow = (row: SkillRow, inputs: Inputs, withdrawn: Withdrawn | undefined): SkillRow => {
  const skill = completeSkill(row.skill, inputs)
  const withdrawal = withdrawn?.get(row.slug)
  if (!withdrawal) return { ...row, skill }
  const mark = ` withdrawn by ${JSON.stringify(withdrawal)}`
  return {
    ...row,
    skill: withdrawSkill(skill, withdrawal),
    digest: row.digest + mark,
    factsDigest: row.factsDigest + mark,
  }
}

/** Adds the facts that are not in a skill's folder: the folder's path, and counters. */
const completeSkill = (skill: Skill, { contentFolder, content: { counters } }: Inputs): Skill => ({
  ...skill,
  folder: join(contentFolder, 'skills', skill.slug),
  ...((Object.hasOwn(counters, skill.id) && counters[skill.id]) || NO_COUNTERS),
})

/** Finds the skills that are most similar to each skill. The result of the last build is kept if it compared the same. */
const compareSkills = (
  shown: ReadonlyMap<number, Pick<SkillRow, 'words' | 'vector'> & { skill: SkillFacts }>,
  copies: Copies,
  known: Neighbours | undefined,
): Neighbours => {
  const compared = Array.from(shown.values(), ({ skill, words, vector }) => {
    const isCompared = isComparable(skill, copies, (id) => shown.get(id)?.skill)
    return { id: skill.id, words, vector, isCompared }
  })
  const key = digestText(JSON.stringify(compared))
  if (known?.key === key) return known
  const skills = compared.map(({ id, words, vector, isCompared }) => ({
    id,
    isCompared,
    words: decodeHashes(words),
    vector: decodeVector(vector),
  }))
  // Twice as many as a page compares, because one by another author may be among the later ones.
  const found = findNeighbours(skills, 2 * COMPARED_SKILLS)
  return { key, ids: skills.map(({ id }, at) => [id, found[at]!]) }
}

type BySlug = ReadonlyMap<string, { skill: Skill }>

/** Identifies the repository of a skill. The registry's own skills count as one repository. */
const homeOf = ({ source }: Skill): string => {
  const place = source.kind === 'own' ? undefined : readAddress(source.url)
  return place ? (plainRepository(place) ?? place.path) : 'own'
}

/**
 * Lists the other skills that the text of each skill mentions, by id. A name is looked up in the same repository. If it is
 * certainly the name of a skill, it is also looked up among those of the author, and listed even if it is not found:
 * another author's skill of this name is another one.
 */
export const listMentions = (skills: readonly Skill[], bySlug: BySlug): Derived['mentions'] => {
  const homes = skills.map(homeOf)
  const byHome = new Map(skills.map((skill, at) => [`${homes[at]} ${skill.name}`, skill]))
  const listOf = ({ slug: own, author, needs }: Skill, at: number): Mention[] =>
    (needs?.skills ?? []).flatMap((need): Mention | [] => {
      const { name, file, line, certain } = need
      const named = certain && bySlug.get(name)?.skill
      const other = byHome.get(`${homes[at]} ${name}`) ?? (named?.author === author && named)
      if (!other) return certain ? need : []
      return other.slug === own || !isListed(other) ? [] : { name, file, line, slug: other.slug }
    })
  return new Map(skills.map((skill, at) => [skill.id, listOf(skill, at)]))
}

/** A skill with more relations by name than this is a general tool, and says nothing about similarity. */
const RELATED_AT_MOST = 8

/** Lists the skills that each skill mentions or is mentioned by, mutual mentions first. */
export const relateByName = (
  named: Derived['mentions'],
  bySlug: BySlug,
): ReadonlyMap<number, readonly number[]> => {
  const pairs = [...named].flatMap(([id, others]) =>
    others.flatMap(({ slug = '' }) => {
      const other = bySlug.get(slug)?.skill.id
      return other === undefined ? [] : [[id, other] as const]
    }),
  )
  const mentions = Map.groupBy(pairs, ([from]) => from)
  const mentioners = Map.groupBy(pairs, ([, to]) => to)
  const related = Array.from(named.keys(), (id) => {
    const to = (mentions.get(id) ?? []).map(([, other]) => other)
    const from = (mentioners.get(id) ?? []).map(([other]) => other)
    const both = to.filter((other) => from.includes(other))
    return [id, [...new Set([...both, ...to, ...from])]] as const
  })
  const all = new Map(related)
  const isHub = (id: number): boolean => (all.get(id)?.length ?? 0) > RELATED_AT_MOST
  return new Map(
    related.map(([id, others]) => [id, isHub(id) ? [] : others.filter((other) => !isHub(other))]),
  )
}

/** Collects the problems of all skills and of the catalog as a whole. */
export const findProblems = ({ content }: Inputs, { rows, problems }: SkillSet): Problem[] => {
  const skills = Array.from(rows.values(), ({ skill }) => skill)
  return [...content.problems, ...problems, ...findMisfits(content, skills)]
}

/** Derives the data that pages and lists show about more than one skill. */
export const deriveSite = (
  inputs: Inputs,
  { rows }: SkillSet,
  withdrawn: Withdrawn,
  known: Neighbours | undefined,
): Derived => {
  const { content, origin } = inputs
  const all = [...rows.values()]
  const shown = all.map((row) => completeRow(row, inputs, withdrawn))
  shown.sort((a, b) => a.skill.id - b.skill.id)
  const byId = new Map(shown.map((row) => [row.skill.id, row]))
  const bySlug = new Map(shown.map((row) => [row.slug, row]))
  const skills = shown.map(({ skill }) => skill)
  const { isStatic } = inputs.pageSite
  const plain = createSite(content, skills, origin, isStatic)
  const starter = findStarter(content.site.starter ?? [], plain.listed, content.retired).skills
  const toSkill = ({ id }: SkillFacts): Skill => byId.get(id)!.skill
  const newest = plain.listed.toSorted(SORTS.newest)
  const sampleLabel = pickSampleLabel(starter.map(toSkill), newest.map(toSkill), isStatic)
  const copies = findCopies(shown, content.retired)
  const site = { ...plain, sampleLabel, copies }
  return {
    site,
    shown: byId,
    bySlug,
    mentions: listMentions(skills, bySlug),
    neighbours: compareSkills(byId, copies, known),
    starter,
  }
}
