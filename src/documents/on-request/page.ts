import type { Document, Choices, Entry, Section } from '../document.ts'
import { renderTwin } from '../prose/markdown.ts'
import { fillTemplate } from '../template.ts'
import type { Template } from '../template.ts'
import { viewDocument } from '../view.ts'
import type { ListedSkill, SkillCard } from '../../catalog/skill.ts'
import type { SiteFrame } from '../view.ts'
import { skillEntry } from '../lists/entries.ts'
import { PATHS, skillPath } from '../paths.ts'
import { renderSearch } from '../lists/search-form.ts'
import { link } from '../prose/md.ts'
import type { Phrase } from '../prose/phrases.ts'
import { NO_WORDS, inCode, linked, bullets, phrase } from '../prose/phrases.ts'

/** Kinds of pages that the function renders on request. */
export const ON_REQUEST_KINDS = ['search', 'file', 'article'] as const

export type OnRequestKind = (typeof ON_REQUEST_KINDS)[number]

/** A page that the function renders on request. */
export type OnRequestDocument = Document & { kind: OnRequestKind }

/** The data and templates that the build writes for the function to render pages. */
export interface OnRequestSite extends Omit<SiteFrame, 'origin'> {
  choices: Choices
  templates: Readonly<Record<OnRequestKind, Template>>
}

/** Renders a page as Markdown, or as HTML with the template for its kind. */
export const printOnRequest = (
  document: OnRequestDocument,
  form: 'html' | 'markdown',
  origin: string,
  { templates, ...site }: OnRequestSite,
): string =>
  form === 'markdown'
    ? renderTwin(document)
    : fillTemplate(templates[document.kind], viewDocument(document, { ...site, origin }))

const NEXT_STEPS: Section = {
  id: 'where-to-go',
  heading: 'Where to go',
  ...bullets([linked('Search the skills', PATHS.skills), linked('Home', PATHS.home)]),
}

export const writeMissingDocument = (siteName: string): Document & { kind: 'article' } => ({
  kind: 'article',
  path: PATHS.notFound,
  heading: 'Page not found',
  lead: phrase`No page has this address. It may be mistyped, or the skill was never listed.`,
  description: `No page of ${siteName} has this address.`,
  updated: '',
  isUnindexed: true,
  sections: [NEXT_STEPS],
})

/** A moved skill: its old slug, and the new slug `to`. */
interface Move {
  slug: string
  to: string
}

const moveEntry = ({ slug, to }: Move): Entry => ({
  title: to,
  path: skillPath(to),
  text: `Formerly ${slug}.`,
  facts: [],
})

/** Pages quote at most this many characters of a name in an address. Every slug is shorter. */
export const SHOWN_NAME = 100

const describeUnknown = (slug: string, removal: string | undefined, isNearAny: boolean): Phrase => {
  if (removal !== undefined) {
    const skill = phrase`The skill ${inCode(slug)} was removed from the catalog`
    return removal === '' ? phrase`${skill}.` : phrase`${skill}: ${removal}`
  }
  const address = inCode(skillPath(slug.slice(0, SHOWN_NAME)))
  return isNearAny
    ? phrase`${address} is near these names:`
    : phrase`${address} may be mistyped, or the skill was never listed.`
}

/** Writes a search field with the words of an address. */
const writeSearch = (slug: string): Section => {
  const q = slug
    .slice(0, SHOWN_NAME)
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')
    .trim()
  const path = q === '' ? PATHS.skills : `${PATHS.skills}?${new URLSearchParams({ q })}`
  return {
    id: 'search',
    markdown: link(q === '' ? 'Search the skills' : `Search for “${q}”`, path),
    html: renderSearch(q),
  }
}

/**
 * Writes the 404 page of an address below /skills, with similar slugs. `removal` is why the skill was removed; it can
 * be empty.
 */
export const writeUnknownSkill = (
  siteName: string,
  slug: string,
  { skills, moves }: { skills: readonly (ListedSkill & SkillCard)[]; moves: readonly Move[] },
  removal: string | undefined,
): OnRequestDocument => {
  const entries = [...moves.map(moveEntry), ...skills.map(skillEntry)]
  const heading = removal === undefined ? {} : { heading: 'Similar skills' }
  return {
    ...writeMissingDocument(siteName),
    heading: removal === undefined ? 'No skill has this address' : 'Skill removed',
    lead: describeUnknown(slug, removal, entries.length > 0),
    sections: [
      ...(entries.length > 0 ? [{ id: 'nearest', ...heading, ...NO_WORDS, entries }] : []),
      writeSearch(slug),
    ],
  }
}
