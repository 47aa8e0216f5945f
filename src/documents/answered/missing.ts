import type { ListedSkill } from '../../catalog/skill.ts'
import type { Document, Entry, Section } from '../document.ts'
import { skillEntry } from '../entries.ts'
import { BLOG_PATH, HOME_PATH, NOT_FOUND_PATH, SKILLS_PATH, skillPath } from '../paths.ts'
import { printBlocks } from '../print.ts'
import { inlineCode, linkTo, listOf } from '../tree.ts'
import type { AnsweredDocument } from './print.ts'

const writeWays = (): Section => {
  const ways = [
    [linkTo('Search the skills', SKILLS_PATH)],
    [linkTo('Home', HOME_PATH)],
    [linkTo('Blog', BLOG_PATH)],
  ]
  const blocks = [listOf(ways)]
  return { id: 'where-to-go', heading: 'Where to go', markdown: printBlocks(blocks), blocks }
}

/** Writes the 404 page. */
export const writeMissingDocument = (siteName: string): Document & { kind: 'missing' } => ({
  kind: 'missing',
  path: NOT_FOUND_PATH,
  heading: 'Page not found',
  lead: ['No page has this address. It may have been mistyped, or the skill was never listed.'],
  description: `No page of ${siteName} has this address.`,
  updated: '',
  isIndexable: false,
  facts: [],
  sections: [writeWays()],
})

/** The old and the new slug of a moved skill. */
interface Move {
  slug: string
  to: string
}

/** Suggestions for an unknown slug. */
export interface NearestSkills {
  skills: readonly ListedSkill[]
  moves: readonly Move[]
}

const moveEntry = ({ slug, to }: Move): Entry => ({
  title: to,
  path: skillPath(to),
  text: `It was ${slug} before it moved.`,
  facts: [],
})

/** Longest name that the page repeats from an address; longer than any slug. */
export const SHOWN_NAME = 100

/** Writes the 404 page of an address below /skills, with suggestions. */
export const writeUnknownSkill = (
  siteName: string,
  slug: string,
  { skills, moves }: NearestSkills,
): AnsweredDocument => {
  const page = writeMissingDocument(siteName)
  const entries = [
    ...moves.map(moveEntry),
    ...skills.map((skill) =>
      skillEntry({ ...skill, summary: skill.description, updated: undefined }),
    ),
  ]
  const nearest: Section[] =
    entries.length > 0
      ? [{ id: 'nearest', heading: 'Nearest skills', markdown: '', blocks: [], entries }]
      : []
  return {
    ...page,
    lead: ['No skill has the address ', inlineCode(skillPath(slug.slice(0, SHOWN_NAME))), '.'],
    sections: [...nearest, ...page.sections],
  }
}
