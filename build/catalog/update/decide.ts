import { userInfo } from 'node:os'
import { join, matchesGlob } from 'node:path'
import { renderProblem } from '../../../src/catalog/problems.ts'
import { resolveMoves } from '../../../src/catalog/references.ts'
import { acceptance } from '../../../src/catalog/schema.ts'
import type { Acceptance } from '../../../src/catalog/schema.ts'
import { listSkillFiles } from '../../../src/catalog/folder-files.ts'
import { loadSkill } from '../../../src/catalog/skill-folder.ts'
import { listNearest } from '../../../src/catalog/nearest-name.ts'
import { showValue } from '../../../src/catalog/text.ts'
import {
  CONTENT_OPTION,
  CommandError,
  JSON_OPTION,
  checkOption,
  readContentOption,
  renderJson,
} from '../cli/command.ts'
import type { Command } from '../cli/command.ts'
import { mergeRecords } from '../import/record.ts'
import {
  findHighestId,
  pendingIn,
  readPending,
  readRecords,
  recordName,
  refuseUnknown,
} from '../store/records.ts'
import type { Stored, StoredRecord } from '../store/records.ts'
import {
  compareFolder,
  dropPending,
  renderRecord,
  withLock,
  writeSkillFolder,
  writeWhole,
} from '../store/write.ts'
import { readState, writeState } from './sources.ts'
import { digestVersion } from './version.ts'

/** What was done with a version, or why nothing was. */
interface Decision {
  slug: string
  done: string
}

/** Finds the skill of the catalog that a version is of, also after a move; undefined for a new one. */
const findLive = (
  { slug, record }: StoredRecord,
  { records, retired }: Stored,
): StoredRecord | undefined => {
  const moves = resolveMoves(
    retired,
    records.map((one) => ({ slug: one.slug, id: one.record.id })),
  )
  const move = moves.find((one) => one.slug === slug)
  const live = records.find((one) => one.slug === (move?.to.slug ?? slug))
  if (live && live.record.id !== record.id) {
    throw new CommandError(
      `skills/${live.slug} is another skill (id ${live.record.id}); move it, or reject this version.`,
    )
  }
  if (!live && retired.some((row) => row.slug === slug))
    throw new CommandError(
      `${slug} was retired; reject this version, or take its row out of retired.json.`,
    )
  return live
}

/** What the catalog has, with what was accepted since it was read. */
type Growing = Stored & { records: StoredRecord[] }

/** The id of a new skill, or the next free one where another took it meanwhile. */
const freeId = (id: number, stored: Stored): number => {
  const isTaken = [...stored.records.map(({ record }) => record), ...stored.retired].some(
    (one) => one.id === id,
  )
  return isTaken ? findHighestId(stored) + 1 : id
}

/** Takes a version in as an import does. The pending folder goes last, so that a second run completes a killed one. */
const acceptVersion = (content: string, version: StoredRecord, stored: Growing): Decision => {
  const live = findLive(version, stored)
  const slug = live?.slug ?? version.slug
  const record = live
    ? mergeRecords(version.record, live.record)
    : { ...version.record, id: freeId(version.record.id, stored) }
  const folder = join(pendingIn(content), 'skills', version.slug)
  const files = listSkillFiles(folder, '').files.map(({ path, size, isExecutable }) => ({
    path,
    size,
    isExecutable,
    from: join(folder, path),
  }))
  const change = compareFolder(join(content, 'skills', slug), files)
  writeSkillFolder(content, slug, files, change, record)
  dropPending(content, version.slug)
  if (!live) stored.records.push({ slug, record })
  return { slug, done: `accepted (id ${record.id})` }
}

/** Remembers the version first, so that a killed run never forgets what it removed. */
const rejectVersion = (
  content: string,
  { slug, record }: StoredRecord,
  _: Stored,
  when: string,
): Decision => {
  const digest = digestVersion(join(pendingIn(content), 'skills', slug), record)
  const state = readState(content)
  const others = state.rejected.filter((one) => one.digest !== digest)
  writeState(content, { ...state, rejected: [...others, { slug, digest, when }] })
  dropPending(content, slug)
  return { slug, done: 'rejected; this version is not offered again' }
}

/** A glob may name nothing. */
const GLOB = /[*?[{]/

/** Throws CommandError, with the nearest name. */
const refuseName = (name: string, slugs: readonly string[]): never => {
  const [nearest] = listNearest(name, slugs)
  const advice =
    nearest === undefined ? 'pending/skills has what waits' : `did you mean "${nearest}"?`
  throw new CommandError(`No version or skill has the name ${showValue(name)}; ${advice}`)
}

const createDecision = (
  name: string,
  summary: string,
  help: string,
  decide: (content: string, version: StoredRecord, stored: Growing, today: string) => Decision,
): Command => ({
  name,
  positionals: { usage: '<slug or glob>…', least: 1, most: Infinity },
  summary,
  options: { ...CONTENT_OPTION, ...JSON_OPTION },
  help: [
    help,
    'Killed at any moment, it leaves a catalog that loads; run it again to complete it.',
  ],
  run: async (args, { print, today }) => {
    const content = readContentOption(args)
    const decisions = await withLock(content, async () => {
      const read = readRecords(content)
      const stored = { ...read, records: [...read.records] }
      const pending = readPending(content)
      const others = [...read.records, ...read.retired, ...readState(content).rejected]
      const slugs = [...pending, ...others].map(({ slug }) => slug)
      const isWaiting = (glob: string): boolean =>
        pending.some(({ slug }) => matchesGlob(slug, glob))
      const unknown = args.positionals.find((one) => !GLOB.test(one) && !slugs.includes(one))
      if (unknown !== undefined) refuseName(unknown, slugs)
      return [
        ...pending
          .filter(({ slug }) => args.positionals.some((glob) => matchesGlob(slug, glob)))
          .map((version) => decide(content, version, stored, today)),
        // Not an error: a killed run may have done it.
        ...args.positionals
          .filter((glob) => !isWaiting(glob))
          .map((glob) => ({ slug: glob, done: 'nothing waits' })),
      ]
    })
    if (args.switches.has('json')) print(renderJson(decisions))
    else print(decisions.map(({ slug, done }) => `${slug}: ${done}`).join('\n'))
  },
})

export const acceptCommand = createDecision(
  'accept',
  'Takes versions in that wait in pending/',
  'A skill keeps its id, slug and category, and what a curator wrote into its record. A glob in quotes, as "*", names several.',
  acceptVersion,
)

export const rejectCommand = createDecision(
  'reject',
  'Removes versions that wait in pending/; they are not offered again',
  'The digest of the version is kept in sources.state.json. A later version of the same skill is offered. What was served stays with whoever has it: withdraw a version that must not be installed.',
  rejectVersion,
)

type OpenFinding = Pick<Acceptance, 'rule' | 'by' | 'when' | 'why'> & { file?: string | undefined }

/** Where the findings of a skill lie: in the catalog, and in a version of it that waits. */
const readBoth = (content: string, slug: string) =>
  [content, pendingIn(content)].map((place) => {
    const record = readRecords(place).records.find((one) => one.slug === slug)?.record
    if (!record) return { place, record, findings: [] }
    const { skill, fault, problems } = loadSkill(place, slug)
    if (fault !== undefined) throw new CommandError(problems.map(renderProblem).join('\n'))
    return { place, record, findings: skill?.findings ?? [] }
  })

/**
 * Accepts the open findings of a rule in a skill and in a version of it that waits, in one file or in all. A record of
 * the catalog has the rows of both, since it stays when the version is taken in. Runs under the lock.
 */
const acceptFindings = (
  content: string,
  slug: string,
  { rule, file, by, when, why }: OpenFinding,
): Acceptance[] => {
  const both = readBoth(content, slug)
  const first = both.find(({ record }) => record)
  if (!first) return refuseUnknown(slug, readRecords(content))
  const findings = both.flatMap((one) => one.findings)
  const open = findings.filter(({ accepted }) => accepted === undefined)
  const found = open.filter((one) => one.rule === rule && one.file === (file ?? one.file))
  if (found.length === 0 && !findings.some((one) => one.rule === rule && one.accepted)) {
    const rules = [...new Set(open.map((one) => one.rule))].join(', ') || 'none'
    throw new CommandError(`${slug} has no such finding of ${showValue(rule)}; it has ${rules}.`)
  }
  const digests = new Map(found.map((one) => [`${one.file}\n${one.digest}`, one]))
  const rows = [...digests.values()].map(({ file: path, digest }) => ({
    rule,
    file: path,
    digest,
    by,
    when,
    why,
  }))
  if (rows.length > 0) {
    const { place, record } = first
    const accepted = [...(record?.accepted ?? []), ...rows]
    writeWhole(place, recordName(slug), renderRecord({ ...record, accepted }))
  }
  return rows
}

export const acceptFindingCommand: Command = {
  name: 'accept-finding',
  positionals: { usage: '<slug> <rule>', least: 2, most: 2 },
  summary: 'Writes into the record of a skill that a curator has read a finding',
  options: {
    why: { value: '<text>', help: 'Why it is harmless, in one line; shown', isRequired: true },
    by: { value: '<name>', help: 'Who has read it (default: the user of this machine)' },
    file: { value: '<path>', help: 'Only in this file of the skill' },
    ...CONTENT_OPTION,
    ...JSON_OPTION,
  },
  help: ['It holds for the lines as they are now: a line that changes is found again.'],
  run: async (args, { print, today }) => {
    const content = readContentOption(args)
    const [slug = '', rule = ''] = args.positionals
    const { why, by } = acceptance.shape
    const finding = {
      rule,
      file: args.values['file'],
      by: checkOption('by', by, args.values['by'] ?? userInfo().username),
      when: today,
      why: checkOption('why', why, args.values['why']),
    }
    const rows = await withLock(content, async () => acceptFindings(content, slug, finding))
    const lines = rows.map((row) => `${slug}/${row.file}: ${rule} (${row.digest}) accepted`)
    if (args.switches.has('json')) print(renderJson(rows))
    else print(lines.join('\n') || 'nothing to do: it was accepted before')
  },
}
