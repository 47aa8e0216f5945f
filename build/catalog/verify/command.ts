import { isDeepStrictEqual } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { isWithin } from '../../../src/catalog/address.ts'
import { countOf, showValue } from '../../../src/catalog/text.ts'
import type { Progress } from '../../machine/progress.ts'
import { createProgress } from '../../machine/progress.ts'
import { mapAtOnce } from '../cli/at-once.ts'
import type { Command, Arguments, CommandContext } from '../cli/command.ts'
import {
  CONTENT_OPTION,
  JSON_OPTION,
  readContentOption,
  CommandError,
  refuse,
  renderJson,
} from '../cli/command.ts'
import { SOURCES_FILE, readBeside, readRecords, recordName } from '../store/records.ts'
import { readSources } from '../update/sources.ts'
import { withLock, renderRecord, writeWhole } from '../store/write.ts'
import { querySource, gatherSources } from './query-source.ts'
import type { SourceAnswer, VerifiedSource } from './query-source.ts'
import { Client } from '../web/client.ts'
import { createGuard } from '../web/guard.ts'

type Dependent = VerifiedSource['skills'][number]
type Status = Dependent['status']

const VERDICTS = ['alive', 'moved', 'gone', 'missing', 'unknown'] as const

/** The result for a source, judged from this answer and earlier ones; `missing` means absent for less than a day. */
type Verdict =
  | Exclude<SourceAnswer, { kind: 'absent' | 'deleted' }>
  | { kind: 'gone' }
  | { kind: 'missing'; since: string }

interface Check {
  source: VerifiedSource
  verdict: Verdict
  written: string[]
  /** Skills whose status changed. */
  changed: { slug: string; from: Status; to: Status }[]
}

interface VerifyReport {
  dryRun: boolean
  counts: Record<Verdict['kind'], number>
  /** Number of skills left to `update`: alive, and from a followed source. */
  followed: number
  checks: Check[]
}

interface VerifySettings {
  content: string
  now: number
  dryRun: boolean
  /** Pause between two sources on the same host, in milliseconds. */
  interval?: number
}

/** How many hosts are queried at the same time. */
const HOSTS_AT_ONCE = 8

const USER_AGENT =
  'skill-registry-verify/1 (checks that the sources of listed skills are still there)'

/** A source is gone if it is still absent after this time, in milliseconds. */
export const GONE_AFTER = 24 * 60 * 60 * 1_000

/** The file with the time at which each missing source was first missed. If it is lost, gone sources are detected a day later. */
const STATE_FILE = 'verify.state.json'

const stateRecord = z
  .object({ missing: z.record(z.string(), z.iso.datetime()) })
  .catch({ missing: {} })

type Upstream = Extract<SkillRecord['source'], { kind: 'upstream' }>

/** The key of a skill's page in the state. The suffix distinguishes it from a repository with the same address. */
const pageKey = (url: string): string => `${url}#page`

/** Checks sources and keeps track of missing ones. */
class Verifier {
  readonly #settings: VerifySettings
  readonly #client: Client
  readonly #before: Map<string, string>
  readonly missing = new Map<string, string>()

  constructor(settings: VerifySettings, client: Client) {
    this.#settings = settings
    this.#client = client
    const before = readBeside(settings.content, STATE_FILE, stateRecord)?.missing ?? {}
    this.#before = new Map(Object.entries(before))
  }

  #judge(key: string, answer: SourceAnswer, isGone: boolean): Verdict {
    const { now } = this.#settings
    const before = this.#before.get(key)
    if (answer.kind === 'unknown' && before !== undefined) this.missing.set(key, before)
    if (answer.kind !== 'absent' && answer.kind !== 'deleted') return answer
    const since = before ?? new Date(now).toISOString()
    const isSure = answer.kind === 'deleted' || isGone || now - Date.parse(since) >= GONE_AFTER
    if (isSure) return { kind: 'gone' }
    this.missing.set(key, since)
    return { kind: 'missing', since }
  }

  /**
   * Checks the page of a skill that was gone or never seen, because its repository can exist without it. An absent page
   * counts only if it is still absent a day later.
   */
  async #findPage({ url, status }: Dependent): Promise<Verdict['kind']> {
    const answer = await querySource({ address: url, suffix: undefined }, this.#client)
    const { kind } = this.#judge(pageKey(url), answer, status !== 'copied')
    return kind === 'moved' ? 'alive' : kind
  }

  /** Returns the new source of a record; undefined if it does not change. */
  async #findNextSource(
    before: Upstream,
    skill: Dependent,
    { source, verdict }: Check,
  ): Promise<Upstream | undefined> {
    const checked = new Date(this.#settings.now).toISOString().slice(0, 10)
    if (verdict.kind === 'gone') {
      const status = before.status === 'untraced' ? 'untraced' : 'gone'
      return { ...before, status, checked }
    }
    if (verdict.kind !== 'alive' && verdict.kind !== 'moved') return undefined
    const isKnown = skill.status === 'alive' || source.suffix === undefined
    const page = isKnown ? 'alive' : await this.#findPage(skill)
    if (page !== 'alive') {
      // An unclear answer does not change a copied skill whose page was never checked.
      if (before.status === 'copied' && page !== 'gone') return undefined
      return { ...before, status: before.status === 'copied' ? 'gone' : before.status, checked }
    }
    const seen = { ...before, status: 'alive', checked, seen: checked } as const
    if (verdict.kind === 'alive') return seen
    return { ...seen, url: verdict.movedTo + skill.rest }
  }

  /** Writes the result of a check into a skill's record. */
  async #update(skill: Dependent, check: Check): Promise<void> {
    const { content, dryRun } = this.#settings
    const name = recordName(skill.slug)
    const record = readBeside(content, name, skillRecord)
    if (!record || record.source.kind === 'own') return
    const source = await this.#findNextSource(record.source, skill, check)
    if (source === undefined || isDeepStrictEqual(source, record.source)) return
    const next = { ...record, source }
    // A host can redirect to an address too long for a record.
    if (!skillRecord.safeParse(next).success) return
    if (!dryRun) writeWhole(content, name, renderRecord(next))
    check.written.push(skill.slug)
    if (source.status !== skill.status)
      check.changed.push({ slug: skill.slug, from: skill.status, to: source.status })
  }

  async check(source: VerifiedSource): Promise<Check> {
    const answer = await querySource(source, this.#client)
    const isGone = source.skills.every(({ status }) => status === 'gone' || status === 'untraced')
    const verdict = this.#judge(source.address, answer, isGone)
    const check: Check = { source, verdict, written: [], changed: [] }
    for (const skill of source.skills) await this.#update(skill, check)
    return check
  }
}

/** Checks the sources that `update` does not follow: several hosts at once, but one source of a host at a time. */
export const verifySources = (
  settings: VerifySettings,
  client: Client,
  progress: Progress,
): Promise<VerifyReport> => {
  const { content, dryRun, interval = 500 } = settings
  const verify = async (): Promise<VerifyReport> => {
    const { records } = readRecords(content)
    const rows = readSources(content)
    const others = records.filter(
      ({ record: { source } }) =>
        source.kind === 'own' ||
        source.status !== 'alive' ||
        !rows.some((row) => isWithin(source.url, row.address)),
    )
    const sources = gatherSources(others)
    const verifier = new Verifier(settings, client)
    progress.stage('Asking sources', sources.length)
    const hosts = Map.groupBy(sources, ({ address }) => new URL(address).host)
    const checks = await mapAtOnce([...hosts.values()], HOSTS_AT_ONCE, async (group) => {
      const done: Check[] = []
      for (const [at, source] of group.entries()) {
        if (at > 0) await pause(interval)
        done.push(await verifier.check(source))
        progress.step()
      }
      return done
    })
    const missing = Object.fromEntries([...verifier.missing].sort())
    if (!dryRun) writeWhole(content, STATE_FILE, renderRecord({ missing }))
    progress.end()
    const counts = { alive: 0, moved: 0, gone: 0, missing: 0, unknown: 0 }
    for (const { verdict } of checks.flat()) counts[verdict.kind] += 1
    return { dryRun, counts, followed: records.length - others.length, checks: checks.flat() }
  }
  return dryRun ? verify() : withLock(content, verify)
}

const readFailOn = ({ values }: Arguments): Verdict['kind'][] =>
  (values['fail-on']?.split(',') ?? []).map(
    (text) =>
      VERDICTS.find((verdict) => verdict === text) ??
      refuse(`--fail-on ${showValue(text)} must be one of ${VERDICTS.join(', ')}.`),
  )

const describeVerdict = (verdict: Verdict): string => {
  if (verdict.kind === 'moved') return `moved to ${verdict.movedTo}`
  if (verdict.kind === 'unknown') return `unknown: ${verdict.reason}; nothing changes`
  return verdict.kind === 'missing'
    ? `missing since ${verdict.since}; gone if it is still missing a day later`
    : verdict.kind
}

const renderCheck = (check: VerifyReport['checks'][number]): string[] => {
  const { source, verdict, changed } = check
  const shown = `${source.address} (${countOf(source.skills.length, 'skill')})`
  return [
    ...(verdict.kind === 'alive' ? [] : [`${shown}: ${describeVerdict(verdict)}`]),
    ...changed.map(({ slug, from, to }) => `skills/${slug}: ${from} -> ${to}`),
  ]
}

export const renderVerify = (report: VerifyReport): string => {
  const { checks, counts, followed, dryRun } = report
  const written = checks.reduce((sum, check) => sum + check.written.length, 0)
  const sorted = checks.toSorted((a, b) => (a.source.address < b.source.address ? -1 : 1))
  return [
    ...sorted.flatMap(renderCheck),
    ...(followed > 0
      ? [`${countOf(followed, 'skill')} from ${SOURCES_FILE}: checked by update`]
      : []),
    `${countOf(checks.length, 'source')}: ${VERDICTS.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')}; ${dryRun ? 'would write' : 'wrote'} ${countOf(written, 'record')}`,
  ].join('\n')
}

const run = async (args: Arguments, { print, stderr }: CommandContext): Promise<void> => {
  const failOn = readFailOn(args)
  const content = readContentOption(args)
  const dryRun = args.switches.has('dry-run')
  const settings = { content, now: Date.now(), dryRun }
  const report = await verifySources(
    settings,
    new Client(createGuard(), USER_AGENT),
    createProgress(stderr),
  )
  print(args.switches.has('json') ? renderJson(report) : renderVerify(report))
  const { counts } = report
  const failed = failOn.filter((verdict) => counts[verdict] > 0)
  if (failed.length > 0) {
    const shown = failed.map((verdict) => `${counts[verdict]} ${verdict}`).join(', ')
    throw new CommandError(`--fail-on ${failOn.join(',')}: ${shown}.`)
  }
}

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Checks whether sources that update does not follow still exist, and records the result',
  options: {
    'fail-on': {
      value: '<verdicts>',
      help: `Exits with code 1 if a source has one of these verdicts: ${VERDICTS.slice(1).join(', ')}`,
    },
    ...CONTENT_OPTION,
    'dry-run': { help: 'Checks, and prints what would be written, without writing it' },
    ...JSON_OPTION,
  },
  help: [
    'Skips skills that are alive and come from a source in sources.json: update checks them.',
    'Sends one request for all skills of a repository: the request with which git ls-remote starts. Any other address gets a GET whose body is not read.',
    'Connects only by http and https, and only to public addresses. The address is checked after each name look-up and each redirect, and the connection uses the checked address.',
    'alive: the dates "checked" and "seen" become today.',
    'moved: permanent redirects are followed, and the record gets the new address.',
    'gone: 404 or 410 on two checks at least a day apart, or a repository that neither git nor a browser finds.',
    'unknown: a timeout, 429 or 5xx on every attempt, or any other unclear answer; nothing changes.',
    'Skills that were gone or never seen are checked at their own address, because a repository can exist without their folder.',
    'A stopped run keeps the records that it has written; the next run checks all sources again. verify.state.json has the time at which each missing source was first missed.',
  ],
  run,
}
