import type { Token, Tokens } from 'marked'
import type { EditorialParts } from '../catalog/skill.ts'
import { escapeMarkdown } from './escape.ts'
import { hostInline } from './guest.ts'
import { printBlocks } from './print.ts'
import type { PrintContext } from './print.ts'

/** The parts of a skill page that an author may write or that are derived from the SKILL.md. */
export type PartName = Exclude<keyof EditorialParts, 'summary'>

/** How a part is found in a SKILL.md, and what is said where it is not there. */
interface PartRule {
  /** Headings that carry it, compared in lower case without numbers, signs and emoji. */
  headings: RegExp
  missing: string
}

/** One row a part; headings are the field's common spellings, the plainest first. */
export const PART_RULES: Record<PartName, PartRule> = {
  activation: {
    headings:
      /^(?:activation|triggers?|trigger (?:phrases|conditions)|when (?:this skill )?(?:activates|triggers))$/,
    missing: 'The author does not state what activates it.',
  },
  capabilities: {
    headings:
      /^(?:(?:key |core |main )?(?:capabilities|features|functions)|what (?:it|this skill|you get|this skill does)(?: does| provides| covers)?|what this does|highlights)$/,
    missing: 'The author does not list capabilities.',
  },
  howItWorks: {
    headings:
      /^(?:how (?:it|this(?: skill)?) works|(?:the |core |main |basic |standard |recommended |default )?(?:workflow|process|procedure|steps|method|approach|pipeline)|instructions|step by step(?: guide| process| workflow)?|how to use(?: this skill)?)$/,
    missing: 'The author does not describe the steps.',
  },
  inputs: {
    headings:
      /^(?:(?:required |expected |user )?inputs?(?: required| needed| format| parameters)?|arguments|parameters|what (?:you|to) (?:give|provide)|information (?:needed|required)|required information|you give it)$/,
    missing: 'The author does not state what to give it.',
  },
  outputs: {
    headings:
      /^(?:(?:expected )?outputs?(?: format| structure| template| files?)?|deliverables?|results?|response format|report format|what you get(?: back)?|you get back)$/,
    missing: 'The author does not state what comes back.',
  },
  whenToUse: {
    headings:
      /^(?:when to use(?: this)?(?: skill)?(?: it)?|use this(?: skill)? when|use when|use cases?|common use cases|when to (?:apply|invoke|activate)|when should i use this(?: skill)?)$/,
    missing: 'The author does not state when to use it.',
  },
  whenNotToUse: {
    headings:
      /^(?:when not to use(?: this)?(?: skill)?(?: it)?|(?:do not|don t) use(?: this)?(?: skill)?(?: when| for)?|not for|out of scope|non goals|when to skip(?: it)?)$/,
    missing: 'The author does not state when not to use it.',
  },
  prerequisites: {
    headings:
      /^(?:pre ?requisites?|requirements|(?:system |environment )?(?:setup|dependencies)|before you (?:start|begin)|what you need|required tools|installation(?: and setup)?)$/,
    missing: 'The author states no prerequisites.',
  },
  limitations: {
    headings:
      /^(?:(?:known )?(?:limitations?|limits|issues)|caveats?|constraints|restrictions|gotchas|(?:common )?pitfalls)$/,
    missing: 'The author states no limitations.',
  },
  examples: {
    headings:
      /^(?:(?:example|sample) (?:prompts?|requests|queries|invocations|usage|interactions)|usage examples?|examples?(?: of use)?|try (?:it|these|asking))$/,
    missing: 'The author gives no example prompts.',
  },
}

/** Most of a part that is lifted out of a SKILL.md, in characters; whole blocks or items only. */
const PART_LIMIT = 1_500

const normalizeHeading = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\s]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Every part asks for every heading. */
const normalized = new WeakMap<Token, string>()

const headingOf = (token: Tokens.Heading): string => {
  const known = normalized.get(token)
  if (known !== undefined) return known
  const text = normalizeHeading(token.text)
  normalized.set(token, text)
  return text
}

interface Passage {
  heading: Tokens.Heading
  blocks: Token[]
  subheadings: string[]
}

const isBlank = ({ type }: Token): boolean => type === 'space' || type === 'hr' || type === 'html'

/** Finds the text under the first heading that matches, up to the next heading of any depth. */
const findPassage = (tokens: readonly Token[], headings: RegExp): Passage | undefined => {
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading') continue
    const heading = token as Tokens.Heading
    if (!headings.test(headingOf(heading))) continue
    const rest = tokens.slice(index + 1)
    const next = rest.findIndex(({ type }) => type === 'heading')
    const blocks = (next < 0 ? rest : rest.slice(0, next)).filter((block) => !isBlank(block))
    const end = rest.findIndex((other) => other.type === 'heading' && other.depth <= heading.depth)
    const inside = (end < 0 ? rest : rest.slice(0, end)).filter(
      (other): other is Tokens.Heading =>
        other.type === 'heading' && other.depth === heading.depth + 1,
    )
    if (blocks.length > 0 || inside.length > 0) {
      return { heading, blocks, subheadings: inside.map(({ text }) => text) }
    }
  }
  return undefined
}

const takeItems = (list: Tokens.List, room: number): Tokens.List => {
  let left = room
  const items = list.items.filter((item) => (left -= item.raw.length) >= 0)
  return { ...list, items }
}

/** Takes whole blocks, or whole items of a list, as long as there is room. */
const takeBlocks = (blocks: readonly Token[]): { taken: Token[]; isWhole: boolean } => {
  const taken: Token[] = []
  let room = PART_LIMIT
  for (const block of blocks) {
    if (block.raw.length <= room) {
      taken.push(block)
      room -= block.raw.length
      continue
    }
    const list = block.type === 'list' ? takeItems(block as Tokens.List, room) : undefined
    if (list && list.items.length > 0) taken.push(list)
    return { taken, isWhole: false }
  }
  return { taken, isWhole: true }
}

const printPassage = (
  { heading, blocks, subheadings }: Passage,
  context: PrintContext,
  anchorOf: (heading: string) => string | undefined,
): string => {
  const { taken, isWhole } = takeBlocks(blocks)
  const text =
    taken.length > 0
      ? printBlocks(taken, context, { isNested: true })
      : blocks.length === 0
        ? subheadings.map((one) => `- ${escapeMarkdown(one.replace(/[*_`]/g, ''))}`).join('\n')
        : ''
  if (isWhole && text !== '') return text
  const anchor = anchorOf(heading.text)
  const label = escapeMarkdown(heading.text.replace(/[*_`]/g, ''))
  const more = `${text === '' ? 'It is long; read it' : 'There is more'} under ${anchor ? `[${label}](#${anchor})` : `"${label}"`}.`
  return text === '' ? more : `${text}\n\n${more}`
}

/** Sentences of a description that say when to use a skill. */
export const findUseSentences = (description: string): string =>
  (
    description
      .replace(/\s+/g, ' ')
      .match(/[^.!?。]+(?:[.!?。]+(?=\s|$)|[.!?。](?!\s)[^.!?。]*)*[.!?。]*/g) ?? []
  )
    .map((sentence) => sentence.trim())
    .filter((sentence) =>
      /\b(?:use|invoke|trigger|activate|apply)\w*\b[^.]{0,60}\b(?:when|whenever|if|for|to|before|after)\b|\bwhen the user\b/i.test(
        sentence,
      ),
    )
    .join(' ')

const listItems = (items: readonly string[], isOrdered: boolean): string =>
  items.map((item, index) => `${isOrdered ? `${index + 1}.` : '-'} ${hostInline(item)}`).join('\n')

/** What a part's text is made from: the author's own words first, the SKILL.md after. */
export interface PartSource {
  parts: EditorialParts
  tokens: readonly Token[]
  context: PrintContext
  /** Anchor of a heading of the SKILL.md in this page. */
  anchorOf: (heading: string) => string | undefined
  /** What the front matter and description say, by part. */
  fallback: Partial<Record<PartName, string>>
}

/** Writes one part of a skill page as Markdown; where nothing is stated it says so plainly. */
export const renderPart = (name: PartName, source: PartSource): string => {
  const stated = source.parts[name]
  if (typeof stated === 'string' && stated !== '') return hostInline(stated)
  if (Array.isArray(stated) && stated.length > 0) return listItems(stated, name === 'howItWorks')
  const passage = findPassage(source.tokens, PART_RULES[name].headings)
  const found = passage ? printPassage(passage, source.context, source.anchorOf) : ''
  return found || source.fallback[name] || PART_RULES[name].missing
}
