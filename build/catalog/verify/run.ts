import type { Progress } from '../../site/progress.ts'
import type { Wire } from './ask.ts'
import { withLock } from '../store/lock.ts'
import { readRecords } from '../store/records.ts'
import { createKeeper } from './keeper.ts'
import type { Keeper } from './keeper.ts'
import { judge } from './judge.ts'
import { readMemory } from './memory.ts'
import { askAddress, askSource } from './outcome.ts'
import type { Check, VerifyReport } from './report.ts'
import { settleSource } from './settle-record.ts'
import type { Upstream } from './settle-record.ts'
import { gatherSources, mixHosts } from './sources.ts'
import type { Dependent, Source } from './sources.ts'
import { updateRecord } from './write-record.ts'

/** What a check of the sources is asked to do. */
export interface VerifySettings {
  content: string
  /** Requests under way at most. */
  atOnce: number
  /** Today as YYYY-MM-DD, UTC. */
  today: string
  dryRun: boolean
}

/** Asks the pages of skills that were gone or never seen, whose repository is there. */
const findPages = async (source: Source, wire: Wire): Promise<Set<string>> => {
  const there = new Set<string>()
  for (const { slug, url, status } of source.skills) {
    const isTold = status === 'alive' || source.kind === 'web'
    if (isTold || (await askAddress(url, wire)).kind === 'alive') there.add(slug)
  }
  return there
}

/** Puts a verdict into the record of one skill, and notes what that changed. */
const settleSkill = (
  skill: Dependent,
  isThere: boolean,
  check: Check,
  { content, today, dryRun }: VerifySettings,
): void => {
  const { source, verdict } = check
  let status = skill.status
  const change = (before: Upstream): Upstream | undefined => {
    const after = settleSource(before, { source, skill, verdict }, isThere, today)
    status = after?.status ?? status
    return after
  }
  const written = updateRecord(content, skill, change, dryRun)
  if (typeof written === 'object') check.refused.push(written.refused)
  if (written !== 'written') return
  check.written.push(skill.slug)
  if (status !== skill.status) {
    check.changed.push({ slug: skill.slug, from: skill.status, to: status })
  }
}

const checkSource = async (
  source: Source,
  settings: VerifySettings,
  wire: Wire,
  keeper: Keeper,
): Promise<Check> => {
  const known = keeper.recall(source.address)
  const outcome = await askSource(source, known, wire)
  const isGone = source.skills.every(({ status }) => status !== 'alive')
  const { verdict, memory } = judge(outcome, known, isGone, wire.clock.now())
  const there = verdict.kind === 'alive' ? await findPages(source, wire) : new Set<string>()
  const check: Check = { source, verdict, written: [], changed: [], refused: [] }
  for (const skill of source.skills) settleSkill(skill, there.has(skill.slug), check, settings)
  // What is remembered says that the records were written, so it is written after them.
  keeper.settle(source.address, memory, verdict.kind !== 'unknown')
  return check
}

const checkAll = async (
  settings: VerifySettings,
  wire: Wire,
  progress: Progress,
): Promise<VerifyReport> => {
  const { content, dryRun, atOnce } = settings
  const sources = gatherSources(readRecords(content).records)
  const keeper = createKeeper(content, readMemory(content), wire.clock, dryRun)
  const open = mixHosts(sources.filter(({ address }) => !keeper.isSettled(address)))
  const report: VerifyReport = { dryRun, resumed: sources.length - open.length, checks: [] }
  progress.stage('Asking sources', open.length)
  const queue = open.values()
  const work = async (): Promise<void> => {
    // One queue for all: who is free takes the next.
    for (const source of queue) {
      report.checks.push(await checkSource(source, settings, wire, keeper))
      progress.step()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  keeper.finish(new Set(sources.map(({ address }) => address)))
  progress.end()
  return report
}

/** Asks every source of a catalog whether it is still there, and writes what it found. */
export const verifySources = (
  settings: VerifySettings,
  wire: Wire,
  progress: Progress,
): Promise<VerifyReport> =>
  settings.dryRun
    ? checkAll(settings, wire, progress)
    : withLock(settings.content, () => checkAll(settings, wire, progress))
