import type { RootContent } from 'mdast'
import type { SkillFacts } from '../catalog/skill.ts'
import { foldLine, splitSentences, truncateAtWord } from '../catalog/text.ts'
import { describeSafety, showCount } from './entries.ts'
import type { SkillPageSite } from './facts.ts'
import { skillPath } from './paths.ts'
import { joinWords, linkTo, paragraph, strong, tableOf } from './tree.ts'
import type { Words } from './tree.ts'

/** Most other skills in a comparison table, and in each line below it. */
export const COMPARED_SKILLS = 4

type NamedSkill = Pick<SkillFacts, 'slug' | 'name' | 'author'>

/** A row of the table. */
type ComparedSkill = NamedSkill &
  Pick<SkillFacts, 'installs' | 'updated' | 'safety' | 'tokens' | 'noted' | 'difficulty'> & {
    /** What it does, in a few words; may be empty. */
    gist: string
  }

/** The skills that a page compares its skill with. */
export interface Comparison {
  /** Skills that do the same, nearest first. */
  alternatives: readonly ComparedSkill[]
  /** Skills that complement it, nearest first. */
  together: readonly NamedSkill[]
  /** Its first copies. */
  copies: readonly NamedSkill[]
  /** Number of all its copies. */
  copyCount: number
}

/** Longest gist, in characters. */
const GIST = 60

/** Shortest clause that is informative by itself, in characters. */
const CLAUSE = 20

/** Introductory phrases of descriptions that carry no information. */
const PREAMBLE =
  /^(?:(?:always )?use (?:this|it|the skill)?\s?(?:skill )?(?:when|whenever|if)(?: the user (?:wants|asks|needs) to| you (?:want|need) to)?|this skill should be used (?:when|whenever|if)(?: the user (?:wants|asks|needs) to)?|when the user (?:wants|asks|needs) to|(?:this|the|a) skill (?:that )?)\s+/i

/** The end of a clause: a comma, colon, semicolon or dash, or an opening parenthesis. */
const CLAUSE_END = /[,;:，；：](?=\s|\P{ASCII})|\s[-–—(]|（/gu

const isClosed = (text: string): boolean =>
  text.lastIndexOf('(') <= text.lastIndexOf(')') && text.lastIndexOf('（') <= text.lastIndexOf('）')

/** Returns the first clause of the first sentence, shortened to `GIST` characters. */
const gistOf = (text: string): string => {
  const [sentence = ''] = splitSentences(text)
  const whole = sentence.replace(PREAMBLE, '').replace(/[.!?。！？…]+$/u, '')
  if (whole.length <= GIST) return whole
  const ends = Array.from(whole.matchAll(CLAUSE_END), ({ index }) => index)
  const end = ends.findLast((at) => at >= CLAUSE && at <= GIST && isClosed(whole.slice(0, at)))
  return end === undefined ? truncateAtWord(whole, GIST) : whole.slice(0, end).trim()
}

/** Strips the markup from a line of Markdown. */
const dropMarks = (markdown: string): string =>
  markdown.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1').replace(/[*`]/g, '')

/** The fields by which other pages name a skill. */
export const toNamed = ({ slug, name, author }: SkillFacts): NamedSkill => ({ slug, name, author })

export const toCompared = (facts: SkillFacts): ComparedSkill => ({
  ...toNamed(facts),
  installs: facts.installs,
  updated: facts.updated,
  safety: facts.safety,
  tokens: facts.tokens,
  noted: facts.noted,
  difficulty: facts.difficulty,
  gist: gistOf(dropMarks(facts.summary)),
})

const COMPARED = ['Skill', 'Installs', 'Updated', 'Safety', 'Difficulty']

/** Makes a function that names a skill, with its author if several of the skills share the name. */
const createNaming = (skills: readonly NamedSkill[]): ((skill: NamedSkill) => string) => {
  const counts = new Map<string, number>()
  for (const { name } of skills)
    counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1)
  return ({ name, author }) => ((counts.get(name.toLowerCase()) ?? 0) > 1 ? ` by ${author}` : '')
}

const listNamed = (
  title: string,
  skills: readonly NamedSkill[],
  more: number,
  nameAuthor: (skill: NamedSkill) => string,
): RootContent[] => {
  if (skills.length === 0) return []
  const names = joinWords(skills, (one) => [
    linkTo(foldLine(one.name), skillPath(one.slug)),
    ...[nameAuthor(one)].filter(Boolean),
  ])
  const rest = more > 0 ? [` and ${more} more`] : []
  return [paragraph(`${title}: `, ...names, ...rest)]
}

const describeNearest = ({ alternatives }: Comparison): string =>
  alternatives.length > 0
    ? 'Beside the skills of the catalog that may serve instead, nearest first, as the words of names, descriptions and headings tell:'
    : 'No alternative to it was found in the catalog by the words of names, descriptions and headings; one told in other words may be missed.'

type OwnRow = NamedSkill & Omit<ComparedSkill, 'gist'>

/** The section "How it compares": a table of this skill and its alternatives, then related skills and copies. */
export const writeComparison = (
  skill: OwnRow,
  comparison: Comparison,
  { isCounted }: Pick<SkillPageSite, 'isCounted'>,
): RootContent[] => {
  const { alternatives, together, copies, copyCount } = comparison
  const nameAuthor = createNaming([skill, ...alternatives, ...together, ...copies])
  const factsOfRow = (one: OwnRow): Words[] => [
    [isCounted ? showCount(one.installs) : '–'],
    [one.updated === undefined ? 'not known' : one.updated],
    [describeSafety(one)],
    [one.difficulty],
  ]
  const own: Words = [strong(foldLine(skill.name)), `${nameAuthor(skill)} (this skill)`]
  const rows = alternatives.map((one) => {
    const more = nameAuthor(one) + (one.gist === '' ? '' : `: ${one.gist}`)
    const link = linkTo(foldLine(one.name), skillPath(one.slug))
    const cell: Words = more === '' ? [link] : [link, more]
    return [cell].concat(factsOfRow(one))
  })
  return [
    paragraph(describeNearest(comparison)),
    tableOf(
      [COMPARED.map((name) => [name]), [own, ...factsOfRow(skill)], ...rows],
      [null, 'right', null, null, null],
    ),
    ...listNamed('Goes with', together, 0, nameAuthor),
    ...listNamed('Copies of it', copies, copyCount - copies.length, nameAuthor),
  ]
}
