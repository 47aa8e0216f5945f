import type { Lexer, Tokens } from 'marked'

/** A list whose items are one line each, as its source says it. */
export interface PlainList {
  raw: string
  ordered: boolean
  start: number | ''
  lines: readonly string[]
}

/** An item at the margin: its mark, one space, and words that begin no block of their own. */
const ITEM =
  /([-*+]|\d{1,9}[.)]) ((?:[^\s\d#>|<[\]`~*+_=:\\-]|\*\*[^\s*]|`[^`\n]|\[(?![xX]\])[^\s\]])[^\n]*)(?:\n|$)/y

/** Says whether a list ends with a line and its newline: behind it is nothing, or an empty line and a new block. */
const endsBefore = (source: string, end: number): boolean => {
  let at = end
  while (source.charAt(at) === '\n') at += 1
  return at === source.length || (at > end && !/[\s\d*+-]/.test(source.charAt(at)))
}

const isReference = (line: string): boolean => line.startsWith('[') && line.includes(']:')

const kindOf = (mark: string): string => mark.slice(-1)

/** Finds a list of single lines at the start of a source; undefined where it is, or may be, another list. */
export const findPlainList = (source: string): PlainList | undefined => {
  const lines: string[] = []
  let first = ''
  let end = 0
  ITEM.lastIndex = 0
  for (let item = ITEM.exec(source); item; item = ITEM.exec(source)) {
    const [whole, mark = '', line = ''] = item
    if (first === '') first = mark
    if (kindOf(mark) !== kindOf(first) || isReference(line)) return undefined
    lines.push(line)
    end += whole.length
  }
  if (lines.length === 0 || !endsBefore(source, end)) return undefined
  const ordered = first.length > 1
  const start = ordered ? Number.parseInt(first, 10) : ''
  return { raw: source.slice(0, end).trimEnd(), ordered, start, lines }
}

/** Makes the token of a plain list as marked does; a lexer reads its lines later. */
export const tokenizePlainList = (list: PlainList, lexer: Lexer): Tokens.List => {
  const { raw, ordered, start, lines } = list
  const last = lines.length - 1
  let at = 0
  const items = lines.map((line, index): Tokens.ListItem => {
    const text = index === last ? line.trimEnd() : line
    const next = index === last ? raw.length : raw.indexOf('\n', at) + 1
    const whole = raw.slice(at, next)
    at = next
    const words: Tokens.Text = { type: 'text', raw: text, text, tokens: lexer.inline(text) }
    return { type: 'list_item', raw: whole, task: false, loose: false, text, tokens: [words] }
  })
  // marked leaves it so behind every list.
  lexer.state.top = true
  return { type: 'list', raw, ordered, start, loose: false, items }
}
