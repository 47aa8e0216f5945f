import { OTHER_LICENCE } from '../../catalog/skill.ts'
import type { Skill } from '../../catalog/skill.ts'
import { truncateAtWord } from '../../catalog/text.ts'
import { contactAddress } from '../contact.ts'
import { skillPath, versionPath } from '../paths.ts'
import { linked, phrase } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'

/** Settings of the site that affect a skill's page. */
export interface SkillPageSite {
  /** Origin of every absolute address. */
  origin: string
  /** Whether the host is static, so that files of skills have no pages. */
  isStatic?: boolean
  /** Whether the registry is private, perhaps behind a login. */
  isPrivate?: boolean | undefined
  /** Address of a form or an issue tracker, from `site.json`. */
  contact?: string | undefined
  /** Whether the catalog has counters to show. */
  isCounted: boolean
  /** Whether versions of skills have addresses. */
  hasVersions?: true | undefined
  /** Whether the catalog has the page that explains versions. */
  hasVersionDocs?: true | undefined
}

/**
 * Returns the address for a report to the curators about a skill, with the title and the beginning of the text filled
 * in. Undefined if the site has no contact.
 */
export const reportAddress = (
  { slug }: Pick<Skill, 'slug'>,
  { contact, origin }: SkillPageSite,
  title: string,
  body: string,
  version?: string,
): string | undefined => {
  if (contact === undefined) return undefined
  const place = origin + (version === undefined ? skillPath(slug) : versionPath(slug, version))
  const request = { title: `${title}: ${slug}`, body: `${place}\n\n${body}`, slug, version }
  return contactAddress(contact, { template: 'report', ...request })
}

/** Requests to the curators: a question, the link text, the title of the report, and the beginning of its text. */
const REQUESTS = [
  ['Something wrong here?', 'Report this skill', 'Report', 'What is wrong with this listing:'],
  [
    'Is it yours?',
    'Correct, move or remove it',
    'My skill',
    'I am its author. Please (correct something, move it to another address, or remove it):',
  ],
] as const

/** Invites readers and the author to write to the curators. Empty if the site has no contact. */
export const writeContact = (skill: Skill, site: SkillPageSite, version?: string): Phrase[] =>
  REQUESTS.flatMap(([ask, words, title, body]) => {
    const address = reportAddress(skill, site, title, body, version)
    return address === undefined ? [] : phrase`${ask} ${linked(words, address)}.`
  })

/** Longest licence in a label, in characters. */
const LICENCE_SHOWN = 40

/** Returns the licence as the author states it, in full and shortened for the label; undefined if none is stated. */
export const readLicenceWords = ({
  licence,
  licenceWords = licence,
}: Skill): { short: string; whole: string; isCut: boolean } | undefined => {
  if (licenceWords === undefined) return undefined
  const short = truncateAtWord(licenceWords, LICENCE_SHOWN)
  // An unknown licence is in quotation marks: its text is the author's, and could look like a statement of ours.
  const shown = licence === OTHER_LICENCE ? `“${short}”` : short
  return { short: shown, whole: licenceWords, isCut: short !== licenceWords }
}

/** Returns the name and address of a skill's owner; undefined if it has none. */
export const readOwner = ({
  owner,
}: Pick<Skill, 'owner'>): { name: string; url?: string | undefined } | undefined =>
  typeof owner === 'string' ? { name: owner } : owner

/** Formats a size in bytes: `812 bytes`, `4.1 KiB`. */
export const showSize = (bytes: number): string =>
  bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`
