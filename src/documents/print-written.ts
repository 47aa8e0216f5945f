import type { Link, PhrasingContent, RootContent } from 'mdast'
import { Printer, escapeWords, trimBlanks } from './print.ts'
import type { Marked, WordsBlock } from './print.ts'

/**
 * A line that would begin another block if it did not continue a paragraph or were indented less; with any white
 * space of Unicode around its markers, since some parsers treat each as a space.
 */
const BEGINS_BLOCK =
  /^[ \t]{0,3}[^\S\n \t]{0,3}[ \t]{0,3}(?:#{1,6}(?:\s|$)|>|<[a-zA-Z/!?]|=+\s*$|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|[-_*](?:\s*[-_*]){2,}\s*$|[|:-][-:|\s]*$|```|~~~|\[[ xX]\](?:\s|$))/m

const MARK = /[\\`*_~<&[\]]/

const ADDRESS = /:\/\/|www\./i

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
    const given = super.marksOf(node)
    const written = this.slice(node)
    if (written === '') return given
    const sign = written.charAt(0)
    const length = node.type === 'delete' ? (written.charAt(1) === '~' ? 2 : 1) : given[0].length
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
