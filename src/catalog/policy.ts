import parseExpression from 'spdx-expression-parse'
import type { Problem } from './problems.ts'
import { SEVERITIES } from './safety/rule.ts'
import type { SiteRecord } from './schema.ts'
import { RECORD_FILE, SKILL_MD, isListed } from './skill.ts'
import type { Finding, Skill, SkillFacts } from './skill.ts'
import { showNumber } from './text.ts'

/** The rules that a registry sets for its skills. */
type Policy = NonNullable<SiteRecord['policy']>

/** A skill with what the rules are about. */
export type JudgedSkill = SkillFacts & Pick<Skill, 'findings'>

/** What a skill breaks: the file that it is about, and what to do; undefined if it is as the rule wants. */
type Rule = (
  skill: JudgedSkill,
  policy: Policy,
) => { file: string; value?: unknown; remedy: string } | undefined

type Expression = ReturnType<typeof parseExpression>

const isAllowed = (node: Expression, licences: readonly string[]): boolean => {
  if ('conjunction' in node) {
    const sides = [node.left, node.right]
    const allows = (side: Expression): boolean => isAllowed(side, licences)
    return node.conjunction === 'or' ? sides.some(allows) : sides.every(allows)
  }
  const exception = node.exception === undefined ? '' : ` WITH ${node.exception}`
  return licences.includes(`${node.license}${node.plus ? '+' : ''}${exception}`)
}

const hasLicence = (licence: string, licences: readonly string[]): boolean => {
  if (licences.includes(licence)) return true
  try {
    return isAllowed(parseExpression(licence), licences)
  } catch {
    // No expression, but words of its author.
    return false
  }
}

/** The gravest comes first. */
const placeOf = ({ severity }: Finding): number => SEVERITIES.indexOf(severity)

const RULES: Readonly<Record<keyof Policy, Rule>> = {
  worst: ({ findings }, { worst = 'medium' }) => {
    const most = worst === 'none' ? SEVERITIES.indexOf('note') : SEVERITIES.indexOf(worst)
    const [bad] = findings
      .filter((one) => one.accepted === undefined && placeOf(one) < most)
      .sort((a, b) => placeOf(a) - placeOf(b))
    if (!bad) return undefined
    const { file, line, rule, severity } = bad
    const remedy = `${rule} in line ${line} is worse than "${worst}"; mend it, or read it and accept it (accept-finding)`
    return { file, value: severity, remedy }
  },
  licences: ({ licence }, { licences = [] }) => {
    if (licence !== undefined && hasLicence(licence, licences)) return undefined
    const remedy = `must be one of ${licences.join(', ')}; take the skill out, or add its licence to the policy`
    return { file: RECORD_FILE, value: licence ?? 'none', remedy }
  },
  owner: ({ owner }, { owner: isNeeded }) =>
    isNeeded && owner === undefined
      ? {
          file: RECORD_FILE,
          remedy: 'is missing; name who looks after it, in the record or in the row of its source',
        }
      : undefined,
  tokens: ({ tokens = 0 }, { tokens: most = Infinity }) =>
    tokens > most
      ? {
          file: SKILL_MD,
          value: tokens,
          remedy: `at most ${showNumber(most)} tokens; move details into files beside it`,
        }
      : undefined,
}

/** Finds what breaks the policy of a registry; of a skill that is gone nothing is asked. */
export const findPolicyBreaches = (
  policy: Policy | undefined,
  skills: readonly JudgedSkill[],
): Problem[] => {
  const names = Object.keys(policy ?? {}) as (keyof Policy)[]
  return skills.filter(isListed).flatMap((skill) =>
    names.flatMap((name) => {
      const breach = RULES[name](skill, policy ?? {})
      if (!breach) return []
      const { file, ...rest } = breach
      return Object.assign(rest, {
        file: `skills/${skill.slug}/${file}`,
        field: `policy.${name}`,
      })
    }),
  )
}
