import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import PQueue from 'p-queue'
import { listProblems, renderProblem } from '../../../src/catalog/problems.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import type { SkillRecord } from '../../../src/catalog/schema.ts'
import { showValue } from '../../../src/catalog/text.ts'
import type { Progress } from '../../site/progress.ts'
import { createProgress } from '../../site/progress.ts'
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
import { askSource, judge, gatherSources, mixHosts, VerifyState } from './ask-source.ts'
import type { SourceAnswer, Verdict, VerifiedSource } from './ask-source.ts'
import { CLOCK, Client, createGuard } from './client.ts'

type Dependent = VerifiedSource['skills'][number]
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

interface VerifyReport {
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

/** Options that are whole numbers: what they may be, and what they are where left out. */
const NUMBERS = {
  'at-once': {
    value: 'N',
    help: 'Sources to check at the same time',
    least: 1,
    most: 64,
    usual: 8,
  },
  interval: {
    value: '<ms>',
    help: 'Pause between two requests to one host',
    least: 0,
    most: 60_000,
    usual: 500,
  },
  timeout: { value: '<s>', help: 'Limit for a whole request', least: 1, most: 300, usual: 20 },
  attempts: {
    value: 'N',
    help: 'Attempts for a source that fails',
    least: 1,
    most: 10,
    usual: 3,
  },
  backoff: {
    value: '<ms>',
    help: 'Wait after the first failure, then doubled',
    least: 0,
    most: 60_000,
    usual: 1_000,
  },
} as const

const NUMBER_OPTIONS = Object.fromEntries(
  Object.entries(NUMBERS).map(([name, { value, help, usual }]) => [
    name,
    { value, help: `${help} (default: ${usual})` },
  ]),
)

const readNumber = ({ values }: Arguments, name: keyof typeof NUMBERS): number => {
  const { least, most, usual } = NUMBERS[name]
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

const createClient = (args: Arguments): Client => {
  const retries = {
    interval: readNumber(args, 'interval'),
    timeout: readNumber(args, 'timeout') * 1_000,
    attempts: readNumber(args, 'attempts'),
    backoff: readNumber(args, 'backoff'),
    longestWait: 60_000,
  }
  return new Client(createGuard(args.switches.has('allow-loopback')), retries, CLOCK)
}

const describeVerdict = (verdict: Verdict): string => {
  if (verdict.kind === 'moved') return `moved to ${verdict.movedTo}`
  if (verdict.kind === 'unknown') return `unknown: ${verdict.reason}; nothing changes`
  return verdict.kind === 'missing'
    ? `not there since ${verdict.since}; gone if it is still so a day later`
    : verdict.kind
}

const renderCheck = (check: VerifyReport['checks'][number]): string[] => {
  const { source, verdict, changed, refused } = check
  const shown = `${source.address} (${pluralize(source.skills.length, 'skill')})`
  return [
    ...(verdict.kind === 'alive' ? [] : [`${shown}: ${describeVerdict(verdict)}`]),
    ...changed.map(({ slug, from, to }) => `skills/${slug}: ${from} -> ${to}`),
    ...refused.map((problem) => `not written: ${problem}`),
  ]
}

export const renderVerify = (report: VerifyReport): string => {
  const { checks, counts, dryRun, resumed } = report
  const written = checks.reduce((sum, check) => sum + check.written.length, 0)
  const sorted = checks.toSorted((a, b) => (a.source.address < b.source.address ? -1 : 1))
  return [
    ...(resumed > 0
      ? [`${pluralize(resumed, 'source')} settled by the run before, not asked again`]
      : []),
    ...sorted.flatMap(renderCheck),
    `${pluralize(checks.length, 'source')}: ${VERDICTS.map((one) => `${counts[one]} ${one}`).join(', ')}; ${dryRun ? 'would write' : 'wrote'} ${pluralize(written, 'record')}`,
  ].join('\n')
}

const describeVerify = ({ dryRun, resumed, counts, checks }: VerifyReport): object => ({
  dryRun,
  resumed,
  counts,
  sources: checks.map(({ source, verdict: { kind, ...detail }, changed, written, refused }) => ({
    address: source.address,
    asked: source.kind,
    verdict: kind,
    ...detail,
    skills: source.skills.map(({ slug }) => slug),
    changed,
    written,
    refused,
  })),
})

const run = async (args: Arguments, { print, stderr, today }: CommandContext): Promise<void> => {
  const failOn = readFailOn(args)
  const content = readContentOption(args)
  const dryRun = args.switches.has('dry-run')
  const settings = { content, atOnce: readNumber(args, 'at-once'), today, dryRun }
  const report = await verifySources(settings, createClient(args), createProgress(stderr))
  print(args.switches.has('json') ? renderJson(describeVerify(report)) : renderVerify(report))
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
    'A repository is asked once for all its skills, with the first request of git ls-remote; any other address with a GET whose body is not read. Only http and https to public addresses: checked after the look-up of each name, the connection goes to what was checked, and each redirect is checked anew.',
    'alive: checked and seen become today. moved: redirects for good are followed, and the record gets the new address. gone: 404 or 410 on two checks at least a day apart, or a repository that neither git nor a browser finds. unknown: timeouts, 429 and 5xx after all attempts, and whatever says nothing clear; nothing changes.',
    'A repository that is there says nothing of a folder in it: an address at a commit stays as long as the repository does, and one at a branch is looked at by import. Skills that were gone or never seen are asked for by their own address before they are alive.',
    'Stopped, it goes on where it was when it is run again within a day. verify.state.json beside the records remembers what is needed for that, for conditional requests, and for the day between two checks.',
  ],
  run,
}
