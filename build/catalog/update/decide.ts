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
  JSON_OPTION,
  UsageError,
  readContentOption,
  renderJson,
} from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { explainLostBits } from '../import/notices.ts'
import type { Warning } from '../import/notices.ts'
import { readSkillBits } from '../../machine/checkout.ts'
import { readBeside, readRecords } from '../store/records.ts'
import { dropPending, withLock } from '../store/write.ts'
import { compareWaiting, takeIn } from './intake.ts'
import type { Growing } from './intake.ts'
import { printFinding, renderCommand } from './report.ts'
import {
  nameWaiting,
  readAgain,
  readState,
  readWaiting,
  rememberVersion,
  writeState,
} from './sources.ts'
import type { WaitingVersion } from './sources.ts'
import { loadVersion } from './version.ts'

/** The outcome of a decision about a version. */
interface Decision {
  slug: string
  done: string
  /** The findings that it lets in. */
  findings?: Finding[]
  notices?: Warning[]
  /** Why the build refuses it now. */
  problems?: string[]
}

interface Deciding {
  content: string
  waiting: readonly WaitingVersion[]
  stored: Growing
  today: string
}

type Decide = (deciding: Deciding, version: WaitingVersion) => Decision

/** What breaks a rule of the registry once it is in: some is mended only there, such as a finding, by accepting it. */
const listBreaches = (content: string, slug: string): string[] => {
  const { skill } = loadVersion(content, slug, readSkillBits(content))
  const rules = readBeside(content, 'site.json', siteRecord)?.policy
  return findPolicyBreaches(rules, skill ? [skill] : []).map(renderProblem)
}

/** The pending folder goes last, so that a second run completes a killed one. */
const acceptVersion: Decide = ({ content, stored, today }, version) => {
  const { findings } = compareWaiting(content, version, stored).changes
  const { slug, id, lostBits } = takeIn(content, version, stored)
  rememberVersion(content, 'accepted', version, today)
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

/** Remembers the version first, so that a killed run never forgets what it removed. */
const rejectVersion: Decide = ({ content, today }, version) => {
  rememberVersion(content, 'rejected', version, today)
  dropPending(content, version.slug)
  return { slug: version.slug, done: 'rejected; this version is not offered again' }
}

/** A glob may name nothing. */
const GLOB = /[*?[{]/

/** The name of one version. */
const VERSION = /^([^:]+):([0-9a-f]{16})$/

const slugOf = (name: string): string => VERSION.exec(name)?.[1] ?? name

const isNamed = (one: { slug: string; digest: string }, names: readonly string[]): boolean =>
  names.some((name) => name === nameWaiting(one) || matchesGlob(one.slug, name))

/** Explains a name that no waiting version has. Throws CommandError if another version waits. */
const explainAbsent = ({ content, waiting }: Deciding, name: string): Decision => {
  const slug = slugOf(name)
  const other = waiting.find((one) => one.slug === slug)
  if (slug === name) return { slug, done: 'nothing waits' }
  if (other)
    throw new CommandError(
      `${name} is no longer the version that waits, which is ${nameWaiting(other)}. Read that one.`,
    )
  const state = readState(content)
  // A killed run may have done it.
  const done = (['accepted', 'rejected'] as const).find((kind) =>
    state[kind].some((one) => nameWaiting(one) === name),
  )
  if (done) return { slug, done: `${done} before` }
  throw new CommandError(`${name} does not wait, nor does any other version of ${slug}.`)
}

/** Shows the waiting versions under names that name no version. Throws UsageError if there is something. */
const showUnread = (
  { content, waiting, stored }: Deciding,
  names: readonly string[],
  print: CommandContext['print'],
): void => {
  const unread = names.filter((name) => !VERSION.test(name))
  const shown = waiting.filter((one) => isNamed(one, unread))
  if (shown.length === 0) return
  for (const one of shown) {
    const { findings } = compareWaiting(content, one, stored).changes
    const lines = findings.map((each) => `  ${printFinding(one.slug, each)}`)
    print([nameWaiting(one), ...lines].join('\n'))
  }
  const command = renderCommand('accept', shown.map(nameWaiting))
  throw new UsageError(`Name the versions that you have read:\n${command}`)
}

/** Reads the waiting versions. Throws CommandError for a name that no version or skill has or had. */
const openDecision = (content: string, names: readonly string[], today: string): Deciding => {
  const read = readRecords(content)
  const waiting = readWaiting(content)
  const { accepted, rejected } = readState(content)
  const others = [...read.records, ...read.retired, ...accepted, ...rejected]
  const slugs = [...waiting, ...others].map(({ slug }) => slug)
  const unknown = names.find((one) => !GLOB.test(one) && !slugs.includes(slugOf(one)))
  if (unknown !== undefined) {
    const name = slugOf(unknown)
    const [nearest] = listNearest(name, slugs)
    const advice = nearest ? `did you mean "${nearest}"?` : 'pending/skills has what waits'
    throw new CommandError(`No version or skill has the name ${showValue(name)}; ${advice}`)
  }
  return { content, waiting, stored: { ...read, records: [...read.records] }, today }
}

/** Decides about each version that is named. */
const decideAll = (deciding: Deciding, names: readonly string[], decide: Decide): Decision[] => {
  const { waiting } = deciding
  const absent = names
    .filter((name) => !waiting.some((one) => isNamed(one, [name])))
    .map((name) => explainAbsent(deciding, name))
  const chosen = waiting.filter((one) => isNamed(one, names))
  return [...chosen.map((one) => decide(deciding, one)), ...absent]
}

/** Decides under the lock, and prints what was done. */
const runDecision =
  (decide: (deciding: Deciding, args: Arguments, print: CommandContext['print']) => Decision[]) =>
  async (args: Arguments, { print, today }: CommandContext): Promise<void> => {
    const content = readContentOption(args)
    const decisions = await withLock(content, async () =>
      decide(openDecision(content, args.positionals, today), args, print),
    )
    const lines = decisions.flatMap(
      ({ slug, done, findings = [], notices = [], problems = [] }) => [
        `${slug}: ${done}`,
        ...problems.map((problem) => `  the build refuses it: ${problem}`),
        ...notices.map(({ message }) => `  ${message}`),
        ...findings.map((one) => `  ${printFinding(slug, one)}`),
      ],
    )
    print(args.switches.has('json') ? renderJson(decisions) : lines.join('\n'))
  }

const KILLED = 'Killed at any moment, it leaves a catalog that loads; run it again to complete it.'

export const acceptCommand: Command = {
  name: 'accept',
  positionals: { usage: '<slug>:<digits>…', least: 1, most: Infinity },
  summary: 'Takes versions in that wait in pending/',
  options: { ...CONTENT_OPTION, ...JSON_OPTION },
  help: [
    'A version is named by its slug and 16 digits, as in the report of update; any other is refused. A slug, or a quoted glob such as "*", only shows the waiting versions with their findings, and exits with 2.',
    'A skill keeps its id, slug and category, and what a curator wrote into its record. The findings that come in with it are printed.',
    KILLED,
  ],
  run: runDecision((deciding, { positionals }, print) => {
    showUnread(deciding, positionals, print)
    return decideAll(deciding, positionals, acceptVersion)
  }),
}

/** Takes rejections back. Every source is read once more, since its versions are not kept. */
const undoRejections = ({ content }: Deciding, names: readonly string[]): Decision[] => {
  const state = readState(content)
  const undone = state.rejected.filter((one) => isNamed(one, names))
  if (undone.length === 0) return names.map((slug) => ({ slug, done: 'was not rejected' }))
  const rejected = state.rejected.filter((one) => !isNamed(one, names))
  writeState(content, { ...state, read: readAgain(state), rejected })
  return undone.map(({ slug }) => ({ slug, done: 'taken back; the next update offers it again' }))
}

export const rejectCommand: Command = {
  name: 'reject',
  positionals: { usage: '<slug or glob>…', least: 1, most: Infinity },
  summary: 'Removes versions that wait in pending/; they are not offered again',
  options: {
    undo: { help: 'Takes a rejection back: the next update reads every source, and offers it' },
    ...CONTENT_OPTION,
    ...JSON_OPTION,
  },
  help: [
    'The digest of the version is kept in sources.state.json. A later version of the same skill is offered. <slug>:<digits> rejects that version alone.',
    'What was served stays with whoever has it: withdraw a version that must not be installed.',
    KILLED,
  ],
  run: runDecision((deciding, { positionals, switches }) =>
    switches.has('undo')
      ? undoRejections(deciding, positionals)
      : decideAll(deciding, positionals, rejectVersion),
  ),
}
