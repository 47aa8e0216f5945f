import { skillPath, versionListPath, versionPath } from '../paths.ts'
import type { OnRequestDocument } from './page.ts'
import { writeMissingDocument } from './page.ts'
import { asLead, bullets, inCode, linked, phrase } from './phrases.ts'
import type { Phrase } from './phrases.ts'

/** Paths of the files that differ between a version and the version before it. */
export interface FileChanges {
  added: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
}

/** A version in the list of a skill's versions. */
export interface ListedVersion {
  /** Absent if no name can be computed for its files; `reason` says why. */
  name?: string | undefined
  day?: string | undefined
  /** `served`, or why the version is not served, such as `withdrawn`. */
  standing: string
  /** The new slug, if the skill has moved. */
  to?: string | undefined
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
}

/** The versions of a skill, newest first; served at `versionListPath`. */
export interface VersionList {
  slug: string
  page: string
  versions: readonly ListedVersion[]
}

/** By standing, a sentence on why a version is not served. */
const REASONS: Readonly<Record<string, string>> = {
  dropped:
    'The registry keeps the latest versions of a skill, and the version that was current at the end of each recent day; this version is neither.',
  retired: 'The skill was removed from the catalog.',
  gone: 'The source of the skill no longer exists, so the registry does not distribute its text.',
  licence: 'The licence of the skill does not allow the registry to distribute its text.',
}

const describeReason = ({ standing, reason, advisory }: ListedVersion): string => {
  if (standing === 'withdrawn') return `It was withdrawn (${advisory}): ${reason}`
  return standing === 'withheld'
    ? `Today’s scan rules block it: ${reason}.`
    : (REASONS[standing] ?? '')
}

const describeServed = (slug: string, { name = '', day = '' }: ListedVersion): Phrase =>
  phrase`${linked(name, versionPath(slug, name))}${day && `, of ${day}`}`

/** Writes the page of a published version that is no longer served. */
export const writeUnserved = (
  siteName: string,
  { slug, versions }: VersionList,
  version: ListedVersion,
): OnRequestDocument => {
  const { name = '', source } = version
  const served = versions.filter(({ standing }) => standing === 'served')
  const nextSteps = [
    linked('All versions', versionListPath(slug)),
    ...(version.standing === 'retired' ? [] : [linked('The skill', skillPath(slug))]),
  ]
  return {
    ...writeMissingDocument(siteName),
    path: versionPath(slug, name),
    heading: 'This version is not served',
    ...asLead(
      phrase`${inCode(`${slug}@${name}`)} was published${version.day ? ` on ${version.day}` : ''}. ${describeReason(version)}`,
    ),
    description: `A version of ${slug} that ${siteName} no longer serves.`,
    sections: [
      ...(source
        ? [
            {
              id: 'source',
              heading: 'Original source',
              ...bullets([linked(source, source)]),
            },
          ]
        : []),
      ...(served.length > 0
        ? [
            {
              id: 'served',
              heading: 'Available versions',
              ...bullets(served.map((row) => describeServed(slug, row))),
            },
          ]
        : []),
      { id: 'where-to-go', heading: 'Where to go', ...bullets(nextSteps) },
    ],
  }
}
