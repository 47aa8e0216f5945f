import { matchesGlob } from 'node:path'
import { loadSkill } from '../../../src/catalog/skill-folder.ts'
import { listNearest } from '../../../src/catalog/nearest-name.ts'
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
import { pendingIn, readRecords } from '../store/records.ts'
import type { Stored } from '../store/records.ts'
import { dropPending, withLock } from '../store/write.ts'
import { findLive, takeIn } from './intake.ts'
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
import { findingsOf, listNewFindings } from './version.ts'

/** What was done with a version, or why nothing was. */
interface Decision {
  slug: string
  done: string
  /** What it lets in. */
  findings?: Finding[]
  notices?: Warning[]
}

/** The findings of a version that the skill of the catalog does not have. */
const listLetIn = (content: string, slug: string, live: string | undefined): Finding[] => {
  const before = live === undefined ? undefined : loadSkill(content, live).skill
  const after = loadSkill(pendingIn(content), slug).skill
  return listNewFindings(findingsOf(before), findingsOf(after))
}

/** The pending folder goes last, so that a second run completes a killed one. */
const acceptVersion = (
  content: string,
  version: WaitingVersion,
  stored: Growing,
  today: string,
): Decision => {
  const findings = listLetIn(content, version.slug, findLive(version, stored)?.slug)
  const { slug, id, lostBits } = takeIn(content, version, stored)
  rememberVersion(content, 'accepted', version, today)
  dropPending(content, version.slug)
  const notices = explainLostBits(slug, lostBits)
  return { slug, done: `accepted (id ${id})`, findings, ...(notices.length > 0 && { notices }) }
}

/** Remembers the version first, so that a killed run never forgets what it removed. */
const rejectVersion = (
  content: string,
  version: WaitingVersion,
  _: Stored,
  today: string,
): Decision => {
  rememberVersion(content, 'rejected', version, today)
  dropPending(content, version.slug)
  return { slug: version.slug, done: 'rejected; this version is not offered again' }
}

/** A glob may name nothing. */
const GLOB = /[*?[{]/

/** The name of one version. */
const VERSION = /^([^:]+):([0-9a-f]{16})$/

const slugOf = (name: string): string => VERSION.exec(name)?.[1] ?? name

/** Throws CommandError, with the nearest name. */
const refuseName = (name: string, slugs: readonly string[]): never => {
  const [nearest] = listNearest(name, slugs)
  const advice =
    nearest === undefined ? 'pending/skills has what waits' : `did you mean "${nearest}"?`
  throw new CommandError(`No version or skill has the name ${showValue(name)}; ${advice}`)
}

const isNamed = ({ slug, digest }: WaitingVersion, name: string): boolean =>
  name === nameWaiting({ slug, digest }) || matchesGlob(slug, name)

/** What is said of a name that no waiting version has. Throws CommandError if another version waits. */
const explainAbsent = (content: string, name: string, waiting: readonly WaitingVersion[]) => {
  const slug = slugOf(name)
  const other = waiting.find((one) => one.slug === slug)
  if (slug === name) return { slug, done: 'nothing waits' }
  if (other)
    throw new CommandError(`${name} is not what waits now: ${nameWaiting(other)}. Read that one.`)
  const { accepted, rejected } = readState(content)
  const isOne = (one: { slug: string; digest: string }) => nameWaiting(one) === name
  // A killed run may have done it.
  if (accepted.some(isOne)) return { slug, done: 'accepted before' }
  if (rejected.some(isOne)) return { slug, done: 'rejected before' }
  throw new CommandError(`${name} does not wait; nothing of ${slug} does.`)
}

/** Shows what waits under names that name no version. Throws UsageError if there is something. */
const showUnread = (
  content: string,
  names: readonly string[],
  waiting: readonly WaitingVersion[],
  print: CommandContext['print'],
): void => {
  const shown = waiting.filter((one) => names.some((name) => isNamed(one, name)))
  if (shown.length === 0) return
  const stored = readRecords(content)
  for (const one of shown) {
    const found = listLetIn(content, one.slug, findLive(one, stored)?.slug)
    print(
      [nameWaiting(one), ...found.map((each) => `  ${printFinding(one.slug, each)}`)].join('\n'),
    )
  }
  const versions = shown.map(nameWaiting)
  throw new UsageError(
    `Name the versions that you have read:\n${renderCommand('accept', versions)}`,
  )
}

interface Deciding {
  content: string
  waiting: readonly WaitingVersion[]
  stored: Growing
}

/** Reads what waits. Throws CommandError for a name that no version or skill has or had. */
const openDecision = (content: string, names: readonly string[]): Deciding => {
  const read = readRecords(content)
  const waiting = readWaiting(content)
  const { accepted, rejected } = readState(content)
  const others = [...read.records, ...read.retired, ...accepted, ...rejected]
  const slugs = [...waiting, ...others].map(({ slug }) => slug)
  const unknown = names.find((one) => !GLOB.test(one) && !slugs.includes(slugOf(one)))
  if (unknown !== undefined) refuseName(slugOf(unknown), slugs)
  return { content, waiting, stored: { ...read, records: [...read.records] } }
}

/** Decides about each version that is named. Runs under the lock. */
const decideAll = (
  { content, waiting, stored }: Deciding,
  names: readonly string[],
  decide: typeof acceptVersion,
  today: string,
): Decision[] => {
  const absent = names
    .filter((name) => !waiting.some((one) => isNamed(one, name)))
    .map((name) => explainAbsent(content, name, waiting))
  const chosen = waiting.filter((one) => names.some((name) => isNamed(one, name)))
  return [...chosen.map((one) => decide(content, one, stored, today)), ...absent]
}

const printDecisions = (
  decisions: readonly Decision[],
  { switches }: Arguments,
  print: CommandContext['print'],
): void => {
  const lines = decisions.flatMap(({ slug, done, findings = [], notices = [] }) => [
    `${slug}: ${done}`,
    ...notices.map(({ message }) => `  ${message}`),
    ...findings.map((one) => `  ${printFinding(slug, one)}`),
  ])
  print(switches.has('json') ? renderJson(decisions) : lines.join('\n'))
}

const KILLED = 'Killed at any moment, it leaves a catalog that loads; run it again to complete it.'

export const acceptCommand: Command = {
  name: 'accept',
  positionals: { usage: '<slug>:<digits>…', least: 1, most: Infinity },
  summary: 'Takes versions in that wait in pending/',
  options: { ...CONTENT_OPTION, ...JSON_OPTION },
  help: [
    'A version is named as the report of update names it, by its slug and 16 digits, and any other is refused. A slug, or a glob in quotes as "*", shows what waits and its findings, and ends with 2.',
    'A skill keeps its id, slug and category, and what a curator wrote into its record. The findings that come in with it are printed.',
    KILLED,
  ],
  run: async (args, { print, today }) => {
    const content = readContentOption(args)
    const names = args.positionals
    const decisions = await withLock(content, async () => {
      const open = openDecision(content, names)
      const unread = names.filter((name) => !VERSION.test(name))
      showUnread(content, unread, open.waiting, print)
      return decideAll(open, names, acceptVersion, today)
    })
    printDecisions(decisions, args, print)
  },
}

/** Takes rejections back. Every source is read once more, since its versions are not kept. */
const undoRejections = (content: string, names: readonly string[]): Decision[] => {
  const state = readState(content)
  const isMeant = (one: { slug: string; digest: string }): boolean =>
    names.some((name) => name === nameWaiting(one) || matchesGlob(one.slug, name))
  const [undone, rejected] = [true, false].map((wanted) =>
    state.rejected.filter((one) => isMeant(one) === wanted),
  ) as [typeof state.rejected, typeof state.rejected]
  if (undone.length > 0) writeState(content, { ...state, read: readAgain(state), rejected })
  return undone.length > 0
    ? undone.map(({ slug }) => ({ slug, done: 'taken back; the next update offers it again' }))
    : names.map((slug) => ({ slug, done: 'was not rejected' }))
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
  run: async (args, { print, today }) => {
    const content = readContentOption(args)
    const names = args.positionals
    const decisions = await withLock(content, async () => {
      const open = openDecision(content, names)
      if (args.switches.has('undo')) return undoRejections(content, names)
      return decideAll(open, names, rejectVersion, today)
    })
    printDecisions(decisions, args, print)
  },
}
