import { join } from 'node:path'
import type { SourceRow } from '../../../src/catalog/schema.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import type { Version } from '../import/run.ts'
import { pendingIn, readRecords } from '../store/records.ts'
import type { Stored } from '../store/records.ts'
import { dropPending, withLock } from '../store/write.ts'
import { takeIn } from './intake.ts'
import type { Growing } from './intake.ts'
import { judgeVersion } from './review.ts'
import type { ReviewSettings, VersionReport } from './review.ts'
import { addDays, forgetSeen, readState, readWaiting, writeState } from './sources.ts'
import type { SourceState, WaitingVersion } from './sources.ts'

/** Whether a version can still go where it was to go. */
const hasPlace = ({ slug, record }: WaitingVersion, { records, retired }: Stored): boolean => {
  const live = records.find((one) => one.slug === slug)
  return live ? live.record.id === record.id : retired.every((row) => row.slug !== slug)
}

/** A version that waits, as a source would offer it now. */
const offer = (content: string, { slug, record }: WaitingVersion, stored: Stored): Version => {
  const pending = pendingIn(content)
  const opened = openSkill(pending, slug, readSkillBits(pending).ofSkill(slug))
  const files = opened.files.map((file) =>
    Object.assign({ from: join(opened.folder, file.path) }, file),
  )
  return {
    path: '',
    slug,
    id: record.id,
    category: record.category,
    files,
    read: files,
    change: { written: [], removed: [] },
    record,
    loaded: makeSkillInTime(opened),
    live: stored.records.find((one) => one.slug === slug)?.record,
    source: { isDeserted: false, added: 0 },
    returned: undefined,
    renamed: undefined,
    isInternal: false,
    loss: undefined,
  }
}

/** Takes in the versions of a source whose days are over, if they would go in today; the others wait for a curator. */
export const takeDue = (
  row: SourceRow,
  settings: Omit<ReviewSettings, 'wait'>,
): Promise<VersionReport[]> => {
  const { content, today, isDry } = settings
  const isDue = ({ source, when }: SourceState['seen'][number]): boolean =>
    source === row.address && addDays(when, row.wait ?? 0) <= today
  if (isDry || !readState(content).seen.some(isDue)) return Promise.resolve([])
  return withLock(content, async () => {
    const state = readState(content)
    const read = readRecords(content)
    const stored: Growing = { ...read, records: [...read.records] }
    const due = new Set(state.seen.filter(isDue).map(({ digest }) => digest))
    const versions = readWaiting(content).filter(({ digest }) => due.has(digest))
    const reports = versions
      .filter((one) => hasPlace(one, stored))
      .map((one): VersionReport => {
        const version = offer(content, one, stored)
        const known = { state, live: readSkillBits(content) }
        const judged = judgeVersion(pendingIn(content), version, { ...settings, wait: 0 }, known)
        const taken = judged.state === 'written' ? takeIn(content, one, stored) : undefined
        if (judged.state !== 'held') dropPending(content, one.slug)
        const lostBits = taken?.lostBits ?? []
        return Object.assign({ isNewlyHeld: judged.state === 'held', lostBits }, judged)
      })
    writeState(content, forgetSeen(readState(content), isDue))
    return reports
  })
}

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
