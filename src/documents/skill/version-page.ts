import type { FileChanges, ListedVersion } from '../on-request/version.ts'
import { OTHER_LICENCE } from '../../catalog/skill.ts'
import { nameNeed } from '../../catalog/needs/found.ts'
import type { Finding, Skill } from '../../catalog/skill.ts'
import { countOf, revealHidden, showNumber } from '../../catalog/text.ts'
import type { Document, EvidenceRow, Fact, Section } from '../document.ts'
import { describeSafety } from '../lists/entries.ts'
import { PATHS, skillPath, versionListPath, versionPath, versionZipPath } from '../paths.ts'
import { codeFence, codeSpan, joinBlocks, joinWords, link, list, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'
import { showSize } from './facts.ts'
import type { SkillPageSite } from './facts.ts'
import { writeFindings } from './findings.ts'
import { findPinnedCommands } from './install.ts'
import { NAMED_NEEDS, showName } from './needs.ts'

/** Names of one kind that only one of two versions has, with the label of the kind. */
type LabelledNames = readonly [label: string, names: readonly string[]]

/** The differences between a version and the version before it. */
export interface VersionChange {
  files: FileChanges
  /** Number of added lines. */
  added: number
  /** Number of removed lines. */
  removed: number
  /** Names that only one of the versions has; undefined if the files of the previous version were not read. */
  needs: { onlyNew: readonly LabelledNames[]; onlyOld: readonly LabelledNames[] } | undefined
  /** Executable files that both versions have, with different contents. */
  changedPrograms: readonly string[]
  /** Whether the author gave both versions the same number. */
  isSameLabel: boolean
  /** Whether the description, by which agents choose a skill, changed. */
  isRedescribed: boolean
}

/** Returns the author's version number. */
const numberOf = ({ needs }: Skill): string | undefined => needs?.version

const describeFinding = ({ severity, rule, file }: Finding): string =>
  `${rule} (${severity}) in ${file}`

const EXECUTABLE = 'Executable files'

const listExecutable = ({ files }: Skill): string[] =>
  files.flatMap(({ path, isExecutable }) => (isExecutable ? path : []))

/** Lists the commands, hosts and other needs of a skill by label. */
const listTraits = (skill: Skill): ReadonlyMap<string, readonly string[]> => {
  const { needs } = skill
  // Names of other skills are left out, because they depend on the rest of the catalog.
  const kinds = NAMED_NEEDS.filter(([kind]) => kind !== 'skills')
  return new Map<string, readonly string[]>([
    ...kinds.map(([kind, label]) => [label, (needs?.[kind] ?? []).map(nameNeed)] as const),
    [EXECUTABLE, listExecutable(skill)],
    ['Findings', skill.findings.map(describeFinding)],
    ['Licence', skill.licence === undefined ? [] : [skill.licence]],
    ['Started by', [skill.startedBy ?? 'both']],
  ])
}

const listNew = (before: Skill, after: Skill): LabelledNames[] => {
  const known = listTraits(before)
  return [...listTraits(after)].flatMap(([label, names]): LabelledNames[] => {
    const others = new Set(known.get(label))
    const found = [...new Set(names)].filter((name) => !others.has(name))
    return found.length > 0 ? [[label, found]] : []
  })
}

/** Compares a version with the version before it. Without the files of that version, only facts from git are known. */
export const compareWithBefore = (
  before: Skill | undefined,
  after: Skill,
  { files, added, removed }: Pick<VersionChange, 'files' | 'added' | 'removed'>,
): VersionChange => ({
  files,
  added,
  removed,
  needs: before && { onlyNew: listNew(before, after), onlyOld: listNew(after, before) },
  changedPrograms: listExecutable(after)
    .filter((path) => files.changed.includes(path))
    .filter((path) => before === undefined || listExecutable(before).includes(path)),
  isSameLabel: numberOf(after) !== undefined && before?.needs?.version === numberOf(after),
  isRedescribed: before !== undefined && before.description !== after.description,
})

/** At most this many names of one kind are shown. */
const NAMES_SHOWN = 20

const writeCodes = (names: readonly string[]): Markdown => {
  const shown = names.slice(0, NAMES_SHOWN)
  const codes = shown.map((name) => codeSpan(showName(name)))
  return joinWords(codes, ', ', names.length - shown.length)
}

const writeNames = ([label, names]: LabelledNames): Markdown => md`${label}: ${writeCodes(names)}`

const describeLines = ({ files, added, removed }: VersionChange): string => {
  const count = files.added.length + files.changed.length + files.removed.length
  return `${countOf(count, 'file')} changed, ${countOf(added, 'line')} added, ${removed} removed`
}

const writeFiles = (files: FileChanges): Markdown => {
  const kinds = (['added', 'changed', 'removed'] as const).filter((kind) => files[kind].length > 0)
  const lists = kinds.map((kind) => md`${kind} ${writeCodes(files[kind])}`)
  return md`Files: ${joinWords(lists, '; ')}`
}

const isSame = ({ onlyNew, onlyOld }: NonNullable<VersionChange['needs']>): boolean =>
  onlyNew.length + onlyOld.length === 0

/** Summarizes a change in one line for the page of the skill. */
const summarizeChange = (change: VersionChange, label: string | undefined): Markdown => {
  const { needs, changedPrograms, isSameLabel, isRedescribed } = change
  const added = needs?.onlyNew ?? []
  const news = joinWords(added.map(writeNames), '; ')
  return md`${[
    md`${describeLines(change)}.`,
    added.length > 0 ? md` New: ${news}.` : md``,
    needs && isSame(needs) ? md` Needs unchanged.` : md``,
    changedPrograms.length > 0 ? md` Changed: ${writeNames([EXECUTABLE, changedPrograms])}.` : md``,
    isRedescribed ? md` Its description changed.` : md``,
    isSameLabel ? md` Its author calls both ${codeSpan(showName(label ?? ''))}.` : md``,
  ]}`
}

/**
 * The current version, as the page of its skill shows it: its name, or `fault`, the reason why it has no name.
 * `earlier` are the earlier versions that are served.
 */
export type CurrentVersion = (
  | { name: string; day?: string | undefined; change?: VersionChange | undefined }
  | { fault: string }
) & {
  earlier?: readonly { name: string; day?: string | undefined; until?: string | undefined }[]
}

const describeCurrent = (skill: Skill, version: CurrentVersion): Markdown => {
  if ('fault' in version)
    return md`The current version has no name and cannot be pinned, because ${version.fault}.`
  const label = numberOf(skill)
  const { name, day, change } = version
  const number = label === undefined ? md`` : md` (${codeSpan(showName(label))})`
  const since = day === undefined ? '' : `, since ${day}`
  const changed = change ? md`: ${summarizeChange(change, label)}` : md``
  return md`${link(name, versionPath(skill.slug, name))}${number}${since}${changed}`
}

/** The page of a skill names at most this many earlier versions. */
const EARLIER_SHOWN = 4

/** Writes the row of versions on the page of a skill: the current one, a few earlier ones, and a link to all. */
export const writeVersionRow = (skill: Skill, version: CurrentVersion): EvidenceRow => {
  const { slug } = skill
  const earlier = (version.earlier ?? []).slice(0, EARLIER_SHOWN).map(({ name, day, until }) => {
    const days =
      day === until || until === undefined ? `, of ${day}` : `, from ${day} until ${until}`
    return md`${link(name, versionPath(slug, name))}${day === undefined ? '' : days}`
  })
  const all = link('All versions', versionListPath(slug))
  return { label: 'Versions', items: [describeCurrent(skill, version), ...earlier, all] }
}

/** Everything that the page of a version is made of. */
export interface VersionPageInput {
  /** The skill in this version. */
  skill: Skill
  version: ListedVersion & { name: string; until?: string | undefined }
  isCurrent: boolean
  before?: { name?: string | undefined; isServed: boolean } | undefined
  change: VersionChange | undefined
  /** Output of `git diff`, perhaps shortened. `lines` is the full number of lines. */
  difference: { text: string; lines: number } | undefined
  site: SkillPageSite
}

const describeSize = ({ files, tokens }: Skill): string => {
  if (files.length === 0) return 'text not copied'
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const [count, file] = files.length === 1 ? ['', ''] : [`${files.length} files, `, 'SKILL.md ']
  const cost = tokens === undefined ? '' : `, ${file}${showNumber(tokens)} tokens`
  return `${count}${showSize(bytes)}${cost}`
}

const listFacts = ({ skill, version, isCurrent }: VersionPageInput): Fact[] => {
  const { day, until, source } = version
  const number = numberOf(skill)
  return [
    { label: 'Skill', value: skill.slug, path: skillPath(skill.slug) },
    ...(number === undefined
      ? []
      : [{ label: 'Author’s version', value: showName(number), isCode: true }]),
    { label: 'From', value: day ?? 'not known' },
    { label: 'Until', value: isCurrent ? 'now' : (until ?? 'not known') },
    {
      label: 'Licence',
      value: skill.licenceWords ?? skill.licence ?? 'not stated',
      isCode: skill.licence === OTHER_LICENCE,
    },
    { label: 'Size', value: describeSize(skill) },
    {
      label: 'Safety',
      value: describeSafety(skill),
      ...(skill.safety === 'Review' ? { path: '#findings', isWarning: true } : {}),
    },
    ...(source === undefined
      ? []
      : [{ label: 'Source', value: 'the author’s folder', path: source }]),
  ]
}

const writePin = ({ skill, version: { name }, site }: VersionPageInput): Markdown => {
  const { shell, npx } = findPinnedCommands(skill, name, site)
  const fences = [shell, npx].flatMap((line) => (line === undefined ? [] : codeFence(line, 'sh')))
  const check = site.hasVersionDocs
    ? md`; ${link('compute its name from the files', PATHS.versionDocs)}`
    : ''
  return joinBlocks([
    ...fences,
    md`${link('The zip', versionZipPath(skill.slug, name))} of this version never changes${check}.`,
  ])
}

/** Writes the changes, the most important first: commands, hosts and programs that were added, removed or changed. */
const writeChanges = ({ skill, before, change }: VersionPageInput): Markdown => {
  if (!before) return md`The first version of this skill that the registry has.`
  const name = before.name ?? 'which has no name'
  if (!change)
    return md`The previous version, ${name}, is not served, so the differences are not shown.`
  const { needs, changedPrograms, files, isSameLabel, isRedescribed } = change
  const against =
    before.isServed && before.name ? link(name, versionPath(skill.slug, name)) : md`${name}`
  const rows = [
    ...(needs?.onlyNew ?? []).map((names) => md`**New**: ${writeNames(names)}`),
    ...(needs?.onlyOld ?? []).map((names) => md`**Gone**: ${writeNames(names)}`),
    ...(changedPrograms.length > 0
      ? [md`**Changed**: ${writeNames([EXECUTABLE, changedPrograms])}`]
      : []),
    ...(isRedescribed ? [md`Its description, by which agents choose it, changed.`] : []),
    ...(isSameLabel
      ? [md`Its author gives both the same number, ${codeSpan(showName(numberOf(skill) ?? ''))}.`]
      : []),
    writeFiles(files),
  ]
  const same = needs && isSame(needs) ? ' Its commands, hosts and other needs are the same.' : ''
  return joinBlocks([
    md`Compared with the previous version, ${against}: ${describeLines(change)}.${same}`,
    list(rows),
  ])
}

const writeDifference = ({
  text,
  lines,
}: NonNullable<VersionPageInput['difference']>): Markdown => {
  const shown = text.split('\n').length
  const cut = md`The difference has ${lines} lines; this page has the first ${shown}. Compare the two zips for the rest.`
  return joinBlocks([...(lines > shown ? [cut] : []), codeFence(revealHidden(text), 'diff')])
}

/** Writes the page of a version. */
export const writeVersionDocument = (input: VersionPageInput): Document => {
  const { skill, version, isCurrent, difference, site } = input
  const { slug, findings } = skill
  const { name, day = '' } = version
  // The files of a version have no pages, so findings have no links to them.
  const bare = { ...skill, files: [] }
  const sections: Section[] = [
    { id: 'pin', heading: 'Pin this version', markdown: writePin(input) },
    { id: 'what-changed', heading: 'What changed', markdown: writeChanges(input) },
    ...(findings.length > 0
      ? [
          {
            id: 'findings',
            heading: 'Findings',
            ...writeFindings(bare, site, () => skillPath(slug)),
          },
        ]
      : []),
    ...(difference && difference.text !== ''
      ? [{ id: 'difference', heading: 'Difference', markdown: writeDifference(difference) }]
      : []),
  ]
  const newer = md`**A newer version is current**: ${link('the skill', skillPath(slug))}, ${link('all versions', versionListPath(slug))}.`
  return {
    kind: 'prose',
    path: versionPath(slug, name),
    canonical: skillPath(slug),
    partOf: { label: slug, path: skillPath(slug) },
    heading: `Version ${name}`,
    lead: md`${skill.name}, ${isCurrent ? 'the current version' : 'an earlier version'}. ${skill.summary}`,
    description: `Version ${name} of ${slug}: its facts and changes.`,
    updated: day,
    isIndexable: false,
    ...(isCurrent ? {} : { notice: newer }),
    category: skill.category,
    facts: listFacts(input),
    sections,
  }
}
