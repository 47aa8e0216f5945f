import type { RendererObject, Token, Tokens } from 'marked'
import type { Anchors } from './anchors.ts'
import { escapeAttribute, escapeText } from './escape.ts'
import { createParser, lexBlocks, lexInline } from './lex.ts'
import { isSafeHref } from './links.ts'

/** Text that is HTML already; only html.ts and the layouts make it. */
export interface Html {
  html: string
}

const isOutside = (href: string): boolean => /^https?:/i.test(href)

const renderCell = (content: string, { header, align }: Tokens.TableCell): string => {
  // A header cell without text names nothing; assistive technology wants it plain.
  const tag = header && content !== '' ? 'th' : 'td'
  const scope = tag === 'th' ? ' scope="col"' : ''
  const side = align ? ` class="${align}"` : ''
  return `<${tag}${scope}${side}>${content}</${tag}>`
}

/** Gives anchors to the headings of the text that is rendered now; rendering never waits. */
let slugger: Anchors | undefined

const RENDERER: RendererObject = {
  html: ({ raw }) => escapeText(raw),
  text(token) {
    const children = 'tokens' in token ? token.tokens : undefined
    return children ? this.parser.parseInline(children) : renderPlain(token.text)
  },
  heading({ tokens, depth, text }) {
    const id = slugger ? ` id="${escapeAttribute(slugger.slug(text))}"` : ''
    return `<h${depth}${id}>${this.parser.parseInline(tokens)}</h${depth}>\n`
  },
  code({ text, lang }) {
    const language = /^[\w+#.-]{1,40}/.exec(lang ?? '')?.[0]
    const mark = language ? ` data-language="${escapeAttribute(language)}"` : ''
    // Code scrolls sideways, so the keyboard must reach it.
    return `<pre tabindex="0"${mark}><code>${escapeText(text)}\n</code></pre>\n`
  },
  link({ href, title, tokens }) {
    const inner = this.parser.parseInline(tokens)
    if (!isSafeHref(href)) return inner
    const hint = title ? ` title="${escapeAttribute(title)}"` : ''
    const rel = isOutside(href) ? ' rel="nofollow noopener ugc"' : ''
    return `<a href="${escapeAttribute(href)}"${hint}${rel}>${inner}</a>`
  },
  image: ({ text }) => escapeText(`Image: ${text}`),
  checkbox: ({ checked }) => (checked ? '[x] ' : '[ ] '),
  table({ header, rows }) {
    const row = (cells: Tokens.TableCell[]): string =>
      `<tr>${cells.map((cell) => renderCell(this.parser.parseInline(cell.tokens), cell)).join('')}</tr>\n`
    const body = rows.length > 0 ? `<tbody>\n${rows.map(row).join('')}</tbody>\n` : ''
    const table = `<table>\n<thead>\n${row(header)}</thead>\n${body}</table>`
    return `<div class="table" tabindex="0" role="group" aria-label="Table">${table}</div>\n`
  },
}

// The lexer leaves entities in text as they were written; they are valid HTML as they stand.
const renderPlain = (text: string): string =>
  /[&<>"]/.test(text)
    ? text
        .replace(/&(?!(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});)/g, '&amp;')
        .replaceAll('<', '&lt;')
        .replaceAll('>', '&gt;')
        .replaceAll('"', '&quot;')
    : text

const parser = createParser(RENDERER)

/**
 * Renders Markdown as safe HTML: no live markup, no unsafe address, headings with anchors from
 * `anchors` where it is given. `tokens` are those of the text where they are known.
 */
export const renderMarkdown = (
  text: string,
  anchors?: Anchors,
  tokens: readonly Token[] = lexBlocks(text),
): Html => {
  slugger = anchors
  return { html: parser.parse([...tokens]) }
}

/** Renders one line of Markdown as safe HTML without a block around it. */
export const renderInline = (text: string): Html => ({ html: parser.parseInline(lexInline(text)) })
