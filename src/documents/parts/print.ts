import { readTree, linkTo, listOf, paragraph } from '../tree.ts'
import { readItems } from '../guest/read.ts'
import { hostInline } from '../guest/host.ts'
import type { Code, List, RootContent } from 'mdast'
import type { Block } from '../guest/read.ts'
import { normalizeHeading } from './headings.ts'
import type { Passage } from './find.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { EditorialParts, PartName } from '../../catalog/parts.ts'
import type { SkillFile } from '../../catalog/skill.ts'
import type { LinkResolver } from '../guest/links.ts'

/** Headings whose text is prompts whatever it looks like; below others code stands as often. */
const PROMPTS = /\b(?:prompts?|requests?|questions|queries|asking|conversation|interactions?)\b/

const isExplicitlyPrompts = ({ heading }: Passage): boolean =>
  heading !== undefined && PROMPTS.test(normalizeHeading(heading.text))

const OPENS_SPEECH =
  /^(?:\*\*|[*_`])?(?:["“「『]|(?:user|you|human|prompt|用户)\b[^:：\n]{0,20}[:：])/i

const SPEECH_LANGUAGES = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'prompt'])

/** Signs that stand in code and trees of files, and hardly in what a person asks for. */
const CODE_SIGNS = /[{}<>;=$|├└│→]|\(\)|^\s*(?:#|\/\/|--|npm|npx|git|curl|python3?|pip)\b/m

const isSpokenCode = ({ value, lang }: Code): boolean =>
  SPEECH_LANGUAGES.has(lang ?? '') &&
  !CODE_SIGNS.test(value) &&
  value.split('\n').every((line) => line.trim() === '' || /\S+\s+\S+\s+\S/.test(line))

const isSpoken = (block: Block): boolean => {
  if (block.node?.type === 'code' && block.type === 'code') return isSpokenCode(block.node)
  if (block.type === 'list') {
    const items = readItems(block)
    return items.filter(({ text }) => OPENS_SPEECH.test(text)).length * 2 >= items.length
  }
  if (block.type === 'blockquote') return true
  return block.type === 'paragraph' && OPENS_SPEECH.test(block.raw)
}

/** Keeps of a passage what a person would say to an assistant; undefined where nothing is that. */
const pickPrompts = (passage: Passage): Passage | undefined => {
  const blocks = passage.blocks.filter(isSpoken)
  return blocks.length > 0 ? { ...passage, blocks, subheadings: [] } : undefined
}

const missingOf = (name: PartName): string =>
  PARTS.find((part) => part.name === name)?.missing ?? ''

/** Most of a part that is lifted out of a SKILL.md, in characters; whole blocks or items only. */
const PART_LIMIT = 1_500

const takeItems = (block: Block, list: List, room: number): List => {
  let left = room
  const lengths = readItems(block).map(({ raw }) => raw.length)
  return { ...list, children: list.children.filter((_, at) => (left -= lengths[at] ?? 0) >= 0) }
}

const introduces = (block: Block | undefined): boolean =>
  block?.type === 'paragraph' && /[:：]\W*$/.test(block.raw)

/** Takes whole blocks, or whole items of a list, as long as there is room. */
const takeBlocks = (blocks: readonly Block[]): { taken: RootContent[]; isWhole: boolean } => {
  const taken: Block[] = []
  const nodes = (): RootContent[] => taken.flatMap(({ node }) => node ?? [])
  let room = PART_LIMIT
  for (const block of blocks) {
    if (block.raw.length <= room) {
      taken.push(block)
      room -= block.raw.length
      continue
    }
    const list = block.node?.type === 'list' ? takeItems(block, block.node, room) : undefined
    if (list && list.children.length > 0) return { taken: [...nodes(), list], isWhole: false }
    // What is introduced did not fit, so the introduction says nothing.
    if (introduces(taken.at(-1))) taken.pop()
    return { taken: nodes(), isWhole: false }
  }
  return { taken: nodes(), isWhole: true }
}

const plainHeading = (text: string): string => foldSpaces(text.replace(/[*_`]/g, ''))

const foldSpaces = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Subheadings that are listed at most; a reader finds the others under the heading. */
const LISTED_SUBHEADINGS = 20

const NUMBER = /^\s*(?:\*\*)?\d{1,2}[.)]\s+/

const listSubheadings = (texts: readonly string[]): RootContent[] => {
  if (texts.length === 0) return []
  const isNumbered = texts.every((text) => NUMBER.test(text))
  const names = texts.map((text) => [plainHeading(isNumbered ? text.replace(NUMBER, '') : text)])
  return [listOf(names, isNumbered)]
}

const tellMore = (
  { heading }: Passage,
  isEmpty: boolean,
  anchorOf: PartSource['anchorOf'],
): RootContent[] => {
  if (!heading) return isEmpty ? [] : [paragraph('There is more in the text.')]
  const anchor = anchorOf(heading.text)
  const label = plainHeading(heading.text)
  const place = anchor ? linkTo(label, `#${anchor}`) : `"${label}"`
  return [paragraph(isEmpty ? 'It is long; read it under ' : 'There is more under ', place, '.')]
}

/** Whether what stands below a heading is nothing but headings, which name no tool and no limit. */
const isOnlyNames = (name: PartName, { blocks }: Passage): boolean =>
  blocks.length === 0 && (name === 'prerequisites' || name === 'limitations')

const showPassage = (name: PartName, passage: Passage, source: PartSource): RootContent[] => {
  const { taken, isWhole } = takeBlocks(passage.blocks)
  const most = isOnlyNames(name, passage) ? 0 : LISTED_SUBHEADINGS
  const listed = passage.subheadings.slice(0, most)
  const shown = [...taken, ...listSubheadings(listed)]
  if (isWhole && listed.length === passage.subheadings.length) return shown
  return [...shown, ...tellMore(passage, shown.length === 0, source.anchorOf)]
}

/** Scripts that are named at most where nothing else says how a skill works. */
const NAMED_SCRIPTS = 8

const nameScripts = ({ files, placeLink }: PartSource): RootContent[] => {
  const scripts = files.filter(({ path }) => path.startsWith('scripts/'))
  if (scripts.length === 0) return []
  const links = scripts.slice(0, NAMED_SCRIPTS).flatMap(({ path }, at) => {
    const href = placeLink(path.split('/').map(encodeURIComponent).join('/'))
    const name = plainHeading(path)
    return [at === 0 ? '' : ', ', href === undefined ? name : linkTo(name, href)]
  })
  const more = scripts.length > NAMED_SCRIPTS ? ` and ${scripts.length - NAMED_SCRIPTS} more` : ''
  return [paragraph(`${missingOf('howItWorks')} It comes with scripts: `, ...links, `${more}.`)]
}

/** What a part's text is made from: the author's own words first, the SKILL.md after. */
export interface PartSource {
  parts: EditorialParts
  passages: Partial<Record<PartName, Passage>>
  files: readonly SkillFile[]
  /** The SKILL.md's text, whose places the blocks of passages know. */
  text: string
  placeLink: LinkResolver
  /** Anchor of a heading of the SKILL.md in this page. */
  anchorOf: (heading: string) => string | undefined
  /** What the front matter states, by part, as Markdown. */
  frontMatter: Partial<Record<PartName, string>>
  /** What the description states, by part, as Markdown. */
  description: Partial<Record<PartName, string>>
  /** What holds of every skill where its author states nothing, as Markdown. */
  otherwise: Partial<Record<PartName, string>>
}

/** Where a part comes from; `none` where its author states nothing. */
type PartOrigin = 'author' | 'text' | 'front matter' | 'description' | 'scripts' | 'none'

/** A part of a skill page. */
interface DerivedPart {
  origin: PartOrigin
  blocks: readonly RootContent[]
  /** The text that the blocks were read from. */
  text: string
}

/** One line that no reader of Markdown could take for more than words: most are, and parsing one costs 30 µs. */
const PLAIN_LINE = /^\p{L}(?!.*(?::\/\/|www\.|@))[^\n\\`*_~<>[\]&|]*$/u

/** Parses what a record states, as Markdown. */
const readStated = (markdown: string | undefined): Omit<DerivedPart, 'origin'> | undefined => {
  if (markdown === undefined || markdown === '') return undefined
  return PLAIN_LINE.test(markdown)
    ? { blocks: [paragraph(markdown)], text: '' }
    : { blocks: readTree(markdown).children, text: markdown }
}

const readAuthored = (name: PartName, { parts }: PartSource) => {
  const stated = parts[name]
  if (stated === undefined || stated.length === 0) return undefined
  if (typeof stated === 'string') return readStated(hostInline(stated))
  return readStated(
    stated
      .map((item, at) => `${name === 'howItWorks' ? `${at + 1}.` : '-'} ${hostInline(item)}`)
      .join('\n'),
  )
}

const findInText = (name: PartName, source: PartSource) => {
  const passage = source.passages[name]
  if (!passage) return undefined
  const shown = name !== 'examples' || isExplicitlyPrompts(passage) ? passage : pickPrompts(passage)
  return shown && { blocks: showPassage(name, shown, source), text: source.text }
}

/** Where a part is looked for, the surest first. */
const SOURCES: readonly (readonly [
  PartOrigin,
  (name: PartName, source: PartSource) => Omit<DerivedPart, 'origin'> | undefined,
])[] = [
  ['author', readAuthored],
  ['text', findInText],
  ['front matter', (name, { frontMatter }) => readStated(frontMatter[name])],
  ['description', (name, { description }) => readStated(description[name])],
  [
    'scripts',
    (name, source) =>
      name === 'howItWorks' ? { blocks: nameScripts(source), text: '' } : undefined,
  ],
]

/** Derives one part of a skill page; where nothing is stated it says so plainly. */
export const derivePart = (name: PartName, source: PartSource): DerivedPart => {
  for (const [origin, find] of SOURCES) {
    const found = find(name, source)
    if (found && found.blocks.length > 0) return { origin, ...found }
  }
  const otherwise = readStated(source.otherwise[name])
  return { origin: 'none', ...(otherwise ?? { blocks: [paragraph(missingOf(name))], text: '' }) }
}
