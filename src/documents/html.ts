import { Marked } from 'marked'
import type { Tokens } from 'marked'
import type { AlignType, List, Nodes, PhrasingContent, RootContent, Table } from 'mdast'
import type { Anchors } from './anchors.ts'
import { escapeAttribute, escapeText } from './escape.ts'
import { isSafeHref } from './guest/links.ts'
import { languageOf } from './print.ts'

/** Text that is already HTML; only this file and the layouts make it. */
export interface Html {
  html: string
}

const renderHeading = (depth: number, id: string | undefined, words: string): string =>
  `<h${depth}${id === undefined ? '' : ` id="${escapeAttribute(id)}"`}>${words}</h${depth}>\n`

const renderCode = (text: string, lang: string | null | undefined): string => {
  const language = languageOf(lang)
  const mark = language ? ` data-language="${escapeAttribute(language)}"` : ''
  // Code scrolls sideways, so it must be reachable by keyboard.
  return `<pre tabindex="0"${mark}><code>${escapeText(text)}\n</code></pre>\n`
}

const renderLink = (href: string, title: string | null | undefined, words: string): string => {
  if (!isSafeHref(href)) return words
  const hint = title ? ` title="${escapeAttribute(title)}"` : ''
  const rel = /^https?:/i.test(href) ? ' rel="nofollow noopener ugc"' : ''
  return `<a href="${escapeAttribute(href)}"${hint}${rel}>${words}</a>`
}

const renderCell = (words: string, isHeader: boolean, align: AlignType | undefined): string => {
  // A header cell without text names nothing, and axe reports it.
  const tag = isHeader && words !== '' ? 'th' : 'td'
  const scope = tag === 'th' ? ' scope="col"' : ''
  const side = align ? ` class="${align}"` : ''
  return `<${tag}${scope}${side}>${words}</${tag}>`
}

const renderRow = (cells: readonly string[]): string => `<tr>${cells.join('')}</tr>\n`

/** Renders rows of cells that are already HTML; the first row is the header. */
const renderRows = ([header = [], ...rows]: readonly (readonly string[])[]): string => {
  const body = rows.length > 0 ? `<tbody>\n${rows.map(renderRow).join('')}</tbody>\n` : ''
  const table = `<table>\n<thead>\n${renderRow(header)}</thead>\n${body}</table>`
  return `<div class="table" tabindex="0" role="group" aria-label="Table">${table}</div>\n`
}

const renderWords = (nodes: readonly PhrasingContent[]): string => {
  let html = ''
  for (const node of nodes) html += renderWord(node)
  return html
}

// Texts are full of apostrophes, which need no escape outside of attributes.
const renderText = (text: string): string => escapeText(text).replaceAll('&#39;', "'")

/** The anchor that the page gave a node; what a parser made has none. */
const idOf = (node: Nodes): string | undefined => (node.data as { id?: string } | undefined)?.id

const isWhence = (node: Nodes): boolean =>
  (node.data as { whence?: boolean } | undefined)?.whence === true

const renderWord = (node: PhrasingContent): string => {
  switch (node.type) {
    case 'text': {
      const id = idOf(node)
      const text = renderText(node.value)
      return id === undefined ? text : `<span id="${escapeAttribute(id)}">${text}</span>`
    }
    case 'inlineCode':
      return `<code>${escapeText(node.value.replaceAll('\n', ' '))}</code>`
    case 'break':
      return '<br>'
    case 'emphasis':
      return `<em>${renderWords(node.children)}</em>`
    case 'strong':
      return `<strong>${renderWords(node.children)}</strong>`
    case 'delete':
      return `<del>${renderWords(node.children)}</del>`
    case 'link':
      return renderLink(node.url, node.title, renderWords(node.children))
    default:
      return ''
  }
}

/** A fold (`foldOf`): the words of its only item, and below them what a reader may want. */
const renderFold = ({ children }: List): string => {
  const [words, ...rest] = children[0]?.children ?? []
  return `<details>\n<summary>${words ? renderNodes([words], true) : ''}</summary>\n${renderNodes(rest)}</details>\n`
}

const renderList = (list: List): string => {
  if ((list.data as { isFold?: boolean } | undefined)?.isFold) return renderFold(list)
  const isLoose = list.spread === true || list.children.some(({ spread }) => spread)
  const tag = list.ordered ? 'ol' : 'ul'
  const start = list.ordered && list.start !== 1 ? ` start="${list.start}"` : ''
  const items = list.children.map(({ checked, children }) => {
    const box = typeof checked === 'boolean' ? (checked ? '[x] ' : '[ ] ') : ''
    return `<li>${renderNodes(children, !isLoose, box)}</li>\n`
  })
  return `<${tag}${start}>\n${items.join('')}</${tag}>\n`
}

const renderTable = ({ children, align }: Table): string =>
  renderRows(
    children.map((row, at) =>
      Array.from({ length: children[0]?.children.length ?? 0 }, (_, column) =>
        renderCell(renderWords(row.children[column]?.children ?? []), at === 0, align?.[column]),
      ),
    ),
  )

const renderNode = (node: RootContent, isTight: boolean, box: string): string => {
  switch (node.type) {
    case 'heading':
      return renderHeading(node.depth, idOf(node), renderWords(node.children))
    case 'paragraph': {
      const words = box + renderWords(node.children)
      if (isTight) return words
      return isWhence(node) ? `<p class="whence">${words}</p>\n` : `<p>${words}</p>\n`
    }
    case 'code':
      return box + renderCode(node.value, node.lang)
    case 'blockquote':
      return `${box}<blockquote>\n${renderNodes(node.children)}</blockquote>\n`
    case 'list':
      return box + renderList(node)
    case 'thematicBreak':
      return '<hr>\n'
    case 'table':
      return box + renderTable(node)
    default:
      return ''
  }
}

const renderNodes = (nodes: readonly RootContent[], isTight = false, box = ''): string => {
  let html = nodes.length === 0 ? box : ''
  let before = box
  for (const node of nodes) {
    html += renderNode(node, isTight, before)
    before = ''
  }
  return html
}

/** Renders a tree as safe HTML: no live markup, no unsafe address. */
export const renderBlocks = (nodes: readonly RootContent[]): Html => ({ html: renderNodes(nodes) })

// The lexer leaves entities as they were written, which is valid HTML.
const renderRaw = (text: string): string =>
  renderText(text).replace(
    /&amp;(?=(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)/g,
    '&',
  )

/** A heading that gets its anchor before it is rendered. */
type Heading = Tokens.Heading & { id?: string }

/** For the registry's own prose: GitHub's dialect, raw HTML as text. */
const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ raw }) => escapeText(raw),
    text(token) {
      const children = 'tokens' in token ? token.tokens : undefined
      return children ? this.parser.parseInline(children) : renderRaw(token.text)
    },
    heading(token: Heading) {
      return renderHeading(token.depth, token.id, this.parser.parseInline(token.tokens))
    },
    code: ({ text, lang }) => renderCode(text, lang),
    link({ href, title, tokens }) {
      return renderLink(href, title, this.parser.parseInline(tokens))
    },
    image: ({ text }) => escapeText(`Image: ${text}`),
    checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
    table({ header, rows }) {
      const row = (cells: Tokens.TableCell[]): string[] =>
        cells.map(({ tokens, header: isHeader, align }) =>
          renderCell(this.parser.parseInline(tokens), isHeader, align),
        )
      return renderRows([header, ...rows].map(row))
    },
  },
})

/** Renders the registry's own Markdown as safe HTML; headings get anchors that are still free. */
export const renderMarkdown = (markdown: string, anchors: Anchors): Html => {
  const tokens = marked.lexer(markdown)
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') Object.assign(token, { id: anchors.slug(token.text) })
  })
  return { html: marked.parser(tokens) }
}

/** Renders one line of the registry's own Markdown as safe HTML without a block around it. */
export const renderInline = (line: string): Html => ({
  html: marked.parseInline(line, { async: false }),
})

/** Moves the headings of the registry's own Markdown below one of the given depth. */
export const shiftHeadings = (markdown: string, depth: number): string => {
  const tokens = marked.lexer(markdown.replace(/\r\n?/g, '\n').trim())
  const depths = tokens.flatMap((token) => (token.type === 'heading' ? [token.depth] : []))
  const by = depth + 1 - Math.min(...depths, 6)
  if (by === 0 || depths.length === 0) return markdown.trim()
  return tokens
    .map((token) =>
      token.type === 'heading'
        ? `${'#'.repeat(Math.min(token.depth + by, 6))} ${token.text}\n\n`
        : token.raw,
    )
    .join('')
    .trim()
}
