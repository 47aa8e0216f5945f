import { SEVERITIES } from '../catalog/safety/rule.ts'
import type { Skill } from '../catalog/skill.ts'
import type { SkillSheet } from './answered/compare.ts'
import { installCommand } from './install.ts'

/** Makes what the function knows of a skill. */
export const makeSheet = (skill: Skill, origin: string): SkillSheet => {
  const { id, slug, name, author, category, description, summary, difficulty, visibility } = skill
  const { updated, licence, tokens, size, safety, files, findings } = skill
  const open = findings.filter(({ accepted }) => accepted === undefined)
  const counts = SEVERITIES.map((severity) => [
    severity,
    open.filter((one) => one.severity === severity).length,
  ])
  return {
    id,
    slug,
    name,
    author,
    category,
    description,
    summary,
    difficulty,
    visibility,
    updated,
    licence,
    tokens,
    size,
    safety,
    files: files.length,
    install: installCommand(skill, origin),
    findings: Object.fromEntries(counts.filter(([, count]) => count !== 0)),
  }
}
