import type { Definition, Heading, Nodes, PhrasingContent, RootContent, Text } from 'mdast'
import { Anchors } from '../anchors.ts'
import { escapeLineStart, printBlocks } from '../print.ts'
import { codeBlock, paragraph } from '../tree.ts'
import type { Words } from '../tree.ts'
import { isTooCostly, readTree } from '../../catalog/markdown.ts'
import { GUEST_LIMIT, readGuest } from './read.ts'
import { isAbsoluteHref, isSafeHref } from './links.ts'
import type { LinkResolver } from './links.ts'
import type { Block } from './read.ts'

/** The place of a guest's text in a page: which anchors are taken, and where its links lead. */
interface Host {
  /** Depth of the section's own heading; the guest's headings start one below. */
  depth: number
  /** Anchors that the page already has. */
  takenAnchors: readonly string[]
  /** Resolves relative addresses; safe absolute ones are not passed to it. */
  resolve: LinkResolver
}

/** What the parts of a page need of the text that they are taken from. */
interface Hosted {
  /** The text as it was read; positions of the blocks refer to it. */
  source: string
  /** The text's blocks; none where it is shown as plain text. */
  blocks: readonly Block[]
  /** The text as it appears in the page. */
  nodes: readonly RootContent[]
  /** Where an address of the text leads; undefined makes a link plain words. */
  placeLink: LinkResolver
}

/** Deepest nesting of a tree that is walked, in levels; a list and its item are two. */
const DEEPEST_LEVEL = 100

/**
 * How much longer than its text a page may become, in characters: by the addresses of references and relative
 * links, and by the cells that complete short rows. Without it a text of `[a]` could grow a thousandfold.
 */
const ROOM_TO_GROW = 2 * GUEST_LIMIT

/** HTML of an empty cell, in characters: `<td class="center"></td>`. */
const CELL_LENGTH = 24

const DEEPEST_HEADING = 6

/** The one element that authors write for its effect, in tables most: nothing else breaks a line there. */
const IS_BREAK = /^<br\s{0,3}\/?>$/i

/** The text is nested too deeply, or would make the page too long. */
class TooMuchError extends Error {
  override name = 'TooMuchError'
}

/** The least depth. Not `Math.min(...depths)`: a call takes fewer arguments than a text may have headings. */
export const findShallowest = (headings: readonly Pick<Block, 'depth'>[]): number =>
  headings.reduce((least, { depth }) => Math.min(least, depth), Infinity)

/** The depth and the anchor that a heading gets in its page. */
interface Place {
  depth: Heading['depth']
  id: string
}

/** Moves headings below the host's, keeping their order of depth and never skipping a level. */
const placeHeadings = (headings: readonly Block[], host: Host): Map<Block, Place> => {
  const shallowest = findShallowest(headings)
  const anchors = new Anchors(host.takenAnchors)
  let previous = host.depth
  return new Map(
    headings.map((heading) => {
      const natural = host.depth + 1 + heading.depth - shallowest
      previous = Math.min(natural, previous + 1, DEEPEST_HEADING)
      return [heading, { depth: previous as Heading['depth'], id: anchors.slug(heading.text) }]
    }),
  )
}

const collectDefinitions = (
  nodes: readonly Nodes[],
  found: Map<string, Definition>,
  level = 0,
): void => {
  if (level > DEEPEST_LEVEL) throw new TooMuchError()
  for (const node of nodes) {
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node)
    else if (node.type === 'blockquote' || node.type === 'list' || node.type === 'listItem') {
      collectDefinitions(node.children, found, level + 1)
    }
  }
}

const describeImage = (alt: string | null | undefined): string =>
  `Image: ${(alt ?? '').replace(/[[\]\\`*_<>]/g, '').trim() || 'no description'}`

/** Joins texts that become neighbours when a link between them is removed. */
const joinTexts = (nodes: readonly PhrasingContent[]): PhrasingContent[] => {
  const joined: PhrasingContent[] = []
  let words: string[] = []
  const close = (): void => {
    if (words.length > 1) joined.splice(-1, 1, { type: 'text', value: words.join('') })
    words = []
  }
  for (const node of nodes) {
    if (node.type !== 'text') close()
    else words.push(node.value)
    if (words.length < 2) joined.push(node)
  }
  close()
  return joined
}

/**
 * Changes a tree for its page, in place: resolves links, turns raw HTML into code and headings inside other blocks
 * into text. A block whose words change loses its position, so that it is printed from the tree.
 */
class Settler {
  private room = ROOM_TO_GROW
  private isChanged = false
  private isInLink = false

  private readonly definitions: ReadonlyMap<string, Definition>
  private readonly placeLink: LinkResolver

  constructor(definitions: ReadonlyMap<string, Definition>, placeLink: LinkResolver) {
    this.definitions = definitions
    this.placeLink = placeLink
  }

  settleBlocks(nodes: readonly RootContent[], level = 0): RootContent[] {
    if (level > DEEPEST_LEVEL) throw new TooMuchError()
    const settled: RootContent[] = []
    for (const node of nodes) {
      const one = this.settleBlock(node, level)
      if (one) settled.push(one)
    }
    return settled
  }

  /** Returns what replaces the block; undefined where nothing does. */
  settleBlock(node: RootContent, level = 0): RootContent | undefined {
    switch (node.type) {
      case 'heading':
        if (node.children.length === 0) return undefined
        this.settleWords(node)
        return level === 0 ? node : { type: 'paragraph', children: node.children }
      case 'paragraph':
        this.settleWords(node)
        return node
      case 'html': {
        const value = node.value.replace(/^\n+/, '').trimEnd()
        return value === '' || IS_BREAK.test(value) ? undefined : codeBlock(value, 'html')
      }
      case 'definition':
        return undefined
      case 'list':
      case 'listItem':
      case 'blockquote':
        node.children = this.settleBlocks(node.children, level + 1) as never
        return node
      case 'table':
        for (const row of node.children) {
          const missing = node.children[0]!.children.length - row.children.length
          this.spend(Math.max(0, missing) * CELL_LENGTH)
          for (const cell of row.children) this.settleWords(cell)
        }
        return node
      default:
        return node
    }
  }

  private settleWords(block: { children: PhrasingContent[]; position?: unknown }): void {
    this.isChanged = false
    block.children = this.settleAll(block.children, 0)
    if (this.isChanged) delete block.position
  }

  private settleAll(nodes: readonly PhrasingContent[], level: number): PhrasingContent[] {
    if (level > DEEPEST_LEVEL) throw new TooMuchError()
    if (nodes.every(({ type }) => type === 'text' || type === 'inlineCode')) {
      return nodes as PhrasingContent[]
    }
    return joinTexts(nodes.flatMap((node) => this.settle(node, level)))
  }

  private settle(node: PhrasingContent, level: number): PhrasingContent[] {
    switch (node.type) {
      case 'emphasis':
      case 'strong':
      case 'delete':
        node.children = this.settleAll(node.children, level + 1)
        return [node]
      case 'html':
        this.isChanged = true
        return IS_BREAK.test(node.value)
          ? [{ type: 'break' }]
          : [{ type: 'inlineCode', value: node.value }]
      case 'link':
        return this.settleLink(node, node, level)
      case 'linkReference':
        return this.settleLink(node, this.definitions.get(node.identifier), level)
      case 'image':
        return this.settleImage(node.alt, node.url)
      case 'imageReference':
        return this.settleImage(node.alt, this.definitions.get(node.identifier)?.url)
      default:
        return [node]
    }
  }

  private settleLink(
    node: Extract<PhrasingContent, { type: 'link' | 'linkReference' }>,
    target: { url: string; title?: string | null | undefined } | undefined,
    level: number,
  ): PhrasingContent[] {
    const url = target && this.place(target.url)
    this.isInLink = url !== undefined
    const children = this.settleAll(node.children, level + 1)
    this.isInLink = false
    if (url === undefined) {
      this.isChanged = true
      return children
    }
    const { position } = node
    const title = target?.title ?? null
    if (title !== null) this.spend(title.length)
    return [{ type: 'link', url, title, children, ...(position && { position }) }]
  }

  private settleImage(
    alt: string | null | undefined,
    address: string | undefined,
  ): PhrasingContent[] {
    this.isChanged = true
    const words: Text = { type: 'text', value: describeImage(alt) }
    // Links do not nest: of an image inside a link, its description becomes the text of the link.
    const url = address === undefined || this.isInLink ? undefined : this.place(address)
    return url === undefined ? [words] : [{ type: 'link', url, children: [words] }]
  }

  private place(address: string): string | undefined {
    const url = this.placeLink(address)
    this.spend(url?.length ?? 0)
    return url
  }

  private spend(characters: number): void {
    this.room -= characters
    if (this.room < 0) throw new TooMuchError()
  }
}

const createPlaceLink =
  (anchors: ReadonlyMap<string, string>, resolve: LinkResolver): LinkResolver =>
  (href) => {
    if (href.startsWith('#')) {
      const placed = anchors.get(href.slice(1).toLowerCase())
      return placed === undefined ? undefined : `#${placed}`
    }
    if (isAbsoluteHref(href) || href.startsWith('//')) return isSafeHref(href) ? href : undefined
    const resolved = resolve(href)
    return resolved !== undefined && isSafeHref(resolved) ? resolved : undefined
  }

/**
 * Puts a stranger's text into a page as a guest: its headings below the section's, raw HTML as code, and links
 * as plain words where the address is unsafe or leads nowhere. A text that costs too much to read, is nested
 * too deeply or would become too long is shown as plain text.
 */
export const hostGuest = (body: string, host: Host): Hosted => {
  const { source, blocks } = readGuest(body)
  const headings = (blocks ?? []).filter(({ text: words }) => words !== '')
  const places = placeHeadings(headings, host)
  // Authors link to the anchors that the headings have when the text stands alone.
  const own = new Anchors()
  const anchors = new Map(headings.map((block) => [own.slug(block.text), places.get(block)!.id]))
  const placeLink = createPlaceLink(anchors, host.resolve)
  try {
    if (!blocks) throw new TooMuchError()
    const nodes = settleGuest(blocks, source, places, placeLink)
    return { source, blocks, nodes, placeLink }
  } catch (error) {
    if (!(error instanceof TooMuchError)) throw error
    const shown = [codeBlock(source, 'markdown')]
    return { source, blocks: [], nodes: shown, placeLink }
  }
}

const settleGuest = (
  blocks: readonly Block[],
  source: string,
  places: ReadonlyMap<Block, Place>,
  placeLink: LinkResolver,
): RootContent[] => {
  const all = blocks.flatMap(({ node }) => node ?? [])
  const definitions = new Map<string, Definition>()
  if (source.includes(']:')) collectDefinitions(all, definitions)
  const settler = new Settler(definitions, placeLink)
  return blocks.flatMap((block) => {
    const place = places.get(block)
    if (block.node?.type === 'heading' && place) {
      Object.assign(block.node, { depth: place.depth, data: { id: place.id } })
    }
    block.node &&= settler.settleBlock(block.node)
    return block.node ?? []
  })
}

const placeOutside = (href: string): string | undefined =>
  /^https?:/i.test(href) && isSafeHref(href) ? href : undefined

/** Without places in a text, nodes are printed wherever they stand. */
const withoutPlaces = (nodes: readonly PhrasingContent[]): PhrasingContent[] =>
  nodes.map((node) => {
    const { position: _position, ...words } = node
    return 'children' in words
      ? { ...words, children: withoutPlaces(words.children) }
      : (words as PhrasingContent)
  })

/**
 * Prepares one line of Markdown by a catalog author for a page: emphasis, code and links stay; what would begin
 * a block becomes text.
 */
export const hostLine = (line: string): Words => {
  const plain = line.replace(/\s+/g, ' ').trim()
  const source = escapeLineStart(plain)
  const [block, ...others] = isTooCostly(source) ? [] : readTree(source).children
  if (block?.type !== 'paragraph' || others.length > 0) return [plain]
  try {
    const [settled] = new Settler(new Map(), placeOutside).settleBlocks([block])
    return settled?.type === 'paragraph' ? withoutPlaces(settled.children) : [plain]
  } catch (error) {
    if (error instanceof TooMuchError) return [plain]
    throw error
  }
}

/** Prints one line of a catalog author as Markdown. */
export const hostInline = (line: string): string => printBlocks([paragraph(...hostLine(line))])
