import type { Token, Tokens } from 'marked'

/** A block of a guest and the Markdown that was printed for it. */
export interface PrintedBlock {
  token: Token
  text: string
}

/** Gives the token that reading the printed text would give, or undefined where it must be read. */
type Keep = (token: Token, text: string) => Token | undefined

const keepSame: Keep = (token, text) =>
  token.raw.startsWith(text) && /^\n*$/.test(token.raw.slice(text.length)) ? token : undefined

// Only what is indented, a list and HTML are read otherwise after another paragraph than alone.
const READ_BY_PLACE = /^(?:\s|<|[*+-](?:\s|$)|\d{1,9}[.)](?:\s|$))/

const keepParagraph: Keep = (token, text) =>
  READ_BY_PLACE.test(text) ? undefined : keepSame(token, text)

/** A heading whose words are as they were, at the depth it was given. */
const keepHeading: Keep = (token, text) => {
  const heading = token as Tokens.Heading
  const depth = text.length - heading.text.length - 1
  // marked drops a # at the end anew each time it reads.
  return depth > 0 &&
    heading.raw.startsWith('#') &&
    !heading.text.endsWith('#') &&
    text === `${'#'.repeat(depth)} ${heading.text}`
    ? { ...heading, depth }
    : undefined
}

const isPlainItem = ({ text, tokens, task }: Tokens.ListItem): boolean =>
  !task &&
  tokens.length === 1 &&
  tokens[0]?.type === 'text' &&
  tokens[0].raw === text &&
  text !== '' &&
  !text.includes('\n') &&
  // A dash after the dash of an item may make a line of it.
  !text.startsWith('-')

/** The largest number that a list may start with: nine digits, less the items that follow. */
const LARGEST_START = 100_000_000

/** A list of single lines, whose marks and spaces alone may be other than they were. */
const keepPlainList = (list: Tokens.List, text: string): Token | undefined => {
  if (list.loose || !list.items.every(isPlainItem)) return undefined
  const start = Number(list.start)
  if (start > LARGEST_START) return undefined
  const mark = (index: number): string => (list.ordered ? `${start + index}.` : '-')
  const plain = list.items.map((item, index) => `${mark(index)} ${item.text}`).join('\n')
  return plain === text ? list : undefined
}

const keepList: Keep = (token, text) =>
  keepSame(token, text) ?? keepPlainList(token as Tokens.List, text)

const isPlainCell = ({ text }: Tokens.TableCell): boolean => !/[|\\\n]/.test(text)

const rowOf = (cells: readonly Tokens.TableCell[]): string =>
  `| ${cells.map(({ text }) => text).join(' | ')} |`

/** A table whose cells are as they were; only the spaces and rules around them may be other. */
const keepTable: Keep = (token, text) => {
  const { header, rows } = token as Tokens.Table
  if (!header.every(isPlainCell) || !rows.every((cells) => cells.every(isPlainCell)))
    return undefined
  const [head, rule = ''] = text.split('\n', 2)
  const plain = [rowOf(header), rule, ...rows.map(rowOf)].join('\n')
  return head === rowOf(header) && plain === text ? token : undefined
}

const keepCode: Keep = (token, text) => (text.startsWith('`') ? keepSame(token, text) : undefined)

const KEEPERS: Readonly<Record<string, Keep>> = {
  paragraph: keepParagraph,
  heading: keepHeading,
  list: keepList,
  table: keepTable,
  code: keepCode,
  blockquote: keepSame,
  hr: (token) => token,
}

/** Gives the token of a block that reads as it did before it was printed, or undefined. */
export const keepBlock = ({ token, text }: PrintedBlock): Token | undefined =>
  KEEPERS[token.type]?.(token, text)
