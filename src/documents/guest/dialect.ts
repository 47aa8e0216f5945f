import type { Root } from 'mdast'
import { markdownToMdast } from 'satteri'

/** CommonMark with GitHub's extensions, without front matter and footnotes. */
export const DIALECT = { frontmatter: false, gfm: { footnotes: false } }

/** Parses Markdown into a tree whose nodes have their positions in the text, in UTF-16 units. */
export const readTree = (markdown: string): Root =>
  markdownToMdast(markdown, { features: DIALECT }) as Root
