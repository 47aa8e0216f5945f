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
export const writeContact = (skill: Skill, site: SkillPageSite, version?: string): Markdown => {
  const requests = REQUESTS.flatMap(([ask, words, title, body]) => {
    const address = reportAddress(skill, site, title, body, version)
    return address === undefined ? [] : md`${ask} ${link(words, address)}.`
  })
  return joinWords(requests, ' ')
}

/** Longest licence in a label, in characters. */
const LICENCE_SHOWN = 40

/** Returns the licence as the author states it, in full and shortened for the label; undefined if none is stated. */
export const readLicenceWords = ({
  licence,
  licenceWords = licence,
}: Skill): { short: Markdown; whole: string; isCut: boolean } | undefined => {
  if (licenceWords === undefined) return undefined
  const short = truncateAtWord(licenceWords, LICENCE_SHOWN)
  // An unknown licence is in quotation marks: its text is the author's, and could look like a statement of ours.
  const shown = licence === OTHER_LICENCE ? md`“${short}”` : md`${short}`
  return { short: shown, whole: licenceWords, isCut: short !== licenceWords }
}

/** Names a source by host and repository, such as `github.com/ann/skills`. */
const nameSource = (url: string): string => {
  const { host, pathname } = new URL(readAddress(url).repository ?? url)
  return `${host}${pathname}`.replace(/\/$/, '')
}

const SOURCE_LIMIT = 80

const writeSource = ({ source, slug, withdrawn }: Skill): Markdown => {
  // The files of a withdrawn skill answer 410.
  if (source.kind === 'own' && withdrawn) return md`written for this registry`
  if (source.kind === 'own')
    return md`written for this registry, ${link('source', skillFilePath(slug, SKILL_MD))}`
  const state = {
    alive: `, seen ${source.seen}`,
    gone: ', gone',
  }[source.status]
  return md`${link(truncateAtWord(nameSource(source.url), SOURCE_LIMIT), source.url)}${state}`
}

/** Returns the name and address of a skill's owner; undefined if it has none. */
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

/** Writes the author, source, category, owner and counters of a skill. */
export const writeByline = (skill: Skill, { isCounted }: SkillPageSite): Markdown[] => {
  const { author, category, installs, views, visibility } = skill
  const name = md`**${author}**`
  return [
    // The author of a gone skill may have no page.
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
  md`**A copy of** ${link(name, skillPath(slug))}. The two are nearly identical.`

/** Returns the most important notice for the top of the page; undefined if there is none. */
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
  const versions = link('All versions', versionListPath(slug))
  const gone =
    'The registry no longer serves this version. It will list the skill again with the next version'
  const advisory = link(withdrawn.id, PATHS.advisories)
  const notice = md`**Withdrawn on ${withdrawn.published}** (${advisory}): ${withdrawn.summary}`
  return md`${notice} If you have it, remove it. ${gone}. ${versions}.`
}

const describeGone = ({ source }: Skill): Markdown | undefined => {
  if (source.kind === 'own' || source.status !== 'gone') return undefined
  // An update that finds no change writes no day, so the day on which it was last seen is not known.
  return md`**Its source is gone.** It was missing on ${source.checked}; the registry no longer lists this skill. The download still works, but its SKILL.md is written from the catalog’s data.`
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
  const place = link('the author’s folder', source.url)
  return md`**The registry has no copy of its text.** Read it in ${place}. This page shows what the catalog knows.`
}
