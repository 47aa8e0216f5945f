import { ADVISORIES_FILE } from '../../../src/catalog/references.ts'
import { advisoryRecords, siteRecord } from '../../../src/catalog/schema.ts'
import type { Advisory } from '../../../src/catalog/schema.ts'
import { isVersionName, showValue } from '../../../src/catalog/text.ts'
import { DISCOVERY_PATH } from '../../../src/api/discovery.ts'
import {
  DEFAULT_ORIGIN,
  PATHS,
  downloadPath,
  skillPath,
  versionListPath,
  versionPath,
} from '../../../src/documents/paths.ts'
import { VersionsError, openMainLine } from '../../versions/git.ts'
import { planVersions, withdrawVersions } from '../../versions/plan.ts'
import type { VersionRow } from '../../versions/plan.ts'
import { readHistory } from '../../versions/read.ts'
import { CONTENT_OPTION, CommandError, checkOption, readContentOption } from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { readBeside, readRecords } from '../store/records.ts'
import { renderRecord, withLock, writeWhole } from '../store/write.ts'

type Plan = ReadonlyMap<string, readonly VersionRow[]>

/** What served a version, so that caches have to forget it; of the current one all that the skill has. */
const listAddresses = (
  slug: string,
  name: string,
  plan: Plan,
  ids: ReadonlyMap<string, number>,
): string[] => {
  const page = versionPath(slug, name)
  const own = [page, `${page}.md`, `${page}.zip`, page + DISCOVERY_PATH, versionListPath(slug)]
  const id = ids.get(slug)
  if (id === undefined || plan.get(slug)?.[0]?.name !== name) return own
  const skill = skillPath(slug)
  const zip = downloadPath(id)
  const endings = ['', '.md', '.json', '/*', `@${slug}/*`, '.md/*']
  return [
    ...own,
    ...endings.map((ending) => skill + ending),
    `${PATHS.files}/${slug}/*`,
    zip,
    `${zip}/*`,
  ]
}

/** The next free id of a year: `2026-1`, `2026-2` and so on. */
const nextId = (advisories: readonly Advisory[], today: string): string => {
  const taken = new Set(advisories.map(({ id }) => id))
  const year = today.slice(0, 4)
  let count = 1
  while (taken.has(`${year}-${count}`)) count += 1
  return `${year}-${count}`
}

const readPlan = (
  content: string,
  today: string,
): { plan: Plan; ids: Map<string, number>; origin: string } => {
  const { versions, origin = DEFAULT_ORIGIN } = readBeside(content, 'site.json', siteRecord) ?? {}
  if (!versions)
    throw new CommandError(
      'site.json promises no versions, so there is none to withdraw: npm run versions',
    )
  const records = readRecords(content).records.map(
    ({ slug, record: { id } }) => [slug, id] as const,
  )
  const skills = new Map(records.map(([slug, id]) => [slug, { id }]))
  const history = readHistory(openMainLine(content, versions.since), undefined)
  const plan = planVersions(history.versions, skills, { keep: 1, days: 0 }, today)
  return { plan, ids: new Map(records), origin: process.env['SITE_URL'] || origin }
}

/** Withdraws a version, and returns what to tell. Throws CommandError and VersionsError. */
export const withdrawVersion = async (
  content: string,
  named: string,
  summary: string,
  today: string,
): Promise<string[]> => {
  const [slug = '', name = '', ...rest] = named.split('@')
  if (!isVersionName(name) || rest.length > 0)
    throw new CommandError(`${showValue(named)} names no version; write <slug>@<twelve digits>`)
  const { plan, ids, origin } = readPlan(content, today)
  const advisories = readBeside(content, ADVISORIES_FILE, advisoryRecords) ?? []
  withdrawVersions(plan, advisories)
  const row = plan.get(slug)?.find((one) => one.name === name)
  if (!row)
    throw new CommandError(
      `${showValue(slug)} has no version ${name}; ${versionListPath(slug)} lists them`,
    )
  if (row.advisory) return [`nothing to do: ${row.advisory.id} withdraws it`]
  const id = nextId(advisories, today)
  const advisory = { id, published: today, summary, affected: [{ slug, versions: [name] }] }
  writeWhole(content, ADVISORIES_FILE, renderRecord([...advisories, advisory]))
  const places = [slug, ...(row.to === undefined ? [] : [row.to])]
  const addresses = places.flatMap((one) => listAddresses(one, name, plan, ids))
  return [
    `wrote ${ADVISORIES_FILE}: ${id} withdraws ${slug}@${name}`,
    'commit it and build; then have caches forget these addresses, which they may keep for a year:',
    ...addresses.map((address) => `  ${origin}${address}`),
    'what was served before may have been copied: a secret in it is to be replaced',
  ]
}

const run = async (args: Arguments, { print, today }: CommandContext): Promise<void> => {
  const content = readContentOption(args)
  const [named = ''] = args.positionals
  const why = checkOption('why', advisoryRecords.element.shape.summary, args.values['why'])
  try {
    const lines = await withLock(content, () => withdrawVersion(content, named, why, today))
    for (const line of lines) print(line)
  } catch (error) {
    if (error instanceof VersionsError) throw new CommandError(error.message)
    throw error
  }
}

export const withdrawCommand: Command = {
  name: 'withdraw',
  positionals: { usage: '<slug>@<version>', least: 1, most: 1 },
  summary: 'Takes a version back: its addresses answer 410 with the reason',
  options: {
    why: { value: '<text>', help: 'The reason, in one line; readers see it', isRequired: true },
    ...CONTENT_OPTION,
  },
  help: [
    'A row in withdrawn.json names the version. After the next build its page, zip and index answer 410, advisories.json and the feed say why, and a skill whose current version it is leaves all lists until it has a newer one.',
    'A commit that removes a secret does not take it out of the versions before it: withdraw those.',
  ],
  run,
}
