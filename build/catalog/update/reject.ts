import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { OpenedSkill } from '../../../src/catalog/build-skill.ts'
import { findPolicyBreaches } from '../../../src/catalog/policy.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import { ADVISORIES_FILE, mapMoves } from '../../../src/catalog/references.ts'
import { advisoryRecords } from '../../../src/catalog/schema.ts'
import { makeSkillInTime, openSkill } from '../../../src/catalog/skill-folder.ts'
import { askGit, readSkillBits } from '../../machine/checkout.ts'
import { VersionsError } from '../../versions/git.ts'
import { digestSums, nameVersion } from '../../versions/name.ts'
import {
  CONTENT_OPTION,
  CommandError,
  readContentOption,
  withTemporaryFolder,
} from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { refuseLostBits } from '../import/notices.ts'
import { mergeRecords } from '../import/record.ts'
import { depart } from '../retire/command.ts'
import {
  isCommitted,
  hasCommittedFiles,
  listEarlier,
  refuseUnstaged,
  requireGit,
} from '../store/earlier.ts'
import type { Earlier } from '../store/earlier.ts'
import { readBeside, readRecords, readSite, refuseUnknown } from '../store/records.ts'
import type { Stored } from '../store/records.ts'
import { SOURCES_LOCK, readSourcesLock } from '../store/sources-lock.ts'
import {
  compareFolder,
  listForCopy,
  removeSkillFolder,
  withLock,
  writeSkillFolder,
  writeSourcesLock,
} from '../store/write.ts'
import { findFollowing } from './gone.ts'
import { readSources } from './sources.ts'
import { stageAll } from './stage.ts'
import { createRejectedTest, digestContents } from './version.ts'

/** The name of a version by its files, under which the registry serves it. */
const nameOpened = ({ files, bytes }: OpenedSkill): string =>
  nameVersion(
    digestSums(
      files.map(({ path, isExecutable }) => ({
        path,
        isExecutable,
        // A file beyond the limits was not read; such a version has no name.
        sha256: hash('sha256', bytes.get(path) ?? ''),
      })),
    ),
  )

/** Lists why the build would refuse a version now, or the advisory that withdraws it. */
const listFaults = (content: string, opened: OpenedSkill, slugs: readonly string[]): string[] => {
  const { skill, problems } = makeSkillInTime(opened)
  const { policy } = readSite(content) ?? {}
  const breaches = findPolicyBreaches(policy, skill ? [skill] : [])
  const name = nameOpened(opened)
  const advisory = readBeside(content, ADVISORIES_FILE, advisoryRecords)?.find(
    ({ withdrawn, affected }) =>
      withdrawn === undefined &&
      affected.some(({ slug, versions }) => slugs.includes(slug) && versions.includes(name)),
  )
  const faults = [...problems, ...breaches].map(renderProblem)
  return advisory ? [...faults, `${advisory.id} withdraws it`] : faults
}

/** Returns a function that finds the current slug of a skill by any of its slugs. */
const followMoves = ({ records, retired }: Stored): ((slug: string) => string) => {
  const skills = records.map(({ slug, record: { id } }) => ({ slug, id }))
  const moves = mapMoves(retired, skills)
  return (slug) => moves.get(slug) ?? slug
}

/**
 * Rejects the current version of a skill: brings back the one before, or removes a skill that had none. Files are
 * checked out below `temporary`. Call it under the lock. Returns the lines to print. Throws CommandError.
 */
const rejectCurrent = (content: string, named: string, temporary: string): string[] => {
  const stored = readRecords(content)
  const currentOf = followMoves(stored)
  const slug = currentOf(named)
  const skill = stored.records.find((record) => record.slug === slug)
  if (!skill) return refuseUnknown(slug, stored)
  const { record } = skill
  const rows = stored.retired.filter((row) => row.id === record.id && row.slug !== slug)
  const slugs = [slug, ...rows.map((row) => row.slug)] as const
  requireGit(content)
  refuseUnstaged(content, slug)
  const bits = readSkillBits(content)
  const opened = openSkill(content, slug, bits.ofSkill(slug))
  const digest = digestContents(opened, record)
  const lock = readSourcesLock(content)
  const committed = askGit(content, ['show', `HEAD:./${SOURCES_LOCK}`]) ?? ''
  // A killed run may have rejected this version without bringing back the one before.
  const isAgain = lock.rejected.some(
    (row) => row.slug === slug && row.rejected !== digest && !committed.includes(row.rejected),
  )
  const isRejected = createRejectedTest(lock)
  const isOther = ({ opened: { record: its, ...other } }: Earlier): boolean => {
    if (!its) return true
    const isSame = digestContents(other, its) === digest
    // The same command twice would reject the version that it has just brought back.
    if (isSame && isAgain)
      throw new CommandError(
        `A version of ${slug} is rejected already; commit that before you reject the one before it, too.`,
      )
    return !isSame && !isRejected(other, its)
  }
  const earlier = listEarlier(content, record.id, slugs, temporary).find(isOther)
  const isOwn = record.source.kind === 'own' && !readSources(content).some((row) => row.own)
  if (!earlier && isOwn)
    throw new CommandError(
      `${slug} is the registry's own, and git has no other version of it; remove it with retire.`,
    )
  const before = earlier?.opened.record
  const back = before && mergeRecords(before, record)
  const faults = earlier ? listFaults(content, { ...earlier.opened, record: back }, slugs) : []
  if (earlier && (!back || faults.length > 0))
    throw new CommandError(
      `The version before it, of ${earlier.commit}, is not allowed now: ${faults.join('; ')}. Retire ${slug}, or correct that version by hand (git show ${earlier.commit}).`,
    )
  const isServed = hasCommittedFiles(content, slug) && readSite(content)?.versions !== undefined
  const version = `${slug}@${nameOpened(opened)}`
  lock.rejected.push({ address: findFollowing(content, record), rejected: digest, slug })
  writeSourcesLock(content, lock)
  const wasCommitted = isCommitted(content, slugs)
  if (earlier && back) {
    const files = listForCopy(earlier.content, slug, earlier.bits)
    const change = compareFolder(join(content, 'skills', slug), files, bits.ofSkill(slug))
    refuseLostBits(slug, writeSkillFolder(content, slug, files, change, back, bits))
  } else if (!wasCommitted) removeSkillFolder(content, slug)
  if (!earlier && wasCommitted) depart(content, { slug })
  stageAll(content, [`skills/${slug}`, SOURCES_LOCK])
  const done = earlier
    ? `as in ${earlier.commit} again`
    : wasCommitted
      ? 'retired, since it had no other version; its slug and id are never reused'
      : 'removed'
  const advice = `${version} stays served; to withdraw it, commit this and run "npm run catalog -- withdraw ${version} --why …"`
  return [`${slug}: ${done}; this version is not offered again`, ...(isServed ? [advice] : [])]
}

/** Forgets the rejections of a slug, so that the next update offers these versions again. Call it under the lock. */
const undoRejections = (content: string, slug: string): string[] => {
  const lock = readSourcesLock(content)
  const currentOf = followMoves(readRecords(content))
  const undone = lock.rejected.filter((row) => currentOf(row.slug) === currentOf(slug))
  if (undone.length === 0) throw new CommandError(`No version of ${slug} was rejected.`)
  lock.rejected = lock.rejected.filter((row) => !undone.includes(row))
  // Version 1.0.0 did not keep the address.
  const isKnown = undone.every(({ address }) => lock.read.has(address))
  for (const address of isKnown ? undone.map((row) => row.address) : lock.read.keys())
    lock.read.set(address, {})
  writeSourcesLock(content, lock)
  stageAll(content, [SOURCES_LOCK])
  return [`${slug}: rejection undone; the next update offers it again`]
}

const run = async (args: Arguments, context: CommandContext): Promise<void> => {
  const { positionals, switches } = args
  const content = readContentOption(args)
  const isUndone = switches.has('undo')
  const reject = (slug: string): Promise<string[]> =>
    withTemporaryFolder(async (temporary) => {
      try {
        return rejectCurrent(content, slug, temporary)
      } catch (error) {
        // A partial clone lacks files of earlier versions.
        if (error instanceof VersionsError)
          throw new CommandError(
            `${error.message}; if this clone is partial, run git fetch --refetch --no-filter, then this again`,
          )
        throw error
      }
    })
  for (const slug of positionals) {
    const lines = await withLock(content, async () =>
      isUndone ? undoRejections(content, slug) : reject(slug),
    )
    context.print(lines.join('\n'))
  }
}

export const rejectCommand: Command = {
  name: 'reject',
  positionals: { usage: '<slug>…', least: 1, most: Infinity },
  summary: 'Takes the current version of a skill back; it is not offered again',
  options: {
    undo: { help: 'Forgets the rejection: the next update offers the version again' },
    ...CONTENT_OPTION,
  },
  help: [
    'Brings back the files that git had before, and what update writes into the record: source, days and licence. Everything that a curator wrote since stays. A new skill is removed; one that was committed is retired. The changes are staged.',
    'The same files are not offered again, from any folder or source: sources.lock keeps their digest. Later versions are.',
  ],
  run,
}
