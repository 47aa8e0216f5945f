import type { Skill } from '../../catalog/skill.ts'
import { hasText } from '../../catalog/skill.ts'
import { endSentence } from '../../catalog/text.ts'
import type { FileAddress } from '../on-request/file.ts'
import { PATHS, skillPath, versionListPath } from '../paths.ts'
import { html } from '../prose/markup.ts'
import { inStrong, linked, paragraphs, phrase } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'
import { describeCopies } from './comparison.ts'
import type { Comparison } from './comparison.ts'
import type { SkillPageSite } from './facts.ts'
import { writeFindings } from './findings.ts'

type NamedSkill = Pick<Skill, 'slug' | 'name'>

const describeCopy = ({ slug, name }: NamedSkill): Phrase =>
  phrase`${inStrong('A copy of')} ${linked(name, skillPath(slug))}. The two are nearly identical.`

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

/** Says that the text names files that are not here. The label names those that were found. */
const describeMissing = ({ needs }: Skill): Phrase | undefined =>
  needs && needs.missing.length > 0
    ? phrase`${inStrong('Not whole.')} Its text names what is not in the copy: see Missing in the label.`
    : undefined

/** What a notice depends on besides the skill itself. */
interface NoticeInput {
  site: SkillPageSite
  addressOf: FileAddress
  /** The original, if the skill is a copy. */
  original: NamedSkill | undefined
  comparison: Comparison
}

/** Returns the most important notice for the top of the page; undefined if there is none. */
export const writeNotice = (
  skill: Skill,
  { site, addressOf, original, comparison }: NoticeInput,
): Phrase | undefined => {
  const first = describeWithdrawn(skill) ?? describeGone(skill) ?? describeAbsence(skill)
  if (!first && skill.safety === 'Review') {
    const { markdown, html: list } = writeFindings(skill, site, addressOf)
    return { markdown, html: html`<div id="findings">${list}</div>` }
  }
  const notice =
    first ??
    describeMissing(skill) ??
    describeDeprecated(skill) ??
    (original ? describeCopy(original) : describeCopies(comparison))
  return notice && paragraphs(notice)
}
