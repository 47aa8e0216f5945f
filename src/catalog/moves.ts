import type { Problem } from './problems.ts'
import type { Retired } from './schema.ts'
import type { Skill } from './skill.ts'

type Named = Pick<Skill, 'id' | 'slug'>

/** A former slug and the skill that it redirects to. */
interface Move {
  slug: string
  id: number
  to: Named
}

/** The end of a chain of moves from a retired slug. */
type End =
  | { kind: 'skill'; skill: Named }
  | { kind: 'retired' }
  | { kind: 'nowhere'; slug: string }
  | { kind: 'circle'; slugs: string[] }

const followMoves = (
  first: Retired,
  bySlug: ReadonlyMap<string, Retired>,
  skills: ReadonlyMap<string, Named>,
): End => {
  const passed = new Set([first.slug])
  let row = first
  while (row.movedTo !== undefined) {
    const skill = skills.get(row.movedTo)
    if (skill) return { kind: 'skill', skill }
    if (passed.has(row.movedTo)) return { kind: 'circle', slugs: [...passed, row.movedTo] }
    const next = bySlug.get(row.movedTo)
    if (!next) return { kind: 'nowhere', slug: row.movedTo }
    passed.add(next.slug)
    row = next
  }
  return { kind: 'retired' }
}

const findEnds = (
  retired: readonly Retired[],
  skills: readonly Named[],
): { row: Retired; end: End }[] => {
  if (retired.length === 0) return []
  const bySlug = new Map(retired.map((row) => [row.slug, row]))
  const living = new Map(skills.map((skill) => [skill.slug, skill]))
  return retired.map((row) => ({ row, end: followMoves(row, bySlug, living) }))
}

/** Follows chains of moves, ignoring skills that were retired without a move. */
export const resolveMoves = (retired: readonly Retired[], skills: readonly Named[]): Move[] =>
  findEnds(retired, skills).flatMap(({ row: { slug, id }, end }) =>
    end.kind === 'skill' ? [{ slug, id, to: { id: end.skill.id, slug: end.skill.slug } }] : [],
  )

const describeEnd = (end: End): string | undefined => {
  if (end.kind === 'nowhere') {
    return `leads to "${end.slug}", which no skill has or had; name one, or leave movedTo out`
  }
  return end.kind === 'circle'
    ? `leads in a circle: ${end.slugs.join(' -> ')}; the last must name a skill`
    : undefined
}

/** Finds moves that do not end at a skill: cycles, and slugs that never existed. */
export const findLostMoves = (retired: readonly Retired[], skills: readonly Named[]): Problem[] =>
  findEnds(retired, skills).flatMap(({ row, end }, at) => {
    const remedy = describeEnd(end)
    return remedy === undefined
      ? []
      : [{ file: 'retired.json', field: `${at}.movedTo`, value: row.movedTo, remedy }]
  })
