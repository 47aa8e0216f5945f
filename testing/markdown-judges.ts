import { Marked } from 'marked'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { parseFragment } from 'parse5'
import type { DefaultTreeAdapterTypes as Html } from 'parse5'
import { markdownToMdast } from 'satteri'

// Parsers from other projects tell the tests what a Markdown or HTML text contains.

interface Found {
  /** Depths of the headings, in order; 0 for a heading in a list or a quote. */
  headings: number[]
  links: { words: string; url: string }[]
  /** The contents of code blocks. */
  codes: string[]
  /** Elements that no text may contain: HTML, images, definitions. */
  others: string[]
}

const marked = new Marked({ gfm: true })

const readWithMarked = (markdown: string): Found => {
  const found: Found = { headings: [], links: [], codes: [], others: [] }
  const tokens = marked.lexer(markdown)
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') found.headings.push(tokens.includes(token) ? token.depth : 0)
    else if (token.type === 'link') found.links.push({ words: token.text, url: token.href })
    else if (token.type === 'code') found.codes.push(token.text)
    else if (token.type === 'html' || token.type === 'image' || token.type === 'def')
      found.others.push(token.raw)
  })
  return found
}

const OTHERS = new Set<Nodes['type']>([
  'html',
  'image',
  'imageReference',
  'linkReference',
  'definition',
  'footnoteDefinition',
] as const)

const wordsOf = (node: Nodes): string =>
  'value' in node ? node.value : 'children' in node ? node.children.map(wordsOf).join('') : ''

const findInTree = (node: Nodes, found: Found, level = 0): Found => {
  if (node.type === 'heading') found.headings.push(level === 1 ? node.depth : 0)
  else if (node.type === 'link') found.links.push({ words: wordsOf(node), url: node.url })
  else if (node.type === 'code') found.codes.push(node.value)
  else if (OTHERS.has(node.type)) found.others.push('value' in node ? node.value : node.type)
  if ('children' in node) for (const child of node.children) findInTree(child, found, level + 1)
  return found
}

const readTreeOf = (tree: Nodes): Found =>
  findInTree(tree, { headings: [], links: [], codes: [], others: [] })

/** Markdown parsers from other projects. */
export const MARKDOWN_JUDGES: readonly { reader: string; read: (markdown: string) => Found }[] = [
  { reader: 'marked', read: readWithMarked },
  {
    reader: 'micromark',
    read: (markdown) =>
      readTreeOf(
        fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }),
      ),
  },
  {
    reader: 'satteri without GFM',
    read: (markdown) =>
      readTreeOf(
        markdownToMdast(markdown, { features: { frontmatter: false, gfm: false } }) as Nodes,
      ),
  },
]

interface Element {
  name: string
  attributes: Record<string, string>
  text: string
}

const textOf = (node: Html.Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''

const listElements = (node: Html.Node): Element[] => {
  if (node.nodeName === '#comment') return [{ name: '#comment', attributes: {}, text: '' }]
  const children = 'childNodes' in node ? node.childNodes.flatMap(listElements) : []
  if (!('tagName' in node)) return children
  const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
  return [{ name: node.tagName, attributes, text: textOf(node) }, ...children]
}

/** Lists the elements of an HTML text in order, as a browser parses it. */
export const readElements = (html: string): Element[] => listElements(parseFragment(html))
