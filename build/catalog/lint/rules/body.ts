import { markdownToMdast } from 'satteri'
import type { MdastNode } from 'satteri'
import { SCANNED_LINE } from '../../../../src/catalog/safety/scan.ts'
import { NotTextError, decodeText, showValue } from '../../../../src/catalog/text.ts'
import { isAbsoluteHref, isSafeHref, resolveInside } from '../../../../src/documents/links.ts'
import { isTooCostly } from '../../../../src/catalog/markdown.ts'
import { matchAt } from '../rule.ts'
import type { Match, RuleTable, Violation } from '../rule.ts'

/** Maximum diagnostics reported per rule and file. */
export const DIAGNOSTICS_PER_RULE = 5

/** Finds characters up to the reported maximum; a text may have millions. */
const findCharacters = (text: string, pattern: RegExp): Match[] => {
  const matches: Match[] = []
  for (const { 0: found, index: start } of text.matchAll(pattern)) {
    matches.push({ start, end: start + found.length, detail: showValue(found) })
    if (matches.length === DIAGNOSTICS_PER_RULE) break
  }
  return matches
}

const LINE_FEED_ALONE = /(?<!\r)\n/

/** What can be wrong with a file before anything in it is read. */
export const TEXT_RULES = {
  'not-text': {
    severity: 'error',
    message: 'the file is not UTF-8 text',
    remedy: 'save it as UTF-8 text',
  },
  'byte-order-mark': {
    severity: 'error',
    message: 'a byte order mark stands before the front matter, so that many readers find none',
    remedy: 'save the file as UTF-8 without a byte order mark',
    fix: 'removes the mark',
    check: (text) =>
      text.startsWith('\uFEFF') ? [{ start: 0, edit: { start: 0, end: 1, text: '' } }] : [],
  },
  crlf: {
    severity: 'note',
    message: 'lines end with CR LF',
    remedy: 'save the file with LF; "*.md text eol=lf" in .gitattributes keeps it so',
    check: (text) => (LINE_FEED_ALONE.test(text) ? [] : matchAt(text.indexOf('\r\n'))),
  },
  'mixed-line-ends': {
    severity: 'warning',
    message: 'some lines end with LF and some with CR LF',
    remedy: 'save the file with LF alone',
    check: (text) => {
      const [windows, unix] = [text.indexOf('\r\n'), text.search(LINE_FEED_ALONE)]
      // The file's first line end is taken as intended; the other kind is reported.
      return windows < 0 || unix < 0 ? [] : matchAt(Math.max(windows, unix))
    },
  },
  'lone-return': {
    severity: 'warning',
    message: 'a carriage return stands alone, where most readers see no end of a line',
    remedy: 'save the file with LF alone',
    check: (text) => matchAt(text.search(/\r(?!\n)/)),
  },
  'control-character': {
    severity: 'warning',
    message: 'a control character',
    remedy: 'remove it, or write it as an escape such as \\u001b',
    check: (text) => findCharacters(text, /(?![\t\n\r])\p{Cc}/gu),
  },
  'line-separator': {
    severity: 'warning',
    message: 'a Unicode line separator, at which some readers cut the line',
    remedy: 'write a line feed or a space',
    check: (text) => findCharacters(text, /[\u2028\u2029]/g),
  },
  'final-newline': {
    severity: 'note',
    message: 'the last line has no line end',
    remedy: 'end it with a line feed',
    fix: 'ends the last line as the others end',
    check: (text) => {
      if (text.trim() === '' || /[\n\r]$/.test(text)) return []
      const [start, end] = [text.length, text.length]
      return [{ start, edit: { start, end, text: /\r?\n/.exec(text)?.[0] ?? '\n' } }]
    },
  },
} as const satisfies RuleTable<string>

const KEEP_MARK = new TextDecoder('utf-8', { ignoreBOM: true })

/** Finds the first invalid UTF-8 byte by decoding and encoding again. */
const findBadByte = (bytes: Uint8Array): number => {
  const again = Buffer.from(KEEP_MARK.decode(bytes))
  const bad = bytes.findIndex((byte, index) => byte === 0 || byte !== again[index])
  return bad < 0 ? bytes.length : bad
}

/**
 * Decodes a file and keeps a byte order mark, so that offsets match the file. Stops at an invalid byte.
 */
export const decodeSkill = (bytes: Uint8Array): { text: string; violation?: Violation } => {
  try {
    decodeText(bytes)
    return { text: KEEP_MARK.decode(bytes) }
  } catch (error) {
    if (!(error instanceof NotTextError)) throw error
    const text = KEEP_MARK.decode(bytes.subarray(0, findBadByte(bytes))).replace(/\uFFFD$/, '')
    // The rule has its own remedy.
    const detail = error.message.split(';')[0] ?? ''
    return { text, violation: { rule: 'not-text', start: text.length, detail } }
  }
}

/** A node of the Markdown tree and its position. */
interface Located {
  node: MdastNode
  /** Whether it is a top-level block, not inside a quote or a list. */
  isTop: boolean
  start: number
  end: number
}

/** A bad link, at its address. */
interface BadLink {
  problem: 'dead' | 'outside' | 'unsafe'
  match: Match
}

/** The text below a front matter. */
interface Body {
  text: string
  /** Length that is parsed as Markdown. */
  readTo: number
  /** The Markdown tree in the order of the text. */
  nodes: readonly Located[]
  links: readonly BadLink[]
}

type HasFile = (path: string) => boolean

/** Maximum characters parsed as Markdown; the tree of deeply nested text takes 500 times its size. */
const MARKDOWN_LIMIT = 1_000_000

const childrenOf = (node: MdastNode): readonly MdastNode[] =>
  'children' in node ? node.children : []

const endOf = (node: MdastNode): number => node.position?.end.offset ?? 0

/** Lists all nodes without recursion, so that deep nesting cannot overflow the stack. */
const listNodes = (text: string): Located[] => {
  const features = { frontmatter: false }
  const top = childrenOf(markdownToMdast(text, { features }))
  const nodes: Located[] = []
  const open = top.toReversed().map((node) => ({ node, isTop: true }))
  for (let one = open.pop(); one; one = open.pop()) {
    const { node, isTop } = one
    nodes.push({ node, isTop, start: node.position?.start.offset ?? 0, end: endOf(node) })
    for (const child of childrenOf(node).toReversed()) open.push({ node: child, isTop: false })
  }
  return nodes
}

/** Placeholders for paths in examples, and single words, which are not paths. */
const NO_PATH = /[{}$*|]|\.\.\.|…|^[^./]*\.?$/

const decodePath = (href: string): string | undefined => {
  try {
    return decodeURIComponent(href.split(/[?#]/, 1)[0] ?? '')
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** Classifies an address; `hasFile` is called only for paths inside the skill. */
const judgeLink = (href: string, hasFile: HasFile): BadLink['problem'] | undefined => {
  if (NO_PATH.test(href)) return undefined
  if (isAbsoluteHref(href) || href.startsWith('//')) return isSafeHref(href) ? undefined : 'unsafe'
  if (/^[#/?]/.test(href)) return undefined
  const path = decodePath(href)
  if (path === undefined || path.includes('\0')) return 'dead'
  const inside = resolveInside(path)
  if (inside === undefined) return 'outside'
  return inside === '' || hasFile(inside) ? undefined : 'dead'
}

/** Where the address begins of `[text](address)` or `[name]: address`; other links have no text. */
const findHref = ({ node, start, end }: Located, text: string): number | undefined => {
  const last = childrenOf(node).at(-1)
  const label = node.type === 'image' ? text.lastIndexOf('](', end - 2) : last && endOf(last)
  const at = node.type === 'definition' ? text.indexOf(']:', start) : (label ?? start + 1)
  if (!/^\][(:]/.test(text.slice(at, at + 2))) return undefined
  const blanks = /[\s<]*/y
  blanks.lastIndex = at + 2
  return at + 2 + (blanks.exec(text)?.[0].length ?? 0)
}

const findBadLink = (located: Located, text: string, hasFile: HasFile): BadLink[] => {
  const { node } = located
  if (node.type !== 'link' && node.type !== 'image' && node.type !== 'definition') return []
  const start = findHref(located, text)
  if (start === undefined) return []
  const href = node.url
  const problem = judgeLink(href, hasFile)
  const match = { start, end: start + href.length, detail: showValue(href) }
  return problem ? [{ problem, match }] : []
}

/** Parses a text; one that would exhaust the Markdown parser gets no nodes. */
export const readMarkdown = (text: string, hasFile: HasFile): Body => {
  const isLong = text.length > MARKDOWN_LIMIT
  const readTo = isLong ? text.lastIndexOf('\n', MARKDOWN_LIMIT) + 1 : text.length
  const nodes = isTooCostly(text) ? [] : listNodes(text.slice(0, readTo))
  return { text, readTo, nodes, links: nodes.flatMap((node) => findBadLink(node, text, hasFile)) }
}

const countLines = (text: string): number => (text === '' ? 0 : text.split('\n').length)

/** Whether a code block is never closed. */
const isOpenFence = ({ node, start, end }: Located, { text, readTo }: Body): boolean => {
  const isCut = end === readTo && end < text.length
  const source = text.slice(start, end).trimEnd()
  const fence = /^(?:`{3,}|~{3,})/.exec(source)?.[0]
  if (node.type !== 'code' || fence === undefined || isCut) return false
  const last = /\n[ \t>]*(`{3,}|~{3,})$/.exec(source)?.[1] ?? ''
  return !last.startsWith(fence) || countLines(source) === 1 + countLines(node.value.trimEnd())
}

/** What stands in a quote or a list is a heading of nothing. */
const listHeadings = ({ nodes }: Body): Located[] =>
  nodes.filter(({ node, isTop }) => isTop && node.type === 'heading')

const listLinks = (links: Body['links'], kind: BadLink['problem']): Match[] =>
  links.filter(({ problem }) => problem === kind).map(({ match }) => match)

const ACTIVE =
  /<(?:(?:script|iframe|object|embed|form|svg|style|link|meta|base|button|input|video|audio|math|img|details|body)(?=[\s/>])[^<>\n]{0,500}>?|[a-z][a-z0-9]{0,20}\s[^<>\n]{0,500}\bon[a-z]{3,20}\s*=)/gi
const HARMLESS = /^<(?:img|details|body)\b(?![^<>\n]*\son[a-z]+\s*=)/i

const findActive = ({ text, nodes }: Body): Match[] =>
  nodes
    .filter(({ node }) => node.type === 'html' && !node.value.startsWith('<!--'))
    .flatMap(({ start, end }) =>
      [...text.slice(start, end).matchAll(ACTIVE)]
        .filter(([found]) => !HARMLESS.test(found))
        .flatMap(({ 0: found, index }) => matchAt(start + index, found.length)),
    )

const findLongLines = ({ text }: Body): Match[] => {
  let next = 0
  return text.split('\n').flatMap((line) => {
    const start = next
    next += line.length + 1
    return line.length > SCANNED_LINE ? matchAt(start, line.length) : []
  })
}

/** Lengths recommended by the specification of skills; a token is about four letters. */
const LINES = 500
const TOKENS = 5_000
const TOKEN_LENGTH = 4

const checkLength = ({ text }: Body): Match[] => {
  const advised = text.split('\n', LINES).join('\n').length
  if (text.slice(advised).trim() !== '') return [{ start: advised + 1 }]
  const tokens = Math.ceil(text.length / TOKEN_LENGTH)
  return tokens > TOKENS ? [{ start: TOKENS * TOKEN_LENGTH, detail: `about ${tokens} tokens` }] : []
}

/** What can be wrong with the text below a front matter. */
export const BODY_RULES = {
  'body-length': {
    severity: 'note',
    message: `the text is longer than the ${LINES} lines or ${TOKENS} tokens that are advised`,
    remedy: 'move details into files in references/, to be read when needed',
    check: checkLength,
  },
  'hard-to-read': {
    severity: 'warning',
    message: 'markup nested or repeated too often, which pages show as plain text',
    remedy: 'write it flat',
    check: ({ nodes }) => (nodes.length > 0 ? [] : matchAt(0)),
  },
  'fence-open': {
    severity: 'warning',
    message:
      'the code block that opens here is never closed, so the rest of the text counts as code',
    remedy: 'close it; use four backticks around text that contains blocks of three',
    check: (body) =>
      body.nodes.filter((node) => isOpenFence(node, body)).flatMap(({ start }) => matchAt(start)),
  },
  'no-heading': {
    severity: 'note',
    message: 'the text has no heading',
    remedy: 'begin it with a line "# …"',
    check: (body) => (body.nodes.length > 0 && listHeadings(body).length === 0 ? matchAt(0) : []),
  },
  'many-titles': {
    severity: 'note',
    message: 'a second heading of the first level',
    remedy: 'write ## for the parts of a text',
    check: (body) =>
      listHeadings(body)
        .filter(({ node }) => node.type === 'heading' && node.depth === 1)
        .slice(1, 2)
        .flatMap(({ start }) => matchAt(start)),
  },
  'active-html': {
    severity: 'warning',
    message: 'HTML with scripts, styles, forms, media or frames, which pages show as plain text',
    remedy: 'put it in a code block, or write it as Markdown',
    check: findActive,
  },
  'long-line': {
    severity: 'warning',
    message: `a line of more than ${SCANNED_LINE} characters, of which the safety scan reads the first`,
    remedy: 'break it, or move the data into a file in assets/',
    check: findLongLines,
  },
  'link-dead': {
    severity: 'warning',
    message: 'the link leads to a file that the skill does not have',
    remedy: 'add the file, or correct the path; it counts from the skill’s folder',
    check: ({ links }) => listLinks(links, 'dead'),
  },
  'link-outside': {
    severity: 'warning',
    message: 'the link leads out of the skill’s folder, which an installed skill does not have',
    remedy: 'copy the file into the folder, or link to its web address',
    check: ({ links }) => listLinks(links, 'outside'),
  },
  'link-unsafe': {
    severity: 'warning',
    message: 'an unsafe link, which pages do not follow',
    remedy: 'link to an http or https address, or to a file of the skill',
    check: ({ links }) => listLinks(links, 'unsafe'),
  },
} as const satisfies RuleTable<Body>
