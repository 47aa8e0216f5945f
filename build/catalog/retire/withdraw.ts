import { ADVISORIES_FILE, mapMoves } from '../../../src/catalog/references.ts'
import { advisoryRecords } from '../../../src/catalog/schema.ts'
import type { Advisory } from '../../../src/catalog/schema.ts'
import { isVersionName, showValue } from '../../../src/catalog/text.ts'
import { versionListPath } from '../../../src/documents/paths.ts'
import { VersionsError, openMainLine } from '../../versions/git.ts'
import { DEFAULT_KEEP, planVersions } from '../../versions/plan.ts'
import type { VersionPlan, VersionRow } from '../../versions/plan.ts'
import { readHistory } from '../../versions/read.ts'
import { CONTENT_OPTION, CommandError, checkOption, readContentOption } from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { readBeside, readRecords, readSite } from '../store/records.ts'
import { renderRecord, withLock, writeWhole } from '../store/write.ts'

/** The next free advisory id of a year, such as `2026-1`. */
const nextId = (advisories: readonly Advisory[], today: string): string => {
  const takenIds = new Set(advisories.map(({ id }) => id))
  const year = today.slice(0, 4)
  let count = 1
  while (takenIds.has(`${year}-${count}`)) count += 1
  return `${year}-${count}`
}

/** Reads the versions of all skills, and a function that finds a slug's current slug. Throws CommandError and VersionsError. */
const readPlan = (content: string, advisories: readonly Advisory[]) => {
  const { versions } = readSite(content) ?? {}
  if (!versions)
    throw new CommandError(
      'site.json has no "versions", so there is nothing to withdraw; "npm run versions" adds the field',
    )
  const { records, retired } = readRecords(content)
  const skills = records.map((row) => ({ slug: row.slug, id: row.record.id }))
  const moves = mapMoves(retired, skills)
  const history = readHistory(openMainLine(content, versions.since), undefined)
  const plan = planVersions(history.versions, {
    skills: new Map(skills.map((skill) => [skill.slug, undefined])),
    moves,
    advisories,
    keep: versions.keep ?? DEFAULT_KEEP,
  })
  return { plan, currentSlug: (slug: string): string => moves.get(slug) ?? slug }
}

/** Explains that versions without a name have no address; empty if all versions have one. */
const explainNameless = (slug: string, rows: readonly VersionRow[]): string => {
  const place = rows.findIndex(({ name }) => name === undefined)
  if (place < 0) return ''
  const { reason } = rows[place]!
  return place === 0
    ? `; the current version of ${showValue(slug)} has no name (${reason}), so nobody can have pinned it: replace its text, or retire ${slug}`
    : `; an earlier version has no name (${reason}) and therefore no address, so there is nothing to withdraw`
}

/** Names the other slugs under which the same files stay served. */
const nameTwins = (plan: VersionPlan, slug: string, name: string): string[] =>
  [...plan].flatMap(([other, rows]) => {
    const isServed = rows.some((row) => row.name === name && row.reason === undefined)
    const version = `${other}@${name}`
    return other !== slug && isServed
      ? [
          `the same files are served as ${version}, too: npm run catalog -- withdraw ${version} --why …`,
        ]
      : []
  })

/** Withdraws a version, and returns the lines to print. Throws CommandError and VersionsError. */
const withdraw = (content: string, argument: string, summary: string, today: string): string[] => {
  const [slug = '', name = '', ...rest] = argument.split('@')
  const isNamed = isVersionName(name) && rest.length === 0
  const advisories = readBeside(content, ADVISORIES_FILE, advisoryRecords) ?? []
  const { plan, currentSlug } = readPlan(content, advisories)
  const current = currentSlug(slug)
  const rows = plan.get(current) ?? []
  const row = rows.find((version) => isNamed && version.name === name)
  if (!row) {
    const fault = isNamed
      ? `${showValue(slug)} has no version ${name}; ${versionListPath(slug)} lists them`
      : `${showValue(argument)} names no version; write <slug>@<32 digits>`
    throw new CommandError(fault + explainNameless(slug, rows))
  }
  const twins = nameTwins(plan, current, name)
  if (row.advisory) return [`nothing to do: ${row.advisory} already withdraws it`, ...twins]
  const id = nextId(advisories, today)
  const advisory = { id, published: today, summary, affected: [{ slug, versions: [name] }] }
  writeWhole(content, ADVISORIES_FILE, renderRecord([...advisories, advisory]))
  return [
    `wrote ${ADVISORIES_FILE}: ${id} withdraws ${slug}@${name}`,
    'commit it and build; then purge the caches in front of the site, which may keep the zip for a year',
    'the version may have been copied while it was served: replace any secret in it',
    ...twins,
  ]
}

const run = async (args: Arguments, { print, today }: CommandContext): Promise<void> => {
  const content = readContentOption(args)
  const [argument = ''] = args.positionals
  const { summary } = advisoryRecords.element.shape
  const why = checkOption('why', summary, args.values['why'])
  try {
    const lines = await withLock(content, async () => withdraw(content, argument, why, today))
    for (const line of lines) print(line)
  } catch (error) {
    if (error instanceof VersionsError) throw new CommandError(error.message)
    throw error
  }
}

export const withdrawCommand: Command = {
  name: 'withdraw',
  positionals: { usage: '<slug>@<version>', least: 1, most: 1 },
  summary: 'Withdraws a version: its addresses answer 410 with the reason',
  options: {
    why: { value: '<text>', help: 'The reason, in one line; readers see it', isRequired: true },
    ...CONTENT_OPTION,
  },
  help: [
    'A row in withdrawn.json names the version. After the next build its page, zip and index answer 410, and advisories.json gives the reason. If it is the current version, the skill disappears from all lists until it has a newer one.',
    'A commit that removes a secret does not remove it from earlier versions: withdraw those.',
  ],
  run,
}
