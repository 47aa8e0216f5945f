import type { Token, Tokens } from 'marked'
import type { EditorialParts } from '../catalog/schema.ts'
import type { SkillFile } from '../catalog/skill.ts'
import { escapeMarkdown } from './escape.ts'
import { hostInline } from './guest.ts'
import type { PartName } from './part-headings.ts'
import type { Passage, Passages } from './part-blocks.ts'
import { isExplicitlyPrompts, pickPrompts } from './part-prompts.ts'
import { printBlocks } from './print.ts'
import type { PrintContext } from './print.ts'

/** What is said where a part is not there. */
const MISSING: Readonly<Record<PartName, string>> = {
  activation: 'The author does not state what activates it.',
  capabilities: 'The author does not list capabilities.',
  howItWorks: 'The author does not describe the steps.',
  inputs: 'The author does not state what to give it.',
  outputs: 'The author does not state what comes back.',
  whenToUse: 'The author does not state when to use it.',
  whenNotToUse: 'The author does not state when not to use it.',
  prerequisites: 'The author states no prerequisites.',
  limitations: 'The author states no limitations.',
  examples: 'The author gives no example prompts.',
}

/** Most of a part that is lifted out of a SKILL.md, in characters; whole blocks or items only. */
const PART_LIMIT = 1_500

const takeItems = (list: Tokens.List, room: number): Tokens.List => {
  let left = room
  const items = list.items.filter((item) => (left -= item.raw.length) >= 0)
  return { ...list, items }
}

const introduces = (token: Token | undefined): boolean =>
  token?.type === 'paragraph' && /[:：]\W*$/.test(token.raw)

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
    // What is introduced did not fit, so the introduction says nothing.
    else if (introduces(taken.at(-1))) taken.pop()
    return { taken, isWhole: false }
  }
  return { taken, isWhole: true }
}

const plainHeading = (text: string): string => escapeMarkdown(text.replace(/[*_`]/g, ''))

/** Subheadings that are listed at most; a reader finds the others under the heading. */
const LISTED_SUBHEADINGS = 20

const NUMBER = /^\s*(?:\*\*)?\d{1,2}[.)]\s+/

const listSubheadings = (texts: readonly string[]): string => {
  const isNumbered = texts.every((text) => NUMBER.test(text))
  return texts
    .map((text, at) =>
      isNumbered
        ? `${at + 1}. ${plainHeading(text.replace(NUMBER, ''))}`
        : `- ${plainHeading(text)}`,
    )
    .join('\n')
}

const printMore = (
  { heading }: Passage,
  isEmpty: boolean,
  anchorOf: PartSource['anchorOf'],
): string => {
  if (!heading) return isEmpty ? '' : 'There is more in the text.'
  const anchor = anchorOf(heading.text)
  const label = plainHeading(heading.text)
  const place = anchor ? `[${label}](#${anchor})` : `"${label}"`
  return `${isEmpty ? 'It is long; read it' : 'There is more'} under ${place}.`
}

/** Says whether what stands below a heading is nothing but headings, which name no tool and no limit. */
const isOnlyNames = (name: PartName, { blocks }: Passage): boolean =>
  blocks.length === 0 && (name === 'prerequisites' || name === 'limitations')

const printPassage = (
  name: PartName,
  passage: Passage,
  { context, anchorOf }: PartSource,
): string => {
  const { taken, isWhole } = takeBlocks(passage.blocks)
  const most = isOnlyNames(name, passage) ? 0 : LISTED_SUBHEADINGS
  const listed = passage.subheadings.slice(0, most)
  const texts = [printBlocks(taken, context, { isNested: true }), listSubheadings(listed)].filter(
    (text) => text !== '',
  )
  if (isWhole && listed.length === passage.subheadings.length) return texts.join('\n\n')
  return [...texts, printMore(passage, texts.length === 0, anchorOf)].join('\n\n')
}

/** Scripts that are named at most where nothing else says how a skill works. */
const NAMED_SCRIPTS = 8

const printScripts = ({ files, context }: PartSource): string => {
  const scripts = files.filter(({ path }) => path.startsWith('scripts/'))
  if (scripts.length === 0) return ''
  const links = scripts.slice(0, NAMED_SCRIPTS).map(({ path }) => {
    const href = context.placeLink(path.split('/').map(encodeURIComponent).join('/'))
    return href === undefined ? plainHeading(path) : `[${plainHeading(path)}](${href})`
  })
  const more = scripts.length > NAMED_SCRIPTS ? ` and ${scripts.length - NAMED_SCRIPTS} more` : ''
  return `${MISSING.howItWorks} It comes with scripts: ${links.join(', ')}${more}.`
}

const listItems = (items: readonly string[], isOrdered: boolean): string =>
  items.map((item, index) => `${isOrdered ? `${index + 1}.` : '-'} ${hostInline(item)}`).join('\n')

/** What a part's text is made from: the author's own words first, the SKILL.md after. */
export interface PartSource {
  parts: EditorialParts
  passages: Passages
  files: readonly SkillFile[]
  context: PrintContext
  /** Anchor of a heading of the SKILL.md in this page. */
  anchorOf: (heading: string) => string | undefined
  /** What the front matter states, by part. */
  frontMatter: Partial<Record<PartName, string>>
  /** What the description states, by part. */
  description: Partial<Record<PartName, string>>
  /** What holds of every skill where its author states nothing. */
  otherwise: Partial<Record<PartName, string>>
}

/** Where a part comes from; `none` where its author states nothing. */
export type PartOrigin = 'author' | 'text' | 'front matter' | 'description' | 'scripts' | 'none'

/** A part of a skill page as Markdown. */
export interface DerivedPart {
  origin: PartOrigin
  markdown: string
}

const printStated = (name: PartName, { parts }: PartSource): string => {
  const stated = parts[name]
  if (stated === undefined || stated.length === 0) return ''
  return typeof stated === 'string' ? hostInline(stated) : listItems(stated, name === 'howItWorks')
}

const printFound = (name: PartName, source: PartSource): string => {
  const passage = source.passages[name]
  if (!passage) return ''
  if (name !== 'examples' || isExplicitlyPrompts(passage))
    return printPassage(name, passage, source)
  const prompts = pickPrompts(passage)
  return prompts ? printPassage(name, prompts, source) : ''
}

/** Where a part is looked for, the surest first. */
const SOURCES: readonly (readonly [
  PartOrigin,
  (name: PartName, source: PartSource) => string | undefined,
])[] = [
  ['author', printStated],
  ['text', printFound],
  ['front matter', (name, { frontMatter }) => frontMatter[name]],
  ['description', (name, { description }) => description[name]],
  ['scripts', (name, source) => (name === 'howItWorks' ? printScripts(source) : '')],
]

/** Derives one part of a skill page; where nothing is stated it says so plainly. */
export const derivePart = (name: PartName, source: PartSource): DerivedPart => {
  for (const [origin, print] of SOURCES) {
    const markdown = print(name, source)
    if (markdown !== undefined && markdown !== '') return { origin, markdown }
  }
  return { origin: 'none', markdown: source.otherwise[name] ?? MISSING[name] }
}
