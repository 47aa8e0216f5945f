import { resolveMoves } from './moves.ts'
import type { Problem } from './problems.ts'
import type { Retired } from './schema.ts'
import { INSTALLED_NAME, isNamedTooLong } from './skill.ts'
import type { SkillFacts } from './skill.ts'

type Starting = Pick<SkillFacts, 'id' | 'slug' | 'visibility' | 'tokens'>

const whyNot = (skill: Starting | undefined): string | undefined => {
  if (!skill) return 'no skill has this slug'
  if (skill.visibility === 'gone') return 'this skill is gone: its source no longer answers'
  if (skill.tokens === undefined)
    return 'this skill is listed without its text, so it cannot be installed from here'
  return isNamedTooLong(skill)
    ? `its slug has more than ${INSTALLED_NAME} characters, and clients install none as long`
    : undefined
}

/**
 * Finds the skills that `starter` of `site.json` names, by their former slugs too; what cannot be installed is a problem.
 * `skills` are those that have a page.
 */
export const findStarter = <Found extends Starting>(
  starter: readonly string[],
  skills: readonly Found[],
  retired: readonly Retired[],
): { skills: Found[]; problems: Problem[] } => {
  if (starter.length === 0) return { skills: [], problems: [] }
  const moves = new Map(resolveMoves(retired, skills).map(({ slug, to }) => [slug, to.slug]))
  const places = new Map(starter.map((slug, at) => [moves.get(slug) ?? slug, at]))
  const bySlug = new Map(
    skills.filter(({ slug }) => places.has(slug)).map((skill) => [skill.slug, skill]),
  )
  const found: Found[] = []
  const problems: Problem[] = []
  for (const [slug, at] of places) {
    const skill = bySlug.get(slug)
    const why = whyNot(skill)
    if (skill && why === undefined) found.push(skill)
    else {
      const remedy = `${why}; take it out of the starter set, or name another`
      problems.push({ file: 'site.json', field: `starter.${at}`, value: starter[at], remedy })
    }
  }
  return { skills: found, problems }
}
