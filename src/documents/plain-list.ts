import type { Lexer, Token, Tokens } from 'marked'

/** An item of a plain list: its lines as they are, and its text without the mark and the indent. */
interface PlainItem {
  raw: string
  text: string
}

/** A list without empty lines, whose items begin at the margin, as its source says it. */
export interface PlainList {
  raw: string
  ordered: boolean
  start: number | ''
  items: readonly PlainItem[]
}

/** An item at the margin: its mark, one space, and words that begin no block of their own. */
const ITEM =
  /([-*+]|\d{1,9}[.)]) ((?:[^\s\d#>|<[\]`~*+_=:\\-]|\*\*[^\s*]|`[^`\n]|\[(?![xX]\])[^\s\]])[^\n]*)(?:\n|$)/y

/** A line that is indented by spaces; where it is at least as far as the words of the item, it is the item's. */
const INDENTED = /( +)[^ \t\n][^\n]*(?:\n|$)/y

/** What may go on with a list behind an empty line: a blank of any kind, or the mark of an item. */
const GOES_ON = /\s|(?:[*+-]|\d{1,9}[.)])(?:\s|$)/y

/** Says whether a list ends with a line and its newline: behind it is nothing, or an empty line and a new block. */
const endsBefore = (source: string, end: number): boolean => {
  let at = end
  while (source.charAt(at) === '\n') at += 1
  if (at === source.length) return true
  GOES_ON.lastIndex = at
  return at > end && !GOES_ON.test(source)
}

const isReference = (line: string): boolean => line.startsWith('[') && line.includes(']:')

const kindOf = (mark: string): string => mark.slice(-1)

/** Finds where the lines end that are indented by a depth; undefined where one is, but not as far. */
const findIndentedEnd = (source: string, start: number, depth: number): number | undefined => {
  let end = start
  for (;;) {
    INDENTED.lastIndex = end
    const indent = INDENTED.exec(source)?.[1]
    if (indent === undefined) return end
    if (indent.length < depth) return undefined
    end = INDENTED.lastIndex
  }
}

const dedent = (lines: string, depth: number): string =>
  lines
    .split('\n')
    .map((line) => line.slice(depth))
    .join('\n')

const readItem = (source: string, start: number): { mark: string; item: PlainItem } | undefined => {
  ITEM.lastIndex = start
  const [, mark = '', line = ''] = ITEM.exec(source) ?? []
  if (mark === '' || isReference(line)) return undefined
  const below = ITEM.lastIndex
  const depth = mark.length + 1
  const end = findIndentedEnd(source, below, depth)
  if (end === undefined) return undefined
  const raw = source.slice(start, end)
  const text = end === below ? line : `${line}\n${dedent(source.slice(below, end), depth)}`
  return { mark, item: { raw, text: text.endsWith('\n') ? text.slice(0, -1) : text } }
}

/** Finds a list without empty lines at the start of a source; undefined where it is, or may be, another list. */
export const findPlainList = (source: string): PlainList | undefined => {
  const items: PlainItem[] = []
  let first = ''
  let end = 0
  for (let next = readItem(source, 0); next; next = readItem(source, end)) {
    if (first === '') first = next.mark
    if (kindOf(next.mark) !== kindOf(first)) return undefined
    items.push(next.item)
    end += next.item.raw.length
  }
  if (items.length === 0 || !endsBefore(source, end)) return undefined
  const ordered = first.length > 1
  const start = ordered ? Number.parseInt(first, 10) : ''
  return { raw: source.slice(0, end).trimEnd(), ordered, start, items }
}

const readWords = (text: string, lexer: Lexer): Token[] => {
  // marked reads what is inside an item so.
  lexer.state.top = false
  return text.includes('\n')
    ? lexer.blockTokens(text, [])
    : [{ type: 'text', raw: text, text, tokens: lexer.inline(text) }]
}

/** Makes the token of a plain list as marked does; a lexer reads its lines later. */
export const tokenizePlainList = (list: PlainList, lexer: Lexer): Tokens.List => {
  const { raw, ordered, start } = list
  const last = list.items.length - 1
  const items = list.items.map((item, index): Tokens.ListItem => {
    const text = index === last ? item.text.trimEnd() : item.text
    const whole = index === last ? item.raw.trimEnd() : item.raw
    const tokens = readWords(text, lexer)
    return { type: 'list_item', raw: whole, task: false, loose: false, text, tokens }
  })
  // marked leaves it so behind every list.
  lexer.state.top = true
  return { type: 'list', raw, ordered, start, loose: false, items }
}
