import { PATHS, skillPath, versionListPath, versionPath } from '../paths.ts'
import type { OnRequestDocument } from './page.ts'
import { writeMissingDocument } from './page.ts'
import { asLead, bullets, inCode, linked, phrase } from './phrases.ts'
import type { Phrase } from './phrases.ts'

/** Paths of files that a version has other than the one before it. */
export interface FileChanges {
  added: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
}

/** A version as the list of its skill has it, the newest first. */
export interface ListedVersion {
  /** Absent where its files keep it from having one; `reason` says why. */
  name?: string | undefined
  day?: string | undefined
  /** `served`, or what became of it. */
  standing: string
  /** The slug that it moved to. */
  to?: string | undefined
  reason?: string | undefined
  /** The advisory that withdraws it. */
  advisory?: string | undefined
  /** The number that its author gave it. */
  label?: string | undefined
  zip?: { url: string; size: number; digest: string } | undefined
  /** Where its author had it. */
  source?: string | undefined
  /** The files that differ from the version before it. */
  changes?: FileChanges | undefined
}

/** The list of a skill's versions, at `versionListPath`. */
export interface VersionList {
  slug: string
  page: string
  versions: readonly ListedVersion[]
}

/** Why a version is not served, as a sentence. */
const REASONS: Readonly<Record<string, string>> = {
  dropped:
    'The registry keeps the last versions of a skill, and of each recent day the one that was current at its end; this one is older.',
  retired: 'The skill was removed from the catalog.',
  gone: 'The source of the skill no longer answers, so the registry does not give its text out.',
  licence: 'The licence of the skill does not allow the registry to pass its text on.',
}

const describeReason = ({ standing, reason, advisory }: ListedVersion): string => {
  if (standing === 'withdrawn') return `It was withdrawn (${advisory}): ${reason}`
  return standing === 'withheld'
    ? `A scan with today’s rules holds it back: ${reason}.`
    : (REASONS[standing] ?? '')
}

const describeServed = (slug: string, { name = '', day = '' }: ListedVersion): Phrase =>
  phrase`${linked(name, versionPath(slug, name))}${day && `, of ${day}`}`

/** Writes the page of a version that was published and is not served. */
export const writeUnserved = (
  siteName: string,
  { slug, versions }: VersionList,
  version: ListedVersion,
): OnRequestDocument => {
  const { name = '', source } = version
  const served = versions.filter(({ standing }) => standing === 'served')
  const ways = [
    linked('All its versions', versionListPath(slug)),
    ...(version.standing === 'retired' ? [] : [linked('The skill', skillPath(slug))]),
    linked('How versions work', PATHS.versionDocs),
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
              heading: 'Where its author had it',
              ...bullets([linked(source, source)]),
            },
          ]
        : []),
      ...(served.length > 0
        ? [
            {
              id: 'served',
              heading: 'Versions that are served',
              ...bullets(served.map((row) => describeServed(slug, row))),
            },
          ]
        : []),
      { id: 'where-to-go', heading: 'Where to go', ...bullets(ways) },
    ],
  }
}
