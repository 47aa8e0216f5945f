import type { Link, List, ListItem, PhrasingContent, RootContent, Table, TableCell } from 'mdast'

/** Escapes the beginning of a line that would start a block of Markdown. */
export const escapeLineStart = (line: string): string =>
  line
    .replace(/^(\s*)([-+#=:](?=\s|$|[-=#:])|[>|])/, '$1\\$2')
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2')

/** Escapes each underscore that could begin or end emphasis. */
const escapeUnderscores = (words: string): string =>
  words.includes('_') ? words.replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_') : words

const ADDRESS = /:\/\/|www\./i

/**
 * Breaks each bare address that contains an escape: parsers that autolink take the backslash as part of the address, so
 * the escaped character would become markup.
 */
const preventLinks = (escaped: string): string =>
  ADDRESS.test(escaped)
    ? escaped.replace(/\S+/g, (word) => (word.includes('\\') ? preventLink(word) : word))
    : escaped

/** Writes an address so that no parser links it and readers see it whole. */
const preventLink = (words: string): string =>
  words.replaceAll('://', ':\\//').replace(/(www)\./gi, '$1\\.')

/** Escapes a plain text so that Markdown shows it literally, on one line, in any context. */
export const escapeMarkdown = (text: string): string => {
  const line = (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text).trim()
  const escaped = line.replace(/[\\`*[\]<>|]|~(?=~)|&(?=[#\w])/g, '\\$&')
  return escapeLineStart(preventLinks(escapeUnderscores(escaped)))
}

/** Writes an address as the destination of a Markdown link, whatever characters it contains. */
export const printAddress = (address: string): string => {
  const plain = address
    .replace(/\s/g, encodeURIComponent)
    .replace(/[\\<>]|&(?=#?\w{1,32};)/g, '\\$&')
  return /[()]/.test(plain) ? `<${plain}>` : plain.replace(/[[\]*`]/g, '\\$&')
}

/** A node with words in it: a paragraph, a heading, a cell. */
type WordsBlock = Extract<RootContent | TableCell, { children: PhrasingContent[] }>

const longestRun = (text: string, sign: string): number =>
  text.includes(sign)
    ? [...text.matchAll(new RegExp(`${sign}+`, 'g'))].reduce(
        (longest, [run]) => Math.max(longest, run.length),
        0,
      )
    : 0

// A backslash before punctuation, code and emphasis, strikethrough, tags, entities, whatever may end a link.
const TAKEN_FOR_MORE =
  /\\(?=[!-/:-@[-`{-~\n]|$)|`|(?<!\s)\*|\*(?!\s)|(?<=\S)~|^~|~(?=~)|<(?=[A-Za-z/!?]|$)|&(?=#?\w{1,32};)|\](?=[([:]|$)|^\[/g

/** Escapes words inside a block, only where Markdown would read them otherwise; inside a link, every bracket. */
const escapeWords = (words: string, isInLink = false): string => {
  const escaped = escapeUnderscores(words.replace(TAKEN_FOR_MORE, '\\$&'))
  if (isInLink) return preventLinks(escaped.replace(/(?<!\\)((?:\\\\)*)([[\]])/g, '$1\\$2'))
  // An address that is not a link must not become one: parsers take whatever follows as a part of it.
  return preventLink(escaped)
}

const isBlank = (character: string): boolean =>
  character === ' ' || character === '\t' || character === '\n' || character === '\r'

/**
 * Trims only what Markdown calls blank, not Unicode's other white space: after U+00A0 or U+2029 a `#` does not
 * begin a heading, and it must not get to the start of the line.
 */
const trimBlanks = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charAt(start))) start += 1
  while (end > start && isBlank(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Drops a character from the end of a text in linear time, which a regular expression would not. */
const dropFinal = (text: string, sign: string): string => {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === sign) end -= 1
  return text.slice(0, end)
}

/** The language of a code block if it is a plain word, else empty. */
export const languageOf = (lang: string | null | undefined): string =>
  /^[\w+#.-]{1,40}/.exec(lang ?? '')?.[0] ?? ''

/** Fences a text as code: the fence is longer than any inside, so it always ends where it should. */
export const printFence = (text: string, language = ''): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1))
  return `${fence}${languageOf(language)}\n${dropFinal(text, '\n')}\n${fence}`
}

/** Prints a text as an inline code span, whatever backticks it contains. */
export const printCodeSpan = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  const ticks = '`'.repeat(longestRun(line, '`') + 1)
  const pad = /^`|`$|^ .* $/.test(line) ? ' ' : ''
  return `${ticks}${pad}${line}${pad}${ticks}`
}

const indent = (text: string, by: string): string => text.replace(/\n(?=[^\n])/g, `\n${by}`)

const MARKS = { strong: '**', emphasis: '*', delete: '~~' } as const

/** Words that are emphasized. */
type Marked = Extract<PhrasingContent, { type: keyof typeof MARKS }>

/** Prints a tree as Markdown, from its words alone. */
class Printer {
  printBlocks(nodes: readonly RootContent[], gap = '\n\n'): string {
    let text = ''
    let before: RootContent | undefined
    let isOther = false
    for (const node of nodes) {
      // Two neighbouring lists would be read as one unless their markers differ.
      isOther = isSameList(before, node) && !isOther
      const printed = this.printBlock(node, isOther, text === '' && gap !== '\n\n')
      if (printed === '') continue
      text += text === '' ? printed : `${gapBetween(before, node, gap)}${printed}`
      before = node
    }
    return text
  }

  private printBlock(node: RootContent, isOther: boolean, isFirst: boolean): string {
    switch (node.type) {
      case 'heading': {
        const words = this.printOnOneLine(node)
        // A `#` at the end would be read as the closing sequence of the heading.
        const closed = words.replace(/(^|[ \t])(#+)$/, '$1\\$2')
        return words === '' ? '' : `${'#'.repeat(node.depth)} ${closed}`
      }
      case 'paragraph':
        return this.printWords(node)
      case 'code':
        return printFence(node.value, node.lang ?? '')
      case 'blockquote':
        return this.printBlocks(node.children)
          .split('\n')
          .map((line) => dropFinal(`> ${line}`, ' '))
          .join('\n')
      case 'list':
        return this.printList(node, isOther)
      case 'thematicBreak':
        // After the dash of an item three more would be a break without an item.
        return isFirst ? '***' : '---'
      case 'table':
        return this.printTable(node)
      default:
        return ''
    }
  }

  private printList(list: List, isOther: boolean): string {
    const isLoose = list.spread === true || list.children.some(({ spread }) => spread)
    const start = list.start ?? 1
    const bullet = isOther ? '*' : '-'
    const items = list.children.map((item, index) =>
      this.printItem(
        item,
        list.ordered ? `${start + index}${isOther ? ')' : '.'}` : bullet,
        isLoose,
      ),
    )
    return items.join(isLoose ? '\n\n' : '\n')
  }

  private printItem(item: ListItem, mark: string, isLoose: boolean): string {
    const sign = typeof item.checked === 'boolean' ? `[${item.checked ? 'x' : ' '}]` : ''
    // A task needs words: without any, its box would take those of the next item.
    const box = sign === '' ? '' : item.children.length > 0 ? `${sign} ` : `\\${sign}`
    const text = box + this.printBlocks(item.children, isLoose ? '\n\n' : '\n')
    return trimBlanks(`${mark} ${indent(text, ' '.repeat(mark.length + 1))}`)
  }

  private printTable(table: Table): string {
    const width = table.children[0]?.children.length ?? 0
    const rows = table.children.map(({ children }) => {
      const cells = children.slice(0, width).map((cell) => this.printCell(cell))
      while (cells.length < width) cells.push('')
      return `| ${cells.join(' | ')} |`
    })
    const rules = { left: ':--', right: '--:', center: ':-:' } as const
    const rule = Array.from({ length: width }, (_, at) => {
      const side = table.align?.[at]
      return side ? rules[side] : '---'
    })
    return [rows[0], `| ${rule.join(' | ')} |`, ...rows.slice(1)].join('\n')
  }

  private printCell(cell: TableCell): string {
    // An even number of backslashes before a `|` escapes each other, not the `|`.
    return this.printOnOneLine(cell).replace(/(?<!\\)((?:\\\\)*)\|/g, '$1\\|')
  }

  /** Prints a heading or a cell, which must be one line, even if its words break lines. */
  private printOnOneLine(block: WordsBlock): string {
    const text = this.printWords(block)
    if (!text.includes('\n')) return text
    const lines = text.split('\n')
    const last = lines.length - 1
    return lines
      .map((line, at) => trimBlanks(at < last ? line.replace(/\\$/, '') : line))
      .filter((line) => line !== '')
      .join(' ')
  }

  /** Prints words from the tree, escaping everything that Markdown could read as syntax. */
  protected printWords(block: WordsBlock): string {
    const isParagraph = block.type === 'paragraph'
    return this.printAnew(block.children)
      .split('\n')
      .map((line) => (isParagraph ? escapeLineStart(trimBlanks(line)) : trimBlanks(line)))
      .filter((line) => line !== '')
      .join('\n')
  }

  /** The marks around emphasized words. */
  protected marksOf({ type }: Marked): [string, string] {
    return [MARKS[type], MARKS[type]]
  }

  protected printLink({ title, url }: Link, words: string, _isPlain: boolean): string {
    const hint = title ? ` "${title.replace(/[\s"\\]+/g, ' ').trim()}"` : ''
    return `[${trimBlanks(words) || escapeWords(url, true)}](${printAddress(url)}${hint})`
  }

  /** Whether the word that continues at a node ends before any Markdown syntax; only addresses as written need that. */
  protected endsPlainly(
    _nodes: readonly PhrasingContent[],
    _from: number,
    isEnd: boolean,
  ): boolean {
    return isEnd
  }

  private printAnew(nodes: readonly PhrasingContent[], isInLink = false, isEnd = true): string {
    const pieces: string[] = []
    for (const [at, node] of nodes.entries()) {
      const printed = this.printNodeAnew(node, isInLink, () =>
        this.endsPlainly(nodes, at + 1, isEnd),
      )
      const before = pieces.at(-1) ?? ''
      // The backticks of two adjacent code spans would join, and a `!` would make a link an image.
      if (before.endsWith('`') && printed.startsWith('`')) pieces.push(' ')
      if (before.endsWith('!') && printed.startsWith('['))
        pieces.push(`${pieces.pop()?.slice(0, -1)}\\!`)
      pieces.push(printed)
    }
    return pieces.join('')
  }

  private printNodeAnew(node: PhrasingContent, isInLink: boolean, isPlain: () => boolean): string {
    switch (node.type) {
      case 'text':
        return escapeWords(node.value, isInLink)
      case 'inlineCode':
        return printCodeSpan(node.value)
      case 'break':
        return '\\\n'
      case 'link':
        return this.printLink(node, this.printAnew(node.children, true), isPlain())
      case 'emphasis':
      case 'strong':
      case 'delete': {
        const [start, end] = this.marksOf(node)
        return start + this.printAnew(node.children, isInLink, isPlain()) + end
      }
      default:
        return ''
    }
  }
}

/** Whether two blocks are lists of the same kind. */
const isSameList = (before: RootContent | undefined, node: RootContent): boolean =>
  before?.type === 'list' && node.type === 'list' && before.ordered === node.ordered

/** In a list without empty lines, one is still needed where a block would continue the one before. */
const gapBetween = (before: RootContent | undefined, node: RootContent, gap: string): string =>
  node.type === 'paragraph' &&
  (before?.type === 'paragraph' ||
    before?.type === 'list' ||
    before?.type === 'table' ||
    before?.type === 'blockquote')
    ? '\n\n'
    : gap

/** Prints blocks as Markdown, one empty line between. */
export const printBlocks = (nodes: readonly RootContent[]): string =>
  new Printer().printBlocks(nodes)

/**
 * A line that would begin another block if it did not continue a paragraph or were indented less; with any white
 * space of Unicode around its markers, since some parsers treat each as a space.
 */
const BEGINS_BLOCK =
  /^[ \t]{0,3}[^\S\n \t]{0,3}[ \t]{0,3}(?:#{1,6}(?:\s|$)|>|<[a-zA-Z/!?]|=+\s*$|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|[-_*](?:\s*[-_*]){2,}\s*$|[|:-][-:|\s]*$|```|~~~|\[[ xX]\](?:\s|$))/m

const MARK = /[\\`*_~<&[\]]/

/**
 * Whether the word that continues at a node ends before any Markdown syntax. An address without brackets needs
 * that: some parsers take everything up to the next blank as a part of it, even what opens code or escapes a
 * tag. `isEnd` is the answer at the end of the nodes.
 */
const endsPlainly = (nodes: readonly PhrasingContent[], from: number, isEnd: boolean): boolean => {
  for (let at = from; at < nodes.length; at += 1) {
    const node = nodes[at]!
    if (node.type !== 'text') return node.type === 'break'
    const word = /^[^ \t\n]*/.exec(node.value)![0]
    if (MARK.test(word)) return false
    if (word.length < node.value.length) return true
  }
  return isEnd
}

const isBareLink = (node: Link): boolean =>
  node.position?.start.offset !== undefined &&
  node.position.start.offset === node.children[0]?.position?.start.offset

const dropBeforeAddress = (word: string): string => {
  const start = word.search(ADDRESS)
  return start < 0 ? '' : word.slice(start)
}

/** Whether each address without brackets, be it a link or not, ends in the same place for every parser. */
const areAddressesPlain = (nodes: readonly PhrasingContent[], isEnd = true): boolean =>
  nodes.every((node, at) => {
    if (node.type === 'link' && isBareLink(node)) return endsPlainly(nodes, at + 1, isEnd)
    if ('children' in node)
      return areAddressesPlain(node.children, endsPlainly(nodes, at + 1, isEnd))
    if (node.type !== 'text' || !ADDRESS.test(node.value)) return true
    const words = node.value.split(/[ \t\n]/).map(dropBeforeAddress)
    return (
      !words.some((word) => MARK.test(word)) &&
      (words.at(-1) === '' || endsPlainly(nodes, at + 1, isEnd))
    )
  })

/** What begins or ends code, tags and links: a parser without tables would find the other half in another cell. */
const HALF = /`|<(?=[A-Za-z/!?]|$)|\](?=[([:])/

const holdsHalf = (nodes: readonly PhrasingContent[]): boolean =>
  nodes.some((node) =>
    'children' in node ? holdsHalf(node.children) : node.type === 'text' && HALF.test(node.value),
  )

const mayStayAsWritten = ({ type, children }: WordsBlock): boolean =>
  areAddressesPlain(children) && !(type === 'tableCell' && holdsHalf(children))

/** Prints a tree as Markdown. A block that did not change is printed as its author wrote it. */
class WrittenPrinter extends Printer {
  readonly #source: string

  constructor(source: string) {
    super()
    this.#source = source
  }

  protected override printWords(block: WordsBlock): string {
    if (block.position && this.#source !== '' && mayStayAsWritten(block)) {
      // The other lines of a block have the same prefix as the first, or less of it.
      const prefix = block.position.start.column - 1
      const written = this.printAsWritten(block.children)
      const text =
        prefix > 0 && written.includes('\n')
          ? written.replace(new RegExp(`\\n[ \\t>]{0,${prefix}}`, 'g'), '\n')
          : written
      if (block.type !== 'paragraph' || !BEGINS_BLOCK.test(text)) return trimBlanks(text)
    }
    return super.printWords(block)
  }

  /** Copies words from the source; only links and breaks are printed. */
  private printAsWritten(nodes: readonly PhrasingContent[]): string {
    let text = ''
    for (const node of nodes) {
      if (node.type === 'break') text += '\\\n'
      else if (node.type === 'link')
        text += this.printLink(node, this.printAsWritten(node.children), true)
      else if (node.type === 'emphasis' || node.type === 'strong' || node.type === 'delete') {
        const [start, end] = this.marksOf(node)
        text += start + this.printAsWritten(node.children) + end
      } else text += this.slice(node)
    }
    return text
  }

  private slice({ position }: PhrasingContent): string {
    return position ? this.#source.slice(position.start.offset, position.end.offset) : ''
  }

  protected override marksOf(node: Marked): [string, string] {
    const usual = super.marksOf(node)
    const written = this.slice(node)
    if (written === '') return usual
    const sign = written.charAt(0)
    const length = node.type === 'delete' ? (written.charAt(1) === '~' ? 2 : 1) : usual[0].length
    return [sign.repeat(length), sign.repeat(length)]
  }

  protected override printLink(node: Link, words: string, isPlain: boolean): string {
    const written = this.slice(node)
    const isBare = written !== '' && !written.startsWith('[')
    if (isBare && (written.startsWith('<') || isPlain)) return written
    return super.printLink(node, isBare ? escapeWords(written, true) : words, isPlain)
  }

  protected override endsPlainly(
    nodes: readonly PhrasingContent[],
    from: number,
    isEnd: boolean,
  ): boolean {
    return endsPlainly(nodes, from, isEnd)
  }
}

/** Prints blocks as Markdown, one empty line between; `source` is the text that their positions refer to. */
export const printWritten = (nodes: readonly RootContent[], source: string): string =>
  new WrittenPrinter(source).printBlocks(nodes)
