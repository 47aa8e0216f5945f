import { NotTextError, decodeText, showValue } from '../../../src/catalog/text.ts'
import { findFirst } from './places.ts'
import type { Mark, RuleTable } from './rule.ts'

/** What can be wrong with a text before anything in it is read. */
export const TEXT_RULES = {
  'not-text': {
    severity: 'error',
    message: 'the file is not UTF-8 text',
    remedy: 'save it as UTF-8 text',
  },
  'byte-order-mark': {
    severity: 'error',
    message: 'a byte order mark stands before the front matter, which then is none to many readers',
    remedy: 'save the file as UTF-8 without a byte order mark',
    fix: 'removes the mark',
  },
  crlf: {
    severity: 'note',
    message: 'lines end with CR LF',
    remedy: 'save the file with LF; "*.md text eol=lf" in .gitattributes keeps it so',
  },
  'mixed-line-ends': {
    severity: 'warning',
    message: 'some lines end with LF and some with CR LF',
    remedy: 'save the file with LF alone',
  },
  'lone-return': {
    severity: 'warning',
    message: 'a carriage return stands alone, where most readers see no end of a line',
    remedy: 'save the file with LF alone',
  },
  'control-character': {
    severity: 'warning',
    message: 'a control character',
    remedy: 'remove it, or write it as an escape such as \\u001b',
  },
  'line-separator': {
    severity: 'warning',
    message: 'a Unicode line separator, at which some readers cut the line',
    remedy: 'write a line feed or a blank',
  },
  'final-newline': {
    severity: 'note',
    message: 'the last line has no line end',
    remedy: 'end it',
    fix: 'ends the last line as the others end',
  },
} as const satisfies RuleTable

/** Places reported per rule and file; the rest say no more. */
export const PLACES_PER_RULE = 5

/** A mark of a rule about a text. */
export type TextMark = Mark<keyof typeof TEXT_RULES>

/** Counts the bytes before the first that no UTF-8 text holds there. */
const countValid = (bytes: Uint8Array): number => {
  const isValid = (length: number): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream: true })
      return true
    } catch (error) {
      if (error instanceof TypeError) return false
      throw error
    }
  }
  let low = 0
  let high = bytes.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isValid(middle)) low = middle
    else high = middle - 1
  }
  return low
}

const KEEP_MARK = new TextDecoder('utf-8', { ignoreBOM: true })

const findBadByte = (bytes: Uint8Array): number => {
  const nul = bytes.indexOf(0)
  return nul >= 0 ? Math.min(nul, countValid(bytes)) : countValid(bytes)
}

/**
 * Decodes a file, a byte order mark kept so that places are those of the file. What is no text is
 * decoded up to the byte that says so, and marked there.
 */
export const decodeSkill = (bytes: Uint8Array): { text: string; marks: TextMark[] } => {
  try {
    decodeText(bytes)
    return { text: KEEP_MARK.decode(bytes), marks: [] }
  } catch (error) {
    if (!(error instanceof NotTextError)) throw error
    // "reason; remedy", of which the rule has the remedy.
    const message = error.message.split(';')[0] ?? ''
    const text = KEEP_MARK.decode(bytes.subarray(0, findBadByte(bytes)))
    return { text, marks: [{ rule: 'not-text', at: text.replace(/\uFFFD$/, '').length, message }] }
  }
}

const checkLineEnds = (text: string): TextMark[] => {
  const returned = text.indexOf('\r\n')
  if (returned < 0) return []
  const plain = /(?<!\r)\n/.exec(text)?.index
  if (plain === undefined) return [{ rule: 'crlf', at: returned }]
  // The first of either is how the file began; the other is what is odd.
  return [{ rule: 'mixed-line-ends', at: Math.max(returned, plain) }]
}

const findPlaces = (text: string, rule: keyof typeof TEXT_RULES, pattern: RegExp): TextMark[] =>
  findFirst(text, pattern, PLACES_PER_RULE).map(({ 0: found, index }) => ({
    rule,
    at: index,
    end: index + found.length,
    message: `${TEXT_RULES[rule].message}: ${showValue(found)}`,
  }))

// Tab and line ends are no findings; a NUL ends the decoding before.
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu
const SEPARATORS = /[\u2028\u2029]/g
const LONE_RETURNS = /\r(?!\n)/

const checkFinalNewline = (text: string): TextMark[] =>
  text.trim() === '' || /[\n\r]$/.test(text)
    ? []
    : [
        {
          rule: 'final-newline',
          at: text.length,
          edit: {
            start: text.length,
            end: text.length,
            text: /\r?\n/.exec(text)?.[0] ?? '\n',
          },
        },
      ]

/** Marks what is wrong with a text as such. */
export const checkText = (text: string): TextMark[] => {
  const lone = LONE_RETURNS.exec(text)
  return [
    ...(text.startsWith('\uFEFF')
      ? [{ rule: 'byte-order-mark' as const, at: 0, edit: { start: 0, end: 1, text: '' } }]
      : []),
    ...checkLineEnds(text),
    ...(lone ? [{ rule: 'lone-return' as const, at: lone.index }] : []),
    ...findPlaces(text, 'control-character', CONTROLS),
    ...findPlaces(text, 'line-separator', SEPARATORS),
    ...checkFinalNewline(text),
  ]
}
