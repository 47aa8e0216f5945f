import { findNearest } from '../../../src/api/nearest-name.ts'
import { showValue } from '../../../src/catalog/text.ts'
import { resolveMoves } from '../../../src/catalog/moves.ts'
import { SLUG_RULE, isSlug } from '../../../src/catalog/schema.ts'
import { CommandError } from '../cli/errors.ts'
import type { StoredRecord } from '../store/records.ts'
import type { Departure, Holdings } from './plan.ts'

/** What a curator asked for. */
export interface Wish {
  slug: string
  /** Where it moves; undefined where it is retired. */
  to?: string | undefined
  /** `to` may be another skill. */
  isMerge?: boolean | undefined
  reason?: string | undefined
}

const refuse = (message: string): never => {
  throw new CommandError(message)
}

const suggest = (slug: string, { records }: Holdings): string =>
  records.length === 0
    ? 'the catalog has no skills'
    : `did you mean "${findNearest(
        slug,
        records.map((one) => one.slug),
      )}"?`

const refuseUnknown = (slug: string, holdings: Holdings): never => {
  const row = holdings.retired.find((one) => one.slug === slug)
  if (!row) return refuse(`No skill ${showValue(slug)}; ${suggest(slug, holdings)}`)
  return refuse(
    row.movedTo === undefined
      ? `${showValue(slug)} is retired; it has nothing to move.`
      : `${showValue(slug)} moved to "${row.movedTo}"; name that one.`,
  )
}

/** Says whether a slug already is as the wish wants it: a stopped command was finished, or run twice. */
export const isGranted = ({ slug, to }: Wish, { records, retired }: Holdings): boolean => {
  const row = retired.find((one) => one.slug === slug)
  return row !== undefined && row.movedTo === to && !records.some((stored) => stored.slug === slug)
}

const findHeir = (
  { record }: StoredRecord,
  { to = '', isMerge }: Wish,
  { records, retired }: Holdings,
): number | undefined => {
  if (!isSlug(to)) refuse(`${showValue(to)} is no slug: ${SLUG_RULE}.`)
  const heir = records.find((one) => one.slug === to)?.record.id
  if (heir === record.id) refuse(`The skill is at ${showValue(to)} already.`)
  if (heir !== undefined && isMerge !== true) {
    refuse(
      `${showValue(to)} is another skill (id ${heir}). With --merge the first is retired, and its readers and counters go to that one.`,
    )
  }
  const own = resolveMoves(
    retired,
    records.map(({ slug, record: { id } }) => ({ slug, id })),
  )
  const former = retired.find((row) => row.slug === to)
  const isOwn = own.some((move) => move.slug === to && move.to.id === record.id)
  if (former && !(isOwn && former.id === record.id)) {
    refuse(
      `${showValue(to)} was skill ${former.id}'s; slugs are never given again. Choose another.`,
    )
  }
  return heir
}

/** Makes a wish into a departure that the catalog allows. Throws CommandError. */
export const chooseDeparture = (wish: Wish, holdings: Holdings): Departure => {
  const { slug, to, reason } = wish
  const stored = holdings.records.find((one) => one.slug === slug) ?? refuseUnknown(slug, holdings)
  const heir = to === undefined ? undefined : findHeir(stored, wish, holdings)
  const { id, source } = stored.record
  const from = source.kind === 'upstream' ? source.url : undefined
  return { id, slug, movedTo: to, heir, reason, source: from }
}
