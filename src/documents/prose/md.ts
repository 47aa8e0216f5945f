import { isSafeHref } from './links.ts'

/**
 * Markdown that may stand in a page: written by us with `md`, or by the operator. Anything else is a string, and `md`
 * escapes it.
 */
export class Markdown {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

type Value = string | number | Markdown | readonly Markdown[]

const ADDRESS = /:\/\/|www\./i

/** Addresses that a page does not link to, but marked would. */
const OTHER_SCHEME = /(?:ftp|xmpp):/i

/** Characters that some readers take for the end of a bare address. */
const ENDS_ADDRESS = /^[.,;:)]?(?:\s|$)/

/** Writes an address so that no parser makes it a link and readers see it whole. */
const breakAddress = (word: string): string =>
  word.replaceAll('://', ':\\//').replace(/(www)\./gi, '$1\\.')

/**
 * Characters with a meaning anywhere in a line. An underscore inside a word and a single `~` before one do not; in a
 * link marked reads `\\](` as `](`.
 */
const SPECIAL =
  /[\\`*[\]<>|]|(?<=\S)~|~(?=~)|&(?=[#\w])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|!$|(?<=\s)#(?=#*$)|(?<=\])\(/gu

/** Escapes the beginning of a line that would start a block. */
const escapeStart = (line: string): string =>
  line
    .replace(/^(\s*)([-+#=:](?=\s|$|[-=#:]))/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/**
 * Escapes a text so that Markdown shows it as it is, on one line, in any context. `next` is what follows it. An address
 * stays one, but is broken where some parsers would add the characters after it.
 */
const escapeInline = (text: string, next = ''): string => {
  const escaped = escapeStart(text.replace(/[\s\p{Cc}]+/gu, ' ').replace(SPECIAL, '\\$&'))
  if (!ADDRESS.test(escaped) && !escaped.includes('@')) return escaped
  const words = escaped.split(' ')
  const isOpen = !ENDS_ADDRESS.test(next)
  return words
    .map((word, at) => {
      const isUnclear = word.includes('\\') || (isOpen && at === words.length - 1)
      return isUnclear || OTHER_SCHEME.test(word) ? breakAddress(word).replaceAll('@', '\\@') : word
    })
    .join(' ')
}

const print = (value: Value, next: string): string => {
  if (typeof value === 'string') return escapeInline(value, next)
  return Array.isArray(value) ? value.join('') : String(value)
}

/** Markdown of ours; strings put into it are escaped, Markdown stays. The only way a value gets into Markdown. */
export const md = (literals: TemplateStringsArray, ...values: readonly Value[]): Markdown => {
  let text = literals[0] ?? ''
  for (const [at, value] of values.entries()) {
    const literal = literals[at + 1] ?? ''
    const printed = print(value, literal === '' && at < values.length - 1 ? '*' : literal)
    // The backticks of two code spans would join.
    text += (text.endsWith('`') && printed.startsWith('`') ? ' ' : '') + printed + literal
  }
  return new Markdown(text)
}

const toMarkdown = (value: string | Markdown): Markdown =>
  typeof value === 'string' ? md`${value}` : value

/** Joins blocks, one empty line between; empty ones are left out. */
export const joinBlocks = (blocks: readonly Markdown[]): Markdown =>
  new Markdown(blocks.map(String).filter(Boolean).join('\n\n'))

/** A run of `char` that is longer than any in a text, and at least `least` long. */
const outrun = (text: string, char: string, least: number): string => {
  let longest = 0
  for (let at = text.indexOf(char), run = 0; at >= 0; at = text.indexOf(char, at + 1)) {
    run = text[at - 1] === char ? run + 1 : 1
    longest = Math.max(longest, run)
  }
  return char.repeat(Math.max(least, longest + 1))
}

/** A text as code in a line. */
export const codeSpan = (text: string): Markdown => {
  const ticks = outrun(text, '`', 1)
  const line = text.replace(/\s+/g, ' ')
  const pad = /^`|`$|^ .* $/.test(line) ? ' ' : ''
  return new Markdown(line === '' ? '' : `${ticks}${pad}${line}${pad}${ticks}`)
}

/** The language of a code block if it is a plain word, else empty. */
export const plainLanguage = (lang: string | null | undefined): string =>
  /^[\w+#.-]{1,40}/.exec(lang ?? '')?.[0] ?? ''

/** A text as a block of code that no line of it ends; a line end is added where the last has none. */
export const fenceText = (text: string, lang: string | null | undefined): string => {
  const fence = outrun(text, '`', 3)
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${fence}${plainLanguage(lang)}\n${text}${end}${fence}`
}

/** A text without the line ends at its end as a block of code. */
export const codeFence = (text: string, lang: string | null = ''): Markdown => {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return new Markdown(fenceText(text.slice(0, end), lang))
}

/** A safe address as the destination of a link. */
const printDestination = (address: string): string => {
  const plain = address.replace(/&(?=#?\w{1,32};)/g, '\\&')
  return /[()]/.test(plain) ? `<${plain}>` : plain.replace(/[[\]*]/g, '\\$&')
}

/** A link; its words alone where the address is unsafe. */
export const link = (label: string | Markdown, address: string): Markdown => {
  const words = typeof label === 'string' ? escapeInline(label, '*') : String(label)
  return new Markdown(isSafeHref(address) ? `[${words}](${printDestination(address)})` : words)
}

const escapePipes = (cell: string): string =>
  cell.replace(/(?<!\\)((?:\\\\)*)\|/g, '$1\\|').replaceAll('\n', ' ')

/** A table of cells that are one line each. An even number of backslashes before a `|` does not escape it. */
export const table = (
  header: readonly (string | Markdown)[],
  rows: readonly (readonly (string | Markdown)[])[],
  align: readonly ('left' | 'right' | undefined)[] = [],
): Markdown => {
  const rules = { left: ':--', right: '--:' } as const
  const printRow = (cells: readonly (string | Markdown)[]): string =>
    `| ${cells.map((cell) => escapePipes(String(toMarkdown(cell)))).join(' | ')} |`
  const rule = header.map((_, at) => (align[at] ? rules[align[at]] : '---'))
  return new Markdown(
    [printRow(header), `| ${rule.join(' | ')} |`, ...rows.map(printRow)].join('\n'),
  )
}

/** Joins parts in one line, and counts those that are not shown. */
export const joinWords = (parts: readonly Markdown[], sign = ', ', rest = 0): Markdown =>
  md`${parts.map((part, at) => md`${at > 0 ? sign : ''}${part}`)}${rest > 0 ? ` and ${rest} more` : ''}`

/** A list without empty lines between its items. */
export const list = (items: readonly (string | Markdown)[]): Markdown => {
  const printed = items.map(
    (item) => `- ${String(toMarkdown(item)).replace(/\n(?=[^\n])/g, '\n  ')}`,
  )
  return new Markdown(printed.join('\n'))
}
