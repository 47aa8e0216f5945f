import { spellUnseen } from '../../../src/catalog/lines.ts'
import { renderProblem } from '../../../src/catalog/problems.ts'
import type { Problem } from '../../../src/catalog/problems.ts'
import { SEVERITIES } from '../../../src/catalog/safety/rule.ts'
import { ruleOf } from '../../../src/catalog/safety/rules.ts'
import { SKILL_MD } from '../../../src/catalog/skill.ts'
import type { Finding } from '../../../src/catalog/skill.ts'
import { countOf, showNumber } from '../../../src/catalog/text.ts'
import {
  codeFence,
  codeSpan,
  joinBlocks,
  joinWords,
  list,
  md,
} from '../../../src/documents/prose/md.ts'
import type { Markdown } from '../../../src/documents/prose/md.ts'
import { CommandError, LookError, renderJson, showSlugs } from '../cli/command.ts'
import type { CommandContext } from '../cli/command.ts'
import { LOOKS } from './judge.ts'
import type { Outcome, VersionReport } from './judge.ts'
import { renderWayBack } from './stage.ts'
import type { Stage } from './stage.ts'
import type { SourceReport } from './update.ts'
import { describeFileChange, isBeyondProse } from './version.ts'
import type { Change, FileChange } from './version.ts'

/** Maximum length of the report in characters; the body of a change request on GitHub has at most 65,536. */
const REPORT_LIMIT = 60_000

/** Longest command that names every folder, in characters. */
const BACK_LIMIT = 10_000

/** How much of the report is for the skills that need no look, if it is too long. */
const REST_LIMIT = 15_000

/** The maximum length of a value, in characters; longer values are cut. */
const VALUE_LIMIT = 240

/** How many values of one kind, and how many findings, are shown of a skill. */
const VALUES_LIMIT = 12

/** The maximum length of a problem, which ends with its remedy. */
const PROBLEM_LIMIT = 1_000

/** How many skills are named of those of which the same is said. */
const NOTED = 10

/** How many left-out skills are shown for each rule. */
const SKIPS_SHOWN = 5

const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text

/** Shows untrusted text as code, on one line, with hidden characters spelt out. */
const quoteUpTo = (limit: number, text: string): Markdown => {
  const line = spellUnseen(text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, ''))
  return codeSpan(cut(line, limit))
}

const quote = (text: string): Markdown => quoteUpTo(VALUE_LIMIT, text)

const quoteProblem = (problem: Problem): Markdown =>
  quoteUpTo(PROBLEM_LIMIT, renderProblem({ ...problem, file: cut(problem.file, VALUE_LIMIT) }))

const command = (words: string): Markdown => codeSpan(`npm run catalog -- ${words}`)

/** Joins what is shown of a list, and the number of the rest. */
const joinFew = (parts: readonly Markdown[]): Markdown =>
  joinWords(parts.slice(0, VALUES_LIMIT), ', ', Math.max(0, parts.length - VALUES_LIMIT))

export const describeFinding = ({
  rule,
  severity,
  held,
  contexts,
  file,
  line,
  quote: text,
}: Finding) => {
  const lowered = contexts.length > 0 ? ` (${contexts.join('; ')}: ${severity} on its page)` : ''
  const says = `it ${ruleOf(rule).says}${lowered}`
  return md`${held} ${rule} ${quote(`${file}:${line}`)}: ${says}${text === '' ? md`` : md`: ${quote(text)}`}`
}

const describeFindings = ({ findings }: VersionReport): Markdown[] => {
  const sorted = findings.toSorted(
    (a, b) => SEVERITIES.indexOf(a.held) - SEVERITIES.indexOf(b.held),
  )
  const more = findings.length - VALUES_LIMIT
  return [
    ...sorted.slice(0, VALUES_LIMIT).map(describeFinding),
    ...(more > 0 ? [md`and ${countOf(more, 'more finding')}`] : []),
  ]
}

/** Names the findings beside which files changed. */
const describeKnown = ({ known }: VersionReport): Markdown[] => {
  const places = known.map(
    ({ held, rule, file, line, accepted }) =>
      md`${held} ${rule} ${quote(`${file}:${line}`)}${accepted ? ' (accepted)' : ''}`,
  )
  return places.length > 0 ? [md`changed beside ${joinFew(places)}`] : []
}

const describeValues = ({ what, values }: Change): Markdown =>
  md`${what} ${joinFew(values.map(quote))}`

/** Longest common beginning of two values that is shown, in characters. */
const SAME_LIMIT = 60

/** Shows a value before and after, from shortly before the first difference. */
export const describeField = ({ what, values: [was = '', is = ''] }: Change): Markdown => {
  let same = 0
  while (same < was.length && was[same] === is[same]) same += 1
  const from = same > SAME_LIMIT ? same - SAME_LIMIT / 2 : 0
  const show = (value: string): Markdown => quote((from > 0 ? '…' : '') + value.slice(from))
  return md`${what} ${show(was)} → ${show(is)}`
}

/** Names changed files by how they changed: first what is not Markdown. */
const describeFiles = (files: readonly FileChange[]): Markdown[] => {
  const sorted = files.toSorted((a, b) => Number(isBeyondProse(b)) - Number(isBeyondProse(a)))
  const groups = [...Map.groupBy(sorted, describeFileChange)]
  return groups.map(([how, same]) => md`${how} ${joinFew(same.map(({ path }) => quote(path)))}`)
}

const describeLoss = ({ loss, open }: VersionReport): Markdown[] => {
  if (!loss) return open === undefined ? [] : [md`text not copied: ${quote(open)}`]
  const place = loss.place === undefined ? md`` : quote(loss.place)
  const licences = loss.was === loss.is ? md`` : md`, ${quote(loss.was)} → ${quote(loss.is)}`
  return [md`text removed: ${place}${loss.cause}${licences}`]
}

const describeNames = ({ slug, renamed, lookalike }: VersionReport): Markdown[] => {
  if (renamed !== undefined)
    return [md`looks like ${renamed}, renamed: ${command(`move ${renamed} ${slug}`)} keeps its id`]
  return lookalike === undefined ? [] : [md`its name looks like that of ${lookalike}`]
}

/** A skill that needs a look: what it is, and a line for each thing to look at. */
const describeSkill = (version: VersionReport): Markdown => {
  const { slug, kind, reasons, outcome, facts, files, fields, needs } = version
  const why = [
    ...(kind === 'new' ? [] : [kind]),
    ...reasons.map((reason) => LOOKS[reason]),
    ...(outcome === 'left' ? ['left out'] : []),
  ].join(', ')
  const drop = outcome === 'taken' ? md`; ${command(`reject ${slug}`)} drops it` : md``
  const isNew = kind === 'new' && facts !== undefined
  const about = isNew
    ? md`: ${quote(facts.summary)} (${joinWords([
        quote(facts.category),
        quote(facts.licence ?? 'no licence'),
        md`${showNumber(facts.tokens ?? 0)} tokens`,
      ])})`
    : md``
  const shownFiles = describeFiles(isNew ? files.filter(({ path }) => path !== SKILL_MD) : files)
  const lines = [
    ...version.problems.map((problem) => md`the build refuses it: ${quoteProblem(problem)}`),
    ...describeFindings(version),
    ...describeKnown(version),
    ...describeLoss(version),
    ...describeNames(version),
    ...(needs.length > 0 ? [joinWords(needs.map(describeValues), '; ')] : []),
    ...(shownFiles.length > 0 ? [md`files: ${joinWords(shownFiles, '; ')}`] : []),
    ...fields.filter(({ what }) => !version.loss || what !== 'licence').map(describeField),
  ]
  const head = md`**${slug}** (${why})${about}${drop}`
  return lines.length > 0 ? md`${head}\n${list(lines)}` : head
}

/** The place of a version in the report: by its gravest finding, and then by its gravest reason. */
const rankOf = ({ findings, reasons }: VersionReport): number => {
  const worst = Math.min(SEVERITIES.length, ...findings.map(({ held }) => SEVERITIES.indexOf(held)))
  const reason = Object.keys(LOOKS).indexOf(reasons[0] ?? 'new')
  return worst * 10 + reason
}

/** The first rows that fit into this many characters, and the number of the others. */
const fit = (rows: readonly Markdown[], limit: number): readonly Markdown[] => {
  let room = limit
  const end = rows.findIndex((row) => (room -= String(list([row])).length + 1) < 0)
  return end < 0 ? rows : [...rows.slice(0, end), md`and ${rows.length - end} more`]
}

const nameSkills = (versions: readonly VersionReport[], words: string): Markdown[] =>
  versions.length === 0
    ? []
    : [md`${versions.length} ${words}: ${showSlugs(versions.map(({ slug }) => slug))}`]

/** Counts and names the versions of which nothing has to be read. */
const describeRest = (versions: readonly VersionReport[], content: string): Markdown[] => {
  const taken = versions.filter(({ outcome, needsLook }) => outcome === 'taken' && !needsLook)
  const of = (kind: VersionReport['kind']) => taken.filter((version) => version.kind === kind)
  const out = (outcome: Outcome) => versions.filter((version) => version.outcome === outcome)
  return [
    ...nameSkills(of('new'), 'new'),
    ...nameSkills(of('changed'), 'changed'),
    ...nameSkills(of('reappeared'), 'back at their source'),
    ...nameSkills(of('same'), 'with only another address, day or owner'),
    ...nameSkills(
      out('taken').filter(({ hasOldAsks }) => hasOldAsks),
      'with asks written for an earlier description; describe-a-skill writes new ones',
    ),
    ...nameSkills(
      out('left').filter(({ isTold }) => isTold),
      'left out as in an earlier run',
    ),
    ...nameSkills(
      out('changed here'),
      'left out because their folders have changes that are not committed; commit these, and update again',
    ),
    ...nameSkills(out('rejected'), 'rejected before'),
    ...out('retired').map(({ slug, returned }) => {
      const again = command(`import ${returned?.url} --into ${content}`)
      return md`${slug} left out: it has the name or text of ${returned?.slug ?? ''}, which was retired; ${again} takes it in`
    }),
  ]
}

/** Describes the skills of a source that are marked as gone now. */
const describeMarked = ({ address, markedGone }: SourceReport): Markdown[] =>
  markedGone.length === 0
    ? []
    : [
        md`${countOf(markedGone.length, 'skill')} (${quote(address)}): ${showSlugs(markedGone)}. They are in no list any more, and their pages say so; ${command('retire <slug>')} removes a skill`,
      ]

/** The skills gone from a source, without renamed ones and those that are marked. */
const listGone = ({ gone, versions, markedGone }: SourceReport): SourceReport['gone'] => {
  const others = new Set([...markedGone, ...versions.map(({ renamed }) => renamed)])
  return gone.filter(({ slug }) => !others.has(slug))
}

/** Describes the skills that one source no longer has. */
const describeGone = (source: SourceReport): Markdown[] => {
  const gone = listGone(source)
  if (gone.length === 0) return []
  const known = source.found - source.versions.filter(({ kind }) => kind === 'new').length
  const count = `${gone.length} of ${countOf(gone.length + known, 'skill')}`
  return [
    md`${count} (${quote(source.address)}): ${showSlugs(gone.map(({ slug }) => slug))}. The catalog keeps them; ${command('retire <slug>')} removes a skill`,
  ]
}

/** The first problems of each rule, and the count of the others: a source may have thousands. */
const describeProblems = (problems: readonly Problem[], shown: number): Markdown[] =>
  [...Map.groupBy(problems, ({ rule }) => rule)].flatMap(([rule, all]) => {
    const rows = all.slice(0, shown).map(quoteProblem)
    if (all.length > shown) rows.push(md`and ${all.length - shown} more of ${rule}`)
    return rows
  })

/** What was left out for good, and is the same as last time, is only counted. */
const describeLeftOut = ({ leftOut, isNew }: SourceReport): Markdown[] =>
  describeProblems(
    leftOut.filter(
      ({ rule, severity }) => rule !== 'not-included' && (isNew || severity !== 'note'),
    ),
    SKIPS_SHOWN,
  )

/** Counts what was left out, by rule as well. */
const countLeftOut = (problems: readonly Problem[]): string => {
  const rules = [...Map.groupBy(problems, ({ rule }) => rule)]
  const counts = rules.map(([rule, { length }]) => `${length} ${rule}`)
  return `${problems.length} left out${counts.length > 0 ? ` (${counts.join(', ')})` : ''}`
}

const describeSource = (source: SourceReport): Markdown => {
  const { address, isUnchanged, found, versions, gone, leftOut, failed } = source
  const { length: added } = versions.filter(({ kind }) => kind === 'new')
  const counts = `${found} found, ${added} new, ${versions.length - added} changed, ${gone.length} gone, ${countLeftOut(leftOut)}`
  const isRead = found + leftOut.length > 0 || failed.length === 0
  return md`${quote(address)}: ${joinWords(
    [
      ...(isUnchanged ? [md`unchanged`] : isRead ? [md`${counts}`] : []),
      ...failed.map((fault) => md`failed: ${quoteUpTo(PROBLEM_LIMIT, fault)}`),
    ],
    '; ',
  )}`
}

/** Says what concerns several skills of a source once. */
const describeNotes = ({ address, versions }: SourceReport): Markdown[] => {
  const notes = versions
    .filter(isToLookAt)
    .flatMap(({ slug, sourceNotes }) => sourceNotes.map((note) => ({ slug, note })))
  return [...Map.groupBy(notes, ({ note }) => note)].map(([note, same]) => {
    const slugs = showSlugs(
      same.map(({ slug }) => slug),
      NOTED,
    )
    return md`${slugs} (${quote(address)}): ${note}`
  })
}

/** Whether this run has to show a version: those that an earlier run left out were shown there. */
const isToLookAt = ({ needsLook, outcome, isTold }: VersionReport): boolean =>
  needsLook && (outcome === 'taken' || (outcome === 'left' && !isTold))

/** Says what git does not show, or that it has nothing to go back to. */
const describeGit = (versions: readonly VersionReport[], stage: Stage): Markdown[] => {
  const lack = versions.some(({ outcome }) => outcome === 'taken') ? stage.findLack() : undefined
  const note = md`Nothing can be reviewed or taken back: ${lack ?? ''}; ${codeSpan('git init')} and a commit change that`
  return [...(lack === undefined ? [] : [note]), ...stage.faults.map((fault) => md`${fault}`)]
}

const describeWayBack = (content: string, { paths }: Stage): Markdown[] => {
  if (paths.size === 0) return []
  const back = renderWayBack(content, paths)
  return [
    md`## To take all of it back`,
    ...(back.length > BACK_LIMIT ? [] : [codeFence(back, 'sh')]),
    md`After any other command, ${codeSpan(renderWayBack(content, ['']))} does so, with all that is not committed.`,
  ]
}

/** Renders the report as Markdown, for a terminal and for the body of a change request. */
export const renderReport = (
  reports: readonly SourceReport[],
  content: string,
  stage: Stage,
): string => {
  const versions = reports.flatMap((report) => report.versions)
  const toLookAt = versions.filter(isToLookAt).toSorted((a, b) => rankOf(a) - rankOf(b))
  const first = [...reports.flatMap(describeNotes), ...toLookAt.map(describeSkill)]
  const rest: [title: string, rows: readonly Markdown[]][] = [
    ['Others', describeRest(versions, content)],
    ['Not in their source', reports.flatMap(describeGone)],
    ['Marked as gone', reports.flatMap(describeMarked)],
    ['Left out', reports.flatMap(describeLeftOut)],
    [
      'Followed by these registries; add them from there',
      reports.flatMap(({ isNew, followed }) => (isNew ? followed.map(quote) : [])),
    ],
    [
      'Notices about files; check of the folder, or of a clone, lists all',
      reports.flatMap(({ address, notices }) =>
        describeProblems(notices, 1).map((notice) => md`${quote(address)}: ${notice}`),
      ),
    ],
    ['Sources', reports.map(describeSource)],
    ['Git', describeGit(versions, stage)],
  ]
  const shown = rest.filter(([, rows]) => rows.length > 0)
  const share = Math.floor(REST_LIMIT / Math.max(1, shown.length))
  const others = shown.map(([title, rows]) => joinBlocks([md`## ${title}`, list(fit(rows, share))]))
  const end = [...others, ...describeWayBack(content, stage)]
  // 200 for the heading, and for the row that counts the rest.
  const room = REPORT_LIMIT - String(joinBlocks(end)).length - 200
  const title = md`## ${countOf(toLookAt.length, 'skill')} to look at`
  const start = first.length > 0 ? [title, list(fit(first, room))] : []
  return String(joinBlocks([...start, ...end]))
}

interface Printing extends Pick<CommandContext, 'print'> {
  asJson?: boolean
  /** Whether somebody asked for these skills: then nobody has to be told by an exit code to look at them. */
  isAsked?: boolean
}

/** Prints the report of a command. Throws CommandError if a source cannot be read, or LookError. */
export const printReport = (
  reports: readonly SourceReport[],
  content: string,
  stage: Stage,
  { print, asJson = false, isAsked = false }: Printing,
): void => {
  print(asJson ? renderJson({ sources: reports }) : renderReport(reports, content, stage))
  const count = reports.flatMap(({ versions }) => versions.filter(isToLookAt)).length
  const look = count === 0 ? [] : [`${countOf(count, 'skill')} to look at.`]
  const failed = reports.flatMap((report) => report.failed)
  if (failed.length > 0) throw new CommandError([...failed, ...look].join('\n'))
  if (count > 0 && !isAsked) throw new LookError(look.join(''))
}
