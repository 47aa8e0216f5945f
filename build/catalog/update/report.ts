import type { Finding } from '../../../src/catalog/skill.ts'
import { SEVERITIES } from '../../../src/catalog/safety/rule.ts'
import { ruleOf } from '../../../src/catalog/safety/rules.ts'
import { countOf } from '../../../src/catalog/text.ts'
import { codeFence, codeSpan, joinBlocks, list, md } from '../../../src/documents/prose/md.ts'
import { showSlugs } from '../cli/command.ts'
import type { Loss } from '../import/run.ts'
import { summarizeNotices } from '../import/notices.ts'
import type { CodeChange } from './code.ts'
import type { VersionReport } from './review.ts'
import { nameVersion } from './sources.ts'
import type { SourceReport } from './update.ts'
import type { Change } from './version.ts'

/** Most lines of a section in Markdown: hosts take no longer body of a change request. */
const ITEMS_LIMIT = 100

/** Most characters of a value. */
const VALUE_LIMIT = 240

/** Words of ours, or what strangers wrote. */
type Piece = string | { strange: string }
type Item = readonly Piece[]

interface Section {
  title: string
  items: readonly Item[]
}

const strange = (text: string): Piece => {
  const line = text.replace(/\s+/g, ' ').trim()
  return { strange: line.length > VALUE_LIMIT ? `${line.slice(0, VALUE_LIMIT)}…` : line }
}

/** Pieces with a text of ours between them. */
const join = (items: readonly Item[], between: string): Piece[] =>
  items.flatMap((item, at) => (at === 0 ? item : [between, ...item]))

const STATES: Readonly<Record<VersionReport['state'], string>> = {
  written: '',
  held: ', held back',
  rejected: ', rejected before',
}

const describeFinding = (slug: string, state: VersionReport['state'], finding: Finding): Item => {
  const { rule, severity, file, line, quote } = finding
  const place = strange(`${slug}/${file}:${line}`)
  const says = `${STATES[state]}: it ${ruleOf(rule).says}${quote && ': '}`
  return [`${severity} ${rule} `, place, says, strange(quote)]
}

/** The gravest first. */
const listFindings = (versions: readonly VersionReport[]): Item[] =>
  versions
    .flatMap(({ slug, state, findings }) => findings.map((one) => ({ one, slug, state })))
    .sort((a, b) => SEVERITIES.indexOf(a.one.severity) - SEVERITIES.indexOf(b.one.severity))
    .map(({ one, slug, state }) => describeFinding(slug, state, one))

const CODE_WORDS: Readonly<Record<CodeChange['kind'], string>> = {
  file: 'a file that is no text or picture',
  code: 'code in',
  field: 'front matter of',
  address: 'new in its words',
  unread: 'cannot be compared: it',
}

/** Most values of one change that are shown. */
const VALUES_LIMIT = 20

const describeChange = ({ what, values }: Change): Item => {
  const more = values.length - VALUES_LIMIT
  const shown = values.slice(0, VALUES_LIMIT).flatMap((value): Piece[] => [' ', strange(value)])
  return [what, ...shown, ...(more > 0 ? [` and ${more} more`] : [])]
}

const describeVersion = (version: VersionReport): Item => {
  const { slug, id, isNew, state, changes, problems, code } = version
  const details = [
    ...problems.map((problem): Item => ['the build refuses it: ', strange(problem)]),
    ...code.map(({ kind, values }) => describeChange({ what: CODE_WORDS[kind], values })),
    ...changes.map(describeChange),
  ]
  if (!isNew && details.length === 0) details.push(['only its address or day'])
  const start = `${state === 'held' ? nameVersion(version) : slug} (id ${id})${STATES[state]}`
  return details.length === 0 ? [start] : [`${start}: `, ...join(details, '; ')]
}

/** A command with all of its names, since it is pasted as it is printed. */
export const renderCommand = (command: string, names: readonly string[]): string =>
  `npm run catalog -- ${command} ${names.join(' ')}`

const describeLoss = ({ place, cause, was, is }: Loss): Item => [
  ...(place === undefined ? [] : [strange(place)]),
  cause,
  ...(was === is ? [] : [', ', strange(was), ' → ', strange(is)]),
]

const STAYING = 'to stay with the last version under the old licence'

/** The versions of a source whose text would go, a line for each change of licence, with both ways out. */
const listLosses = ({ address, versions }: SourceReport): Item[] => {
  const lost = versions.filter(({ loss, isTold }) => loss && !isTold)
  const groups = Map.groupBy(lost, ({ loss, state }) => JSON.stringify([loss, state]))
  return [...groups.values()].map((group): Item => {
    const [{ loss, state }] = group as [VersionReport]
    const slugs = group.map(({ slug }) => slug)
    const rest = [
      ' (',
      strange(address),
      `)${STATES[state]}: ${showSlugs(slugs)}. `,
      state === 'held'
        ? `To let the text go: ${renderCommand('accept', group.map(nameVersion))}; ${STAYING}: reject`
        : 'They stay with the last version under the old licence',
    ]
    return join([[`${countOf(group.length, 'skill')}: `], describeLoss(loss!), rest], '')
  })
}

const countReasons = (leftOut: SourceReport['leftOut']): Item => {
  const reasons = Map.groupBy(leftOut, ({ kind, reason }) => {
    if (kind === 'bad') return 'cannot be read'
    return kind === 'duplicate' || kind === 'retired' ? kind : reason
  })
  const counts = [...reasons].map(([reason, { length }]): Item => [`${length} ${reason}`])
  return [
    `${leftOut.length} left out`,
    ...(counts.length > 0 ? [' (', ...join(counts, ', '), ')'] : []),
  ]
}

const describeSource = (source: SourceReport): Item => {
  const { address, isUnchanged, found, versions, gone, leftOut, failed, seconds } = source
  const time = `, ${seconds.toFixed(1)} s`
  if (isUnchanged) return [strange(address), `: unchanged${time}`]
  if (failed.length > 0) return [strange(address), ': failed: ', strange(failed.join('; ')), time]
  const { length: added } = versions.filter(({ isNew }) => isNew)
  const counts = `${found} found, ${added} new, ${versions.length - added} changed, ${gone.length} gone, `
  return [strange(address), `: ${counts}`, ...countReasons(leftOut), time]
}

const countKept = ({ found, versions }: SourceReport): number =>
  found - versions.filter(({ isNew }) => isNew).length

/** Whether a source no longer has most of the skills that the catalog has from there. */
export const isDeserted = (source: SourceReport): boolean => source.gone.length > countKept(source)

/** A line a source. */
const describeGone = (source: SourceReport): Item => {
  const { address, gone } = source
  const [only] = gone
  if (gone.length === 1 && only && !isDeserted(source)) {
    const { slug, id } = only
    const way = `"npm run catalog -- retire ${slug}" does that`
    return [`${slug} (id ${id}): nothing was removed; ${way}`]
  }
  const all = countOf(gone.length + countKept(source), 'skill')
  const slugs = showSlugs(gone.map(({ slug }) => slug))
  const others = isDeserted(source)
    ? '; what else changed in this source is held back, to accept or to reject'
    : ''
  return [
    `${gone.length} of ${all} (`,
    strange(address),
    `): ${slugs}. Nothing was removed: they stay with their last version, or `,
    `"npm run catalog -- retire <slug>" takes one out${others}`,
  ]
}

/** A line for each kind of files that a source has and its copies have not. */
const describeNotices = ({ address, notices }: SourceReport): Item[] =>
  summarizeNotices(notices, '"npm run catalog -- import" of it with --dry-run --names has all').map(
    ({ ours, path, message }): Item => [
      strange(address),
      `: ${ours}`,
      strange(`${path}: ${message}`),
    ],
  )

/** What a curator reads, what matters most first; sections without items are left out. */
const listSections = (reports: readonly SourceReport[]): Section[] => {
  const versions = reports.flatMap((one) => one.versions).filter(({ isTold }) => !isTold)
  const others = versions.filter(({ loss }) => !loss)
  const skipped = reports
    .flatMap(({ leftOut }) => leftOut)
    .filter(({ kind }) => kind !== 'not included')
  const all: Section[] = [
    { title: 'New or graver findings', items: listFindings(versions) },
    { title: 'Texts that would go', items: reports.flatMap(listLosses) },
    { title: 'New skills', items: others.filter(({ isNew }) => isNew).map(describeVersion) },
    { title: 'Changed', items: others.filter(({ isNew }) => !isNew).map(describeVersion) },
    {
      title: 'Gone from their source',
      items: reports.filter(({ gone }) => gone.length > 0).map(describeGone),
    },
    {
      title: 'Left out',
      items: skipped.map(({ path, reason }) => [strange(path), ': ', strange(reason)]),
    },
    { title: 'Files of skills', items: reports.flatMap(describeNotices) },
    { title: 'Sources', items: reports.map(describeSource) },
  ]
  return all.filter(({ items }) => items.length > 0)
}

const printPiece = (piece: Piece): string => (typeof piece === 'string' ? piece : piece.strange)

const printItem = (item: Item): string => item.map(printPiece).join('')

/** A finding of a version that waits or is let in, in a line. */
export const printFinding = (slug: string, finding: Finding): string =>
  printItem(describeFinding(slug, 'written', finding))

const introduceWaiting = (pending: readonly string[]): string =>
  pending.length === 0
    ? ''
    : `${countOf(pending.length, 'version')} in pending/. To take in what you have read:`

/** `pending` are the names of all versions that wait for a curator. */
export const renderText = (reports: readonly SourceReport[], pending: readonly string[]): string =>
  [
    ...listSections(reports).map(({ title, items }) =>
      [`${title}:`, ...items.map((item) => `  ${printItem(item)}`)].join('\n'),
    ),
    introduceWaiting(pending) &&
      `${introduceWaiting(pending)}\n${renderCommand('accept', pending)}`,
  ]
    .filter(Boolean)
    .join('\n\n')

const markItem = (item: Item) =>
  md`${item.map((piece) => (typeof piece === 'string' ? md`${piece}` : codeSpan(piece.strange)))}`

const markSection = ({ title, items }: Section) => {
  const more = items.length - ITEMS_LIMIT
  const shown = items.slice(0, ITEMS_LIMIT).map(markItem)
  return joinBlocks([md`## ${title}`, list(more > 0 ? [...shown, `and ${more} more`] : shown)])
}

const markWaiting = (pending: readonly string[]) => {
  if (pending.length === 0) return md``
  const more = pending.length - ITEMS_LIMIT
  const command = codeFence(renderCommand('accept', pending.slice(0, ITEMS_LIMIT)), 'sh')
  const rest = more > 0 ? md`and ${more} more, which "npm run catalog -- accept '*'" names` : md``
  return joinBlocks([md`${introduceWaiting(pending)}`, command, rest])
}

/** The report as the body of a change request. */
export const renderMarkdown = (
  reports: readonly SourceReport[],
  pending: readonly string[],
): string => String(joinBlocks([...listSections(reports).map(markSection), markWaiting(pending)]))
