import { resolveMoves } from '../../src/catalog/moves.ts'
import type { Retired } from '../../src/catalog/schema.ts'
import type { Skill } from '../../src/catalog/skill.ts'
import type { Output } from './outputs.ts'

const renderMoves = (
  retired: readonly Retired[],
  skills: readonly Pick<Skill, 'id' | 'slug'>[],
): string => {
  const moves = resolveMoves(retired, skills)
  const slugs = Object.fromEntries(moves.map(({ slug, to }) => [slug, to.slug]))
  const others = moves.filter(({ id, to }) => id !== to.id)
  const ids = Object.fromEntries(others.map(({ id, to }) => [id, to.id]))
  return `${JSON.stringify({ slugs, ids })}\n`
}

/** The table of skills that moved, which the function reads; `skills` are those that have a page. */
export const movesOutput = (
  retired: readonly Retired[],
  skills: readonly Pick<Skill, 'id' | 'slug'>[],
): Output => ({ name: 'private/moves.json', make: () => renderMoves(retired, skills) })
