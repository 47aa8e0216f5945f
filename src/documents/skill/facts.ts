import { hasText } from '../../catalog/skill.ts'
import type { Skill, SkillZip } from '../../catalog/skill.ts'
import { truncateAtWord } from '../../catalog/text.ts'
import type { Document, Fact } from '../document.ts'
import { describeSafety, showCount } from '../lists/entries.ts'
import { PATHS, authorPath, categoryPath, skillPath, versionListPath } from '../paths.ts'
import { link, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'

/** Settings of the site that a skill's page needs. */
export interface SkillPageSite {
  /** Origin of every absolute address. */
  origin: string
  /** Whether only files are served, so that no file of a skill has a page. */
  isStatic?: boolean
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
export const contactAddress = (
  { slug }: Pick<Skill, 'slug'>,
  { contact, origin }: SkillPageSite,
  title: string,
  body: string,
): string | undefined => {
  if (contact === undefined) return undefined
  const address = new URL(contact)
  address.searchParams.set('title', `${title}: ${slug}`)
  address.searchParams.set('body', `${origin}${skillPath(slug)}\n\n${body}`)
  return address.href
}

/** Requests to the curators, each with the beginning of its text. */
const REQUESTS = [
  {
    label: 'Wrong?',
    value: 'Report this',
    title: 'Report',
    body: 'What is wrong with this listing:',
  },
  {
    label: 'Yours?',
    value: 'Correct, move or remove it',
    title: 'My skill',
    body: 'I am its author. Please (correct what is derived, move it to another address, or remove it):',
  },
] as const

const contactFacts = (skill: Skill, site: SkillPageSite): Fact[] =>
  REQUESTS.flatMap(({ label, value, title, body }) => {
    const path = contactAddress(skill, site, title, body)
    return path === undefined ? [] : [{ label, value, path }]
  })

/** Longest licence shown among the main facts, in characters. */
const LICENCE_SHOWN = 40

const licenceFacts = ({ licence, licenceWords }: Skill): { short: Fact; whole: Fact[] } => {
  const words = licenceWords ?? licence ?? 'not stated'
  const value = truncateAtWord(words, LICENCE_SHOWN)
  return {
    short: { label: 'Licence', value },
    whole: value === words ? [] : [{ label: 'Licence, as stated', value: words }],
  }
}

/** The main facts. */
const factsOf = (skill: Skill, licence: Fact): Fact[] => [
  {
    label: 'Author',
    value: skill.author,
    // An author whose skills are all gone has no page.
    ...(skill.visibility === 'gone' ? {} : { path: authorPath(skill.author) }),
  },
  { label: 'Updated', value: skill.updated ?? 'not known' },
  licence,
  { label: 'Size', value: describeSize(skill) },
  {
    label: 'Safety',
    value: describeSafety(skill),
    ...(skill.safety === 'Review' ? { path: '#findings', isWarning: true } : {}),
  },
]

/** Who starts a skill, where it is not both. */
const STARTERS = { user: 'only you', agent: 'only your agent' } as const

const startFacts = ({ startedBy = 'both' }: Skill): Fact[] =>
  startedBy === 'both' ? [] : [{ label: 'Started by', value: STARTERS[startedBy] }]

/** The facts of a skill in two lists, the main ones and the others. */
export const describeFacts = (
  skill: Skill,
  site: SkillPageSite,
  zip?: SkillZip,
): Required<Pick<Document, 'facts' | 'moreFacts'>> => {
  const licence = licenceFacts(skill)
  return {
    facts: factsOf(skill, licence.short),
    moreFacts: [
      // Not among the main facts: each link there adds a Tab before the Copy button.
      { label: 'Category', value: skill.category, path: categoryPath(skill.category) },
      ...startFacts(skill),
      ...licence.whole,
      ...(zip && !skill.withdrawn
        ? [{ label: 'Zip', value: `${showSize(zip.size)}, SHA-256 ${zip.sha256}` }]
        : []),
      ...(site.isCounted
        ? [
            { label: 'Installs', value: showCount(skill.installs) },
            { label: 'Views', value: showCount(skill.views) },
          ]
        : []),
      ...contactFacts(skill, site),
    ],
  }
}

/** Formats a size in bytes: `812 bytes`, `4.1 KiB`. */
export const showSize = (bytes: number): string =>
  bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`

// Creating a formatter costs more than the rest of a row.
const COUNT = new Intl.NumberFormat('en')

export const describeSize = ({ files, tokens }: Skill): string => {
  if (files.length === 0) return 'text not here'
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  const [count, of] = files.length === 1 ? ['', ''] : [`${files.length} files, `, 'SKILL.md ']
  const cost = tokens === undefined ? '' : `, ${of}${COUNT.format(tokens)} tokens`
  return `${count}${showSize(bytes)}${cost}`
}

type NamedSkill = Pick<Skill, 'slug' | 'name'>

const describeCopy = ({ slug, name }: NamedSkill): Markdown =>
  md`**A copy of** ${link(name, skillPath(slug))}. The two say nearly the same.`

/** The notice on top of the page: the skill's source is gone, its text is not here, or it is a copy. */
export const describeNotice = (
  skill: Skill,
  original: NamedSkill | undefined,
): Markdown | undefined =>
  describeWithdrawn(skill) ??
  describeGone(skill) ??
  describeAbsence(skill) ??
  (original && describeCopy(original))

const describeWithdrawn = ({ slug, withdrawn }: Skill): Markdown | undefined =>
  withdrawn &&
  md`**Withdrawn on ${withdrawn.published}** (${link(withdrawn.id, PATHS.advisories)}): ${withdrawn.summary} If you have it, remove it. The registry gives this version out no longer, and lists the skill again with its next one; ${link('its versions', versionListPath(slug))}.`

const describeGone = ({ source }: Skill): Markdown | undefined => {
  if (source.kind === 'own' || source.status !== 'gone') return undefined
  // The day of the check that found it gone is not the day it was last seen.
  const seen = source.seen
    ? `It was last seen on ${source.seen}`
    : `The check of ${source.checked} did not find it`
  return md`**Its source is gone.** ${seen}; the registry lists this skill no longer. The download still works, with a SKILL.md synthesized from what the catalog knows.`
}

const describeAbsence = (skill: Skill): Markdown | undefined => {
  const { source } = skill
  if (hasText(skill) || source.kind === 'own') return undefined
  const place = link('its folder upstream', source.url)
  return md`**Its text is not here.** Read it in ${place}; this page has what the catalog knows.`
}
