import { Marked } from 'marked'
import type { Tokens } from 'marked'
import { Anchors } from './anchors.ts'
import {
  escapeContent,
  renderCell,
  renderCode,
  renderHeading,
  renderLink,
  renderRows,
} from './html.ts'
import { escapeText } from './markup.ts'
import type { Html } from './markup.ts'

// The lexer leaves entities as they were written, which is valid HTML.
const renderRaw = (text: string): string =>
  escapeContent(text).replace(
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

/** Renders the registry's own Markdown as safe HTML, whose headings get anchors that are not `taken`. */
export const renderProse = (markdown: string, taken: readonly string[]): Html => {
  const anchors = new Anchors(taken)
  const tokens = marked.lexer(markdown)
  marked.walkTokens(tokens, (token) => {
    if (token.type === 'heading') Object.assign(token, { id: anchors.slug(token.text) })
  })
  return { html: marked.parser(tokens) }
}

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
