import { NotTextError, decodeText, showValue } from '../../../../src/catalog/text.ts'
import { matchAt } from '../diagnostic.ts'
import type { Match, RuleTable, Violation } from '../diagnostic.ts'

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
