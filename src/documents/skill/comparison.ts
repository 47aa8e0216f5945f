import type { Need } from '../../catalog/needs/found.ts'
import type { Skill, SkillFacts } from '../../catalog/skill.ts'
import {
  dropPreamble,
  foldLine,
  isAscii,
  showNumber,
  splitSentences,
  stripMarks,
  truncateAtClause,
} from '../../catalog/text.ts'
import { describeSafety, showCount } from '../lists/entries.ts'
import type { SkillPageSite } from './facts.ts'
import { html } from '../prose/markup.ts'
import type { Html } from '../prose/markup.ts'
import { link, md, table } from '../prose/md.ts'
import { joinPhrases, linked, phrase } from '../prose/phrases.ts'
import type { Phrase } from '../prose/phrases.ts'
import { skillPath } from '../paths.ts'
import { showName } from './words.ts'

/** A comparison table has at most this many other skills. */
export const COMPARED_SKILLS = 5

/** Picks the skills of the table from the neighbours, closest first: one at least by another author, if one is near. */
export const pickCompared = <Near extends { author: string }>(
  near: readonly Near[],
  author: string,
): Near[] => {
  const others = near.slice(COMPARED_SKILLS - 1).filter((skill) => skill.author !== author)
  const first = near.slice(0, COMPARED_SKILLS)
  return first.some((skill) => skill.author !== author) || others.length === 0
    ? first
    : [...first.slice(0, -1), others[0]!]
}

type NamedSkill = Pick<SkillFacts, 'slug' | 'name' | 'author'>

/** A row of the table. */
type ComparedSkill = NamedSkill &
  Pick<SkillFacts, 'installs' | 'updated' | 'safety' | 'tokens' | 'difficulty'> & {
    /** What the skill does, in a few words. */
    task: string
    /** The first commands, and the number of the others. */
    runs: string
    /** Number of keys and logins; empty if there are none. */
    keys: string
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

/** A cell has at most this many commands. */
const RUNS_SHOWN = 2

const describeRuns = (commands: readonly Need[]): string => {
  const others = commands.length - RUNS_SHOWN
  const names = commands.slice(0, RUNS_SHOWN).map(({ name }) => showName(name))
  return `${names.join(', ')}${others > 0 ? ` +${others}` : ''}`
}

export const toCompared = (facts: SkillFacts & Pick<Skill, 'needs'>): ComparedSkill => ({
  ...toNamed(facts),
  installs: facts.installs,
  updated: facts.updated,
  safety: facts.safety,
  tokens: facts.tokens,
  difficulty: facts.difficulty,
  task: taskOf(stripMarks(facts.summary)),
  runs: describeRuns(facts.needs?.commands ?? []),
  keys: String(facts.needs?.accounts.length || ''),
})

/** The other skills that the page of a skill shows for comparison. */
export interface Comparison {
  /** The most similar skills, closest first. */
  neighbours: readonly ComparedSkill[]
  /** The first copies of the skill. */
  copies: readonly NamedSkill[]
  /** Number of all copies. */
  copyCount: number
}

/** A column of the table. Columns after the contract's are shown only if the skills differ in them. */
interface Column {
  name: string
  isNumber?: true
  isExtra?: true
  read: (row: ComparedSkill, isCounted: boolean) => string
}

const COLUMNS: readonly Column[] = [
  {
    name: 'Installs',
    isNumber: true,
    read: ({ installs }, isCounted) => (isCounted ? showCount(installs) : '–'),
  },
  { name: 'Updated', read: ({ updated }) => updated ?? 'not known' },
  { name: 'Safety', read: describeSafety },
  { name: 'Difficulty', read: ({ difficulty }) => difficulty },
  { name: 'Runs', isExtra: true, read: ({ runs }) => runs },
  { name: 'Keys', isExtra: true, isNumber: true, read: ({ keys }) => keys },
  {
    name: 'Tokens',
    isExtra: true,
    isNumber: true,
    read: ({ tokens }) => (tokens === undefined ? '' : showNumber(tokens)),
  },
]

/** Names a skill of the table, and says what it does. */
const describeRow = ({ slug, name, author, task }: ComparedSkill): Phrase => {
  const words = ` by ${author}${task === '' ? '' : `: ${task}`}`
  const label = foldLine(name)
  return {
    markdown: md`${link(label, skillPath(slug))}${words}`,
    html: html`<a href="${skillPath(slug)}" dir="auto">${label}</a> <small>${words.trim()}</small>`,
  }
}

const describeOwn = ({ name }: ComparedSkill): Phrase => ({
  markdown: md`**${foldLine(name)}** (this skill)`,
  html: html`<b dir="auto">${foldLine(name)}</b> <small>this skill</small>`,
})

/** Writes the section "How it compares": a table of this skill and the most similar ones; undefined if there are none. */
export const writeComparison = (
  own: Parameters<typeof toCompared>[0],
  { neighbours }: Comparison,
  { isCounted }: Pick<SkillPageSite, 'isCounted'>,
): Phrase | undefined => {
  if (neighbours.length === 0) return undefined
  const skills = [toCompared(own), ...neighbours]
  const columns = COLUMNS.map((column) =>
    Object.assign({ cells: skills.map((skill) => column.read(skill, isCounted)) }, column),
  ).filter(({ isExtra, cells }) => !isExtra || new Set(cells).size > 1)
  const names = skills.map((skill, row) => (row === 0 ? describeOwn : describeRow)(skill))
  const renderCell = ({ name, isNumber, cells }: (typeof columns)[number], row: number): Html => {
    const cell = cells[row]!
    const classes = [
      isNumber && 'right',
      row > 0 && cell === cells[0] && 'same',
      /^–?$/.test(cell) && 'empty',
    ]
    return html`<td class="${classes.filter(Boolean).join(' ')}" data-key="${name}">${cell}</td> `
  }
  const header = columns.map(
    ({ name, isNumber }) => html`<th scope="col" class="${isNumber ? 'right' : ''}">${name}</th> `,
  )
  return {
    markdown: table(
      ['Skill', ...columns.map(({ name }) => name)],
      names.map(({ markdown }, row) => [markdown, ...columns.map(({ cells }) => cells[row]!)]),
      [undefined, ...columns.map(({ isNumber }) => isNumber && ('right' as const))],
    ),
    html: html`<table class="compare">
      <thead>
        <tr>
          <th scope="col">Skill</th>
          ${header}
        </tr>
      </thead>
      <tbody>
        ${names.map(
          (name, row) =>
            html`<tr>
              <th scope="row">${name.html}</th>
              ${columns.map((column) => renderCell(column, row))}
            </tr> `,
        )}
      </tbody>
    </table> `,
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
