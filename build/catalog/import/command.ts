import { existsSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderProblem } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { countOf, escapeLine, showValue } from '../../../src/catalog/text.ts'
import { skillRecord } from '../../../src/catalog/schema.ts'
import { realPath } from '../../machine/checkout.ts'
import { createProgress } from '../../machine/progress.ts'
import { RULES } from '../rules.ts'
import { checkOption, CommandError, showSlugs, refuse } from '../cli/command.ts'
import type { Command, Arguments, CommandContext } from '../cli/command.ts'
import { isPrivateIn } from '../store/records.ts'
import type { OriginOptions } from './origin.ts'
import { isInFolder } from './find.ts'
import { SKIPS_SHOWN, countByRule, summarizeProblems } from './notices.ts'
import { importSources } from './run.ts'
import type { ImportReport } from './run.ts'
import { parseSourceAddress } from './sources.ts'

const readInto = ({ values: { into = '' } }: Arguments): string => {
  const path = realPath(resolve(into))
  if (existsSync(path) && !statSync(path).isDirectory()) {
    refuse(`${showValue(into, 200)} is a file; --into needs a folder.`)
  }
  return path
}

const readOptions = ({ values, switches }: Arguments, into: string): OriginOptions => ({
  source: values['source'],
  isOwn: switches.has('own'),
  author: values['author'],
  isPrivate: isPrivateIn(into),
})

const readAddresses = (args: Arguments, into: string, options: OriginOptions) => {
  const addresses = args.positionals.map((argument) => parseSourceAddress(argument, options))
  const hasOnlyRepositories = addresses.every(
    (address) => address.kind === 'git' && address.address.remote.startsWith('file:'),
  )
  if (addresses.length > 1 && args.values['source'] !== undefined && !hasOnlyRepositories) {
    refuse('--source is the address of one folder; import each folder separately.')
  }
  for (const address of addresses) {
    const place = address.kind === 'git' ? address.address.remote : address.path
    if (/^(?:https?|ssh):/.test(place)) continue
    const path = place.startsWith('file:') ? fileURLToPath(place) : place
    if (isInFolder(path, into, sep) || isInFolder(into, path, sep)) {
      refuse('The source and the content folder overlap; use separate folders.')
    }
  }
  return addresses
}

const renderCounts = (report: ImportReport): string => {
  const { imported, updated, unchanged, skipped, gone } = report
  return [
    `${imported.length} imported`,
    `${updated.length} updated`,
    `${unchanged.length} unchanged`,
    countByRule(skipped, 'skipped'),
    `${gone.filter(({ url }) => url).length} gone from the source`,
  ].join(', ')
}

/** How many of the registry's own skills a note names. */
const OWN_SHOWN = 10

/** Names skills that are not in the source. Own skills only get a note, because no record states their folder. */
const renderMissing = ({ gone }: ImportReport): string[] => {
  const { own = [], traced = [] } = Object.groupBy(gone, ({ url }) => (url ? 'traced' : 'own'))
  const count = countOf(own.length, 'own skill')
  const slugs = showSlugs(
    own.map(({ slug }) => slug),
    OWN_SHOWN,
  )
  return [
    ...(own.length > 0 ? [`note: ${count} of the registry not in this source: ${slugs}`] : []),
    ...traced.map(
      ({ slug, id, url }) =>
        `gone: skills/${slug} (id ${id}) is not in this source; it came from ${url}; nothing was removed; to remove it and reserve its id, run "npm run catalog -- retire ${slug}"`,
    ),
  ]
}

/** Renders the first problems of each rule, and all that only an import knows. */
const renderProblems = (prefix: string, problems: readonly Problem[], shown: number): string[] => {
  const { own = [], common = [] } = Object.groupBy(problems, ({ rule }) =>
    RULES.get(rule)?.isOfImport ? 'own' : 'common',
  )
  return [
    ...summarizeProblems(common, shown),
    ...own.map((problem) => ({ problem, others: '' })),
  ].map(({ problem, others }) => `${prefix}: ${renderProblem(problem)}${others}`)
}

/** Returns a line for each source and change of licence. */
const renderLost = ({ lost }: ImportReport): string[] => {
  const groups = Map.groupBy(lost, ({ source, place, cause, was, is }) =>
    JSON.stringify([source, place, cause, was, is]),
  )
  return [...groups.values()].map((group) => {
    const { source, place = '', cause, was, is } = group[0]!
    const licences = was === is ? '' : `, ${was} → ${is}`
    const slugs = showSlugs(group.map(({ slug }) => slug))
    const count = countOf(group.length, 'skill')
    return `removed the texts of ${count}: ${slugs}: ${place}${cause}${licences} (${source}); git keeps what was committed`
  })
}

const renderReport = (report: ImportReport): string => {
  const { written, removed, warnings, skipped } = report
  const lines = [
    ...removed.map((path) => `removed ${path}`),
    ...renderProblems('note', warnings, 1),
    ...renderProblems('skipped', skipped, SKIPS_SHOWN),
    ...renderLost(report),
    ...renderMissing(report),
    ...report.followed.map((address) => `note: the source is a registry, which follows ${address}`),
    `${renderCounts(report)}; wrote ${countOf(written.length, 'file')} in ${report.into}`,
  ]
  // Paths and reasons contain untrusted text.
  return lines.map(escapeLine).join('\n')
}

const run = async (
  args: Arguments,
  { print, stderr, now, today }: CommandContext,
): Promise<void> => {
  const into = readInto(args)
  const options = readOptions(args, into)
  const addresses = readAddresses(args, into, options)
  const date = checkOption('date', skillRecord.shape.updated.optional(), args.values['date'])
  const progress = createProgress(stderr)
  const settings = { into, options, date, now, today, progress }
  const report = await importSources(addresses, settings)
  const { imported, updated, unchanged, skipped, failed } = report
  const readable = [imported, updated, unchanged].flat().length
  const found = readable + skipped.filter(({ rule }) => !RULES.get(rule)?.isLeftOut).length
  if (readable + skipped.length > 0) print(renderReport(report))
  if (failed.length > 0) throw new CommandError(failed.map(({ reason }) => reason).join('\n'))
  if (found === 0) {
    throw new CommandError(
      `No SKILL.md found in ${args.positionals.join(', ')}; nothing was imported.`,
    )
  }
}

export const importCommand: Command = {
  name: 'import',
  positionals: {
    usage: '<folder or git address>…',
    least: 1,
    most: Infinity,
  },
  summary: 'Adds or updates the skills of folders and git repositories',
  options: {
    into: {
      value: '<content folder>',
      help: 'Content folder of the catalog; created if missing',
      isRequired: true,
    },
    source: {
      value: '<address>',
      help: 'Web address that the folder was copied from, or the origin of a file:// repository',
    },
    own: { help: "The skills are the registry's own" },
    author: { value: '<handle>', help: 'Author, if not the owner in the address' },
    date: { value: 'YYYY-MM-DD', help: 'Day the source was seen (default: today)' },
  },
  help: [
    'A git address is https://<host>/<owner>/<repository>, optionally with /tree/<ref>/<folder>; or file:///<path> for a repository on this machine, with --source or --own.',
    'Each repository is fetched once, even for several addresses, and none of its code is run.',
    'Unless site.json has "private": true, addresses that need ssh or a login are refused, because readers could not open them.',
    'A manifest.ndjson in the folder states where each skill comes from: one row per skill, with dir, owner and sourceUrl, and optionally licence, updated, sha256 and references. Without a manifest, --source or --own applies to all skills.',
    'Symlinks are followed to files of the same skill; in a git repository, to any file that git tracks. Other symlinks, such as one to .git/config or .env, are reported and left out.',
    "A skill's licence comes from its front matter and its own licence files, or else from the nearest licence files above it.",
    'If the licence does not let everyone redistribute the text, only the metadata is listed and the text is not copied; a text that was copied before is removed.',
    'If the licence is open, as with an unknown text beside a known one, choose it with "set".',
    'Running it again writes only what changed, and the day on which the source was seen: ids, slugs, categories and editorial fields stay. A skill that the source no longer has is reported and stays.',
    'A file that cannot be read is reported and skipped; a source that cannot be fetched is reported last, with exit code 1.',
  ],
  run,
}
