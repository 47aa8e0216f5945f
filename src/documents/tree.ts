import type { BlockContent, List, ListData, Nodes, Paragraph, PhrasingContent, Table } from 'mdast'

/** Words of one line: plain text, and what is more than that. */
export type Words = readonly (PhrasingContent | string)[]

/** A piece of code that looks different from its neighbours; `kind` names a class of the styles, or is empty. */
export interface CodePiece {
  kind: string
  text: string
}

/** Writes things as a list in a sentence; of more than `most` it says how many are left out. */
export const joinWords = <Thing>(
  all: readonly Thing[],
  write: (thing: Thing) => Words,
  most = Infinity,
): Words => {
  const words: (PhrasingContent | string)[] = []
  for (const one of all.slice(0, most))
    words.push(...(words.length > 0 ? [', '] : []), ...write(one))
  return all.length > most ? [...words, ` and ${all.length - most} more`] : words
}

/** What a page adds to a node; what a parser made has nothing. */
interface NodeData {
  /** Its anchor. */
  id?: string
  pieces?: readonly CodePiece[]
  isFold?: boolean
  /** It says where a part was found. */
  whence?: boolean
}

export const dataOf = ({ data = {} }: Nodes): NodeData => data as NodeData

const textNode = (value: string): PhrasingContent => ({ type: 'text', value })

export const inlineCode = (value: string): PhrasingContent => ({ type: 'inlineCode', value })

export const strong = (value: string): PhrasingContent => ({
  type: 'strong',
  children: [textNode(value)],
})

export const linkTo = (words: string, url: string): PhrasingContent => ({
  type: 'link',
  url,
  children: [textNode(words)],
})

/** Words that carry an anchor in HTML and are words alone in Markdown. */
export const anchored = (words: string, id: string): PhrasingContent => ({
  type: 'text',
  value: words,
  data: { id } as object,
})

export const codeBlock = (value: string, lang: string): BlockContent => ({
  type: 'code',
  lang,
  value,
})

const toPhrasing = (word: PhrasingContent | string): PhrasingContent =>
  typeof word === 'string' ? textNode(word) : word

/** Makes a paragraph of words and nodes. */
export const paragraph = (...words: Words): Paragraph => ({
  type: 'paragraph',
  children: words.map(toPhrasing),
})

/** Makes a list of one paragraph an item, without empty lines between. */
export const listOf = (items: readonly Words[], isOrdered = false): List => ({
  type: 'list',
  ordered: isOrdered,
  start: isOrdered ? 1 : null,
  spread: false,
  children: items.map((words) => ({
    type: 'listItem',
    spread: false,
    children: [paragraph(...words)],
  })),
})

/** Blocks that HTML folds under words of their own; Markdown has these as an item above them. */
export const foldOf = (words: string, ...blocks: BlockContent[]): List => ({
  type: 'list',
  ordered: false,
  spread: false,
  data: { isFold: true } as ListData,
  children: [{ type: 'listItem', spread: false, children: [paragraph(words), ...blocks] }],
})

/** A table; the first row is its header. */
export const tableOf = (rows: readonly (readonly Words[])[], align: Table['align']): Table => ({
  type: 'table',
  align,
  children: rows.map((cells) => ({
    type: 'tableRow',
    children: cells.map((words) => ({ type: 'tableCell', children: words.map(toPhrasing) })),
  })),
})
