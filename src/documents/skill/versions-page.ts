import { namesCommit, plainRepository, readAddress } from '../../catalog/address.ts'
import type { Skill } from '../../catalog/skill.ts'
import { countOf, shortenVersion, showNumber } from '../../catalog/text.ts'
import type { Document, Entry, EntryFact } from '../document.ts'
import type { FileChanges, ListedVersion, VersionList } from '../on-request/version.ts'
import { skillPath, versionListPath, versionPath, versionsPath } from '../paths.ts'
import { NO_WORDS, linked, paragraphs, phrase } from '../prose/phrases.ts'
import { showSize } from './facts.ts'
import { showName } from './words.ts'

/** The page of a skill's versions shows at most this many; the JSON lists all. */
const ROWS_SHOWN = 50

/** A version names at most this many of its new files. */
const FILES_NAMED = 2

const describeChange = (
  { added, changed, removed }: FileChanges,
  lines: ListedVersion['lines'],
): string => {
  const shown = added.slice(0, FILES_NAMED).map(showName)
  const more = added.length - shown.length
  const names = [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const files = countOf(added.length + changed.length + removed.length, 'file')
  return [
    lines
      ? `${files}, ${countOf(lines.added, 'line')} added, ${showNumber(lines.removed)} removed`
      : files,
    ...(added.length > 0 ? [`new: ${names}`] : []),
    ...(removed.length > 0 ? [`gone: ${countOf(removed.length, 'file')}`] : []),
  ].join('; ')
}

/** Says that an older version has the same number of its author, although its files differ. */
const describeNumber = (
  { label, day }: ListedVersion,
  older: readonly ListedVersion[],
): string | undefined => {
  const same = older.find((row) => row.label !== undefined && row.label === label)
  if (!same) return undefined
  return `the same number as ${same.day === day ? 'earlier that day' : `on ${same.day}`}, another text`
}

const describeVersion = (row: ListedVersion, older: readonly ListedVersion[]): string => {
  const { reason, changes, lines } = row
  const changed = changes ? describeChange(changes, lines) : 'The first version here'
  const words = [changed, describeNumber(row, older)]
  return [words.filter(Boolean).join('; '), reason].filter(Boolean).join('. ')
}

/** Returns the address that compares two commits of one repository on its host; undefined if there is none. */
export const compareAddress = (
  before: string | undefined,
  after: string | undefined,
): string | undefined => {
  if (before === undefined || after === undefined) return undefined
  const [old, now] = [readAddress(before), readAddress(after)]
  const repository = plainRepository(now)
  if (!namesCommit(old) || !namesCommit(now) || repository !== plainRepository(old))
    return undefined
  return old.ref === now.ref
    ? undefined
    : `${repository}${now.dash}/compare/${old.ref.slice(0, 12)}...${now.ref.slice(0, 12)}`
}

const versionEntry = (slug: string, row: ListedVersion, older: readonly ListedVersion[]): Entry => {
  const { name, label, day, zip, lines, source } = row
  const comparison = compareAddress(older[0]?.source, source)
  const isServed = zip !== undefined && name !== undefined
  const facts: (EntryFact | false | undefined)[] = [
    day !== undefined && { kind: 'since', text: day },
    isServed && { kind: 'version', text: shortenVersion(name), path: versionPath(slug, name) },
    zip && { kind: 'version', text: `Zip, ${showSize(zip.size)}`, path: zip.url },
    comparison !== undefined && {
      kind: 'version',
      text: 'Compare at the source',
      path: comparison,
    },
  ]
  return {
    title: label === undefined ? shortenVersion(name ?? 'no name') : showName(label),
    text: describeVersion(row, older),
    path: name === undefined ? skillPath(slug) : versionPath(slug, name),
    isName: true,
    facts: facts.filter((fact) => typeof fact === 'object'),
    lines,
  }
}

/** Writes the page of a skill's versions, the newest first. */
export const writeVersionsDocument = (
  { name, category }: Pick<Skill, 'name' | 'category'>,
  { slug, versions }: VersionList,
): Document => {
  const first = versions.at(-1)?.day
  const since = first === undefined ? '' : ` since ${first}`
  const left = versions.length - ROWS_SHOWN
  const rest = left > 0 ? phrase`${countOf(left, 'earlier version')} more: ` : phrase``
  return {
    kind: 'article',
    path: versionsPath(slug),
    partOf: { label: slug, path: skillPath(slug) },
    heading: `Versions of ${name}`,
    lead: phrase`${showNumber(versions.length)}${since}. ${linked('Install', `${skillPath(slug)}#install`)} gives you the newest.`,
    description: `The versions of ${slug}, with their files and changes.`,
    updated: versions[0]?.day ?? '',
    isUnindexed: true,
    category,
    sections: [
      {
        id: 'versions',
        ...NO_WORDS,
        entries: versions
          .slice(0, ROWS_SHOWN)
          .map((row, at) => versionEntry(slug, row, versions.slice(at + 1))),
      },
      {
        id: 'about-versions',
        ...paragraphs(
          phrase`The number is the author’s own. The name of a version is made from its files, and its zip stays the same as long as they do. Lines are counted over all files of the skill.`,
          phrase`${rest}${linked('All versions as JSON', versionListPath(slug))}.`,
        ),
      },
    ],
  }
}
