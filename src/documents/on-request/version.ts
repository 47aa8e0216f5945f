import { shortenVersion } from '../../catalog/text.ts'
import { skillPath, versionPath, versionsPath } from '../paths.ts'
import type { OnRequestDocument } from './page.ts'
import { writeMissingDocument } from './page.ts'
import { bullets, inCode, linked, phrase } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'

/** Paths of the files that differ between a version and the version before it. */
export interface FileChanges {
  added: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
}

export interface LineChanges {
  added: number
  removed: number
}

export interface ListedVersion {
  /** Absent if no name can be computed for its files; `reason` says why. */
  name?: string | undefined
  day?: string | undefined
  /** Why the version is not served; absent if it is. */
  reason?: string | undefined
  /** Id of the advisory that withdraws the version. */
  advisory?: string | undefined
  /** The author's version number. */
  label?: string | undefined
  zip?: { url: string; size: number; digest: string } | undefined
  /** Address at which the author published the version. */
  source?: string | undefined
  /** The files that differ from the version before it. */
  changes?: FileChanges | undefined
  /** Lines that differ from the version before it; absent if they were not all compared. */
  lines?: LineChanges | undefined
}

/** The versions of a skill, newest first; served at `versionListPath`. */
export interface VersionList {
  slug: string
  /** Address of the page of the skill; absent if the skill was removed. */
  page?: string | undefined
  versions: readonly ListedVersion[]
}

/** The current version of a skill, and the earlier versions that are kept. */
export interface CurrentVersion {
  current: ListedVersion
  earlier: readonly ListedVersion[]
}

const describeServed = (slug: string, { name = '', day = '' }: ListedVersion): Phrase =>
  phrase`${linked(shortenVersion(name), versionPath(slug, name))}${day && `, of ${day}`}`

/** Writes the page of a published version that is no longer served. */
export const writeUnserved = (
  siteName: string,
  { slug, page, versions }: VersionList,
  version: ListedVersion,
): OnRequestDocument => {
  const { name = '', day, reason = '', source } = version
  const served = versions.filter((row) => row.reason === undefined)
  const lists = [
    ['source', 'Original source', [source && linked(source, source)]],
    ['served', 'Available versions', served.map((row) => describeServed(slug, row))],
    [
      'where-to-go',
      'Where to go',
      [
        linked('All versions', versionsPath(slug)),
        page !== undefined && linked('The skill', skillPath(slug)),
      ],
    ],
  ] as const
  return {
    ...writeMissingDocument(siteName),
    path: versionPath(slug, name),
    heading: 'This version is not served',
    lead: phrase`${inCode(`${slug}@${name}`)} was published${day ? ` on ${day}` : ''}. ${reason}`,
    description: `A version of ${slug} that ${siteName} no longer serves.`,
    sections: lists.flatMap(([id, heading, rows]) =>
      rows.some(Boolean) ? Object.assign({ id, heading }, bullets(rows)) : [],
    ),
  }
}
