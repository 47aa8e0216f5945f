import type { SourceRow } from '../../../src/catalog/schema.ts'
import type { VersionReport } from './review.ts'
import { addDays } from './sources.ts'
import type { SourceState, WaitingVersion } from './sources.ts'

/** Whether the days of a version of a source are over. */
export const createOver =
  ({ address, wait = 0 }: SourceRow, today: string) =>
  ({ source, when }: SourceState['seen'][number]): boolean =>
    source === address && addDays(when, wait) <= today

/** The versions of a source that wait for their days, after it was read. */
export const listSeen = (
  { seen }: SourceState,
  versions: readonly VersionReport[],
  waiting: readonly WaitingVersion[],
  { address: source }: SourceRow,
  today: string,
): SourceState['seen'] => {
  const isWaiting = ({ slug, digest }: { slug: string; digest: string }): boolean =>
    waiting.some((one) => one.slug === slug && one.digest === digest)
  const held = new Set(versions.flatMap(({ state, digest }) => (state === 'held' ? digest : [])))
  const kept = seen.filter((one) => isWaiting(one) && !held.has(one.digest))
  const known = new Set(kept.map(({ digest }) => digest))
  return [
    ...kept,
    ...versions
      .filter(({ state, digest }) => state === 'days' && !known.has(digest))
      .map(({ slug, digest }) => ({ slug, digest, when: today, source })),
  ]
}
