import { isDeepStrictEqual } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { showValue } from '../../../src/catalog/text.ts'
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
  pluralize,
  renderJson,
} from '../cli/command.ts'
import { readBeside, readRecords, recordName } from '../store/records.ts'
import { withLock, renderRecord, writeWhole } from '../store/write.ts'
import { askSource, judge, gatherSources } from './ask-source.ts'
import type { SourceAnswer, Verdict, VerifiedSource } from './ask-source.ts'
import { Client, createGuard } from './client.ts'

type Dependent = VerifiedSource['skills'][number]
type Status = Dependent['status']

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
  checks: Check[]
}

interface VerifySettings {
  content: string
  /** Hosts that are asked at the same time. */
  atOnce: number
  /** Milliseconds between two sources of one host. */
  interval: number
  now: number
  dryRun: boolean
}

/** Since when sources are missing, by address; losing the file delays the detection of gone ones by a day. */
const STATE_FILE = 'verify.state.json'

const stateRecord = z
  .object({ missing: z.record(z.string(), z.iso.datetime()) })
  .catch({ missing: {} })

type Upstream = Extract<SkillRecord['source'], { kind: 'upstream' }>

/** Key of a skill's page in the state; a repository may have the same address. */
const pageKey = (url: string): string => `${url}#page`

/** Asks sources and keeps what is needed to judge their absence. */
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
    const since = this.#before.get(key)
    const verdict = judge(answer, since, isGone, this.#settings.now)
    if (verdict.kind === 'missing') this.missing.set(key, verdict.since)
    else if (verdict.kind === 'unknown' && since !== undefined) this.missing.set(key, since)
    return verdict
  }

  /**
   * Whether the page of a skill that was gone or never seen is there, since the repository's existence says nothing
   * about it; its absence counts only if it is confirmed a day later.
   */
  async #findPage({ url, status }: Dependent): Promise<Verdict['kind']> {
    const answer = await askSource({ kind: 'web', address: url, suffix: '' }, this.#client)
    const { kind } = this.#judge(pageKey(url), answer, status !== 'copied')
    return kind === 'moved' ? 'alive' : kind
  }

  /** The source of a record after a check; undefined if unchanged. */
  async #settle(
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
    const isKnown = skill.status === 'alive' || source.kind === 'web'
    const page = isKnown ? 'alive' : await this.#findPage(skill)
    if (page !== 'alive') {
      // An unclear answer says nothing about a copy that was never checked.
      if (before.status === 'copied' && page !== 'gone') return undefined
      return { ...before, status: before.status === 'copied' ? 'gone' : before.status, checked }
    }
    const seen = { ...before, status: 'alive', checked, seen: checked } as const
    if (verdict.kind === 'alive') return seen
    return { ...seen, url: verdict.movedTo + (source.kind === 'git' ? skill.rest : '') }
  }

  /** Writes the verdict of a check into the record of a skill. */
  async #update(skill: Dependent, check: Check): Promise<void> {
    const { content, dryRun } = this.#settings
    const name = recordName(skill.slug)
    const record = readBeside(content, name, skillRecord)
    if (!record || record.source.kind === 'own') return
    const source = await this.#settle(record.source, skill, check)
    if (source === undefined || isDeepStrictEqual(source, record.source)) return
    const next = { ...record, source }
    // An address that a host leads to may be too long for a record.
    if (!skillRecord.safeParse(next).success) return
    if (!dryRun) writeWhole(content, name, renderRecord(next))
    check.written.push(skill.slug)
    if (source.status !== skill.status)
      check.changed.push({ slug: skill.slug, from: skill.status, to: source.status })
  }

  async check(source: VerifiedSource): Promise<Check> {
    const answer = await askSource(source, this.#client)
    const isGone = source.skills.every(({ status }) => status === 'gone' || status === 'untraced')
    const verdict = this.#judge(source.address, answer, isGone)
    const check: Check = { source, verdict, written: [], changed: [] }
    for (const skill of source.skills) await this.#update(skill, check)
    return check
  }
}

/** Checks all sources of a catalog and writes the results: each host's one after the other, several hosts at once. */
export const verifySources = (
  settings: VerifySettings,
  client: Client,
  progress: Progress,
): Promise<VerifyReport> => {
  const { content, dryRun, atOnce, interval } = settings
  const verify = async (): Promise<VerifyReport> => {
    const sources = gatherSources(readRecords(content).records)
    const verifier = new Verifier(settings, client)
    progress.stage('Asking sources', sources.length)
    const hosts = Map.groupBy(sources, ({ address }) => new URL(address).host)
    const checks = await mapAtOnce([...hosts.values()], atOnce, async (group) => {
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
    return { dryRun, counts, checks: checks.flat() }
  }
  return dryRun ? verify() : withLock(content, verify)
}

/** Options that are whole numbers: argument, help, least, most, and what they are where left out. */
const NUMBERS = {
  'at-once': ['N', 'Hosts to ask at the same time', 1, 64, 8],
  interval: ['<ms>', 'Pause between two sources of one host', 0, 60_000, 500],
  timeout: ['<s>', 'Limit for an answer', 1, 300, 20],
  attempts: ['N', 'Attempts for a source that fails', 1, 10, 3],
  backoff: ['<ms>', 'Wait after the first failure, then doubled', 0, 60_000, 1_000],
} as const

const NUMBER_OPTIONS = Object.fromEntries(
  Object.entries(NUMBERS).map(([name, [value, help, , , usual]]) => [
    name,
    { value, help: `${help} (default: ${usual})` },
  ]),
)

const readNumber = ({ values }: Arguments, name: keyof typeof NUMBERS): number => {
  const [, , least, most, usual] = NUMBERS[name]
  const text = values[name]
  if (text === undefined) return usual
  const number = /^\d{1,6}$/.test(text) ? Number(text) : NaN
  if (number >= least && number <= most) return number
  return refuse(`--${name} ${showValue(text)} must be a whole number from ${least} to ${most}.`)
}

const VERDICTS: readonly Verdict['kind'][] = ['alive', 'moved', 'gone', 'missing', 'unknown']

const readFailOn = ({ values }: Arguments): Verdict['kind'][] =>
  (values['fail-on']?.split(',') ?? []).map(
    (text) =>
      VERDICTS.find((verdict) => verdict === text) ??
      refuse(`--fail-on ${showValue(text)} must be one of ${VERDICTS.join(', ')}.`),
  )

const createClient = (args: Arguments): Client =>
  new Client(createGuard(args.switches.has('allow-loopback')), {
    timeout: readNumber(args, 'timeout') * 1_000,
    attempts: readNumber(args, 'attempts'),
    backoff: readNumber(args, 'backoff'),
  })

const describeVerdict = (verdict: Verdict): string => {
  if (verdict.kind === 'moved') return `moved to ${verdict.movedTo}`
  if (verdict.kind === 'unknown') return `unknown: ${verdict.reason}; nothing changes`
  return verdict.kind === 'missing'
    ? `not there since ${verdict.since}; gone if it is still so a day later`
    : verdict.kind
}

const renderCheck = (check: VerifyReport['checks'][number]): string[] => {
  const { source, verdict, changed } = check
  const shown = `${source.address} (${pluralize(source.skills.length, 'skill')})`
  return [
    ...(verdict.kind === 'alive' ? [] : [`${shown}: ${describeVerdict(verdict)}`]),
    ...changed.map(({ slug, from, to }) => `skills/${slug}: ${from} -> ${to}`),
  ]
}

export const renderVerify = (report: VerifyReport): string => {
  const { checks, counts, dryRun } = report
  const written = checks.reduce((sum, check) => sum + check.written.length, 0)
  const sorted = checks.toSorted((a, b) => (a.source.address < b.source.address ? -1 : 1))
  return [
    ...sorted.flatMap(renderCheck),
    `${pluralize(checks.length, 'source')}: ${VERDICTS.map((one) => `${counts[one]} ${one}`).join(', ')}; ${dryRun ? 'would write' : 'wrote'} ${pluralize(written, 'record')}`,
  ].join('\n')
}

const run = async (args: Arguments, { print, stderr }: CommandContext): Promise<void> => {
  const failOn = readFailOn(args)
  const content = readContentOption(args)
  const dryRun = args.switches.has('dry-run')
  const [atOnce, interval] = [readNumber(args, 'at-once'), readNumber(args, 'interval')]
  const settings = { content, atOnce, interval, now: Date.now(), dryRun }
  const report = await verifySources(settings, createClient(args), createProgress(stderr))
  print(args.switches.has('json') ? renderJson(report) : renderVerify(report))
  const { counts } = report
  const failed = failOn.filter((one) => counts[one] > 0)
  if (failed.length > 0) {
    const shown = failed.map((one) => `${counts[one]} ${one}`).join(', ')
    throw new CommandError(`--fail-on ${failOn.join(',')}: ${shown}.`)
  }
}

export const verifyCommand: Command = {
  name: 'verify',
  summary: 'Checks that every source still exists, and records the result',
  options: {
    ...NUMBER_OPTIONS,
    'fail-on': {
      value: '<verdicts>',
      help: `Exits with code 1 if a source is ${VERDICTS.slice(1).join(', ')}; separate several with commas`,
    },
    'allow-loopback': { help: 'Also checks addresses of this machine, for tests' },
    ...CONTENT_OPTION,
    'dry-run': { help: 'Checks and lists what would be written, and writes nothing' },
    ...JSON_OPTION,
  },
  help: [
    'A repository is asked once for all its skills, with the first request of git ls-remote; any other address with a GET whose body is not read.',
    'Only http and https to public addresses: checked after the look-up of each name, the connection goes to what was checked, and each redirect is checked anew.',
    'alive: checked and seen become today.',
    'moved: redirects for good are followed, and the record gets the new address.',
    'gone: 404 or 410 on two checks at least a day apart, or a repository that neither git nor a browser finds.',
    'unknown: timeouts, 429 and 5xx after all attempts, and whatever says nothing clear; nothing changes.',
    'A repository that is there says nothing of a folder in it: an address at a commit stays as long as the repository does, and one at a branch is looked at by import.',
    'Skills that were gone or never seen are asked for by their own address before they are alive.',
    'Stopped, it keeps what it wrote; run again, it asks all sources. verify.state.json beside the records remembers since when a source is missing.',
  ],
  run,
}
