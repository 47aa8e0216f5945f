import { SCANNED_LINE } from '../../../src/catalog/safety.ts'
import { isPathological } from '../../../src/documents/pathological.ts'
import { findFences, hideCode } from './code-blocks.ts'
import { LINK_RULES, checkLinks } from './link-rules.ts'
import type { HasFile } from './link-rules.ts'
import { findFirst } from './places.ts'
import type { Mark, RuleTable } from './rule.ts'

/** Lengths that the specification of skills recommends for the text. */
const BODY_LINES = 500
const BODY_TOKENS = 5_000

/** Letters of a token, by and large. */
const TOKEN_LENGTH = 4

/** What can be wrong with the text below a front matter. */
export const BODY_RULES = {
  ...LINK_RULES,
  'body-length': {
    severity: 'note',
    message: `the text is longer than the ${BODY_LINES} lines or ${BODY_TOKENS} tokens that are advised`,
    remedy: 'move details into files in references/, to be read when they are wanted',
  },
  'fence-open': {
    severity: 'warning',
    message: 'the code block that opens here is never closed and takes in the rest of the text',
    remedy: 'close it; put four backticks around a text that holds blocks of three',
  },
  'no-heading': {
    severity: 'note',
    message: 'the text has no heading',
    remedy: 'begin it with a line "# …"',
  },
  'many-titles': {
    severity: 'note',
    message: 'a second heading of the first level',
    remedy: 'write ## for the parts of a text',
  },
  'active-html': {
    severity: 'warning',
    message: 'HTML that acts or draws, which a page shows as plain text',
    remedy: 'put it in a code block, or write it as Markdown',
  },
  'long-line': {
    severity: 'warning',
    message: `a line of more than ${SCANNED_LINE} characters, of which the safety scan reads the first`,
    remedy: 'break it, or move the data into a file in assets/',
  },
  'hard-to-read': {
    severity: 'warning',
    message: 'signs nested or repeated beyond any use, which a page shows as plain text',
    remedy: 'write it flat',
  },
} as const satisfies RuleTable

/** A mark of a rule about the text; places count from its start. */
export type BodyMark = Mark<keyof typeof BODY_RULES>

const nthLine = (text: string, count: number): number => {
  let at = 0
  for (let line = 0; line < count && at >= 0; line += 1) {
    at = text.indexOf('\n', at) + 1
    if (at === 0) return -1
  }
  return at
}

const checkLength = (body: string): BodyMark[] => {
  const tokens = Math.ceil(body.length / TOKEN_LENGTH)
  const past = nthLine(body, BODY_LINES)
  const isPast = past >= 0 && body.slice(past).trim() !== ''
  if (isPast) return [{ rule: 'body-length', at: past }]
  return tokens > BODY_TOKENS
    ? [
        {
          rule: 'body-length',
          at: BODY_TOKENS * TOKEN_LENGTH,
          message: `the text has about ${tokens} tokens; ${BODY_TOKENS} are advised`,
        },
      ]
    : []
}

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)|^ {0,3}(?:=+|-+)[ \t]*$/m
const TITLE = /^ {0,3}#[ \t]/gm

const checkHeadings = (plain: string): BodyMark[] => {
  if (!HEADING.test(plain)) return [{ rule: 'no-heading', at: 0 }]
  const second = findFirst(plain, TITLE, 2)[1]
  return second ? [{ rule: 'many-titles', at: second.index }] : []
}

const ACTIVE =
  /<(?:(?:form|svg|style|link|meta|base|button|input|video|audio|math|img|details|body)(?=[\s/>])[^<>\n]{0,500}>?|[a-z][a-z0-9]{0,20}\s[^<>\n]{0,500}\bon[a-z]{3,20}\s*=)/gi
const HARMLESS = /^<(?:img|details|body)\b(?![^<>\n]*\son[a-z]+\s*=)/i

const checkHtml = (plain: string): BodyMark[] =>
  [...plain.matchAll(ACTIVE)]
    .filter(([found]) => !HARMLESS.test(found))
    .map(({ 0: found, index }) => ({ rule: 'active-html', at: index, end: index + found.length }))

const checkLines = (body: string): BodyMark[] => {
  const marks: BodyMark[] = []
  let at = 0
  for (const line of body.split('\n')) {
    if (line.length > SCANNED_LINE) marks.push({ rule: 'long-line', at, end: at + line.length })
    at += line.length + 1
  }
  return marks
}

/** Marks what is wrong with the text below the front matter. */
export const checkBody = (body: string, hasFile: HasFile): BodyMark[] => {
  if (body.trim() === '') return []
  // What exhausts a Markdown parser is not looked at any further.
  if (isPathological(body)) {
    return [{ rule: 'hard-to-read', at: 0 }, ...checkLength(body), ...checkLines(body)]
  }
  const fences = findFences(body)
  const plain = hideCode(body, fences)
  return [
    ...checkLength(body),
    ...fences
      .filter(({ isClosed }) => !isClosed)
      .map(({ start }) => ({ rule: 'fence-open' as const, at: start })),
    ...checkHeadings(plain),
    ...checkHtml(plain),
    ...checkLines(body),
    ...checkLinks(plain, hasFile),
  ]
}
