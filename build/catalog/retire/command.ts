import type { z } from 'zod'
import { findNearest } from '../../../src/catalog/nearest-name.ts'
import { COPIES_FILE, resolveMoves } from '../../../src/catalog/references.ts'
import { copyRecords, siteRecord, retiredRecords } from '../../../src/catalog/schema.ts'
import { SLUG_RULE, isSlug, showValue } from '../../../src/catalog/text.ts'
import type { Copies, Counters, Retired } from '../../../src/catalog/schema.ts'
import {
  CommandError,
  CONTENT_OPTION,
  JSON_OPTION,
  checkOption,
  readContentOption,
  renderJson,
} from '../cli/command.ts'
import { withLock, applySteps, writeStep } from '../store/write.ts'
import {
  COUNTERS_FILE,
  RETIRED_FILE,
  readBeside,
  readCounters,
  readRecords,
} from '../store/records.ts'
import type { Stored, StoredRecord } from '../store/records.ts'
import type { Step } from '../store/write.ts'
import type { Command, CommandContext, Arguments } from '../cli/command.ts'

const SITE_FILE = 'site.json'

interface DepartureRequest {
  slug: string
  /** The new slug; undefined when retiring. */
  to?: string | undefined
  /** `to` may be another skill. */
  isMerge?: boolean | undefined
  reason?: string | undefined
}

interface Holdings extends Stored {
  counters: Counters
  copies: Copies
  /** Undefined without a `site.json`. */
  site: z.infer<typeof siteRecord> | undefined
}

/** How a skill leaves its slug: for good, for another slug, or for another skill that stays. */
interface Departure {
  id: number
  slug: string
  movedTo?: string | undefined
  /** Id of the skill that already has the new slug. */
  successor?: number | undefined
  reason?: string | undefined
  source?: string | undefined
}

interface DepartureReport {
  dryRun: boolean
  /** Undefined if there was nothing to do. */
  departure?: Departure
  steps: Step[]
}

const refuse = (message: string): never => {
  throw new CommandError(message)
}

const refuseUnknown = (slug: string, { records, retired }: Holdings): never => {
  const row = retired.find((one) => one.slug === slug)
  if (row?.movedTo !== undefined) {
    return refuse(`${showValue(slug)} moved to "${row.movedTo}"; name that one.`)
  }
  if (row) return refuse(`${showValue(slug)} is retired; it has nothing to move.`)
  const slugs = records.map((one) => one.slug)
  return refuse(
    `No skill ${showValue(slug)}; ${slugs.length === 0 ? 'the catalog has no skills' : `did you mean "${findNearest(slug, slugs)}"?`}`,
  )
}

/** An interrupted command was completed meanwhile, or the command was repeated. */
const isDone = ({ slug, to }: DepartureRequest, { records, retired }: Holdings): boolean => {
  const row = retired.find((one) => one.slug === slug)
  return row !== undefined && row.movedTo === to && !records.some((stored) => stored.slug === slug)
}

const findSuccessor = (
  { record }: StoredRecord,
  { to = '', isMerge }: DepartureRequest,
  { records, retired }: Holdings,
): number | undefined => {
  if (!isSlug(to)) refuse(`${showValue(to)} is not a slug: ${SLUG_RULE}.`)
  const successor = records.find((one) => one.slug === to)?.record.id
  if (successor === record.id) refuse(`The skill is at ${showValue(to)} already.`)
  if (successor !== undefined && isMerge !== true) {
    refuse(
      `${showValue(to)} is another skill (id ${successor}). With --merge the first is retired, and its readers and counters go to that one.`,
    )
  }
  const own = resolveMoves(
    retired,
    records.map(({ slug, record: { id } }) => ({ slug, id })),
  )
  const former = retired.find((row) => row.slug === to)
  const isOwn = own.some((move) => move.slug === to && move.to.id === record.id)
  if (former && !(isOwn && former.id === record.id)) {
    refuse(`${showValue(to)} was skill ${former.id}'s; slugs are never reused. Choose another.`)
  }
  return successor
}

const chooseDeparture = (request: DepartureRequest, holdings: Holdings): Departure => {
  const { slug, to, reason } = request
  const stored = holdings.records.find((one) => one.slug === slug) ?? refuseUnknown(slug, holdings)
  const successor = to === undefined ? undefined : findSuccessor(stored, request, holdings)
  const { id, source } = stored.record
  const from = source.kind === 'upstream' ? source.url : undefined
  return { id, slug, movedTo: to, successor, reason, source: from }
}

/** The skill stays, under another slug. */
const isRename = ({ movedTo, successor }: Departure): boolean =>
  movedTo !== undefined && successor === undefined

/** Makes the row that reserves a slug forever. */
const makeRow = (departure: Departure): Retired => {
  const { id, slug, movedTo, reason, source } = departure
  return {
    id,
    slug,
    ...(movedTo !== undefined && { movedTo }),
    ...(reason !== undefined && { reason }),
    // A moved skill keeps its source in its record.
    ...(source !== undefined && !isRename(departure) && { source }),
  }
}

const counterSteps = ({ id, successor }: Departure, counters: Counters): Step[] => {
  const { [id]: old, ...rest } = counters
  if (successor === undefined || old === undefined) return []
  const { views, installs } = rest[successor] ?? { views: 0, installs: 0 }
  const sum = { views: views + old.views, installs: installs + old.installs }
  return [writeStep(COUNTERS_FILE, { ...rest, [successor]: sum })]
}

/** Removed before the folder, because a copy without its original does not load. */
const copySteps = (departure: Departure, copies: Copies): Step[] => {
  if (isRename(departure)) return []
  const { id } = departure
  const entries = Object.entries(copies)
  const kept = entries.filter(([copy, original]) => Number(copy) !== id && original !== id)
  return kept.length === entries.length ? [] : [writeStep(COPIES_FILE, Object.fromEntries(kept))]
}

/** A starter set with an unknown slug does not load, so the slug is removed first and the new one added afterwards. */
const starterSteps = (
  { site }: Holdings,
  { movedTo }: Departure,
  names: ReadonlySet<string>,
): { first: Step[]; last: Step[] } => {
  const { starter = [], ...others } = site ?? {}
  if (!starter.some((slug) => names.has(slug))) return { first: [], last: [] }
  const writeStarter = (slugs: readonly string[]): Step =>
    writeStep(SITE_FILE, slugs.length > 0 ? { ...others, starter: slugs } : others)
  const renamed = starter.flatMap((slug) => (names.has(slug) ? (movedTo ?? []) : slug))
  return {
    first: [writeStarter(starter.filter((slug) => !names.has(slug)))],
    last: movedTo === undefined ? [] : [writeStarter([...new Set(renamed)])],
  }
}

/**
 * Plans the departure of a skill from its slug so that the catalog loads after every step: rows that redirect to the
 * skill are removed while it has no address, and its folder is removed before its row is added.
 */
const planDeparture = (holdings: Holdings, departure: Departure): Step[] => {
  const { retired, counters, copies } = holdings
  const { id, slug, movedTo } = departure
  const leading = new Set(resolveMoves(retired, [{ id, slug }]).map((move) => move.slug))
  const meanwhile = retired.filter((row) => !leading.has(row.slug))
  // A skill that returns to a former slug is no longer retired there.
  const kept = retired.filter((row) => row.slug !== movedTo)
  // The loader skips names with a leading dot, and `clearUnfinished` ignores this one.
  const aside = `skills/.tmp-retired-${slug}`
  const stays = isRename(departure)
  const starter = starterSteps(holdings, departure, new Set([slug, ...leading]))
  return [
    ...starter.first,
    ...copySteps(departure, copies),
    ...(leading.size > 0 ? [writeStep(RETIRED_FILE, meanwhile)] : []),
    { do: 'rename', path: `skills/${slug}`, to: stays ? `skills/${movedTo}` : aside },
    writeStep(RETIRED_FILE, [...kept, makeRow(departure)]),
    ...counterSteps(departure, counters),
    ...starter.last,
    ...(stays ? [] : [{ do: 'remove', path: aside } as const]),
  ]
}

/** Retires or moves a skill, or only reports the changes. Throws CommandError. */
export const retireOrMove = async (
  content: string,
  request: DepartureRequest,
  dryRun: boolean,
): Promise<DepartureReport> => {
  const settle = async (): Promise<DepartureReport> => {
    const holdings: Holdings = {
      ...readRecords(content),
      counters: readCounters(content),
      copies: readBeside(content, COPIES_FILE, copyRecords) ?? {},
      site: readBeside(content, SITE_FILE, siteRecord),
    }
    if (isDone(request, holdings)) return { dryRun, steps: [] }
    const departure = chooseDeparture(request, holdings)
    const steps = planDeparture(holdings, departure)
    if (!dryRun) applySteps(content, steps)
    return { dryRun, departure, steps }
  }
  return dryRun ? settle() : withLock(content, settle)
}

/** The resulting changes, with paths inside the content folder. */
const sumUp = ({ departure, steps }: DepartureReport) => {
  const folder = steps.find((step) => step.do === 'rename')
  const renamed = folder && departure && isRename(departure)
  const written = steps.flatMap((step) => (step.do === 'write' ? [step.path] : []))
  return {
    // A folder moved aside is removed at the end.
    removed: folder && !renamed ? [folder.path] : [],
    written: [...new Set(written)],
    ...(renamed && { renamed: { from: folder.path, to: folder.to } }),
  }
}

const renderChanges = (report: DepartureReport): string[] => {
  const { renamed, removed, written } = sumUp(report)
  const say = (done: string, planned: string, path: string): string =>
    `${report.dryRun ? `would ${planned}` : done} ${path}`
  return [
    ...(renamed ? [say('renamed', 'rename', `${renamed.from} to ${renamed.to}`)] : []),
    ...removed.map((path) => say('removed', 'remove', path)),
    ...written.map((path) => say('wrote', 'write', path)),
  ]
}

const renderOutcome = (departure: Departure, dryRun: boolean): string => {
  const { id, slug, movedTo, successor } = departure
  const start = `${dryRun ? 'would have ' : ''}${movedTo === undefined ? 'retired' : 'moved'}`
  if (movedTo === undefined) {
    return `${start} ${slug} (id ${id}); its slug and id are never reused`
  }
  const skill = successor === undefined ? `still id ${id}` : `id ${successor}; id ${id} is retired`
  return `${start} ${slug} to ${movedTo} (${skill}); the old addresses answer 308 after the next build`
}

const renderDeparture = (report: DepartureReport): string => {
  const { departure, dryRun } = report
  return departure === undefined
    ? 'nothing to do: it was done before'
    : [
        ...renderChanges(report),
        `row in retired.json: ${JSON.stringify(makeRow(departure))}`,
        renderOutcome(departure, dryRun),
      ].join('\n')
}

const describeDeparture = (report: DepartureReport): object => {
  const { departure, dryRun } = report
  return {
    dryRun,
    done: departure === undefined ? 'before' : 'now',
    ...(departure === undefined ? {} : { row: makeRow(departure), successor: departure.successor }),
    ...sumUp(report),
  }
}

const OPTIONS: Command['options'] = {
  reason: { value: '<text>', help: 'The reason, in one line; shown at its address from then on' },
  ...CONTENT_OPTION,
  'dry-run': { help: 'Shows what would change, and changes nothing' },
  ...JSON_OPTION,
}

const run = async (args: Arguments, { print }: CommandContext): Promise<void> => {
  const { positionals, switches } = args
  const [slug = '', to] = positionals
  const reason = checkOption('reason', retiredRecords.element.shape.reason, args.values['reason'])
  const request = { slug, to, isMerge: switches.has('merge'), reason }
  const report = await retireOrMove(readContentOption(args), request, switches.has('dry-run'))
  print(switches.has('json') ? renderJson(describeDeparture(report)) : renderDeparture(report))
}

export const retireCommand: Command = {
  name: 'retire',
  positionals: { usage: '<slug>', least: 1, most: 1 },
  summary: 'Takes a skill out of the catalog; its id and slug are never reused',
  options: OPTIONS,
  help: [
    'The folder of the skill is removed, and a row in retired.json keeps its id and slug. Its page, zip and files are 404 after the next build.',
    'Killed at any moment, it leaves a catalog that loads; run again, or any command that writes, finishes it.',
  ],
  run,
}

export const moveCommand: Command = {
  name: 'move',
  positionals: { usage: '<slug> <new slug>', least: 2, most: 2 },
  summary: 'Gives a skill another slug; the old addresses answer 308',
  options: { merge: { help: 'The new slug is another skill, which takes its place' }, ...OPTIONS },
  help: [
    'The skill keeps its id. After the next build its old page, twin, SKILL.md and files answer 308 with the new address, the query kept, and logs of the old slug count for it.',
    'With --merge the new slug is that of another skill: the first is retired, its zip answers 308 too, and its counters are added to the other.',
    'A slug that the skill had before can be taken back; no other skill ever gets it.',
  ],
  run,
}
