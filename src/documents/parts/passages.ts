import type { List } from 'mdast'
import { readItems } from '../guest/read.ts'
import type { Block } from '../guest/read.ts'
import type { PartName } from '../../catalog/parts.ts'

/** A place of a SKILL.md that carries a part. */
export interface Passage {
  /** The heading above it; none where it stands before the first. */
  heading?: Block | undefined
  blocks: readonly Block[]
  /** What stands below headings one level down. */
  below: readonly Passage[]
  /** Words picked from the blocks, where not the blocks themselves are the part. */
  words?: readonly string[]
}

export interface FoundPart {
  name: PartName
  passage: Passage
}

/** Characters of a passage that are looked at to judge what it is. */
export const LOOKED_AT = 4_000

export const textOfPassage = (passage: Passage): string => {
  let text = ''
  for (const { raw } of passage.blocks) {
    if (text.length > LOOKED_AT) break
    text += `${raw.slice(0, LOOKED_AT)}\n`
  }
  for (const one of passage.below) {
    if (text.length > LOOKED_AT) break
    text += `${one.heading?.text.slice(0, LOOKED_AT) ?? ''}\n${textOfPassage({ ...one, below: [] })}`
  }
  return text
}

/** Items of lists, and paragraphs, without their marks. */
export const listWords = (blocks: readonly Block[]): string[] =>
  blocks.flatMap((block) => {
    if (block.type === 'list') return readItems(block).map(({ text }) => text)
    return block.type === 'paragraph' && !/[:：]\s*$/.test(block.raw) ? [block.raw] : []
  })

export const isMostly = (words: readonly string[], pattern: RegExp): boolean =>
  words.length > 0 && words.filter((one) => pattern.test(one)).length * 2 > words.length

/** A heading that is what a user says. */
export const isQuoted = ({ heading }: Passage): boolean =>
  /^\W*["“「『„«]/.test(heading?.text ?? '')

export const plainStart = (raw: string): string => raw.replace(/^[>\s*_#-]+/, '')

/** Keeps some items of a list; undefined where none is left. */
const keepItems = (block: Block, keeps: (text: string) => boolean): Block | undefined => {
  if (block.node?.type !== 'list') return keeps(block.raw) ? block : undefined
  const items = readItems(block)
  const children = block.node.children.filter((_, at) => keeps(items[at]?.text ?? ''))
  if (children.length === items.length) return block
  return children.length > 0 ? { ...block, node: { ...block.node, children } as List } : undefined
}

export const keepWords = (passage: Passage, keeps: (text: string) => boolean): Passage => ({
  ...passage,
  blocks: passage.blocks.flatMap((block) => keepItems(block, keeps) ?? []),
})
