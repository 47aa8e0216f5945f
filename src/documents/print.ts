import type { Token, Tokens } from 'marked'
import { escapeLineStart, printAddress, trimBlanks } from './escape.ts'

/** What the printer asks of its host while it writes a guest's Markdown anew. */
export interface PrintContext {
  /** Depth that a top-level heading gets; undefined drops the heading to bold text. */
  placeHeading: (heading: Tokens.Heading) => number | undefined
  /** Where a link leads; undefined leaves its text alone. */
  placeLink: (href: string) => string | undefined
}

const longestRun = (text: string, mark: string): number =>
  text.includes(mark)
    ? [...text.matchAll(new RegExp(`${mark}+`, 'g'))].reduce(
        (longest, [run]) => Math.max(longest, run.length),
        0,
      )
    : 0

/** Drops a sign from the end of a text; an expression would look for the end behind each run of it. */
const dropFinal = (text: string, sign: string): string => {
  let end = text.length
  while (end > 0 && text.charAt(end - 1) === sign) end -= 1
  return text.slice(0, end)
}

/** Fences a text as code: the fence is longer than any inside, so it always ends where it should. */
export const printFence = (text: string, language = ''): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(text, '`') + 1))
  const info = /^[\w+#.-]{1,40}/.exec(language)?.[0] ?? ''
  return `${fence}${info}\n${dropFinal(text, '\n')}\n${fence}`
}

/** Shows a text as an inline code span, whatever backticks it holds. */
export const printCodeSpan = (text: string): string => {
  const line = text.replace(/\s+/g, ' ')
  const ticks = '`'.repeat(longestRun(line, '`') + 1)
  const pad = /^`|`$|^ .* $/.test(line) ? ' ' : ''
  return `${ticks}${pad}${line}${pad}${ticks}`
}

const indent = (text: string, by: string): string => text.replace(/\n(?=[^\n])/g, `\n${by}`)

const wrapChildren = (token: Token, inner: string, children: string, mark: string): string => {
  const at = token.raw.indexOf(children)
  return children !== '' && at >= 0
    ? token.raw.slice(0, at) + inner + token.raw.slice(at + children.length)
    : `${mark}${inner}${mark}`
}

const EMPHASIS: Record<string, string> = { strong: '**', em: '*', del: '~~' }

const printLink = (token: Tokens.Link, context: PrintContext): string => {
  const inner = trimBlanks(printInline(token.tokens, context))
  const href = context.placeLink(token.href)
  if (href === undefined) return inner
  const isBare = 'autolink' in token && token.autolink === true
  if (isBare && href === token.href) return token.raw
  const title = token.title ? ` "${token.title.replace(/[\s"\\]+/g, ' ').trim()}"` : ''
  return `[${inner || href}](${printAddress(href)}${title})`
}

const printImage = (token: Tokens.Image, context: PrintContext): string => {
  const label = `Image: ${token.text.replace(/[[\]\\`*_<>]/g, '').trim() || 'no description'}`
  const href = context.placeLink(token.href)
  return href === undefined ? label : `[${label}](${printAddress(href)})`
}

const printInlineToken = (token: Token, context: PrintContext): string => {
  switch (token.type) {
    case 'html':
      return printCodeSpan(token.raw)
    case 'link':
      return printLink(token as Tokens.Link, context)
    case 'image':
      return printImage(token as Tokens.Image, context)
    case 'br':
      return '\\\n'
    case 'strong':
    case 'em':
    case 'del': {
      const children = ((token as Tokens.Strong).tokens ?? []) as Token[]
      const raw = children.map((child) => child.raw).join('')
      return wrapChildren(token, printInline(children, context), raw, EMPHASIS[token.type] ?? '')
    }
    default:
      return token.raw
  }
}

/** Writes inline tokens as Markdown again: raw HTML as code, links through the host. */
export const printInline = (tokens: readonly Token[], context: PrintContext): string => {
  let text = ''
  for (const token of tokens) {
    const printed = printInlineToken(token, context)
    // Two code spans that touch would join their backticks.
    text += text.endsWith('`') && printed.startsWith('`') ? ` ${printed}` : printed
  }
  return text
}

/** Headings and cells are one line, whatever breaks a line of their text. */
const printOnOneLine = (tokens: readonly Token[], context: PrintContext): string => {
  const text = printInline(tokens, context)
  if (!text.includes('\n')) return text
  const lines = text.split('\n')
  const last = lines.length - 1
  // A backslash at the end of a line breaks it; one at the end of the text is a sign.
  return lines
    .map((line, at) => trimBlanks(at < last ? line.replace(/\\$/, '') : line))
    .filter((line) => line !== '')
    .join(' ')
}

const printTable = (table: Tokens.Table, context: PrintContext): string => {
  const cell = ({ tokens }: Tokens.TableCell): string =>
    printOnOneLine(tokens, context).replace(/(?<!\\)\|/g, '\\|')
  const row = (cells: Tokens.TableCell[]): string => `| ${cells.map(cell).join(' | ')} |`
  const marks = { left: ':--', right: '--:', center: ':-:' } as const
  const rule = table.align.map((align) => (align ? marks[align] : '---'))
  return [row(table.header), `| ${rule.join(' | ')} |`, ...table.rows.map(row)].join('\n')
}

const printItem = (item: Tokens.ListItem, mark: string, context: PrintContext): string => {
  const box = item.task ? `[${item.checked ? 'x' : ' '}] ` : ''
  const gap = item.loose ? '\n\n' : '\n'
  const text = box + printBlocks(item.tokens, context, { isNested: true, gap })
  return trimBlanks(`${mark} ${indent(text, ' '.repeat(mark.length + 1))}`)
}

const printList = (list: Tokens.List, context: PrintContext): string => {
  const start = typeof list.start === 'number' ? list.start : 1
  const items = list.items.map((item, index) =>
    printItem(item, list.ordered ? `${start + index}.` : '-', context),
  )
  return items.join(list.loose ? '\n\n' : '\n')
}

const printHeading = (token: Tokens.Heading, context: PrintContext, isNested: boolean): string => {
  const text = trimBlanks(printOnOneLine(token.tokens, context))
  if (text === '') return ''
  const depth = isNested ? undefined : context.placeHeading(token)
  return depth === undefined ? escapeLineStart(text) : `${'#'.repeat(depth)} ${text}`
}

const printBlock = (token: Token, context: PrintContext, isNested: boolean): string => {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return ''
    case 'heading':
      return printHeading(token as Tokens.Heading, context, isNested)
    case 'code':
      return printFence((token as Tokens.Code).text, (token as Tokens.Code).lang)
    case 'blockquote': {
      const inner = printBlocks((token as Tokens.Blockquote).tokens, context, { isNested: true })
      return inner
        .split('\n')
        .map((line) => dropFinal(`> ${line}`, ' '))
        .join('\n')
    }
    case 'list':
      return printList(token as Tokens.List, context)
    case 'hr':
      return '---'
    case 'table':
      return printTable(token as Tokens.Table, context)
    case 'html':
      return token.raw.trim() === ''
        ? ''
        : printFence(token.raw.replace(/^\n+/, '').trimEnd(), 'html')
    default: {
      const children = (token as Tokens.Paragraph).tokens
      return trimBlanks(children ? printInline(children, context) : token.raw)
    }
  }
}

/** Writes block tokens as Markdown again, one blank line between blocks. */
export const printBlocks = (
  tokens: readonly Token[],
  context: PrintContext,
  { isNested = false, gap = '\n\n' } = {},
): string =>
  tokens
    .map((token) => printBlock(token, context, isNested))
    .filter((text) => text !== '')
    .join(gap)

/** Writes top-level tokens as Markdown again, each with the text that was printed for it. */
export const printEach = (
  tokens: readonly Token[],
  context: PrintContext,
): { token: Token; text: string }[] =>
  tokens.map((token) => ({ token, text: printBlock(token, context, false) }))
