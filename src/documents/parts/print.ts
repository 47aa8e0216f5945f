import type { Code, List, ListItem, Nodes, PhrasingContent, RootContent, Table } from 'mdast'
import type { EditorialParts, PartName } from '../../catalog/parts.ts'
import { truncateAtWord } from '../../catalog/text.ts'
import { hostInline } from '../guest/host.ts'
import { readTree } from '../../catalog/markdown.ts'
import { readItems } from '../guest/read.ts'
import type { Block } from '../guest/read.ts'
import { skillFilePath } from '../paths.ts'
import { linkTo, listOf, paragraph, strong } from '../tree.ts'
import type { Description } from './description.ts'
import { IS_TEXT } from './fits.ts'
import { nameGaps } from './finders.ts'
import { normalizeHeading } from './sections.ts'
import { introduces, textOfPassage } from './passages.ts'
import type { Passage } from './passages.ts'
import { isBareStep } from './steps.ts'

/** Headings whose text is prompts whatever it looks like; below others code stands as often. */
const PROMPTS =
  /\b(?:prompts?|requests?|questions|queries|asking|ask|invocations?|users say)\b|提示词|プロンプト|프롬프트/

const isExplicitlyPrompts = ({ heading }: Passage): boolean =>
  heading !== undefined && PROMPTS.test(normalizeHeading(heading.text))

const OPENS_SPEECH =
  /^(?:\*\*|[*_`])?(?:["“「『„«]|(?:user|you|human|prompt|用户|ユーザー|사용자|nutzer|utilisateur|usuario|usuário)\b[^:：\n]{0,20}[:：])/i

const SPEECH_LANGUAGES = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'prompt'])

/** Signs that stand in code and trees of files, and hardly in what a person asks for. */
const CODE_SIGNS = /[{}<>;=$|├└│→]|\(\)|^\s*(?:#|\/\/|--|npm|npx|git|curl|python3?|pip)\b/m

const isSpokenCode = ({ value, lang }: Code): boolean =>
  SPEECH_LANGUAGES.has(lang ?? '') &&
  !CODE_SIGNS.test(value) &&
  value.split('\n').every((line) => line.trim() === '' || /\S+\s+\S+\s+\S|^\/[\w:-]+/.test(line))

const isSpoken = (block: Block): boolean => {
  if (block.node?.type === 'code' && block.type === 'code') return isSpokenCode(block.node)
  if (block.type === 'list') {
    const items = readItems(block)
    return items.filter(({ text }) => OPENS_SPEECH.test(text)).length * 2 >= items.length
  }
  return (
    (block.type === 'paragraph' || block.type === 'blockquote') &&
    OPENS_SPEECH.test(block.raw.replace(/^>\s*/, ''))
  )
}

/** Keeps of a passage what a person would say to an assistant; undefined where nothing is that. */
const pickPrompts = (passage: Passage): Passage | undefined => {
  const blocks = passage.blocks.filter(isSpoken)
  const below = passage.below
    .map((one) => ({ ...one, blocks: one.blocks.filter(isSpoken), below: [] }))
    .filter((one) => one.blocks.length > 0)
  return blocks.length + below.length > 0 ? { ...passage, blocks, below } : undefined
}

/** Most of a part that is lifted out of a SKILL.md, in characters; whole blocks or items only. */
const PART_LIMIT = 1_500

/** Items, rows or names that are listed at most. */
const LISTED = 20

/** What is shown of a passage, and how much is not. */
interface Taken {
  blocks: RootContent[]
  /** Items that were left out of a list or a table. */
  rest: number
  isWhole: boolean
  room: number
}

const takeAsLong = <Item>(
  items: readonly Item[],
  lengthOf: (item: Item) => number,
  room: number,
) => {
  let left = room
  const end = items.findIndex((item, at) => at >= LISTED || (left -= lengthOf(item)) < 0)
  return end < 0 ? items : items.slice(0, end)
}

const lengthOfNode = (node: Nodes): number =>
  node.position
    ? (node.position.end.offset ?? 0) - (node.position.start.offset ?? 0)
    : wordsOf(node).length

/** Words that say nothing without what they announce: `For each metric, define:`. */
const ANNOUNCES =
  /^\W*(?:for (?:each|every|all|any)|if|when)\b(?!.*,\s+\S+\s+\S)|\b(?:as|against|based on|by|contains?|covering|define|evaluate|examining|following|for|from|identify|in|include|including|like|note|of|on|proceeding|provide|recommend|run|specify|suggest|that|to|understand|with)\W*$/i

/** The first paragraph of an item, without the colon that announced what is left out. */
const shorten = ({ children }: ListItem): ListItem['children'] => {
  const [first, ...others] = children
  if (first?.type !== 'paragraph') return []
  if (others.length > 0 && ANNOUNCES.test(wordsOf(first))) return children
  const last = first.children.at(-1)
  if (others.length === 0 || last?.type !== 'text' || !/[:：]\s*$/.test(last.value)) return [first]
  const [label, ...words] = first.children
  // What a label is followed by is cut at its colon: the label says it.
  if (label?.type === 'strong' && words.length === 1 && /^\s*[:：—–-]/.test(last.value))
    return [{ ...first, position: undefined, children: [label] }]
  const value = last.value.replace(/[:：]\s*$/, '')
  const { position: _, ...rest } = first
  return [{ ...rest, children: [...first.children.slice(0, -1), { type: 'text', value }] }]
}

/** Each item in its first paragraph: a step without its commands. */
const shortenItems = (list: List): List => ({
  ...list,
  spread: false,
  children: list.children.map((item) => ({ ...item, spread: false, children: shorten(item) })),
})

const takeList = (list: List, room: number): List => {
  const whole = takeAsLong(list.children, lengthOfNode, room)
  if (whole.length === list.children.length) return list
  const short = shortenItems(list)
  const firsts = takeAsLong(
    short.children,
    ({ children: [first, ...others] }) =>
      first ? [first, ...others].reduce((sum, one) => sum + lengthOfNode(one), 0) : PART_LIMIT,
    room,
  )
  return firsts.length > whole.length
    ? { ...short, children: [...firsts] }
    : { ...list, children: [...whole] }
}

const takeRows = (table: Table, room: number): Table => ({
  ...table,
  children: [...takeAsLong(table.children, lengthOfNode, room)],
})

/** The part of a list or a table that there is room for; a header alone is no row. */
const takeSome = (node: RootContent | undefined, room: number): List | Table | undefined => {
  if (node?.type === 'list') {
    const list = takeList(node, room)
    return list.children.length > 0 ? list : undefined
  }
  if (node?.type !== 'table') return undefined
  const table = takeRows(node, room)
  return table.children.length > 1 ? table : undefined
}

const countItems = (node: RootContent | undefined): number =>
  node?.type === 'list' || node?.type === 'table' ? node.children.length : 0

const isNameAlone = (block: Block | undefined): boolean =>
  block?.type === 'paragraph' && /^\*\*[^*\n]+\*\*$/.test(block.raw.trim())

/** A label of one word above all of a part, which says no more than the part's heading: `**Context:**`. */
const withoutLabel = (blocks: readonly Block[]): readonly Block[] => {
  const [first, ...others] = blocks
  return first?.type === 'paragraph' &&
    /^\**[a-z]+[:*]+$/i.test(first.raw.trim()) &&
    introduces(first) &&
    !others.some(introduces)
    ? others
    : blocks
}

/** Takes whole blocks, or whole items of a list, as long as there is room. */
const takeBlocks = (blocks: readonly Block[], limit: number): Taken => {
  const taken: Block[] = []
  const nodes = (): RootContent[] => taken.flatMap(({ node }) => node ?? [])
  let room = limit
  for (const block of blocks) {
    if (block.raw.length <= room && countItems(block.node) <= LISTED + 1) {
      taken.push(block)
      room -= block.raw.length
      continue
    }
    const some = takeSome(block.node, room)
    if (some) {
      const rest = countItems(block.node) - some.children.length
      const isLast = block === blocks.at(-1)
      return { blocks: [...nodes(), some], rest: isLast ? rest : 0, isWhole: false, room: 0 }
    }
    // What is introduced did not fit, so the introduction says nothing, nor does the name of a step.
    while (introduces(taken.at(-1)) || isNameAlone(taken.at(-1))) taken.pop()
    return { blocks: nodes(), rest: 0, isWhole: false, room: 0 }
  }
  if (introduces(taken.at(-1))) taken.pop()
  return { blocks: nodes(), rest: 0, isWhole: true, room }
}

const wordsOf = (node: Nodes): string => {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value
  if (node.type === 'break') return ' '
  return 'children' in node ? node.children.map(wordsOf).join('') : ''
}

/** Words of a heading; an underscore is a part of a name, as `__init__.py` has it, and no emphasis. */
const readHeading = ({ node, text }: Block): string => {
  if (node?.type !== 'heading') return text.replace(/\s+/g, ' ').trim()
  const origin = node.children[0]?.position?.start.offset ?? 0
  const words = node.children.map((child) => {
    const at = (child.position?.start.offset ?? 0) - origin
    const marks = child.type === 'strong' || child.type === 'emphasis' ? /^_*/ : /^/
    const [mark = ''] = marks.exec(text.slice(at)) ?? []
    return mark + wordsOf(child) + mark
  })
  return words.join('').replace(/\s+/g, ' ').trim()
}

const NUMBER =
  /^\W*(?:(?:step|phase|stage|task|pattern|workflow|option|use case|method|strategy|part|schritt|étape|paso|passo)\s*)?(\d{1,2})(?:\s*[.):：](?!\d)|\s+[-–—](?=\s))\s*(?=\S)/i

/** Lists names in their order; numbers that count become those of the list. */
const listNames = (names: readonly string[]): RootContent[] => {
  if (names.length === 0) return []
  const numbers = names.map((name) => NUMBER.exec(name)?.[1])
  const isNumbered = !numbers.includes(undefined)
  const start = Number(numbers[0])
  const counts = isNumbered && numbers.every((number, at) => Number(number) === start + at)
  const items = names.map((name) => [isNumbered ? name.replace(NUMBER, '') : name])
  return [{ ...listOf(items, counts), ...(counts && { start }) } as List]
}

const showNames = ({ below }: Passage): Taken => {
  const names = below.flatMap(({ heading }) =>
    heading ? [readHeading(heading).replace(/[:：]$/, '')] : [],
  )
  return {
    blocks: listNames(names.slice(0, LISTED)),
    rest: Math.max(0, names.length - LISTED),
    isWhole: names.length <= LISTED,
    room: 0,
  }
}

/** Sets what stands below headings as text, each heading as a line of it. */
const showBelow = ({ below }: Passage, limit: number): Taken => {
  const blocks: RootContent[] = []
  let room = limit
  for (const { heading, blocks: own, below: deeper } of below) {
    const taken = takeBlocks(own, room)
    if (taken.blocks.length === 0) {
      if (own.length === 0 && deeper.length === 0) continue
      return { blocks, rest: 0, isWhole: false, room: 0 }
    }
    const name = heading ? readHeading(heading) : ''
    if (name !== '') blocks.push(paragraph(strong(name)))
    blocks.push(...taken.blocks)
    if (!taken.isWhole) return { blocks, rest: 0, isWhole: false, room: 0 }
    room = taken.room
  }
  return { blocks, rest: 0, isWhole: true, room }
}

/** The line that says where a part is from; the page sets it small. */
const whence = (...words: (PhrasingContent | string)[]): RootContent => ({
  ...paragraph(...words),
  data: { whence: true } as object,
})

/** A heading says where a part is from in fewer characters than may stand twice on a page. */
const HEADING_SHOWN = 50

const linkToHeading = ({ heading }: Passage): PhrasingContent => {
  const anchor = (heading?.node?.data as { id?: string } | undefined)?.id
  return heading && anchor !== undefined
    ? linkTo(truncateAtWord(readHeading(heading), HEADING_SHOWN), `#${anchor}`)
    : linkTo('About', '#about')
}

const describeRest = ({ rest, isWhole }: Pick<Taken, 'rest' | 'isWhole'>): string => {
  if (isWhole) return ''
  return rest > 0 ? `, ${rest} more there` : ', more there'
}

/** Whether names tell less than the text below them, as one does; of outputs two, but for templates. */
const isTooFew = (name: PartName, { below }: Passage): boolean =>
  name !== 'howItWorks' &&
  (below.length === 1 ||
    (name === 'outputs' &&
      below.length === 2 &&
      !below.some(({ blocks }) => blocks.some(({ type }) => type === 'code'))))

/** Names of the sections of a template that is too long to be shown. */
const showTemplate = ({ blocks: [first] }: Passage): RootContent[] => {
  const value = first?.node?.type === 'code' ? first.node.value : ''
  const names = Array.from(value.matchAll(/^##+ +([^\n[{<]+)$/gm), ([, name = '']) => name.trim())
  return names.length < SECTIONS_AT_LEAST ? [] : listNames(names.slice(0, LISTED))
}

const SECTIONS_AT_LEAST = 3

/** Sets names for the places of a tree that are filled in. What changes has no place in the text any more. */
const withNames = <Node extends Nodes>(node: Node): Node => {
  if ('value' in node) {
    const value = nameGaps(node.value)
    return value === node.value ? node : { ...node, value, position: undefined }
  }
  if (!('children' in node)) return node
  const children = (node.children as Nodes[]).map(withNames)
  return children.every((child, at) => child === node.children[at])
    ? node
    : { ...node, children, position: undefined }
}

const showPassage = (name: PartName, passage: Passage): RootContent[] => {
  const above = takeBlocks(withoutLabel(passage.blocks), PART_LIMIT)
  const {
    below: [first],
  } = passage
  const isText = IS_TEXT.has(name) || (first && (isBareStep(first) || isTooFew(name, passage)))
  const below = isText ? showBelow(passage, above.room) : showNames(passage)
  const isTemplate = name === 'outputs' && above.blocks.length + below.blocks.length === 0
  const all = isTemplate ? showTemplate(passage) : [...above.blocks, ...below.blocks]
  const shown = name === 'inputs' ? all.map(withNames) : all
  const isWhole = above.isWhole && below.isWhole
  const rest = passage.below.length > 0 ? below.rest : above.rest
  // Less than half is no part, nor are the first of some steps without names.
  const isCut = isLess(shown, rest) || (!isWhole && first !== undefined && isBareStep(first))
  if (shown.length === 0 || isCut) return []
  return [...shown, whence('From ', linkToHeading(passage), describeRest({ rest, isWhole }))]
}

/** Whether more items were left out than are shown. */
const isLess = (shown: readonly RootContent[], rest: number): boolean =>
  rest > Math.max(...shown.map(countItems))

/** What a part's text is made from: the author's own words first, the SKILL.md after. */
export interface PartSource {
  slug: string
  parts: EditorialParts
  passages: Partial<Record<PartName, Passage>>
  /** Parts that the text speaks of, though not so that they could be lifted out of it. */
  mentioned: ReadonlySet<PartName>
  /** The SKILL.md's text, whose places the blocks of passages know. */
  text: string
  /** What the front matter states, by part. */
  frontMatter: Partial<Record<PartName, { field: string; blocks: RootContent[] }[]>>
  description: Description
}

/** Where a part comes from; `none` where nothing is stated of it. */
type PartOrigin = 'author' | 'text' | 'front matter' | 'description' | 'mentioned' | 'none'

/** A part of a skill page. */
interface DerivedPart {
  origin: PartOrigin
  /** None where nothing is stated, or only under Activation. */
  blocks: readonly RootContent[]
  /** The text that the blocks were read from. */
  text: string
  /** Line of that text where the part begins. */
  line?: number | undefined
}

type Stated = Omit<DerivedPart, 'origin'>

/** One line that no reader of Markdown could take for more than words: most are, and parsing one costs 30 µs. */
const PLAIN_LINE = /^\p{L}(?!.*(?::\/\/|www\.|@))[^\n\\`*_~<>[\]&|]*$/u

/** Parses what a record states, as Markdown. */
const readStated = (markdown: string): Stated =>
  PLAIN_LINE.test(markdown)
    ? { blocks: [paragraph(markdown)], text: '' }
    : { blocks: readTree(markdown).children, text: markdown }

const readAuthored = (name: PartName, { parts }: PartSource): Stated | undefined => {
  const stated = parts[name]
  if (stated === undefined || stated.length === 0) return undefined
  if (typeof stated === 'string') return readStated(hostInline(stated))
  return readStated(
    stated
      .map((item, at) => `${name === 'howItWorks' ? `${at + 1}.` : '-'} ${hostInline(item)}`)
      .join('\n'),
  )
}

const findInText = (name: PartName, { passages, text }: PartSource): Stated | undefined => {
  const passage = passages[name]
  if (!passage) return undefined
  const isShown = name !== 'examples' || isExplicitlyPrompts(passage)
  const shown = isShown ? passage : pickPrompts(passage)
  if (!shown) return undefined
  const first = shown.blocks[0] ?? shown.heading ?? shown.below[0]?.heading
  return { blocks: showPassage(name, shown), text, line: (shown.heading ?? first)?.line }
}

const readFrontMatter = (name: PartName, source: PartSource): Stated | undefined => {
  const path = skillFilePath(source.slug, 'SKILL.md')
  const blocks = source.frontMatter[name]?.flatMap((stated) => [
    ...stated.blocks,
    whence('From ', linkTo(stated.field, path)),
  ])
  return blocks && { blocks, text: '' }
}

const ACTIVATION = '#activation'

/** Whether what starts a skill is told by the same quotations. */
const areShown = (
  prompts: readonly string[],
  { whenToUse, activation }: PartSource['passages'],
) => {
  const text = [whenToUse, activation].map((one) => (one ? textOfPassage(one) : '')).join('\n')
  return prompts.filter((one) => text.includes(one)).length * 2 > prompts.length
}

const readDescribed = (
  name: PartName,
  { description, passages }: PartSource,
): Stated | undefined => {
  const { stated, unsuited, prompts } = description
  if (name === 'examples' && prompts.length > 0 && !areShown(prompts, passages)) {
    const items = prompts.slice(0, LISTED).map((prompt) => [`"${prompt}"`])
    const rest = describeRest({
      rest: prompts.length - items.length,
      isWhole: items.length === prompts.length,
    })
    const from = whence('From ', linkTo('the description', ACTIVATION), rest)
    return { blocks: [listOf(items), from], text: '' }
  }
  if (!stated.has(name)) return undefined
  const links = (name === 'whenNotToUse' ? unsuited : []).map((one) => [linkTo(one, ACTIVATION)])
  if (links.length === 0) return { blocks: [], text: '' }
  return { blocks: [links.length > 1 ? listOf(links) : paragraph(...links.flat())], text: '' }
}

/** Where a part is looked for, the surest first. */
const SOURCES: readonly (readonly [
  PartOrigin,
  (name: PartName, source: PartSource) => Stated | undefined,
])[] = [
  ['author', readAuthored],
  ['text', findInText],
  ['front matter', readFrontMatter],
  ['description', readDescribed],
]

/** Derives one part of a skill page; where nothing is stated it has no blocks. */
export const derivePart = (name: PartName, source: PartSource): DerivedPart => {
  for (const [origin, find] of SOURCES) {
    const found = find(name, source)
    // What a description states stands whole under Activation, and mostly there alone.
    if (found && origin === 'description') return { origin, ...found }
    if (!found || found.blocks.length === 0) continue
    // What the front matter states is meant for clients, and comes first.
    const ahead = origin === 'text' ? (readFrontMatter(name, source)?.blocks ?? []) : []
    return { origin, ...found, blocks: [...ahead, ...found.blocks] }
  }
  const isMentioned = source.passages[name] !== undefined || source.mentioned.has(name)
  return { origin: isMentioned ? 'mentioned' : 'none', blocks: [], text: '' }
}
