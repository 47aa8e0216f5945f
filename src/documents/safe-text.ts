import type {
  Definition,
  Heading,
  Html,
  Image,
  ImageReference,
  Link,
  LinkReference,
  Nodes,
  Parents,
  PhrasingContent,
  Root,
  Table,
} from 'mdast'
import { MagicString } from 'magic-string'
import { isOrdinaryText, revealHidden, showValue } from '../catalog/text.ts'
import { Anchors } from './anchors.ts'
import { isAbsoluteHref, isSafeHref } from './links.ts'
import type { LinkResolver } from './links.ts'
import { isTooCostly, readTree } from '../catalog/markdown.ts'
import {
  Markdown,
  OTHER_SCHEME,
  closeLink,
  codeFence,
  codeSpan,
  escapeInline,
  escapePipes,
} from './md.ts'

/** Where a stranger's text stands in a page. */
interface TextPlace {
  /** Depth of the heading above it; its own start one below. */
  depth: number
  /** Anchors that the page already has. */
  taken: readonly string[]
  /** Resolves relative addresses; safe absolute ones are not passed to it. */
  resolve: LinkResolver
}

export interface TextHeading {
  depth: number
  /** Its words, without marks. */
  text: string
  anchor: string
  /** Line of `source` that it begins on, from 1. */
  line: number
}

interface EmbeddedText {
  markdown: Markdown
  /** The text as it was read: LF, hidden characters spelt out. */
  source: string
  /** Its headings as they stand in the page; none where the text is shown as code. */
  headings: readonly TextHeading[]
  /** Why the text is shown as code. */
  fault?: string
}

/** Longest text that is shown in a page, in characters; of a longer one the page only links to the file. */
export const TEXT_LIMIT = 1_048_576

/** The text cannot be shown as Markdown. */
class UnprovedError extends Error {
  override name = 'UnprovedError'
}

/** Deepest nesting that is walked; a list and its item are two levels. */
const DEEPEST_LEVEL = 100

/** How much longer a text may become by addresses and by cells that complete short rows, in characters. */
const ROOM_TO_GROW = 2 * TEXT_LIMIT

const DEEPEST_HEADING = 6

/** The one element that authors write for its effect. In a cell nothing else breaks a line, so there it stays. */
const BREAK = /^<br\s{0,3}\/?>$/i
const BREAK_IN_CELL = '<br>'

/** What begins a block, behind the indent and the number of a line. */
const MARKERS = [
  /#{1,6}(?:\s|$)/,
  />|```|~~~/,
  /<[a-zA-Z/!?]/,
  /[-+*](?:\s|$)/,
  /(?<=\d)[.)](?:\s|$)/,
  // Below a line: a heading, a rule, a table.
  /=+\s*$/,
  /[-_*](?:\s*[-_*]){2,}\s*$/,
  /[|:-][-:|\s]*$/,
  // A definition, or the box of a task.
  /\[[^\]]*\]:|\[[ xX]\](?:\s|$)/,
]

/** An indent, with any white space of Unicode: some parsers treat each as a space. */
const INDENT = /[ \t]{0,3}[^\S\n \t]{0,3}[ \t]{0,3}/

const BLOCK_START = `(${INDENT.source}(?:\\d{1,9}(?=[.)]))?)(?:${MARKERS.map((one) => one.source).join('|')})`

/** A line that would begin another block if it did not continue a paragraph or were indented less. */
const BEGINS_BLOCK = new RegExp(`^${BLOCK_START}`)

/** A line of code that continues so. */
const CODE_BEGINS_BLOCK = new RegExp(`\\n[ \\t>]*${BLOCK_START}`, 'm')

/**
 * What may be an address, and where a backslash keeps it from becoming a link. The first two are none here, but marked
 * links them.
 */
const ADDRESS = /(ftp|xmpp):|(:)\/\/|(www)\.|()@/gi

/** How far a line is looked at for what an address or a marker means; nothing is lost if it is escaped for no reason. */
const LONGEST_WORD = 200

/** Signs that some parsers take as part of an address before them, with the code or the tag that they begin. */
const MARK = /[\\`*_~<&[\]]/

/** A rough sign of it: backticks with `](` behind. */
const LINK_END_IN_CODE = /`[^`\n]*\]\([^`\n]*`/

/** What begins or ends code, tags and links: a parser without tables would find the other half in another cell. */
const HALF = /\\[^]|`|<(?=[A-Za-z/!?]|$)|\](?=[([:])/g

/** What may begin a tag: some parsers take any white space of Unicode for a blank in it. */
const TAG_START = /\\[^]|<(?=[A-Za-z/!?])/g

/** What no text of ours may hold once it is read again. */
const UNWANTED = new Set<Nodes['type']>([
  'html',
  'image',
  'imageReference',
  'linkReference',
  'definition',
  'footnoteDefinition',
  'footnoteReference',
])

const FENCED = /^(`{3,})[\w+#.-]*\n(?:[^]*\n)?\1$/

type Words = { type: string; children: PhrasingContent[] } & Pick<Nodes, 'position'>

/** What holds for all words of a block. */
interface Line {
  block: Words
  isCell: boolean
  isHeading: boolean
  /** What the block's other lines begin with. */
  lead: string
  /** Code in it holds `](`, which marked takes for the end of a link that began before. */
  endsLinkInCode: boolean
  /** Lengths of the runs of backticks that are text, once they are asked for. */
  runs?: ReadonlySet<number>
}

/** What stands around a node in its line. */
interface Spot {
  /** It begins a line, or may do so once what stands before is gone. */
  isStart?: boolean
  isInLink?: boolean
}

const startOf = (node: Pick<Nodes, 'position'>): number => node.position?.start.offset ?? 0
const endOf = (node: Pick<Nodes, 'position'>): number => node.position?.end.offset ?? 0
const childrenOf = (node: Nodes): readonly Nodes[] => ('children' in node ? node.children : [])

/** Visits a tree in the order of the text, each node with its parent and its level. */
const walk = (
  node: Nodes,
  visit: (node: Nodes, parent: Nodes | undefined, level: number) => void,
  parent?: Nodes,
  level = 0,
): void => {
  if (level > DEEPEST_LEVEL)
    throw new UnprovedError(`is nested deeper than ${DEEPEST_LEVEL} levels`)
  visit(node, parent, level)
  for (const child of childrenOf(node)) walk(child, visit, node, level + 1)
}

const describeImage = (alt: string | null | undefined): string =>
  `Image: ${(alt ?? '').replace(/[[\]\\`*_<>]/g, '').trim() || 'no description'}`

/** Whether a link is a bare address; such a link may become code. */
const isBare = (node: Nodes): boolean => {
  const [words] = node.type === 'link' && node.children.length === 1 ? node.children : []
  return words?.type === 'text' && (node as Link).url.endsWith(words.value)
}

const mayBecomeCode = (node: Nodes | undefined): boolean =>
  node !== undefined && (node.type === 'html' || isBare(node))

const isCode = (node: Nodes): boolean => node.type === 'inlineCode' || mayBecomeCode(node)

/** Keeps the backticks of what may become code apart from others beside it. */
const gapBetween = (before: Nodes | undefined, after: Nodes | undefined): string => {
  if (!mayBecomeCode(before) && !mayBecomeCode(after)) return ''
  const ends = before && (isCode(before) || (before.type === 'text' && before.value.endsWith('`')))
  const starts = after && (isCode(after) || (after.type === 'text' && after.value.startsWith('`')))
  return ends && starts ? ' ' : ''
}

/** The words of a node; `isShown` with what a page shows for images and HTML. */
const wordsOf = (node: Nodes, isShown: boolean): string => {
  if (node.type === 'image' || node.type === 'imageReference')
    return isShown ? describeImage(node.alt) : ''
  if (node.type === 'html')
    return isShown && !BREAK.test(node.value) ? node.value.replace(/\s+/g, ' ') : ' '
  if (node.type === 'break') return ' '
  if ('value' in node) return node.value
  const children = childrenOf(node)
  return children
    .map(
      (child, at) => (isShown ? gapBetween(children[at - 1], child) : '') + wordsOf(child, isShown),
    )
    .join('')
}

/** Words on one line, as GitHub takes them for an anchor: blanks stay, but for those that satteri drops around an end. */
const lineOf = (node: Nodes, isShown = true): string =>
  wordsOf(node, isShown)
    .replace(/ *\n */g, ' ')
    .trim()

/** Whether a block begins on the line after another. */
const isBelow = (node: Nodes | undefined, before: Nodes | undefined): boolean =>
  node !== undefined && node.position?.start.line === (before?.position?.end.line ?? 0) + 1

/** Moves headings below a depth, keeping their order of depth and never skipping a level. */
const placeHeadings = (root: Root, { depth, taken }: TextPlace): Map<Nodes, TextHeading> => {
  const headings = root.children.filter(
    (node): node is Heading => node.type === 'heading' && lineOf(node) !== '',
  )
  const shallowest = headings.reduce((least, heading) => Math.min(least, heading.depth), Infinity)
  const anchors = new Anchors(taken)
  let previous = depth
  return new Map(
    headings.map((heading) => {
      previous = Math.min(depth + 1 + heading.depth - shallowest, previous + 1, DEEPEST_HEADING)
      const text = lineOf(heading)
      const line = heading.position?.start.line ?? 1
      return [heading, { depth: previous, text, anchor: anchors.slug(text), line }]
    }),
  )
}

/** Columns of white space and quote marks at the start of a line. */
const widthOf = (lead: string): number => {
  let width = 0
  for (const char of lead) width += char === '\t' ? 4 - (width % 4) : 1
  return width
}

const countQuotes = (lead: string): number => lead.split('>').length

/** One text on its way into a page: edits of its source at the places of its nodes. */
class Embedding {
  readonly links: string[] = []
  readonly headings: ReadonlyMap<Nodes, TextHeading>
  private readonly edits: MagicString
  private readonly definitions = new Map<string, Definition>()
  private readonly anchors: ReadonlyMap<string, string>
  private readonly source: string
  private readonly place: TextPlace
  private room = ROOM_TO_GROW

  constructor(source: string, place: TextPlace) {
    this.source = source
    this.place = place
    this.edits = new MagicString(source)
    const root = readTree(source)
    this.headings = placeHeadings(root, place)
    // Authors link to the anchors that the headings have when the text stands alone.
    const own = new Anchors()
    this.anchors = new Map(
      [...this.headings].map(([node, { anchor }]) => [own.slug(lineOf(node, false)), anchor]),
    )
    walk(root, (node) => {
      if (node.type === 'definition' && !this.definitions.has(node.identifier))
        this.definitions.set(node.identifier, node)
    })
    this.editBlocks(root)
  }

  print(): string {
    return this.edits.trimLines().toString()
  }

  private replace(start: number, end: number, text: string): void {
    if (start < end) this.edits.update(start, end, text)
    else if (text !== '') this.edits.appendLeft(start, text)
  }

  private spend(characters: number): void {
    this.room -= characters
    if (this.room < 0) throw new UnprovedError('would become too long')
  }

  private slice(node: Pick<Nodes, 'position'>): string {
    return this.source.slice(startOf(node), endOf(node))
  }

  /** What a further line of a block at this place begins with, in the same lists and quotes. */
  private leadOf(node: Pick<Nodes, 'position'>): string {
    const start = startOf(node)
    return this.source
      .slice(this.source.lastIndexOf('\n', start - 1) + 1, start)
      .replace(/[^>\t ]/g, ' ')
  }

  private editBlocks(parent: Parents): void {
    for (const [at, node] of parent.children.entries())
      this.editBlock(node, parent.children[at - 1], parent.children[at + 1])
  }

  private editBlock(node: Nodes, before: Nodes | undefined, after: Nodes | undefined): void {
    // A parser without tables takes one for a paragraph, which goes on above and below.
    if (before?.type === 'table' || (before?.type === 'paragraph' && node.type === 'table'))
      this.setApart(before, node)
    switch (node.type) {
      case 'heading':
        return this.editHeading(node, before, after)
      case 'paragraph':
        return this.editWords(node)
      case 'html': {
        const value = node.value.replace(/^\n+/, '').trimEnd()
        const isShown = value !== '' && !BREAK.test(value)
        return this.replaceBlock(node, isShown ? codeFence(value, 'html') : '')
      }
      case 'code':
        if (node.position?.start.column === 1 && FENCED.test(this.slice(node))) return
        return this.replaceBlock(node, codeFence(node.value, node.lang))
      case 'definition':
        return this.replaceBlock(node, '')
      case 'table':
        return this.editTable(node)
      case 'list':
      case 'listItem':
      case 'blockquote':
        return this.editBlocks(node)
    }
  }

  private replaceBlock(node: Nodes, block: Markdown | string): void {
    const lead = this.leadOf(node)
    const [first = '', ...lines] = String(block).split('\n')
    const text = [first, ...lines.map((line) => (lead + line).trimEnd())].join('\n')
    const end = endOf(node)
    this.replace(startOf(node), this.source[end - 1] === '\n' ? end - 1 : end, text)
  }

  private editTable(table: Table): void {
    const width = table.children[0]?.children.length ?? 0
    for (const row of table.children) {
      this.spend(Math.max(0, width - row.children.length))
      for (const cell of row.children) this.editWords(cell, startOf(cell) === startOf(row))
    }
  }

  /** A heading in a list or a quote becomes text, with empty lines where paragraphs would join. */
  private editHeading(node: Heading, before?: Nodes, after?: Nodes): void {
    const [first, last] = [node.children[0], node.children.at(-1)]
    if (!first || !last || lineOf(node) === '') return this.replaceBlock(node, '')
    const { depth } = this.headings.get(node) ?? {}
    const lead = this.leadOf(node)
    if (depth === undefined && before?.type === 'paragraph') this.setApart(before, node)
    const start = depth === undefined ? '' : `${'#'.repeat(depth)} `
    const end = depth === undefined && isBelow(after, node) ? `\n${lead.trimEnd()}` : ''
    this.replace(startOf(node), startOf(first), start)
    this.editWords(node)
    this.replace(endOf(last), endOf(node), end)
    // A `#` at the end would be read as the closing sequence of the heading.
    const closing = last.type === 'text' ? /(?<=^|\s)#+$/.exec(this.slice(last)) : null
    if (closing) this.edits.appendLeft(startOf(last) + closing.index, '\\')
  }

  /** Puts an empty line between two blocks. */
  private setApart(before: Nodes, after: Nodes): void {
    if (isBelow(after, before))
      this.edits.appendLeft(endOf(before), `\n${this.leadOf(after).trimEnd()}`)
  }

  private editWords(block: Words, isFirst = block.type !== 'tableCell'): void {
    const isTop = this.headings.has(block as Nodes)
    const line = {
      block,
      isHeading: block.type === 'heading',
      isCell: block.type === 'tableCell',
      lead: block.type === 'paragraph' ? this.leadOf(block) : '',
      endsLinkInCode: LINK_END_IN_CODE.test(this.slice(block as Nodes)),
    }
    this.editAll(block.children, line, { isStart: isFirst && !isTop })
  }

  private editAll(nodes: readonly PhrasingContent[], line: Line, spot: Spot): void {
    let { isStart = false } = spot
    for (const [at, node] of nodes.entries()) {
      const before = gapBetween(nodes[at - 1], node)
      if (before !== '') this.edits.appendLeft(startOf(node), before)
      isStart = this.editNode(node, line, { ...spot, isStart })
    }
  }

  /** Edits a node in a line; true if what follows now stands at the start of a line, or where one could be. */
  private editNode(node: PhrasingContent, line: Line, at: Spot): boolean {
    switch (node.type) {
      case 'text':
        this.editText(node, line, at)
        break
      case 'inlineCode':
        if (line.isHeading || CODE_BEGINS_BLOCK.test(this.slice(node))) this.foldLines(node)
        else this.alignLines(node, line)
        break
      case 'break':
        if (line.isHeading) this.replace(startOf(node), this.skipLead(endOf(node)), ' ')
        else this.alignLines(node, line)
        return true
      case 'emphasis':
      case 'strong':
      case 'delete':
        this.editAll(node.children, line, { ...at, isStart: false })
        break
      case 'html':
        return this.editHtml(node, line, at)
      case 'link':
        return this.editLink(node, node, line)
      case 'linkReference':
        return this.editLink(node, this.definitions.get(node.identifier), line)
      case 'image':
        this.editImage(node, node.url, line, at)
        break
      case 'imageReference':
        this.editImage(node, this.definitions.get(node.identifier)?.url, line, at)
        break
    }
    return false
  }

  private skipLead(start: number): number {
    let at = start
    while (/[ \t>]/.test(this.source.charAt(at))) at += 1
    return at
  }

  /** Gives a line of a block the indent and the quotes of its first: marked ends a list before one with less. */
  private alignLine(start: number, { lead }: Line): void {
    const end = this.skipLead(start)
    const blank = this.source.slice(start, end)
    if (widthOf(blank) < widthOf(lead) || countQuotes(blank) < countQuotes(lead))
      this.replace(start, end, lead)
  }

  private alignLines(node: Nodes, line: Line): void {
    if (line.lead === '') return
    for (const { index } of this.slice(node).matchAll(/\n/g))
      this.alignLine(startOf(node) + index + 1, line)
  }

  /** Puts a node on one line. */
  private foldLines(node: Nodes): void {
    for (const { index, 0: blank } of this.slice(node).matchAll(/(?<![ \t])[ \t]*\n[ \t>]*/g)) {
      const start = startOf(node) + index
      this.replace(start, start + blank.length, ' ')
    }
  }

  private editText(node: Nodes, line: Line, { isStart, isInLink }: Spot): void {
    const written = this.slice(node)
    const start = startOf(node)
    if (isStart) this.guardLine(start, node, line)
    if (line.isHeading) this.foldLines(node)
    else if (!line.isCell && written.includes('\n')) {
      this.alignLines(node, line)
      for (const { index, 0: blank } of written.matchAll(/\n[ \t>]*/g))
        this.guardLine(start + index + Math.min(blank.length, line.lead.length + 1), node, line)
    }
    for (const { index, 0: half } of written.matchAll(line.isCell ? HALF : TAG_START))
      if (half.length === 1) this.edits.appendLeft(start + index, '\\')
    if (line.endsLinkInCode)
      for (const { index } of written.matchAll(/(?<!\\)\[/g))
        this.edits.appendLeft(start + index, '\\')
    // What was a link before it may be words now. In a link, marked reads the words again without some backslashes.
    for (const { index, 0: end } of written.matchAll(isInLink ? /\\?\]\(/g : /\]\(/g))
      this.edits.appendLeft(start + index + end.length - 1, '\\')
    for (const { index, 1: scheme, 2: colon, 3: www } of written.matchAll(ADDRESS))
      if (scheme !== undefined || this.isUnclear(start + index))
        this.edits.appendLeft(start + index + (scheme ?? colon ?? www ?? '').length, '\\')
  }

  /** Whether some parsers may take what follows an address as a part of it. */
  private isUnclear(start: number): boolean {
    const word = /^[^ \t\n]*/.exec(this.source.slice(start, start + LONGEST_WORD))![0]
    return word.length === LONGEST_WORD || MARK.test(word)
  }

  /** Escapes what would begin a block here, if it is text. */
  private guardLine(start: number, text: Nodes, { isCell }: Line): void {
    const [words = ''] = this.source.slice(start, start + LONGEST_WORD).split('\n', 1)
    const found = BEGINS_BLOCK.exec(words)
    const at = start + (found?.[1]?.length ?? 0)
    // These are escaped wherever they stand.
    const isEscaped = (isCell ? /[`<]/ : /</).test(this.source.charAt(at))
    if (found && at < endOf(text) && !isEscaped) this.edits.appendLeft(at, '\\')
  }

  /** Shows a node as code in its line, between backticks that no others of its block can end. */
  private showAsCode(node: Nodes, text: string, line: Line): void {
    line.runs ??= this.listRuns(line.block)
    let ticks = '`'
    while (line.runs.has(ticks.length) || text.includes(ticks)) ticks += '`'
    // A backslash would take the first backtick for text.
    const gap = this.source.charAt(startOf(node) - 1) === '\\' ? ' ' : ''
    const code = gap + String(codeSpan(text, ticks))
    this.replaceNode(node, line.isCell ? escapePipes(code) : code)
  }

  /** Lengths of the runs of backticks that are text. */
  private listRuns(block: Words): Set<number> {
    const runs = new Set<number>()
    walk(block as Nodes, (node) => {
      if (node.type !== 'text') return
      // The first of a run may be escaped.
      for (const [run] of this.slice(node).matchAll(/`+/g)) runs.add(run.length).add(run.length - 1)
    })
    return runs
  }

  private editHtml(node: Html, line: Line, { isStart }: Spot): boolean {
    const isBreak = BREAK.test(node.value)
    // At the start of a row it would be a block of HTML.
    if (!isBreak || (line.isCell && isStart)) this.showAsCode(node, node.value, line)
    else if (line.isCell) this.replaceNode(node, BREAK_IN_CELL)
    else if (line.isHeading || isStart) this.replaceNode(node, line.isHeading ? ' ' : '')
    else {
      const isAtEnd = /^[ \t]*\n/.test(this.source.slice(endOf(node), endOf(node) + LONGEST_WORD))
      this.replaceNode(node, isAtEnd ? '  ' : `  \n${line.lead}`)
    }
    return isBreak
  }

  private resolve(href: string): string | undefined {
    if (href.startsWith('#')) {
      const anchor = this.anchors.get(href.slice(1).toLowerCase())
      return anchor === undefined ? undefined : `#${anchor}`
    }
    const isAbsolute = isAbsoluteHref(href) || href.startsWith('//')
    const url = isAbsolute ? href : this.place.resolve(href)
    if (url === undefined || !isSafeHref(url)) return undefined
    this.spend(url.length)
    return url
  }

  private editLink(
    node: Link | LinkReference,
    target: Pick<Definition, 'url' | 'title'> | undefined,
    line: Line,
  ): boolean {
    const url = target && this.resolve(target.url)
    const start = startOf(node)
    const [first, last] = [node.children[0], node.children.at(-1)]
    if (this.source[start] !== '[') {
      this.editAddress(node, url, line)
      return false
    }
    if (!first || !last || this.source.slice(startOf(first), endOf(last)).trim() === '') {
      this.replaceNode(node, url === undefined ? '' : this.printLink(escapeInline(url), url, line))
      return true
    }
    const tail = url === undefined ? '' : this.printLink('', url, line, target?.title).slice(1)
    this.replace(start, startOf(first), url === undefined ? '' : '[')
    this.editAll(node.children, line, { isStart: url === undefined, isInLink: url !== undefined })
    this.replace(endOf(last), endOf(node), tail)
    return false
  }

  private printLink(words: string, url: string, line: Line, title?: string | null): string {
    this.spend(title?.length ?? 0)
    this.links.push(url)
    const printed = `[${words}${closeLink(url, title)}`
    return line.isCell ? escapePipes(printed) : printed
  }

  /** Edits an address that is a link without brackets, where it stays one that shows where it leads. */
  private editAddress(node: Nodes, url: string | undefined, line: Line): void {
    const words = wordsOf(node, true)
    if (line.isCell && words.includes('|'))
      throw new UnprovedError('has a table that not every parser takes for one')
    if (url === undefined) this.showAsCode(node, words, line)
    else if (
      this.source[startOf(node)] !== '<' &&
      (OTHER_SCHEME.test(words) || this.isUnclear(endOf(node)))
    )
      this.replaceNode(node, this.gapBefore(node) + this.printLink(escapeInline(words), url, line))
  }

  private editImage(
    node: Image | ImageReference,
    address: string | undefined,
    line: Line,
    { isInLink }: Spot,
  ): void {
    const words = escapeInline(describeImage(node.alt))
    const url = address === undefined || isInLink ? undefined : this.resolve(address)
    const shown = url === undefined ? words : this.printLink(words, url, line)
    this.replaceNode(node, this.gapBefore(node) + shown)
  }

  /** A `!` before a bracket would make an image, and a backslash none. */
  private gapBefore(node: Nodes): string {
    return /[!\\]/.test(this.source.charAt(startOf(node) - 1)) ? ' ' : ''
  }

  private replaceNode(node: Nodes, text: string): void {
    this.replace(startOf(node), endOf(node), text)
  }
}

// Controls other than tab and newline show nothing and may control a terminal.
const CONTROLS = /[^\P{Cc}\t\n]/gu

/** The text of a body: LF, hidden characters spelt out, other controls as U+FFFD. */
const normalizeBody = (body: string): string =>
  isOrdinaryText(body)
    ? body.trim()
    : revealHidden(body.replace(/\r\n?/g, '\n').toWellFormed()).replace(CONTROLS, '\uFFFD').trim()

const SENTINEL = 'end of the text'

/** Reads the text as every reader will: its headings, its links and nothing else that could act. */
const prove = (text: string, { headings, links }: Embedding): void => {
  if (isTooCostly(text)) throw new UnprovedError('costs too much to read')
  const root = readTree(`${text}\n\n## ${SENTINEL}`)
  const last = root.children.pop()
  if (last?.type !== 'heading' || last.depth !== 2 || lineOf(last) !== SENTINEL)
    throw new UnprovedError('does not end before what follows it')
  const expected = [...headings.values()].map(({ depth, text: words }) => `${depth} ${words}`)
  const found: string[] = []
  const urls: string[] = []
  walk(root, (node, parent) => {
    if (node.type === 'heading')
      found.push(`${parent === root ? node.depth : 'inner'} ${lineOf(node)}`)
    else if (node.type === 'link' && text[startOf(node)] === '[') urls.push(node.url)
    else if (node.type === 'link' && !isSafeHref(node.url))
      throw new UnprovedError(`links to ${showValue(node.url)}`)
    else if (node.type === 'html' && parent?.type === 'tableCell' && node.value === BREAK_IN_CELL)
      return
    else if (UNWANTED.has(node.type)) throw new UnprovedError(`still holds ${node.type}`)
  })
  if (found.join('\n') !== expected.join('\n'))
    throw new UnprovedError(`has the headings ${showValue(found)} for ${showValue(expected)}`)
  if (urls.join('\n') !== links.join('\n'))
    throw new UnprovedError(`has the links ${showValue(urls)} for ${showValue(links)}`)
}

/**
 * Makes a stranger's Markdown a safe part of a page, and proves it by reading the result: its headings below the
 * page's, raw HTML as code, and links as plain words where the address is unsafe or leads nowhere. A text that
 * cannot be proved, or would cost too much, is shown as code.
 */
export const embedText = (body: string, place: TextPlace): EmbeddedText => {
  // marked ends a heading at the first, which show nothing, and takes any white space at the end of a line for blanks.
  const source = normalizeBody(body)
    .replace(/[\u2028\u2029]/g, ' ')
    .replace(/(?<![^\S\n])[^\S\n]+$/gm, (blanks) => (/[^ \t]/.test(blanks) ? '' : blanks))
  try {
    if (isTooCostly(source)) throw new UnprovedError('costs too much to read')
    const embedding = new Embedding(source, place)
    const text = embedding.print()
    prove(text, embedding)
    return { markdown: new Markdown(text), source, headings: [...embedding.headings.values()] }
  } catch (error) {
    if (!(error instanceof UnprovedError)) throw error
    return { markdown: codeFence(source, 'markdown'), source, headings: [], fault: error.message }
  }
}
