import parseExpression from 'spdx-expression-parse'
import type { Problem } from './problems.ts'
import { SEVERITIES } from './safety/rule.ts'
import type { SiteRecord } from './schema.ts'
import { RECORD_FILE, SKILL_MD, isListed } from './skill.ts'
import type { Finding, Skill, SkillFacts } from './skill.ts'
import { showNumber } from './text.ts'

/** Rules that a registry sets for its skills. */
type Policy = NonNullable<SiteRecord['policy']>

/** The fields of a skill that are checked against the policy and against other skills. */
export type JudgedSkill = SkillFacts & Pick<Skill, 'findings' | 'copyOf' | 'refusal'>

/** Returns the file with the problem and a remedy, or undefined if the skill follows the rule. */
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
    // Plain text from the author, not a licence expression.
    return false
  }
}

/** Rank of a finding's severity; 0 is the most severe. */
const rankOf = ({ severity }: Finding): number => SEVERITIES.indexOf(severity)

const RULES: Readonly<Record<keyof Policy, Rule>> = {
  worst: ({ slug, findings }, { worst = 'medium' }) => {
    const most = worst === 'none' ? SEVERITIES.indexOf('note') : SEVERITIES.indexOf(worst)
    const [bad] = findings
      .filter((finding) => finding.accepted === undefined && rankOf(finding) < most)
      .sort((a, b) => rankOf(a) - rankOf(b))
    if (!bad) return undefined
    const { file, line, rule, severity } = bad
    const remedy = `${rule} in line ${line} is worse than "${worst}"; fix it, or review it and run "npm run catalog -- accept-finding ${slug} ${rule} --why … --by …"`
    return { file, value: severity, remedy }
  },
  licences: ({ slug, licence }, { licences = [] }) => {
    if (licence !== undefined && hasLicence(licence, licences)) return undefined
    const [first = ''] = licences
    const cure =
      licence === undefined
        ? `if ${first} is its licence, write "license: ${first}" in its SKILL.md, or run "npm run catalog -- set ${slug} licence=${first}"`
        : 'remove the skill, or add its licence to the policy'
    const remedy = `must be one of ${licences.join(', ')}; ${cure}`
    return { file: RECORD_FILE, value: licence ?? 'none', remedy }
  },
  owner: ({ slug, owner }, { owner: isNeeded }) =>
    isNeeded && owner === undefined
      ? {
          file: RECORD_FILE,
          remedy: `is missing; name who maintains the skill: run "npm run catalog -- set ${slug} owner=…", or add "owner" to the row of its source`,
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

/** Finds skills that break the registry's policy. Skills that are gone are not checked. */
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
