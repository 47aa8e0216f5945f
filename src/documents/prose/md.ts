import { isSafeHref } from './links.ts'

/** Trusted Markdown: from the code, by `md`, or from the operator. All other text is a string, which `md` escapes. */
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

/** Schemes that pages do not link to, although marked would. */
const OTHER_SCHEME = /(?:ftp|xmpp):/i

/** Matches text after a bare address that every parser excludes from the address. */
const ENDS_ADDRESS = /^[.,;:)]?(?:\s|$)/

/** Escapes an address so that no parser makes it a link. Readers see it unchanged. */
const breakAddress = (word: string): string =>
  word.replaceAll('://', ':\\//').replace(/(www)\./gi, '$1\\.')

/**
 * Characters that have a meaning anywhere in a line. An underscore inside a word has no meaning, nor has a single
 * `~` before a word. The `(` after a `]` is included, because marked reads `\\](` in a link as `](`.
 */
const SPECIAL =
  /[\\`*[\]<>|]|(?<=\S)~|~(?=~)|&(?=[#\w])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|!$|(?<=\s)#(?=#*$)|(?<=\])\(/gu

/** Escapes characters that would start a block at the beginning of a line. */
const escapeStart = (line: string): string =>
  line
    .replace(/^(\s*)([-+#=:](?=\s|$|[-=#:]))/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/**
 * Escapes a text so that Markdown shows it unchanged on one line in any context. `next` is the text after it. An
 * address stays plain, so parsers can link it, unless some parsers would add the characters after it to the link.
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

/** Template tag for Markdown, and the only way to put a value into Markdown. Strings are escaped, `Markdown` is not. */
export const md = (literals: TemplateStringsArray, ...values: readonly Value[]): Markdown => {
  let text = literals[0] ?? ''
  for (const [at, value] of values.entries()) {
    const literal = literals[at + 1] ?? ''
    const printed = print(value, literal === '' && at < values.length - 1 ? '*' : literal)
    // Without a space, the backticks of two code spans would join.
    text += (text.endsWith('`') && printed.startsWith('`') ? ' ' : '') + printed + literal
  }
  return new Markdown(text)
}

const toMarkdown = (value: string | Markdown): Markdown =>
  typeof value === 'string' ? md`${value}` : value

/** Joins blocks with an empty line between them. Leaves out empty blocks. */
export const joinBlocks = (blocks: readonly Markdown[]): Markdown =>
  new Markdown(blocks.map(String).filter(Boolean).join('\n\n'))

/** Returns a run of `char` that is longer than any run in `text`, and at least `least` long. */
const createLongerRun = (text: string, char: string, least: number): string => {
  let longest = 0
  for (let at = text.indexOf(char), run = 0; at >= 0; at = text.indexOf(char, at + 1)) {
    run = text[at - 1] === char ? run + 1 : 1
    longest = Math.max(longest, run)
  }
  return char.repeat(Math.max(least, longest + 1))
}

export const codeSpan = (text: string): Markdown => {
  const ticks = createLongerRun(text, '`', 1)
  const line = text.replace(/\s+/g, ' ')
  const pad = /^`|`$|^ .* $/.test(line) ? ' ' : ''
  return new Markdown(line === '' ? '' : `${ticks}${pad}${line}${pad}${ticks}`)
}

/** Returns the language of a code block if it is a plain word, else an empty string. */
export const plainLanguage = (lang: string | null | undefined): string =>
  /^[\w+#.-]{1,40}/.exec(lang ?? '')?.[0] ?? ''

/** Writes a text as a code block that no line of the text can end. Adds a final newline if there is none. */
export const fenceText = (text: string, lang: string | null | undefined): string => {
  const fence = createLongerRun(text, '`', 3)
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${fence}${plainLanguage(lang)}\n${text}${end}${fence}`
}

/** Writes a text without its trailing newlines as a code block. */
export const codeFence = (text: string, lang: string | null = ''): Markdown => {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return new Markdown(fenceText(text.slice(0, end), lang))
}

/** Writes a safe address as a link destination. */
const printDestination = (address: string): string => {
  const plain = address.replace(/&(?=#?\w{1,32};)/g, '\\&')
  return /[()]/.test(plain) ? `<${plain}>` : plain.replace(/[[\]*]/g, '\\$&')
}

/** Writes a link, or only its label if the address is unsafe. */
export const link = (label: string | Markdown, address: string): Markdown => {
  const words = typeof label === 'string' ? escapeInline(label, '*') : String(label)
  return new Markdown(isSafeHref(address) ? `[${words}](${printDestination(address)})` : words)
}

const escapePipes = (cell: string): string =>
  cell.replace(/(?<!\\)((?:\\\\)*)\|/g, '$1\\|').replaceAll('\n', ' ')

/** Writes a table. Each cell is one line. A `|` after an even number of backslashes is not escaped yet. */
export const table = (
  header: readonly (string | Markdown)[],
  rows: readonly (readonly (string | Markdown)[])[],
  align: readonly ('right' | undefined)[] = [],
): Markdown => {
  const printRow = (cells: readonly (string | Markdown)[]): string =>
    `| ${cells.map((cell) => escapePipes(String(toMarkdown(cell)))).join(' | ')} |`
  const rule = header.map((_, at) => (align[at] === 'right' ? '--:' : '---'))
  return new Markdown(
    [printRow(header), `| ${rule.join(' | ')} |`, ...rows.map(printRow)].join('\n'),
  )
}

/** Joins parts on one line. `omitted` is the number of further parts. */
export const joinWords = (parts: readonly Markdown[], separator = ', ', omitted = 0): Markdown =>
  md`${parts.map((part, at) => md`${at > 0 ? separator : ''}${part}`)}${omitted > 0 ? ` and ${omitted} more` : ''}`

/** Writes a list without empty lines between its items. */
export const list = (items: readonly (string | Markdown)[]): Markdown => {
  const printed = items.map(
    (item) => `- ${String(toMarkdown(item)).replace(/\n(?=[^\n])/g, '\n  ')}`,
  )
  return new Markdown(printed.join('\n'))
}
