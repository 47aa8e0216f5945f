import type { Finding } from '../../../src/catalog/skill.ts'
import { SEVERITIES } from '../../../src/catalog/safety/rule.ts'
import { ruleOf } from '../../../src/catalog/safety/rules.ts'
import { countOf } from '../../../src/catalog/text.ts'
import { codeFence, joinBlocks, list, md, table } from '../../../src/documents/prose/md.ts'
import type { Markdown } from '../../../src/documents/prose/md.ts'
import { renderColumns, showSlugs } from '../cli/command.ts'
import type { Loss } from '../import/run.ts'
import { countMore, summarizeNotices, summarizeSkips } from '../import/notices.ts'
import type { CodeChange } from './code.ts'
import type { FilesDifference } from './difference.ts'
import { joinItems, markItem, printItem, untrusted } from './items.ts'
import type { Item, Piece } from './items.ts'
import { isPutAside } from './review.ts'
import type { VersionReport } from './review.ts'
import { nameByDigest } from './sources.ts'
import type { SourceReport } from './update.ts'
import type { Change, VersionChanges } from './version.ts'

/** Maximum number of lines in a Markdown section, because hosts limit the body of a change request. */
const ITEMS_LIMIT = 100

/** A table if it has a header, code if it has a language, otherwise lines. A line is a row with one cell. */
interface Section {
  title: string
  header?: readonly string[]
  language?: 'diff' | 'sh'
  rows: readonly (readonly Item[])[]
  /** A last line about omitted rows. */
  omission?: string
}

const listLines = (title: string, lines: readonly (Item | string)[]): Section => ({
  title,
  rows: lines.map((line) => [typeof line === 'string' ? [line] : line]),
})

type VersionState = Pick<VersionReport, 'state'>

const describeState = ({ state }: VersionState): string =>
  ({ written: '', held: ', held back', rejected: ', rejected before' })[state]

const describeFinding = (slug: string, version: VersionState, finding: Finding): Item => {
  const { rule, severity, held, contexts, file, line, quote } = finding
  const place = untrusted(`${slug}/${file}:${line}`)
  const lowered = contexts.length > 0 ? ` (${contexts.join('; ')}: ${severity} on its page)` : ''
  const says = `${describeState(version)}: it ${ruleOf(rule).says}${lowered}${quote && ': '}`
  return [`${held} ${rule} `, place, says, untrusted(quote)]
}

/** Lists findings, most severe first. Of equal ones, the first of each skill comes first: no skill hides others. */
const listFindings = (versions: readonly VersionReport[]): Item[] =>
  versions
    .flatMap((version) => version.findings.map((finding, at) => ({ finding, version, at })))
    .sort((a, b) => a.at - b.at)
    .sort((a, b) => SEVERITIES.indexOf(a.finding.held) - SEVERITIES.indexOf(b.finding.held))
    .map(({ finding, version }) => describeFinding(version.slug, version, finding))

const CODE_WORDS: Readonly<Record<CodeChange['kind'], string>> = {
  file: 'files that may run:',
  code: 'code in',
  field: 'front matter of',
  address: 'more than plain words in',
  unread: 'not compared, because it',
}

/** Maximum number of values shown for one change. */
const VALUES_LIMIT = 20

const describeChange = ({ what, values }: Change): Item => {
  const more = values.length - VALUES_LIMIT
  const shown = values.slice(0, VALUES_LIMIT).flatMap((value): Piece[] => [' ', untrusted(value)])
  return [what, ...shown, ...(more > 0 ? [` and ${more} more`] : [])]
}

const describeCode = ({ kind, values }: CodeChange): Item =>
  describeChange({ what: CODE_WORDS[kind], values })

const describeName = (version: VersionReport): string => {
  const { slug, id } = version
  return `${isPutAside(version) ? nameByDigest(version) : slug} (id ${id})${describeState(version)}`
}

/** Why the build refuses a version, and what changed. */
const listDetails = ({ problems, changes, holds, code, isNew }: VersionReport): Item[] => {
  const isHeldForCode = !isNew && (holds.includes('code') || holds.includes('suspect'))
  return [
    ...problems.map((problem): Item => ['the build refuses it: ', untrusted(problem)]),
    ...(isHeldForCode ? code.map(describeCode) : []),
    ...changes.map(describeChange),
  ]
}

const describeVersion = (version: VersionReport): Item => {
  const details = listDetails(version)
  if (details.length === 0) details.push(['only its address, day or owner'])
  return [`${describeName(version)}: `, ...joinItems(details, '; ')]
}

const NEW_HEADER = ['Skill', 'Name', 'Category', 'Licence', 'Tokens', 'What it does']

/** Describes a new skill as a table row. */
const describeNew = (version: VersionReport): Item[] => {
  const { facts } = version
  const cells = [facts?.name, facts?.category, facts?.licence ?? 'none', facts?.tokens ?? '–']
  const notes = [...listDetails(version), ...(facts ? [[untrusted(facts.summary)]] : [])]
  return [
    [describeName(version)],
    ...cells.map((cell = ''): Item => [untrusted(String(cell))]),
    joinItems(notes, '; '),
  ]
}

/** Renders a command to copy and paste, so it has all names. */
export const renderCommand = (command: string, names: readonly string[]): string =>
  `npm run catalog -- ${command} ${names.join(' ')}`

/** Describes a licence change that would remove texts, with the commands to accept and to reject it. */
const describeLoss = (
  { place, cause, was, is }: Loss,
  versions: readonly VersionReport[],
  address: string,
): Item => {
  const first = versions[0]!
  const accept = renderCommand('accept', versions.map(nameByDigest))
  return [
    `${countOf(versions.length, 'skill')}: `,
    ...(place === undefined ? [] : [untrusted(place)]),
    cause,
    ...(was === is ? [] : [', ', untrusted(was), ' → ', untrusted(is)]),
    ' (',
    untrusted(address),
    `)${describeState(first)}: ${showSlugs(versions.map(({ slug }) => slug))}. `,
    first.state === 'held'
      ? `To remove the text: ${accept}; to keep the last version under the old licence: reject`
      : 'The last version under the old licence stays',
  ]
}

const listLosses = ({ address, versions }: SourceReport): Item[] => {
  const lost = versions.filter(({ loss, state }) => loss && state !== 'rejected')
  const groups = Map.groupBy(lost, ({ loss, state }) => JSON.stringify([loss, state]))
  return [...groups.values()].map((group) => describeLoss(group[0]!.loss!, group, address))
}

const countReasons = (leftOut: SourceReport['leftOut']): Item => {
  const reasons = Map.groupBy(leftOut, ({ kind, reason }) => {
    if (kind === 'bad') return 'cannot be read'
    if (kind === 'catalog') return 'without a category of this registry'
    return kind === 'duplicate' || kind === 'retired' ? kind : reason
  })
  const counts = [...reasons].map(([reason, { length }]): Item => [`${length} ${reason}`])
  return [
    `${leftOut.length} left out`,
    ...(counts.length > 0 ? [' (', ...joinItems(counts, ', '), ')'] : []),
  ]
}

const describeSource = (source: SourceReport): Item => {
  const { address, isUnchanged, found, versions, gone, leftOut, failed, seconds } = source
  const time = `, ${seconds.toFixed(1)} s`
  if (isUnchanged) return [untrusted(address), `: unchanged${time}`]
  if (failed.length > 0)
    return [untrusted(address), ': failed: ', untrusted(failed.join('; ')), time]
  const { length: added } = versions.filter(({ isNew }) => isNew)
  const counts = `${found} found, ${added} new, ${versions.length - added} changed, ${gone.length} gone, `
  return [untrusted(address), `: ${counts}`, ...countReasons(leftOut), time]
}

/** Whether a version waits because it seems to be a rename of another skill. */
const isRenamed = ({ state, renamed }: VersionReport): boolean =>
  state === 'held' && renamed !== undefined

/** The skills gone from a source, without renamed ones and those that are marked. */
const listGone = ({ gone, versions, markedGone }: SourceReport): SourceReport['gone'] => {
  const others = new Set([...markedGone, ...versions.filter(isRenamed).map((one) => one.renamed)])
  return gone.filter(({ slug }) => !others.has(slug))
}

/** Describes a skill that seems to be renamed upstream. */
const describeRenamed = (version: VersionReport): Item => {
  const { slug, renamed = '' } = version
  const command = `"npm run catalog -- move ${renamed} ${slug}" keeps its id and counters`
  return [`${nameByDigest(version)} looks like ${renamed}, renamed: ${command}`]
}

/** Describes the skills of a source that are marked as gone now. */
const describeMarked = ({ address, markedGone }: SourceReport): Item[] =>
  markedGone.length === 0
    ? []
    : [
        [
          `${countOf(markedGone.length, 'skill')} (`,
          untrusted(address),
          `): ${showSlugs(markedGone)}. They are in no list any more, and their pages say so; `,
          '"npm run catalog -- retire <slug>" removes a skill',
        ],
      ]

/** Describes the skills gone from one source. */
const describeGone = (source: SourceReport): Item => {
  const { address, found, versions } = source
  const gone = listGone(source)
  const known = found - versions.filter(({ isNew }) => isNew).length
  const isDeserted = versions.some(({ holds }) => holds.includes('deserted'))
  return [
    `${gone.length} of ${countOf(gone.length + known, 'skill')} (`,
    untrusted(address),
    `): ${showSlugs(gone.map(({ slug }) => slug))}. The catalog keeps their last version`,
    gone.some(({ url }) => url) ? ', until they are missing on a later day, too; ' : '; ',
    '"npm run catalog -- retire <slug>" removes a skill',
    isDeserted ? '; the other changes of this source are held back for review' : '',
  ]
}

const describeLeftOut = ({ leftOut }: SourceReport): Item[] => {
  const groups = summarizeSkips(leftOut.filter(({ kind }) => kind !== 'not included'))
  return groups.flatMap(({ shown, more }): Item[] => {
    const items = shown.map(({ path, reason, remedy }): Item => {
      return [untrusted(path), ': ', untrusted(`${reason}; ${remedy}`)]
    })
    return items.concat(more > 0 ? [[countMore(more)]] : [])
  })
}

const listFollowed = ({ followed }: SourceReport): Item[] =>
  followed.map((address) => [untrusted(address)])

/** Summarizes notices about files, one line per kind. */
const describeNotices = ({ address, notices }: SourceReport): Item[] =>
  summarizeNotices(notices).map(({ ours, path, message }): Item => [
    untrusted(address),
    `: ${ours}`,
    untrusted(`${path}: ${message}`),
  ])

/** The rank of a version's most severe finding, by the severity that no context lowers. */
const rankWorst = ({ findings }: VersionReport): number =>
  Math.min(SEVERITIES.length, ...findings.map(({ held }) => SEVERITIES.indexOf(held)))

/** Versions that were not rejected, the worst first. */
const sortWorst = (versions: readonly VersionReport[]): VersionReport[] =>
  versions
    .filter(({ state }) => state !== 'rejected')
    .toSorted((a, b) => rankWorst(a) - rankWorst(b))

/** The non-empty sections of a report, most important first. */
const listSections = (reports: readonly SourceReport[]): Section[] => {
  const versions = sortWorst(reports.flatMap((report) => report.versions))
  const renamed = versions.filter(isRenamed)
  const others = versions.filter((version) => !version.loss && !isRenamed(version))
  const added = others.filter(({ isNew }) => isNew)
  const changed = others.filter(({ isNew }) => !isNew)
  const deserted = reports.filter((report) => listGone(report).length > 0)
  return [
    listLines('New or more severe findings', listFindings(versions)),
    listLines('Texts to be removed', reports.flatMap(listLosses)),
    { title: 'New skills', header: NEW_HEADER, rows: added.map(describeNew) },
    listLines('Changed', changed.map(describeVersion)),
    listLines('Renamed in their source', renamed.map(describeRenamed)),
    listLines('Gone from their source', deserted.map(describeGone)),
    listLines('Marked as gone', reports.flatMap(describeMarked)),
    listLines('Left out', reports.flatMap(describeLeftOut)),
    listLines('Followed by these registries; add them from there', reports.flatMap(listFollowed)),
    listLines('Notices about files', reports.flatMap(describeNotices)),
    listLines('Sources', reports.map(describeSource)),
  ].filter(({ rows }) => rows.length > 0)
}

/** Prints a finding on one line. */
export const printFinding = (slug: string, finding: Finding): string =>
  printItem(describeFinding(slug, { state: 'written' }, finding))

/** Prints a pending version for `diff`: findings, code and other changes, then the diff of its files. */
export const printComparison = (
  name: string,
  { slug, findings, code, changes }: VersionChanges & { slug: string },
  { lines, more }: FilesDifference,
): string => {
  const items = [...code.map(describeCode), ...changes.map(describeChange)].map(printItem)
  const shown = findings.map((finding) => printFinding(slug, finding))
  const summary = [name, ...shown, ...items].join('\n  ')
  const omission = more > 0 ? `… ${countOf(more, 'more line')}` : ''
  return [summary, lines.join('\n'), omission].filter(Boolean).join('\n\n')
}

/** The first lines of each diff, one section per version. */
const listDifferences = (reports: readonly SourceReport[]): Section[] =>
  reports
    .flatMap(({ versions }) => versions)
    .toSorted((a, b) => rankWorst(a) - rankWorst(b))
    .flatMap((version): Section[] => {
      const { lines, more } = version.difference ?? { lines: [], more: 0 }
      const command = renderCommand('diff', [version.slug])
      const omission = more > 0 ? `… ${countOf(more, 'more line')}: ${command}` : ''
      const section = listLines(nameByDigest(version), lines)
      return lines.length > 0 ? [{ ...section, language: 'diff', omission }] : []
    })

/** The command that accepts all pending versions; empty if there are none. */
const listAccept = (pending: readonly string[], limit = Infinity): Section[] => {
  if (pending.length === 0) return []
  const title = `${countOf(pending.length, 'version')} in pending/. To accept those that you have read`
  const lines = [renderCommand('accept', pending.slice(0, limit))]
  const more = pending.length - limit
  const omission = more > 0 ? `and ${more} more, which "npm run catalog -- accept '*'" lists` : ''
  return [{ ...listLines(title, lines), language: 'sh', omission }]
}

const printSection = ({ title, header, rows, omission = '' }: Section): string => {
  const cells = rows.map((row) => row.map(printItem))
  const lines = header ? renderColumns([header, ...cells]) : cells.flat()
  return [`${title}:`, ...lines, omission].join('\n  ').trimEnd()
}

/** Renders the report for a terminal; `pending` are the names of all pending versions. */
export const renderText = (reports: readonly SourceReport[], pending: readonly string[]): string =>
  [...listSections(reports), ...listDifferences(reports), ...listAccept(pending)]
    .map(printSection)
    .join('\n\n')

/** Maximum length of a cell in Markdown, in characters: one skill must not take the place of all others. */
const CELL_LIMIT = 4_000

const markCell = (item: Item): Markdown => {
  let room = CELL_LIMIT
  const kept = item.filter((piece) => (room -= String(markItem([piece])).length) >= 0)
  return markItem(kept.length < item.length ? [...kept, ' …'] : item)
}

/** The first rows that fit into this many characters. */
const fitRows = (rows: readonly Markdown[][], limit: number): readonly Markdown[][] => {
  let room = limit
  const end = rows.findIndex((row) => (room -= String(table([], [row])).length) < 0)
  return end < 0 ? rows : rows.slice(0, end)
}

/** Renders a section with as many of its rows as fit into this many characters. */
const markSection = (
  { title, header, rows, language, omission = '' }: Section,
  room = Infinity,
): Markdown => {
  if (language !== undefined) {
    const code = codeFence(rows.flat().map(printItem).join('\n'), language)
    return joinBlocks([md`### ${title}`, code, md`${omission}`])
  }
  const marked = rows.slice(0, ITEMS_LIMIT).map((row) => row.map(markCell))
  const cells = fitRows(marked, room)
  const more = rows.length - cells.length
  const last = more > 0 ? [md`and ${more} more`] : []
  const body = header ? [table(header, cells), ...last] : [list([...cells.flat(), ...last])]
  return joinBlocks([md`## ${title}`, ...body])
}

/** Maximum length of the body of a change request, in characters; GitHub's limit is 65,536. */
const BODY_LIMIT = 60_000

/** Characters of a section without rows: its title, its header, and how many more rows there are. */
const FRAME = 200

/** Renders the report as the body of a change request: the most important rows, and as many diffs as fit. */
export const renderMarkdown = (
  reports: readonly SourceReport[],
  pending: readonly string[],
): string => {
  // The job that opens the request adds ignored files with --force, so notices about them are not needed.
  const shownReports = reports.map(({ notices, ...report }) =>
    Object.assign(report, { notices: notices.filter(({ kind }) => kind !== 'ignored') }),
  )
  const end = listAccept(pending, ITEMS_LIMIT).map((section) => markSection(section))
  const listed = listSections(shownReports)
  let room = BODY_LIMIT - end.join('\n\n').length - (listed.length + 1) * FRAME
  const sections = listed.map((section) => {
    const marked = markSection(section, room)
    room -= String(marked).length - FRAME
    return marked
  })
  const all = listDifferences(reports).map((section) => markSection(section))
  const shown = all.filter((difference) => (room -= String(difference).length + 2) > 0)
  const more = all.length - shown.length
  const omission =
    more > 0 ? md`${countOf(more, 'more difference')}: "npm run catalog -- diff"` : md``
  const title = all.length + end.length > 0 ? md`## Waiting versions` : md``
  return String(joinBlocks([...sections, title, ...shown, omission, ...end]))
}
