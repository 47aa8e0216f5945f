import { Parser, Renderer } from 'marked'
import type { MarkedToken, Token, Tokens } from 'marked'
import { childrenOf, decodeReferences, lexMarkdown } from '../../catalog/markdown.ts'
import { Anchors } from './anchors.ts'
import { LONGEST_PAGE, renderCode } from './highlight.ts'
import { directionOf, hasRightToLeft } from '../../catalog/text.ts'
import { isAbsoluteHref, isSafeHref } from './links.ts'
import type { LinkResolver } from './links.ts'
import { escapeText, html as htmlOf } from './markup.ts'
import type { Html } from './markup.ts'
import type { Markdown } from './md.ts'

/** The context of a text within a page. */
export interface TextPlace {
  /** Depth of the heading above the text. The text's own headings move below it. If absent, they do not move. */
  depth?: number
  /** Prefix of all ids in the text. */
  prefix?: string
  /** Anchors that the page already uses. */
  usedAnchors?: readonly string[]
  /** Resolves addresses that are neither absolute nor anchors of the text's own headings. */
  resolve: LinkResolver
}

/** A heading of a text as rendered in a page. */
export interface TextHeading {
  depth: number
  id: string
  /** Plain text, from which GitHub makes the anchor. */
  text: string
}

const DEEPEST_HEADING = 6

/** Matches `<br>`, the only HTML element that is rendered as such. */
const BREAK = /^<br\s{0,3}\/?>\s*$/i

/** Returns the plain text of a token, without HTML and images. */
const plainTextOf = (token: MarkedToken): string => {
  if (token.type === 'html' || token.type === 'image') return ''
  if (token.type === 'codespan') return token.text
  const children = childrenOf(token)
  if (children.length > 0) return children.map(plainTextOf).join('')
  return 'text' in token ? decodeReferences(token.text) : ' '
}

/** Moves headings below a depth and gives them ids. Keeps their relative depths, but never skips a level. */
const placeHeadings = (
  tokens: readonly MarkedToken[],
  { depth, prefix = '', usedAnchors }: TextPlace,
): ReadonlyMap<Token, TextHeading> => {
  const depths = tokens.flatMap((token) =>
    token.type === 'heading' && token.text !== '' ? token.depth : [],
  )
  const shallowest = depths.reduce((a, b) => Math.min(a, b), DEEPEST_HEADING)
  const placed = new Map<Token, TextHeading>()
  const anchors = new Anchors(usedAnchors)
  let above = depth ?? 0
  for (const token of tokens) {
    if (token.type === 'heading' && token.text !== '') {
      const text = plainTextOf(token)
        .replace(/ *\n */g, ' ')
        .trim()
      above =
        depth === undefined
          ? token.depth
          : Math.min(depth + 1 + token.depth - shallowest, above + 1, DEEPEST_HEADING)
      placed.set(token, { depth: above, id: prefix + anchors.slug(text), text })
    }
  }
  return placed
}

/** Maps the anchors of headings in the file, which links in the text use, to the ids of the headings in the page. */
const listOwnAnchors = (headings: Iterable<TextHeading>): ReadonlyMap<string, string> => {
  const anchors = new Anchors()
  return new Map(Array.from(headings, ({ text, id }) => [anchors.slug(text), id]))
}

/** Escapes text, but keeps character references such as `&amp;`. */
const escapeWords = (text: string): string =>
  text.replace(/[<>"']|&(?!#?\w{1,32};)/g, (char) => escapeText(char))

/** Longest HTML of a text, in UTF-16 units. */
export const HTML_LIMIT = 2_000_000

/** Thrown if a text becomes more HTML than `HTML_LIMIT`. */
export class TooLongError extends Error {}

/** UTF-16 units of a block that are read to find its direction. */
const DIRECTION_READ = 400

/** Code, tags, and the markers of tasks and alerts, whose letters say nothing about the direction of a block. */
const NOT_WORDS = /`[^`]{0,400}`|<[^>]{0,80}>|\[[ xX]\]|\[!\w{1,9}\]/g

/** Matches the first line of a GitHub alert in a block quote, such as `[!NOTE]`. */
const MARKER = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

const capitalize = (word: string): string => word[0]!.toUpperCase() + word.slice(1).toLowerCase()

/** Splits the contents of a block quote into the name and the text of an alert; undefined if it is not an alert. */
const splitAlert = (
  quoted: readonly MarkedToken[],
): { name: string; tokens: Token[] } | undefined => {
  const [paragraph, ...blocks] = quoted
  if (paragraph?.type !== 'paragraph') return undefined
  const [first, ...others] = paragraph.tokens
  if (first?.type !== 'text') return undefined
  const [marker, name = ''] = MARKER.exec(first.text) ?? []
  if (marker === undefined) return undefined
  const isBroken = others[0]?.type === 'br'
  const isAlone = marker.endsWith('\n') || others.length === 0 || isBroken
  const text = first.text.slice(marker.length)
  const words = text === '' ? others.slice(isBroken ? 1 : 0) : [{ ...first, text }, ...others]
  const line = words.length === 0 ? [] : [{ ...paragraph, tokens: words }]
  const tokens = [...line, ...blocks]
  return isAlone && tokens.length > 0 ? { name: capitalize(name), tokens } : undefined
}

/** Renders tokens. This class writes all tags with attributes; its base class writes the others. */
class PageRenderer extends Renderer<string, string> {
  readonly #headings: ReadonlyMap<Token, TextHeading>
  readonly #anchors: ReadonlyMap<string, string>
  readonly #resolve: LinkResolver
  /** Whether the text has right-to-left letters. If so, each of its blocks has its own direction. */
  readonly #isDirected: boolean
  #isInLink = false
  #lengthOfLinks = 0
  /** Number of characters of code that may still be coloured. */
  #room = LONGEST_PAGE

  constructor(
    headings: ReadonlyMap<Token, TextHeading>,
    resolve: LinkResolver,
    isDirected: boolean,
  ) {
    super()
    this.#isDirected = isDirected
    this.#headings = headings
    this.#anchors = listOwnAnchors(headings.values())
    this.#resolve = resolve
  }

  /** Adds a block's direction to its first tag. */
  #direct({ raw }: Pick<Tokens.Generic, 'raw'>, block: string): string {
    if (!this.#isDirected) return block
    const direction = directionOf(raw.slice(0, DIRECTION_READ).replace(NOT_WORDS, ''))
    return direction === undefined ? block : block.replace(/^<\w+/, `$& dir="${direction}"`)
  }

  /** Returns the address of a link; undefined if it is unsafe or leads nowhere. */
  #addressOf(href: string): string | undefined {
    const id = href.startsWith('#') ? this.#anchors.get(href.slice(1).toLowerCase()) : undefined
    if (id !== undefined) return `#${id}`
    const isAbsolute = isAbsoluteHref(href) || href.startsWith('//')
    const url = isAbsolute ? href : this.#resolve(href)
    return url !== undefined && isSafeHref(url) ? url : undefined
  }

  /** Renders a link, or only its text if the address is unsafe or the link is inside of another link. */
  #renderLink(href: string, title: string | null | undefined, write: () => string): string {
    const url = this.#isInLink ? undefined : this.#addressOf(href)
    if (url === undefined) return write()
    // A short text can refer to one long address many times.
    this.#lengthOfLinks += url.length + (title?.length ?? 0)
    if (this.#lengthOfLinks > HTML_LIMIT) throw new TooLongError()
    this.#isInLink = true
    const words = write().trim() || escapeText(url)
    this.#isInLink = false
    const hint = title ? ` title="${escapeWords(title)}"` : ''
    const isOutside = /^https?:/i.test(url)
    const rel = isOutside ? ' rel="nofollow noopener ugc"' : ''
    return `<a href="${escapeText(url)}"${hint}${rel}>${words}</a>`
  }

  override link({ href, title, text, tokens, autolink }: Tokens.Link): string {
    const address = decodeReferences(href)
    if (!autolink) return this.#renderLink(address, title, () => this.parser.parseInline(tokens))
    const isLive = this.#isInLink || this.#addressOf(address) !== undefined
    return isLive
      ? this.#renderLink(address, title, () => escapeText(text))
      : this.codespan({ type: 'codespan', raw: text, text })
  }

  /** Renders an image as a link, because pages load no images from untrusted addresses. */
  override image({ href, title, tokens }: Tokens.Image): string {
    const words = (tokens as MarkedToken[]).map(plainTextOf).join('').trim() || 'no description'
    return this.#renderLink(decodeReferences(href), title, () => escapeText(`Image: ${words}`))
  }

  override text(token: Tokens.Text | Tokens.Escape): string {
    const inner = 'tokens' in token ? token.tokens : undefined
    return inner ? `${this.parser.parseInline(inner)}\n` : escapeWords(token.text)
  }

  override codespan({ text }: Tokens.Codespan): string {
    return `<code>${escapeText(text)}</code>`
  }

  override html({ text, block }: Tokens.HTML | Tokens.Tag): string {
    if (BREAK.test(text)) return block ? '' : '<br>'
    if (!block) return this.codespan({ type: 'codespan', raw: text, text })
    return this.code({ type: 'code', raw: text, text: text.trim(), lang: 'html' })
  }

  /** Renders a GitHub alert as a block quote that starts with the alert's name. */
  override blockquote(token: Tokens.Blockquote): string {
    const { tokens } = token
    const alert = splitAlert(tokens as MarkedToken[])
    const name = alert ? `<p><strong>${alert.name}</strong></p>\n` : ''
    const words = this.parser.parse(alert?.tokens ?? tokens)
    return this.#direct(token, `<blockquote>\n${name}${words}</blockquote>\n`)
  }

  override paragraph(token: Tokens.Paragraph): string {
    return this.#direct(token, super.paragraph(token))
  }

  override list(token: Tokens.List): string {
    return this.#direct(token, super.list(token))
  }

  override heading(token: Tokens.Heading): string {
    const placed = this.#headings.get(token)
    const words = this.parser.parseInline(token.tokens).replaceAll('<br>', ' ')
    if (!placed) return words === '' ? '' : `<p>${words}</p>\n`
    const { depth, id } = placed
    return this.#direct(token, `<h${depth} id="${escapeText(id)}">${words}</h${depth}>\n`)
  }

  override code({ text, lang }: Tokens.Code): string {
    this.#room -= text.length
    return renderCode(text, lang, this.#room >= 0).html
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    const marker = checked ? '[x]' : '[ ]'
    // Isolated, so that the letter of the marker does not decide about the direction of its line.
    return this.#isDirected ? `<bdi>${marker}</bdi> ` : `${marker} `
  }

  /** Renders a table that can scroll. If all columns but the first are numbers, only the table has a class. */
  override table(token: Tokens.Table): string {
    const { header, rows } = token
    const isOfNumbers =
      header.length > 1 && header.every(({ align }, at) => align === (at === 0 ? null : 'right'))
    const renderRow = (cells: readonly Tokens.TableCell[]): string =>
      `<tr>\n${cells.map((cell) => this.#renderCell(cell, isOfNumbers)).join('')}</tr>\n`
    const body = rows.length > 0 ? `<tbody>\n${rows.map(renderRow).join('')}</tbody>\n` : ''
    const start = '<div class="table" tabindex="0" role="group" aria-label="Table">'
    const table = `<table${isOfNumbers ? ' class="numbers"' : ''}>\n<thead>\n${renderRow(header)}</thead>\n${body}</table>`
    return this.#direct(token, `${start}${table}</div>\n`)
  }

  #renderCell({ header, tokens, align }: Tokens.TableCell, isOfNumbers: boolean): string {
    const words = this.parser.parseInline(tokens)
    const side = align && !isOfNumbers ? ` class="${align}"` : ''
    // An empty header cell would be a header without a name.
    return header && words !== ''
      ? `<th scope="col"${side}>${words}</th>\n`
      : `<td${side}>${words}</td>\n`
  }
}

/** The tags that may have a direction, before other attributes. */
const DIRECTED = /^(?:p|blockquote|ul|ol|div|h[1-6])$/
const DIRECTION = /^ dir="(?:ltr|rtl)"/

/** The tags that the HTML of a text can have, with patterns for their attributes. */
const TAGS: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    'p em strong del bdi blockquote hr br ul li code thead tbody tr'
      .split(' ')
      .map((name) => [name, /^$/]),
  ),
  ...Object.fromEntries('h1 h2 h3 h4 h5 h6'.split(' ').map((name) => [name, /^ id="[^"]+"$/])),
  ol: /^(?: start="\d+")?$/,
  pre: /^ tabindex="0"(?: data-language="[\w+#.-]+")?$/,
  span: /^ class="[a-z]+"$/,
  div: /^ class="table" tabindex="0" role="group" aria-label="Table"$/,
  table: /^(?: class="numbers")?$/,
  th: /^ scope="col"(?: class="(?:left|center|right)")?$/,
  td: /^(?: class="(?:left|center|right)")?$/,
  a: /^ href="[^"]*"(?: title="[^"]*")?(?: rel="nofollow noopener ugc")?$/,
}

/** Matches a tag, or a `<` that does not start one. */
const TAG = /<(?:\/([a-z]+[1-6]?)>|([a-z]+[1-6]?)((?: [a-z-]+="[^"]*")*)>)?/g

/** Whether HTML has only tags, attributes and addresses that the renderer should write. */
export const isExpected = (html: string): boolean => {
  for (const [, end, start, attributes = ''] of html.matchAll(TAG)) {
    const name = end ?? start
    if (name === undefined || !Object.hasOwn(TAGS, name)) return false
    const others = DIRECTED.test(name) ? attributes.replace(DIRECTION, '') : attributes
    if (end === undefined && !TAGS[name]!.test(others)) return false
    const address = name === 'a' ? /^ href="([^"]*)"/.exec(attributes)?.[1] : undefined
    if (address !== undefined && !isSafeHref(decodeReferences(address))) return false
  }
  return true
}

/** Renders tokens as HTML, and lists their headings. Returns undefined if the HTML is not as expected. */
export const renderTokens = (
  tokens: readonly MarkedToken[],
  place: TextPlace,
): { html: Html; headings: TextHeading[] } | undefined => {
  const placed = placeHeadings(tokens, place)
  const isDirected = tokens.some(({ raw }) => hasRightToLeft(raw))
  const renderer = new PageRenderer(placed, place.resolve, isDirected)
  const html = Parser.parse(tokens as Token[], { renderer })
  if (!isExpected(html)) return undefined
  return { html: { html }, headings: [...placed.values()] }
}

/** Renders trusted Markdown as HTML. No heading gets an id that is `usedAnchors`. */
export const renderHtml = (markdown: Markdown, usedAnchors: readonly string[] = []): Html => {
  const text = String(markdown)
  const rendered = renderTokens(lexMarkdown(text), { usedAnchors, resolve: (href) => href })
  return rendered?.html ?? htmlOf`<pre tabindex="0"><code>${text}</code></pre>\n`
}
