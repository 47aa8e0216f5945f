import type { AlignType, List, PhrasingContent, RootContent, Table } from 'mdast'
import { isSafeHref } from './guest/links.ts'
import { escapeText } from './markup.ts'
import type { Html } from './markup.ts'
import { languageOf } from './print.ts'
import { dataOf, paragraph } from './tree.ts'
import type { CodePiece, Words } from './tree.ts'

/** Escapes a text for HTML content, leaving quotes, which need no escape outside attributes. */
export const escapeContent = (text: string): string =>
  /[&<>]/.test(text) ? text.replace(/[&<>]/g, escapeText) : text

/** Escapes a text for a double-quoted HTML attribute, exactly as Astro escapes one. */
export const escapeAttribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/**
 * Turns an anchor into an HTML id. HTML allows any, but CSS selectors and checkers want a letter first. No anchor has a
 * capital letter, so the prefix causes no collision. Markdown keeps anchors as GitHub makes them.
 */
export const toId = (anchor: string): string => (/^\p{L}/u.test(anchor) ? anchor : `At-${anchor}`)

export const renderHeading = (depth: number, id: string | undefined, words: string): string =>
  `<h${depth}${id === undefined ? '' : ` id="${escapeAttribute(toId(id))}"`}>${words}</h${depth}>\n`

export const renderPieces = (pieces: readonly CodePiece[]): string =>
  pieces
    .map(({ kind, text }) =>
      kind === '' || text.trim() === ''
        ? escapeContent(text)
        : `<span class="${kind}">${escapeContent(text)}</span>`,
    )
    .join('')

/** `pieces` are the same text, cut where its look changes. */
export const renderCode = (
  text: string,
  lang: string | null | undefined,
  pieces?: readonly CodePiece[],
): string => {
  const language = languageOf(lang)
  const mark = language ? ` data-language="${escapeAttribute(language)}"` : ''
  // Code scrolls sideways, so it must be reachable by keyboard.
  return `<pre tabindex="0"${mark}><code>${pieces ? renderPieces(pieces) : escapeContent(text)}\n</code></pre>\n`
}

export const renderLink = (
  href: string,
  title: string | null | undefined,
  words: string,
): string => {
  if (!isSafeHref(href)) return words
  const hint = title ? ` title="${escapeAttribute(title)}"` : ''
  const rel = /^https?:/i.test(href) ? ' rel="nofollow noopener ugc"' : ''
  const address = /^#./s.test(href) ? `#${toId(href.slice(1))}` : href
  return `<a href="${escapeAttribute(address)}"${hint}${rel}>${words}</a>`
}

export const renderCell = (
  words: string,
  isHeader: boolean,
  align: AlignType | undefined,
): string => {
  // A header cell without text names nothing, and axe reports it.
  const tag = isHeader && words !== '' ? 'th' : 'td'
  const scope = tag === 'th' ? ' scope="col"' : ''
  const side = align ? ` class="${align}"` : ''
  return `<${tag}${scope}${side}>${words}</${tag}>`
}

const renderRow = (cells: readonly string[]): string => `<tr>${cells.join('')}</tr>\n`

/** Renders rows of cells that are already HTML; the first row is the header. */
export const renderRows = (
  [header = [], ...rows]: readonly (readonly string[])[],
  look = '',
): string => {
  const body = rows.length > 0 ? `<tbody>\n${rows.map(renderRow).join('')}</tbody>\n` : ''
  const table = `<table${look}>\n<thead>\n${renderRow(header)}</thead>\n${body}</table>`
  return `<div class="table" tabindex="0" role="group" aria-label="Table">${table}</div>\n`
}

const renderWords = (nodes: readonly PhrasingContent[]): string => {
  let html = ''
  for (const node of nodes) html += renderWord(node)
  return html
}

const renderWord = (node: PhrasingContent): string => {
  switch (node.type) {
    case 'text': {
      const { id } = dataOf(node)
      const text = escapeContent(node.value)
      return id === undefined ? text : `<span id="${escapeAttribute(toId(id))}">${text}</span>`
    }
    case 'inlineCode':
      return `<code>${escapeContent(node.value.replaceAll('\n', ' '))}</code>`
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
  if (dataOf(list).isFold) return renderFold(list)
  const isLoose = list.spread === true || list.children.some(({ spread }) => spread)
  const tag = list.ordered ? 'ol' : 'ul'
  const start = list.ordered && list.start !== 1 ? ` start="${list.start}"` : ''
  const items = list.children.map(({ checked, children }) => {
    const box = typeof checked === 'boolean' ? (checked ? '[x] ' : '[ ] ') : ''
    return `<li>${renderNodes(children, !isLoose, box)}</li>\n`
  })
  return `<${tag}${start}>\n${items.join('')}</${tag}>\n`
}

const renderTable = ({ children, align }: Table): string => {
  // One class for the table instead of one for each cell.
  const isOfNumbers = align?.slice(1).every((side) => side === 'right') && align[0] === null
  return renderRows(
    children.map((row, at) =>
      Array.from({ length: children[0]?.children.length ?? 0 }, (_, column) =>
        renderCell(
          renderWords(row.children[column]?.children ?? []),
          at === 0,
          isOfNumbers ? null : align?.[column],
        ),
      ),
    ),
    isOfNumbers ? ' class="numbers"' : '',
  )
}

/** Renders a block. */
const renderNode = (node: RootContent, isTight = false, box = ''): string => {
  switch (node.type) {
    case 'heading':
      return renderHeading(node.depth, dataOf(node).id, renderWords(node.children))
    case 'paragraph': {
      const words = box + renderWords(node.children)
      if (isTight) return words
      return dataOf(node).whence ? `<p class="whence">${words}</p>\n` : `<p>${words}</p>\n`
    }
    case 'code':
      return box + renderCode(node.value, node.lang, dataOf(node).pieces)
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

/** Renders words of one line, without a block around them. */
export const renderLine = (words: Words): Html => ({
  html: renderWords(paragraph(...words).children),
})
