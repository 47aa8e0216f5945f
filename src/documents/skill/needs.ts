import { LISTING_BUDGETS, costInListing, estimateTokens } from '../../catalog/tokens.ts'
import type { Needs } from '../../catalog/needs/found.ts'
import type { Skill } from '../../catalog/skill.ts'
import { revealHidden, showNumber } from '../../catalog/text.ts'
import type { FileAddress } from '../answered/file.ts'
import { showSize } from './facts.ts'
import { skillPath } from '../paths.ts'
import { codeSpan, joinBlocks, link, list, md } from '../prose/md.ts'
import type { Markdown } from '../prose/md.ts'

/** Most names of one kind that are shown; how many more there are is said. */
const SHOWN_NAMES = 20
/** Characters that are shown of a name; a stranger may write longer ones. */
const NAME_LIMIT = 160
/** Share of a client's budget above which a description is worth a sentence. */
const LARGE_SHARE = 1 / 20

/** Makes a stranger's words one line in which everything is seen. */
export const showLine = (text: string): string =>
  revealHidden(text.toWellFormed())
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** A name that a stranger wrote, as a line that is not too long. */
export const showName = (text: string): string => {
  const line = showLine(text)
  return line.length > NAME_LIMIT ? `${line.slice(0, NAME_LIMIT).toWellFormed()}…` : line
}

/** A list of names behind its label; none where there are no names. */
const row = <Thing>(
  label: string,
  things: readonly Thing[],
  write: (thing: Thing) => Markdown,
): Markdown[] => {
  if (things.length === 0) return []
  const shown = things.slice(0, SHOWN_NAMES)
  const names = shown.map((thing, at) => md`${at > 0 ? ', ' : ''}${write(thing)}`)
  const rest = things.length > shown.length ? ` and ${things.length - shown.length} more` : ''
  return [md`**${label}**: ${names}${rest}`]
}

const asCode = (name: string): Markdown => codeSpan(showName(name))

/** What the files name, in the order of the page. */
export const NAMED_NEEDS: readonly (readonly [kind: keyof Needs, label: string])[] = [
  ['commands', 'Commands'],
  ['packages', 'Packages'],
  ['variables', 'Environment variables'],
  ['hosts', 'Hosts that commands call'],
  ['servers', 'MCP servers'],
]

const roundRoughly = (count: number): string => showNumber(Number(count.toPrecision(2)))

/** Says how much of a client's listing a description takes, where that is much. */
const writeShare = (skill: Skill): Markdown => {
  const shareOf = (budget: (typeof LISTING_BUDGETS)[number]): number =>
    costInListing(skill, budget) / budget.all
  const most = LISTING_BUDGETS.toSorted((a, b) => shareOf(b) - shareOf(a))[0]!
  const share = shareOf(most)
  if (share <= LARGE_SHARE) return md``
  const part = `${Math.round(share * 100)} % of the ${showNumber(most.all)} ${most.unit}`
  return md` Its description takes ${part} that ${link(most.client, most.source)} keeps for the descriptions of all skills.`
}

/** What it costs of a model's context to have the skill, and to use it. */
const writeCost = (skill: Skill): Markdown => {
  const { name, description, startedBy, tokens } = skill
  const used = tokens === undefined ? '' : ` Loaded on use: ${showNumber(tokens)}.`
  if (startedBy === 'user')
    return md`In your agent’s list of skills: 0 tokens, since only you start it.${used}`
  const always = roundRoughly(estimateTokens(`${name}: ${description}`))
  return md`Always loaded: ${always} tokens.${used}${writeShare(skill)}`
}

/** A shell without limits, however it is asked for. */
const ANY_COMMAND = /^(?:Bash|Shell|PowerShell)(?:\(\s?(?:\*|:\*|\*:\*)?\s?\))?$/i

/** What the section shows beside the skill. */
interface NeedsInput {
  /** The other skills of the catalog that its text names. */
  mentioned: readonly Pick<Skill, 'slug' | 'name'>[]
  addressOf: FileAddress
  /** The last row. */
  last?: Markdown | undefined
}

/**
 * Writes "What it brings and needs": what its context costs, and what can be read off its files. Of a skill whose
 * text is not passed on nothing is known but its name and description.
 */
export const writeNeeds = (skill: Skill, { mentioned, addressOf, last }: NeedsInput): Markdown => {
  const { needs, files } = skill
  if (files.length === 0) return writeCost(skill)
  const rows = [
    ...row('Referenced but not included', needs?.missing ?? [], asCode),
    ...row('Files', files, ({ path, size }) => {
      return md`${link(showName(path), addressOf(path))} (${showSize(size)})`
    }),
    ...NAMED_NEEDS.flatMap(([kind, label]) => row(label, needs?.[kind] ?? [], asCode)),
    ...row('Declared tools', needs?.tools ?? [], (tool) => {
      return md`${asCode(tool)}${ANY_COMMAND.test(tool) ? ' (any command)' : ''}`
    }),
    ...row('Other skills', mentioned, ({ slug, name }) => link(showName(name), skillPath(slug))),
    ...(last ? [last] : []),
  ]
  return joinBlocks([writeCost(skill), list(rows)])
}
