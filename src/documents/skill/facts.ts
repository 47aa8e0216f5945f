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
import { joinWords, link, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'

/** Settings of the site that a skill's page needs. */
export interface SkillPageSite {
  /** Origin of every absolute address. */
  origin: string
  /** Whether only files are served, so that no file of a skill has a page. */
  isStatic?: boolean
  /** Whether a login may stand in front. */
  isPrivate?: boolean | undefined
  /** Address of a form or an issue tracker, from `site.json`. */
  contact?: string | undefined
  /** Whether the catalog has counters; otherwise no page shows any. */
  isCounted: boolean
  /** Whether versions of skills have addresses. */
  hasVersions?: true | undefined
}

/**
 * The address for writing to the curators about a skill, with a title and the beginning of the text filled in;
 * undefined if the site has no contact.
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

/** Requests to the curators: the question of a reader, the words of the link, and the beginning of the text. */
const REQUESTS = [
  ['Something wrong here?', 'Report this skill', 'Report', 'What is wrong with this listing:'],
  [
    'Is it yours?',
    'Correct, move or remove it',
    'My skill',
    'I am its author. Please (correct what is derived, move it to another address, or remove it):',
  ],
] as const

/** Asks readers and the author to write to the curators; empty if the site has no contact. */
export const writeContact = (skill: Skill, site: SkillPageSite, version?: string): Markdown => {
  const requests = REQUESTS.flatMap(([ask, words, title, body]) => {
    const address = reportAddress(skill, site, title, body, version)
    return address === undefined ? [] : md`${ask} ${link(words, address)}.`
  })
  return joinWords(requests, ' ')
}

/** Longest licence shown in the label, in characters. */
const LICENCE_SHOWN = 40

/** A licence as its author states it, whole and as the label has room for it. */
export const readLicenceWords = ({
  licence,
  licenceWords = licence,
}: Skill): { short: Markdown; whole: string; isCut: boolean } | undefined => {
  if (licenceWords === undefined) return undefined
  const short = truncateAtWord(licenceWords, LICENCE_SHOWN)
  // Words that are no known name are its author's, and could say anything in our place.
  const shown = licence === OTHER_LICENCE ? md`“${short}”` : md`${short}`
  return { short: shown, whole: licenceWords, isCut: short !== licenceWords }
}

/** The host and the repository of an address, as readers know it. */
const nameSource = (url: string): string => {
  const { host, pathname } = new URL(readAddress(url).repository ?? url)
  return `${host}${pathname}`.replace(/\/$/, '')
}

const SOURCE_LIMIT = 80

const writeSource = ({ source, slug }: Skill): Markdown => {
  if (source.kind === 'own')
    return md`written for this registry, ${link('its source', skillFilePath(slug, SKILL_MD))}`
  const via = source.via === undefined ? '' : ` from ${new URL(source.via).host}`
  const state = {
    alive: `, seen ${source.seen ?? source.checked}`,
    copied: `, copied${via} on ${source.checked}`,
    gone: ', gone',
    untraced: ', never seen alive',
  }[source.status]
  return md`${link(truncateAtWord(nameSource(source.url), SOURCE_LIMIT), source.url)}${state}`
}

/** The name of who looks after a skill, and where to find them. */
export const readOwner = ({
  owner,
}: Pick<Skill, 'owner'>): { name: string; url?: string | undefined } | undefined =>
  typeof owner === 'string' ? { name: owner } : owner

const writeOwner = (skill: Skill): Markdown[] => {
  const owner = readOwner(skill)
  if (!owner) return []
  const name = owner.url === undefined ? md`${owner.name}` : link(owner.name, owner.url)
  return [md`owned by ${name}`]
}

/** Whose skill it is, where it comes from, and what it is about. */
export const writeByline = (skill: Skill, { isCounted }: SkillPageSite): Markdown[] => {
  const { author, category, installs, views, visibility } = skill
  const name = md`**${author}**`
  return [
    // An author whose skills are all gone has no page.
    md`by ${visibility === 'gone' ? name : link(name, authorPath(author))}`,
    writeSource(skill),
    md`in ${link(category, categoryPath(category))}`,
    ...writeOwner(skill),
    ...(isCounted ? [md`${showCount(installs)} installs, ${showCount(views)} views`] : []),
  ]
}

/** Formats a size in bytes: `812 bytes`, `4.1 KiB`. */
export const showSize = (bytes: number): string =>
  bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`

type NamedSkill = Pick<Skill, 'slug' | 'name'>

const describeCopy = ({ slug, name }: NamedSkill): Markdown =>
  md`**A copy of** ${link(name, skillPath(slug))}. The two say nearly the same.`

/** The notice on top of the page, for the most important reason. */
export const describeNotice = (
  skill: Skill,
  original: NamedSkill | undefined,
): Markdown | undefined =>
  describeWithdrawn(skill) ??
  describeGone(skill) ??
  describeAbsence(skill) ??
  describeDeprecated(skill) ??
  (original && describeCopy(original))

const describeWithdrawn = ({ slug, withdrawn }: Skill): Markdown | undefined => {
  if (!withdrawn) return undefined
  const versions = link('its versions', versionListPath(slug))
  const gone =
    'The registry no longer serves this version, and lists the skill again with its next one'
  const advisory = link(withdrawn.id, PATHS.advisories)
  const notice = md`**Withdrawn on ${withdrawn.published}** (${advisory}): ${withdrawn.summary}`
  return md`${notice} If you have it, remove it. ${gone}; ${versions}.`
}

const describeGone = ({ source }: Skill): Markdown | undefined => {
  if (source.kind === 'own' || source.status !== 'gone') return undefined
  // The day of the check that found it gone is not the day it was last seen.
  const seen = source.seen
    ? `It was last seen on ${source.seen}`
    : `The check of ${source.checked} did not find it`
  return md`**Its source is gone.** ${seen}; the registry no longer lists this skill. The download still works, with a SKILL.md synthesized from what the catalog knows.`
}

const describeDeprecated = ({ deprecated }: Skill): Markdown | undefined => {
  if (!deprecated) return undefined
  const { since, reason, use } = deprecated
  const why = reason === undefined ? '' : md` ${endSentence(reason)}`
  const next = use === undefined ? '' : md` Use ${link(use, skillPath(use))} instead.`
  return md`**Deprecated since ${since}.**${why}${next}`
}

const describeAbsence = (skill: Skill): Markdown | undefined => {
  const { source } = skill
  if (hasText(skill) || source.kind === 'own') return undefined
  const place = link('its folder upstream', source.url)
  return md`**Its text is not here.** Read it in ${place}; this page has what the catalog knows.`
}
