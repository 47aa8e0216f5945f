import { matchesGlob } from 'node:path'
import { listNearest } from '../../../src/catalog/nearest-name.ts'
import { findPolicyBreaches } from '../../../src/catalog/policy.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import { siteRecord } from '../../../src/catalog/schema.ts'
import type { Finding } from '../../../src/catalog/skill.ts'
import { showValue } from '../../../src/catalog/text.ts'
import {
  CONTENT_OPTION,
  CommandError,
  IF_KILLED,
  UsageError,
  readContentOption,
} from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { explainLostBits } from '../import/notices.ts'
import type { Warning } from '../import/notices.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import { readBeside, readRecords } from '../store/records.ts'
import { readSourcesLock } from '../store/sources-lock.ts'
import { dropPending, withLock, writeSourcesLock } from '../store/write.ts'
import { findFollowing } from './gone.ts'
import { compareWaiting, takeIn } from './intake.ts'
import { printFinding, renderCommand } from './report.ts'
import { nameByDigest, readAgain, readWaiting } from './sources.ts'
import type { WaitingVersion } from './sources.ts'
import { loadVersion } from './version.ts'

/** The outcome for one version. */
interface Decision {
  slug: string
  done: string
  /** The findings that came in with the version. */
  findings?: Finding[]
  notices?: Warning[]
  /** Why the build would refuse the skill now. */
  problems?: string[]
}

/** Everything a decision depends on. */
interface Inputs {
  content: string
  waiting: readonly WaitingVersion[]
  stored: ReturnType<typeof readRecords>
  now: string
}

type Decide = (inputs: Inputs, version: WaitingVersion) => Decision

/** Lists the policy breaches of a live skill. */
const listBreaches = (content: string, slug: string): string[] => {
  const { skill } = loadVersion(content, slug, readSkillBits(content))
  const rules = readBeside(content, 'site.json', siteRecord)?.policy
  return findPolicyBreaches(rules, skill ? [skill] : []).map(renderProblem)
}

/** Removes the pending folder last, so that a second run completes a killed one. */
const acceptVersion: Decide = ({ content, stored, now }, version) => {
  const { findings } = compareWaiting(content, version, stored).changes
  const { slug, id, lostBits } = takeIn(content, version, stored, now)
  dropPending(content, version.slug)
  const notices = explainLostBits(slug, lostBits)
  return {
    slug,
    done: `accepted (id ${id})`,
    findings,
    notices,
    problems: listBreaches(content, slug),
  }
}

/** Saves the decision first, so that a killed run never loses track of a removed version. */
const rejectVersion: Decide = ({ content }, version) => {
  const { slug, digest: rejected, record } = version
  const lock = readSourcesLock(content)
  lock.rejected.push({ address: findFollowing(content, record), rejected, slug })
  writeSourcesLock(content, lock)
  dropPending(content, version.slug)
  return { slug: version.slug, done: 'rejected; this version is not offered again' }
}

/** Marks a glob, which may match nothing. */
const GLOB = /[*?[{]/

/** The exact name of a version. */
const VERSION = /^([^:]+):([0-9a-f]{32})$/

const slugOf = (name: string): string => VERSION.exec(name)?.[1] ?? name

const isNamed = (version: { slug: string; digest: string }, names: readonly string[]): boolean =>
  names.some((name) => name === nameByDigest(version) || matchesGlob(version.slug, name))

/** Explains why a name matches no pending version. Throws CommandError for the exact name of an undecided version. */
const explainAbsent = ({ content, waiting }: Inputs, name: string): Decision => {
  const slug = slugOf(name)
  const other = waiting.find((version) => version.slug === slug)
  if (slug === name) return { slug, done: 'nothing waits' }
  if (other)
    throw new CommandError(
      `${name} has been replaced by ${nameByDigest(other)}; read that version first.`,
    )
  // An earlier run may have saved the decision before it was killed.
  const { rejected } = readSourcesLock(content)
  if (rejected.some((row) => nameByDigest({ slug: row.slug, digest: row.rejected }) === name))
    return { slug, done: 'rejected before' }
  throw new CommandError(`Neither ${name} nor any other version of ${slug} waits in pending/.`)
}

/** Prints the versions that slugs or globs match, and throws UsageError if there are any: accept needs exact names. */
const showUnread = (
  { content, waiting, stored }: Inputs,
  names: readonly string[],
  print: CommandContext['print'],
): void => {
  const unread = names.filter((name) => !VERSION.test(name))
  const shown = waiting.filter((version) => isNamed(version, unread))
  if (shown.length === 0) return
  for (const version of shown) {
    const { findings } = compareWaiting(content, version, stored).changes
    const lines = findings.map((each) => `  ${printFinding(version.slug, each)}`)
    print([nameByDigest(version), ...lines].join('\n'))
  }
  const command = renderCommand('accept', shown.map(nameByDigest))
  throw new UsageError(`Name the versions that you have read:\n${command}`)
}

/** Reads the pending versions. Throws CommandError for a name that no version or skill has or had. */
const openDecision = (
  content: string,
  names: readonly string[],
  { now }: CommandContext,
): Inputs => {
  const stored = readRecords(content)
  const waiting = readWaiting(content)
  const others = [...stored.records, ...stored.retired, ...readSourcesLock(content).rejected]
  const slugs = [...waiting, ...others].map(({ slug }) => slug)
  const unknown = names.find((name) => !GLOB.test(name) && !slugs.includes(slugOf(name)))
  if (unknown !== undefined) {
    const name = slugOf(unknown)
    const [nearest] = listNearest(name, slugs)
    const advice = nearest
      ? `did you mean "${nearest}"?`
      : 'pending/skills has the waiting versions'
    throw new CommandError(`No version or skill has the name ${showValue(name)}; ${advice}`)
  }
  return { content, waiting, stored, now }
}

/** Applies a decision to each pending version that the names match. */
const decideAll = (inputs: Inputs, names: readonly string[], decide: Decide): Decision[] => {
  const { waiting } = inputs
  const absent = names
    .filter((name) => !waiting.some((version) => isNamed(version, [name])))
    .map((name) => explainAbsent(inputs, name))
  const chosen = waiting.filter((version) => isNamed(version, names))
  return [...chosen.map((version) => decide(inputs, version)), ...absent]
}

const describeDecision = (decision: Decision): string[] => {
  const { slug, done, findings = [], notices = [], problems = [] } = decision
  return [
    `${slug}: ${done}`,
    ...problems.map((problem) => `  the build refuses it: ${problem}`),
    ...notices.map(({ message }) => `  ${message}`),
    ...findings.map((finding) => `  ${printFinding(slug, finding)}`),
  ]
}

/** Makes the `run` function of a command: decides under the lock and prints the outcome. */
const runDecision =
  (decide: (inputs: Inputs, args: Arguments, print: CommandContext['print']) => Decision[]) =>
  async (args: Arguments, context: CommandContext): Promise<void> => {
    const content = readContentOption(args)
    const decisions = await withLock(content, async () =>
      decide(openDecision(content, args.positionals, context), args, context.print),
    )
    context.print(decisions.flatMap(describeDecision).join('\n'))
  }

export const acceptCommand: Command = {
  name: 'accept',
  positionals: { usage: '<slug>:<digits>…', least: 1, most: Infinity },
  summary: 'Moves versions from pending/ into the catalog',
  options: CONTENT_OPTION,
  help: [
    'The name of a version is its slug and 32 digits, as in the report of update. A slug alone, or a quoted glob such as "*", only lists the pending versions with their findings, and exits with code 2.',
    'A skill keeps its id, slug and category, and everything a curator wrote into its record. The findings that come in with the version are printed.',
    IF_KILLED,
  ],
  run: runDecision((inputs, { positionals }, print) => {
    showUnread(inputs, positionals, print)
    return decideAll(inputs, positionals, acceptVersion)
  }),
}

/** Takes rejections back. The next run reads every source again, because rejected versions are not stored. */
const undoRejections = ({ content }: Inputs, names: readonly string[]): Decision[] => {
  const lock = readSourcesLock(content)
  const isUndone = ({ slug, rejected: digest }: (typeof lock.rejected)[number]): boolean =>
    isNamed({ slug, digest }, names)
  const undone = lock.rejected.filter(isUndone)
  if (undone.length === 0) return names.map((slug) => ({ slug, done: 'was not rejected' }))
  lock.rejected = lock.rejected.filter((row) => !isUndone(row))
  readAgain(lock)
  writeSourcesLock(content, lock)
  return undone.map(({ slug }) => ({
    slug,
    done: 'rejection undone; the next update offers it again',
  }))
}

export const rejectCommand: Command = {
  name: 'reject',
  positionals: { usage: '<slug or glob>…', least: 1, most: Infinity },
  summary: 'Removes versions from pending/; they are not offered again',
  options: {
    undo: {
      help: 'Undoes a rejection: the next update reads every source and offers the version again',
    },
    ...CONTENT_OPTION,
  },
  help: [
    'sources.lock keeps the digest of the version. Later versions of the skill are offered as usual. <slug>:<digits> rejects only that version.',
    'Rejecting does not affect installed versions: use withdraw if a published version must not be installed.',
    IF_KILLED,
  ],
  run: runDecision((inputs, { positionals, switches }) =>
    switches.has('undo')
      ? undoRejections(inputs, positionals)
      : decideAll(inputs, positionals, rejectVersion),
  ),
}
