import { refuseField } from './problems.ts'
import type { Problem } from './problems.ts'
import type { Retired } from './schema.ts'
import type { Skill } from './skill.ts'
import { hasText, isListed, INSTALLED_NAME, isNamedTooLong } from './skill.ts'

/** The fields of a skill that identify it. */
export type Identified = Pick<Skill, 'id' | 'slug'>

/** A former slug and the skill that it redirects to. */
interface Move {
  slug: string
  id: number
  to: Identified
}

/** The end of a chain of moves from a retired slug. */
type End =
  | { kind: 'skill'; skill: Identified }
  | { kind: 'retired' }
  | { kind: 'nowhere'; slug: string }
  | { kind: 'circle'; slugs: string[] }

const followMoves = (
  first: Retired,
  bySlug: ReadonlyMap<string, Retired>,
  skills: ReadonlyMap<string, Identified>,
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

/** Follows the moves from each row, except rows whose skill still exists: `retire` and `move` write the row first. */
const findEnds = (
  retired: readonly Retired[],
  skills: readonly Identified[],
): { row: Retired; at: number; end: End }[] => {
  if (retired.length === 0) return []
  const bySlug = new Map(retired.map((row) => [row.slug, row]))
  const living = new Map(skills.map((skill) => [skill.slug, skill]))
  return retired
    .map((row, at) => ({ row, at, end: followMoves(row, bySlug, living) }))
    .filter(({ row }) => living.get(row.slug)?.id !== row.id)
}

/** Follows chains of moves; chains that do not end at a skill are ignored. */
export const resolveMoves = (retired: readonly Retired[], skills: readonly Identified[]): Move[] =>
  findEnds(retired, skills).flatMap(({ row: { slug, id }, end }) =>
    end.kind === 'skill' ? [{ slug, id, to: { id: end.skill.id, slug: end.skill.slug } }] : [],
  )

/** The current slug of each former slug. */
export const mapMoves = (
  retired: readonly Retired[],
  skills: readonly Identified[],
): ReadonlyMap<string, string> =>
  new Map(resolveMoves(retired, skills).map(({ slug, to }) => [slug, to.slug]))

const describeEnd = (end: End): string | undefined => {
  if (end.kind === 'nowhere') {
    return `leads to "${end.slug}", which no skill has or had; name a skill, or remove movedTo`
  }
  return end.kind === 'circle'
    ? `leads in a circle: ${end.slugs.join(' -> ')}; the last must name a skill`
    : undefined
}

/** Finds moves that do not end at a skill: cycles, and slugs that never existed. */
export const findLostMoves = (
  retired: readonly Retired[],
  skills: readonly Identified[],
): Problem[] =>
  findEnds(retired, skills).flatMap(({ row, at, end }) => {
    const remedy = describeEnd(end)
    return remedy === undefined
      ? []
      : [refuseField('retired.json', `${at}.movedTo`, row.movedTo, remedy)]
  })

/** The file that says which versions are withdrawn. */
export const ADVISORIES_FILE = 'withdrawn.json'

/** The id of the original by the id of each copy. */
export type Copies = Readonly<Record<string, number>>

type Listable = Pick<Skill, 'id' | 'visibility'>

/** The original of a copy; undefined unless both are listed. */
export const findOriginal = <Other extends Listable>(
  skill: Listable,
  copies: Copies,
  find: (id: number) => Other | undefined,
): Other | undefined => {
  const id = Object.hasOwn(copies, skill.id) ? copies[skill.id] : undefined
  const original = id === undefined || !isListed(skill) ? undefined : find(id)
  return original && isListed(original) ? original : undefined
}

/** The copies of each original by its id, sorted by id. */
export const groupCopies = (copies: Copies): ReadonlyMap<number, readonly number[]> =>
  Map.groupBy(
    Object.keys(copies)
      .map(Number)
      .sort((a, b) => a - b),
    (copy) => copies[copy]!,
  )

/** Whether comparisons may show a skill: it is listed and not a copy. */
export const isComparable = (
  skill: Listable,
  copies: Copies,
  find: (id: number) => Listable | undefined,
): boolean => isListed(skill) && findOriginal(skill, copies, find) === undefined

type StarterSkill = Pick<Skill, 'id' | 'slug' | 'visibility' | 'tokens' | 'refusal'>

const explainExclusion = (skill: StarterSkill | undefined): string | undefined => {
  if (!skill) return 'no skill has this slug'
  if (skill.visibility === 'gone') return 'this skill is gone: its source no longer answers'
  if (!hasText(skill))
    return 'this skill is listed without its text, so the registry cannot install it'
  if (skill.refusal !== undefined)
    return `its front matter ${skill.refusal}, so clients do not install it`
  return isNamedTooLong(skill)
    ? `its slug has more than ${INSTALLED_NAME} characters, so clients do not install it`
    : undefined
}

/**
 * Finds the skills that `starter` of `site.json` names by current or former slug. A skill that cannot be installed is
 * a problem. `skills` are all skills with a page.
 */
export const findStarter = <Found extends StarterSkill>(
  starter: readonly string[],
  skills: readonly Found[],
  retired: readonly Retired[],
): { skills: Found[]; problems: Problem[] } => {
  if (starter.length === 0) return { skills: [], problems: [] }
  const moves = mapMoves(retired, skills)
  const places = new Map(starter.map((slug, at) => [moves.get(slug) ?? slug, at]))
  const bySlug = new Map(
    skills.filter(({ slug }) => places.has(slug)).map((skill) => [skill.slug, skill]),
  )
  const found: Found[] = []
  const problems: Problem[] = []
  for (const [slug, at] of places) {
    const skill = bySlug.get(slug)
    const why = explainExclusion(skill)
    if (skill && why === undefined) found.push(skill)
    else {
      const remedy = `${why}; remove it from the starter set, or name another skill`
      problems.push(refuseField('site.json', `starter.${at}`, starter[at], remedy))
    }
  }
  return { skills: found, problems }
}
