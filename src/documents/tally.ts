import { PARTS } from '../catalog/parts.ts'
import type { PartName } from '../catalog/parts.ts'
import { SEVERITIES } from '../catalog/safety/rule.ts'
import type { FindingSeverity } from '../catalog/safety/rule.ts'
import { isListed } from '../catalog/skill.ts'
import type { Skill, SkillFacts } from '../catalog/skill.ts'

/** What is counted of a skill besides its facts; it is known once its page was written. */
export interface SkillTraits {
  /** The parts that its author or its text states. */
  parts: readonly PartName[]
  /** The gravest of its findings that no curator has accepted. */
  gravest: FindingSeverity | 'none'
}

export const NO_TRAITS: SkillTraits = { parts: [], gravest: 'none' }

export const pickTraits = (
  { findings }: Pick<Skill, 'findings'>,
  parts: readonly PartName[],
): SkillTraits => ({
  parts,
  gravest:
    SEVERITIES.find((severity) =>
      findings.some((one) => one.severity === severity && one.accepted === undefined),
    ) ?? 'none',
})

const GROUPS = [
  'skills',
  'authors',
  'categories',
  'days',
  'tokens',
  'licences',
  'sources',
  'findings',
  'parts',
] as const

/**
 * How many skills there are of each kind. Skills are added and taken away one by one, so a build counts only those
 * that changed; two tallies of the same skills are equal, also as JSON.
 */
export type Tally = Readonly<
  Record<(typeof GROUPS)[number], Readonly<Partial<Record<string, number>>>>
>

export const EMPTY_TALLY = Object.fromEntries(GROUPS.map((group) => [group, {}])) as Tally

/** Tokens from which on a SKILL.md belongs to a step of sizes. */
export const TOKEN_STEPS = [0, 1_000, 2_000, 4_000, 6_000, 10_000] as const

/** The key of what is not known. */
export const UNKNOWN_KEY = ''

const stepOf = (tokens: number): string =>
  String(TOKEN_STEPS.findLast((step) => tokens >= step) ?? TOKEN_STEPS[0])

/** What the tally counts a skill as; one that is gone only as that. */
const listKeys = (
  skill: SkillFacts,
  { parts, gravest }: SkillTraits,
): [group: keyof Tally, key: string][] => {
  const { source, author, category, updated, tokens, licence } = skill
  const status = source.kind === 'own' ? 'own' : source.status
  if (!isListed(skill)) return [['sources', status]]
  return [
    ['sources', status],
    ['skills', 'listed'],
    ['authors', author.toLowerCase()],
    ['categories', category],
    ['days', updated ?? UNKNOWN_KEY],
    ['tokens', tokens === undefined ? UNKNOWN_KEY : stepOf(tokens)],
    ['licences', licence ?? UNKNOWN_KEY],
    ['findings', gravest],
    ...PARTS.flatMap(({ name }): ['parts', string][] =>
      parts.includes(name) ? [['parts', name]] : [],
    ),
  ]
}

interface Counted {
  facts: SkillFacts
  traits: SkillTraits
}

/** Counts some skills more, and some no longer. */
export const countSkills = (
  tally: Tally,
  added: Iterable<Counted>,
  removed: Iterable<Counted> = [],
): Tally => {
  const counts = new Map(GROUPS.map((group) => [group, new Map(Object.entries(tally[group]))]))
  const add = ({ facts, traits }: Counted, amount: number): void => {
    for (const [group, key] of listKeys(facts, traits)) {
      const byKey = counts.get(group)
      byKey?.set(key, (byKey.get(key) ?? 0) + amount)
    }
  }
  for (const one of added) add(one, 1)
  for (const one of removed) add(one, -1)
  const sorted = [...counts].map(([group, byKey]) => [
    group,
    Object.fromEntries(
      [...byKey].filter(([, count]) => count !== 0).sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ])
  return Object.fromEntries(sorted) as Tally
}
