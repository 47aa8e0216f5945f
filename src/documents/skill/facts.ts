import { readAddress } from '../../catalog/address.ts'
import { OTHER_LICENCE, SKILL_MD, hasText } from '../../catalog/skill.ts'
import type { Skill } from '../../catalog/skill.ts'
import { endSentence, truncateAtWord } from '../../catalog/text.ts'
import { contactAddress } from '../contact.ts'
import { showCount } from '../lists/entries.ts'
import {
  PATHS,
  authorPath,
  categoryPath,
  skillFilePath,
  skillPath,
  versionListPath,
  versionPath,
} from '../paths.ts'
import { inStrong, linked, phrase } from '../prose/phrases.ts'
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

/** Names a source by host and repository, such as `github.com/ann/skills`. */
const nameSource = (url: string): string => {
  const { host, pathname } = new URL(readAddress(url).repository ?? url)
  return `${host}${pathname}`.replace(/\/$/, '')
}

const SOURCE_LIMIT = 80

const writeSource = ({ source, slug, withdrawn }: Skill): Phrase => {
  // The files of a withdrawn skill answer 410.
  if (source.kind === 'own' && withdrawn) return phrase`written for this registry`
  if (source.kind === 'own')
    return phrase`written for this registry, ${linked('source', skillFilePath(slug, SKILL_MD))}`
  const state = {
    alive: `, seen ${source.seen}`,
    gone: ', gone',
  }[source.status]
  return phrase`${linked(truncateAtWord(nameSource(source.url), SOURCE_LIMIT), source.url)}${state}`
}

/** Returns the name and address of a skill's owner; undefined if it has none. */
export const readOwner = ({
  owner,
}: Pick<Skill, 'owner'>): { name: string; url?: string | undefined } | undefined =>
  typeof owner === 'string' ? { name: owner } : owner

const writeOwner = (skill: Skill): Phrase[] => {
  const owner = readOwner(skill)
  if (!owner) return []
  const name = owner.url === undefined ? phrase`${owner.name}` : linked(owner.name, owner.url)
  return [phrase`owned by ${name}`]
}

/** Writes the author, source, category, owner and counters of a skill. */
export const writeByline = (skill: Skill, { isCounted }: SkillPageSite): Phrase[] => {
  const { author, category, installs, views, visibility } = skill
  const name = inStrong(author)
  return [
    // The author of a gone skill may have no page.
    phrase`by ${visibility === 'gone' ? name : linked(name, authorPath(author))}`,
    writeSource(skill),
    phrase`in ${linked(category, categoryPath(category))}`,
    ...writeOwner(skill),
    ...(isCounted ? [phrase`${showCount(installs)} installs, ${showCount(views)} views`] : []),
  ]
}

/** Formats a size in bytes: `812 bytes`, `4.1 KiB`. */
export const showSize = (bytes: number): string =>
  bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`

type NamedSkill = Pick<Skill, 'slug' | 'name'>

const describeCopy = ({ slug, name }: NamedSkill): Phrase =>
  phrase`${inStrong('A copy of')} ${linked(name, skillPath(slug))}. The two are nearly identical.`

/** Returns the most important notice for the top of the page; undefined if there is none. */
export const describeNotice = (
  skill: Skill,
  original: NamedSkill | undefined,
): Phrase | undefined =>
  describeWithdrawn(skill) ??
  describeGone(skill) ??
  describeAbsence(skill) ??
  describeDeprecated(skill) ??
  (original && describeCopy(original))

const describeWithdrawn = ({ slug, withdrawn }: Skill): Phrase | undefined => {
  if (!withdrawn) return undefined
  const versions = linked('All versions', versionListPath(slug))
  const gone =
    'The registry no longer serves this version. It will list the skill again with the next version'
  const advisory = linked(withdrawn.id, PATHS.advisories)
  const notice = phrase`${inStrong(`Withdrawn on ${withdrawn.published}`)} (${advisory}): ${withdrawn.summary}`
  return phrase`${notice} If you have it, remove it. ${gone}. ${versions}.`
}

const describeGone = ({ source }: Skill): Phrase | undefined => {
  if (source.kind === 'own' || source.status !== 'gone') return undefined
  // An update that finds no change writes no day, so the day on which it was last seen is not known.
  return phrase`${inStrong('Its source is gone.')} It was missing on ${source.checked}; the registry no longer lists this skill. The download still works, but its SKILL.md is written from the catalog’s data.`
}

const describeDeprecated = ({ deprecated }: Skill): Phrase | undefined => {
  if (!deprecated) return undefined
  const { since, reason, use } = deprecated
  const why = reason === undefined ? '' : phrase` ${endSentence(reason)}`
  const next = use === undefined ? '' : phrase` Use ${linked(use, skillPath(use))} instead.`
  return phrase`${inStrong(`Deprecated since ${since}.`)}${why}${next}`
}

const describeAbsence = (skill: Skill): Phrase | undefined => {
  const { source } = skill
  if (hasText(skill) || source.kind === 'own') return undefined
  const place = linked('the author’s folder', source.url)
  return phrase`${inStrong('The registry has no copy of its text.')} Read it in ${place}. This page shows what the catalog knows.`
}
