import type { SkillFacts } from '../../catalog/skill.ts'
import {
  dropPreamble,
  foldLine,
  isAscii,
  splitSentences,
  stripMarks,
  truncateAtClause,
} from '../../catalog/text.ts'
import { describeSafety, showCount } from '../lists/entries.ts'
import type { SkillPageSite } from './facts.ts'
import type { Section } from '../document.ts'
import { EMPTY_HTML, html, joinHtml } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { joinBlocks, link, md, table } from '../prose/md.ts'
import { joinPhrases, linked, phrase } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'
import { skillPath } from '../paths.ts'

/** A comparison table has at most this many other skills. */
export const COMPARED_SKILLS = 5

type NamedSkill = Pick<SkillFacts, 'slug' | 'name' | 'author'>

type Row = NamedSkill &
  Pick<SkillFacts, 'installs' | 'updated' | 'safety' | 'tokens' | 'difficulty'>

/** A row of the table. `task` says what the skill does in a few words. */
interface ComparedSkill extends Row {
  task: string
}

/** Longest task, in characters. */
const TASK_LIMIT = 60

/** Shortest informative sentence, in characters. “Framework (OSS).” says too little. */
const SHORTEST_TASK = 20

const isInformative = (sentence: string): boolean =>
  sentence.length >= SHORTEST_TASK || !isAscii(sentence)

/** Returns the first informative sentence, shortened to `TASK_LIMIT` characters. */
const taskOf = (text: string): string => {
  const sentences = splitSentences(text)
  const sentence = sentences.find(isInformative) ?? sentences[0] ?? ''
  const whole = dropPreamble(sentence).replace(/[.!?。！？…]+$/u, '')
  return truncateAtClause(whole, TASK_LIMIT)
}

/** Picks the fields that other pages need to name a skill. */
export const toNamed = ({ slug, name, author }: SkillFacts): NamedSkill => ({ slug, name, author })

export const toCompared = (facts: SkillFacts): ComparedSkill => ({
  ...toNamed(facts),
  installs: facts.installs,
  updated: facts.updated,
  safety: facts.safety,
  tokens: facts.tokens,
  difficulty: facts.difficulty,
  task: taskOf(stripMarks(facts.summary)),
})

/** The other skills that the page of a skill shows for comparison. */
export interface Comparison {
  /** The most similar skills, closest first. */
  nearest: readonly ComparedSkill[]
  /** The first copies of the skill. */
  copies: readonly NamedSkill[]
  /** Number of all copies. */
  copyCount: number
}

const HEADER = ['Skill', 'Installs', 'Updated', 'Safety', 'Difficulty']

/** Creates a function that returns ` by <author>` for a name that several of the skills share, else an empty string. */
const createAuthorSuffix = (skills: readonly NamedSkill[]): ((skill: NamedSkill) => string) => {
  const byName = Map.groupBy(skills, ({ name }) => name.toLowerCase())
  return ({ name, author }) => {
    const isShared = (byName.get(name.toLowerCase())?.length ?? 0) > 1
    return isShared ? ` by ${author}` : ''
  }
}

const renderCell = (words: Html | string): Html => html`<td>${words}</td>`

const renderRow = (name: Html, task: string, facts: readonly string[]): Html =>
  html`<tr>
    <th scope="row">${name} <small>${task}</small></th>
    ${facts.map(renderCell)}
  </tr> `

const renderTable = (rows: readonly Html[]): Html =>
  html`<table class="compare">
    <thead>
      <tr>
        ${HEADER.map((words) => html`<th scope="col">${words}</th> `)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table> `

/** Writes the section "How it compares": a table of this skill and the most similar ones. */
export const writeComparison = (
  skill: Row,
  { nearest }: Comparison,
  { isCounted }: Pick<SkillPageSite, 'isCounted'>,
): Pick<Section, 'markdown' | 'html'> => {
  const authorOf = createAuthorSuffix([skill, ...nearest])
  const factsOf = (row: Row): string[] => [
    isCounted ? showCount(row.installs) : '–',
    row.updated ?? 'not known',
    describeSafety(row),
    row.difficulty,
  ]
  const rows = nearest.map((other) => {
    const task = other.task === '' ? md`` : md`: ${other.task}`
    const name = link(foldLine(other.name), skillPath(other.slug))
    return [md`${name}${authorOf(other)}${task}`, ...factsOf(other)]
  })
  const first = [md`**${foldLine(skill.name)}**${authorOf(skill)} (this skill)`, ...factsOf(skill)]
  const otherRows = nearest.map((other) => {
    const name = html`<a href="${skillPath(other.slug)}" dir="auto">${foldLine(other.name)}</a>`
    return renderRow(html`${name}${authorOf(other)}`, other.task, factsOf(other))
  })
  const nameHere = html`<b dir="auto">${foldLine(skill.name)}</b>${authorOf(skill)}`
  const intro = rows.length > 0 ? 'Similar skills:' : ''
  return {
    markdown: joinBlocks([md`${intro}`, table(HEADER, [first, ...rows], [undefined, 'right'])]),
    html: joinHtml([
      intro === '' ? EMPTY_HTML : html`<p>${intro}</p> `,
      renderTable([renderRow(nameHere, 'this skill', factsOf(skill)), ...otherRows]),
    ]),
  }
}

/** Names the copies of a skill; undefined if there are none. */
export const describeCopies = ({ copies, copyCount }: Comparison): Phrase | undefined => {
  if (copies.length === 0) return undefined
  const names = copies.map(
    ({ slug, author }) => phrase`${linked(slug, skillPath(slug))} by ${author}`,
  )
  return phrase`Copies: ${joinPhrases(names, ', ', copyCount - copies.length)}.`
}
