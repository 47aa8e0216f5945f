import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import PQueue from 'p-queue'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import type { Progress } from '../../site/progress.ts'
import { withLock } from '../store/lock.ts'
import { readBeside, readRecords, recordName } from '../store/records.ts'
import { renderRecord, writeWhole } from '../store/write.ts'
import { askSource, judge } from './ask-source.ts'
import type { SourceAnswer, Verdict } from './ask-source.ts'
import type { Client } from './client.ts'
import { gatherSources, mixHosts } from './sources.ts'
import type { Dependent, VerifiedSource } from './sources.ts'
import { VerifyState } from './state.ts'

type Status = Dependent['status']

interface Check {
  source: VerifiedSource
  verdict: Verdict
  written: string[]
  /** Skills whose status changed. */
  changed: { slug: string; from: Status; to: Status }[]
  /** Records that could not be updated. */
  refused: string[]
}

export interface VerifyReport {
  dryRun: boolean
  /** Sources that a stopped run had settled. */
  resumed: number
  counts: Record<Verdict['kind'], number>
  checks: Check[]
}

interface VerifySettings {
  content: string
  atOnce: number
  /** Today as YYYY-MM-DD, UTC. */
  today: string
  dryRun: boolean
}

type Upstream = Extract<SkillRecord['source'], { kind: 'upstream' }>

/** Key of a skill's page in the state; a repository may have the same address. */
const pageKey = (url: string): string => `${url}#page`

/**
 * Requests the pages of skills that were gone or never seen, since their repository's existence says nothing about them.
 * Returns the kind of answer for each; absence counts only if it is confirmed a day later.
 */
const findPages = async (
  source: VerifiedSource,
  client: Client,
  state: VerifyState,
): Promise<Map<string, SourceAnswer['kind']>> => {
  const pages = new Map<string, SourceAnswer['kind']>()
  for (const { slug, url, status } of source.skills) {
    if (status === 'alive' || source.kind === 'web') {
      pages.set(slug, 'alive')
      continue
    }
    const answer = await askSource({ kind: 'web', address: url, suffix: '' }, {}, client)
    const known = state.recall(pageKey(url))
    const { verdict, next } = judge(answer, known, status !== 'copied', client.clock.now())
    if (status === 'copied') state.settle(pageKey(url), next, false)
    pages.set(slug, verdict.kind === 'missing' ? 'unknown' : answer.kind)
  }
  return pages
}

/** The source of a record after a check; undefined if unchanged. */
const settleSource = (
  before: Upstream,
  { url, rest }: Dependent,
  { source, verdict }: Check,
  page: SourceAnswer['kind'] | undefined,
  today: string,
): Upstream | undefined => {
  if (verdict.kind === 'gone') {
    const status = before.status === 'untraced' ? 'untraced' : 'gone'
    return { ...before, status, checked: today }
  }
  if (verdict.kind !== 'alive' && verdict.kind !== 'moved') return undefined
  if (page !== 'alive') {
    // An unclear answer says nothing about a copy that was never checked.
    if (before.status === 'copied' && page !== 'absent') return undefined
    const status = before.status === 'copied' ? 'gone' : before.status
    return { ...before, status, checked: today }
  }
  const seen = { ...before, url, status: 'alive', checked: today, seen: today } as const
  if (verdict.kind === 'alive') return seen
  return { ...seen, url: source.kind === 'git' ? verdict.movedTo + rest : verdict.movedTo }
}

/**
 * Writes the verdict of a check into the current record of a skill and reports the change. Leaves a record alone if its
 * address changed meanwhile.
 */
const updateRecord = (
  skill: Dependent,
  check: Check,
  page: SourceAnswer['kind'] | undefined,
  { content, today, dryRun }: VerifySettings,
): void => {
  const { slug, url, status } = skill
  const name = recordName(slug)
  const record = readBeside(content, name, skillRecord)
  if (!record || record.source.kind === 'own' || record.source.url !== url) return
  const source = settleSource(record.source, skill, check, page, today)
  if (source === undefined || isDeepStrictEqual(source, record.source)) return
  const next = { ...record, source }
  const parsed = skillRecord.safeParse(next)
  if (!parsed.success) {
    check.refused.push(listProblems(name, next, parsed.error).map(renderProblem).join('; '))
    return
  }
  // Beside the skill folders, where the next command finds leftovers of a kill.
  if (!dryRun) writeWhole(join(content, name), renderRecord(next), content)
  check.written.push(slug)
  if (source.status !== status) check.changed.push({ slug, from: status, to: source.status })
}

const checkSource = async (
  source: VerifiedSource,
  settings: VerifySettings,
  client: Client,
  state: VerifyState,
): Promise<Check> => {
  const known = state.recall(source.address)
  const answer = await askSource(source, known, client)
  const isGone = source.skills.every(({ status }) => status === 'gone' || status === 'untraced')
  const { verdict, next } = judge(answer, known, isGone, client.clock.now())
  const pages = answer.kind === 'alive' ? await findPages(source, client, state) : undefined
  const check: Check = { source, verdict, written: [], changed: [], refused: [] }
  for (const skill of source.skills) updateRecord(skill, check, pages?.get(skill.slug), settings)
  // Written after the records, because the state marks them as done.
  state.settle(source.address, next, verdict.kind !== 'unknown')
  return check
}

/** Checks all sources of a catalog and writes the results. */
export const verifySources = (
  settings: VerifySettings,
  client: Client,
  progress: Progress,
): Promise<VerifyReport> => {
  const { content, dryRun, atOnce } = settings
  const verify = async (): Promise<VerifyReport> => {
    const sources = gatherSources(readRecords(content).records)
    const state = new VerifyState(content, client.clock, dryRun)
    const open = mixHosts(sources.filter(({ address }) => !state.isSettled(address)))
    progress.stage('Asking sources', open.length)
    const queue = new PQueue({ concurrency: atOnce })
    const checks = await queue.addAll(
      open.map((source) => async () => {
        const check = await checkSource(source, settings, client, state)
        progress.step()
        return check
      }),
    )
    state.finish(
      new Set(
        sources.flatMap(({ address, skills }) => [
          address,
          ...skills.map(({ url }) => pageKey(url)),
        ]),
      ),
    )
    progress.end()
    const counts = { alive: 0, moved: 0, gone: 0, missing: 0, unknown: 0 }
    for (const { verdict } of checks) counts[verdict.kind] += 1
    return { dryRun, resumed: sources.length - open.length, counts, checks }
  }
  return dryRun ? verify() : withLock(content, verify)
}
