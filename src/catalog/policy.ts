import parseExpression from 'spdx-expression-parse'
import { refuseField } from './problems.ts'
import type { Problem } from './problems.ts'
import { SEVERITIES } from './safety/rule.ts'
import type { FindingSeverity } from './safety/rule.ts'
import type { SiteRecord } from './schema.ts'
import { RECORD_FILE, SKILL_MD, isListed } from './skill.ts'
import type { Finding, Skill, SkillFacts } from './skill.ts'
import { showNumber } from './text.ts'

/** Rules that a registry sets for its skills. */
type Policy = NonNullable<SiteRecord['policy']>

/** The fields of a skill that are checked against the policy and against other skills. */
export type JudgedSkill = SkillFacts & Pick<Skill, 'findings' | 'copyOf' | 'refusal'>

interface Breach {
  file: string
  line?: number
  value?: unknown
  remedy: string
}

/** Returns the files with problems and remedies; undefined or none if the skill follows the rule. */
type Rule = (skill: JudgedSkill, policy: Policy) => Breach | Breach[] | undefined

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

/** The severity by which the policy judges: an author of others could write the context that lowers it. */
const judge = (finding: Finding, { source }: JudgedSkill): FindingSeverity =>
  source.kind === 'own' ? finding.severity : finding.held

const RULES: Readonly<Record<keyof Policy, Rule>> = {
  worst: (skill, { worst = 'medium' }) => {
    const rankOf = (finding: Finding): number => SEVERITIES.indexOf(judge(finding, skill))
    const most = worst === 'none' ? SEVERITIES.indexOf('note') : SEVERITIES.indexOf(worst)
    const bad = skill.findings
      .filter((finding) => finding.accepted === undefined && rankOf(finding) < most)
      .sort((a, b) => rankOf(a) - rankOf(b))
    return [...Map.groupBy(bad, ({ rule }) => rule).values()].map(([finding]) => {
      const { file, line, rule, severity, contexts } = finding!
      const open = skill.findings.filter((one) => one.rule === rule && !one.accepted)
      const all = open.length > 1 ? `, which accepts all ${open.length} findings of this rule` : ''
      const value = judge(finding!, skill)
      const lowered =
        value === severity ? '' : ` (its page says "${severity}", because: ${contexts.join('; ')})`
      const remedy = `${rule} in line ${line} is worse than "${worst}"${lowered}; fix it, or review it and run "npm run catalog -- accept-finding ${skill.slug} ${rule} --why … --by …"${all}`
      return { file, line, value, remedy }
    })
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
    names.flatMap((name) =>
      [RULES[name](skill, policy ?? {}) ?? []].flat().map(({ file, line = 1, value, remedy }) => {
        const path = `skills/${skill.slug}/${file}`
        const problem = refuseField(path, `policy.${name}`, value, remedy)
        return Object.assign(problem, { line, rule: 'policy' })
      }),
    ),
  )
}
