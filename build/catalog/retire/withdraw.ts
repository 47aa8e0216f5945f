import { ADVISORIES_FILE } from '../../../src/catalog/references.ts'
import { advisoryRecords, siteRecord } from '../../../src/catalog/schema.ts'
import type { Advisory, SkillRecord } from '../../../src/catalog/schema.ts'
import { isVersionName, showValue } from '../../../src/catalog/text.ts'
import { DISCOVERY_PATH } from '../../../src/api/discovery.ts'
import { FEEDS } from '../../../src/documents/feeds/feeds.ts'
import {
  DEFAULT_ORIGIN,
  PATHS,
  downloadPath,
  categoryPath,
  feedPath,
  skillPath,
  twinPath,
  versionListPath,
  versionPath,
  versionZipPath,
} from '../../../src/documents/paths.ts'
import { VersionsError, openMainLine } from '../../versions/git.ts'
import { planVersions, withdrawVersions } from '../../versions/plan.ts'
import type { VersionRow } from '../../versions/plan.ts'
import { readHistory } from '../../versions/read.ts'
import { CONTENT_OPTION, CommandError, checkOption, readContentOption } from '../cli/command.ts'
import type { Arguments, Command, CommandContext } from '../cli/command.ts'
import { readBeside, readRecords } from '../store/records.ts'
import { renderRecord, withLock, writeWhole } from '../store/write.ts'

/** The versions of a catalog and the records of its skills. */
interface Versions {
  plan: ReadonlyMap<string, readonly VersionRow[]>
  records: ReadonlyMap<string, SkillRecord>
  origin: string
}

const pageAndTwin = (path: string): string[] => [path, twinPath(path)]

/** Addresses that name listed skills; a trailing `*` matches any ending. */
const LISTS = [
  ...pageAndTwin(PATHS.home),
  ...[PATHS.skills, PATHS.categories, PATHS.authors, PATHS.stats].map((path) => `${path}*`),
  `${PATHS.bundles}/*`,
  PATHS.dump,
  PATHS.sums,
  PATHS.llms,
  '/sitemap*',
  '/.well-known/*',
  '/private/*',
]

/** Lists the addresses that serve or show a version, to be purged from caches. */
const listAddresses = (slug: string, name: string, { plan, records }: Versions): string[] => {
  const rows = plan.get(slug) ?? []
  const key = rows.find((row) => row.name === name)?.version.key
  // The diff of the next version shows this version's files.
  const next = rows.flatMap((row) => (row.before?.key === key ? (row.name ?? []) : []))
  const record = records.get(slug)
  const page = versionPath(slug, name)
  const folders = [
    ...FEEDS.map(({ folder }) => folder),
    ...(record?.category ? [categoryPath(record.category)] : []),
  ]
  const ofVersion = [
    ...pageAndTwin(page),
    versionZipPath(slug, name),
    page + DISCOVERY_PATH,
    ...next.flatMap((nextName) => pageAndTwin(versionPath(slug, nextName))),
    ...pageAndTwin(skillPath(slug)),
    versionListPath(slug),
    PATHS.versions,
    PATHS.advisories,
    ...folders.map(feedPath),
  ]
  if (!record || rows[0]?.name !== name) return ofVersion
  const zip = downloadPath(record.id)
  return [...ofVersion, ...LISTS, `${PATHS.files}/${slug}/*`, zip, `${zip}/*`]
}

/** The next free advisory id of a year, such as `2026-1`. */
const nextId = (advisories: readonly Advisory[], today: string): string => {
  const takenIds = new Set(advisories.map(({ id }) => id))
  const year = today.slice(0, 4)
  let count = 1
  while (takenIds.has(`${year}-${count}`)) count += 1
  return `${year}-${count}`
}

/** Reads the versions of a catalog. Throws CommandError and VersionsError. */
const readVersions = (content: string, today: string): Versions => {
  const { versions, origin = DEFAULT_ORIGIN } = readBeside(content, 'site.json', siteRecord) ?? {}
  if (!versions)
    throw new CommandError(
      'site.json has no "versions", so there is nothing to withdraw; "npm run versions" adds the field',
    )
  const records = new Map(
    readRecords(content).records.map(({ slug, record }) => [slug, record] as const),
  )
  const history = readHistory(openMainLine(content, versions.since), undefined)
  const plan = planVersions(history.versions, records, { keep: 1, days: 0 }, today)
  return { plan, records, origin: process.env['SITE_URL'] || origin }
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

/** Withdraws a version, and returns the lines to print. Throws CommandError and VersionsError. */
export const withdrawVersion = async (
  content: string,
  argument: string,
  summary: string,
  today: string,
): Promise<string[]> => {
  const [slug = '', name = '', ...rest] = argument.split('@')
  const isNamed = isVersionName(name) && rest.length === 0
  const versions = readVersions(content, today)
  const { plan, origin } = versions
  const advisories = readBeside(content, ADVISORIES_FILE, advisoryRecords) ?? []
  withdrawVersions(plan, advisories)
  const rows = plan.get(slug) ?? []
  const row = rows.find((version) => isNamed && version.name === name)
  if (!row) {
    const fault = isNamed
      ? `${showValue(slug)} has no version ${name}; ${versionListPath(slug)} lists them`
      : `${showValue(argument)} names no version; write <slug>@<twelve digits>`
    throw new CommandError(fault + explainNameless(slug, rows))
  }
  if (row.advisory) return [`nothing to do: ${row.advisory} already withdraws it`]
  const id = nextId(advisories, today)
  const advisory = { id, published: today, summary, affected: [{ slug, versions: [name] }] }
  writeWhole(content, ADVISORIES_FILE, renderRecord([...advisories, advisory]))
  // Caches may have the version under each former slug of the skill.
  const owner = row.to ?? slug
  const places = [...plan].flatMap(([place, listed]) =>
    listed.some(({ name: other, to = place }) => other === name && to === owner) ? [place] : [],
  )
  const addresses = places.flatMap((place) => listAddresses(place, name, versions))
  return [
    `wrote ${ADVISORIES_FILE}: ${id} withdraws ${slug}@${name}`,
    'commit it and build; then purge these addresses from caches (* matches any ending), which may keep them for a year:',
    ...addresses.map((address) => `  ${origin}${address}`),
    'the version may have been copied while it was served: replace any secret in it',
  ]
}

const run = async (args: Arguments, { print, today }: CommandContext): Promise<void> => {
  const content = readContentOption(args)
  const [argument = ''] = args.positionals
  const why = checkOption('why', advisoryRecords.element.shape.summary, args.values['why'])
  try {
    const lines = await withLock(content, () => withdrawVersion(content, argument, why, today))
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
