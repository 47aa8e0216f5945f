import { isUtf8 } from 'node:buffer'
import { findOddEnds, unifyLineEnds } from '../lines.ts'
import { countNewlines, decodeLoosely } from '../text.ts'
import { surveyMarkdown } from './contexts.ts'
import type { SkillNames, Surroundings } from './rule.ts'

/** Characters of each line that are scanned. */
export const SCANNED_LINE = 100_000

/** Characters that are scanned at each end of a longer text. */
const SCANNED_END = 512 * 1024

/** `config` files are settings that programs read; `data` files are never run. */
type TextKind = 'markdown' | 'script' | 'config' | 'data'

/** Kinds of texts by file name. Any other text counts as a script. */
const KINDS: readonly (readonly [TextKind, RegExp])[] = [
  ['markdown', /\.(?:mdx?|markdown|mdc|txt|rst|adoc)$/i],
  [
    'config',
    /\.(?:jsonc?|json5|ya?ml|toml|ini|cfg|conf|env|plist|service|xml|properties|gradle|tf)$/i,
  ],
  ['data', /\.(?:csv|tsv|jsonl|ndjson|geojson|log|xsd|svg|lock)$/i],
]

/** Pictures, documents, fonts, sounds and videos. */
const MEDIA =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|avif|heic|pdf|docx?|xlsx?|pptx?|od[pst]|epub|[ot]tf|woff2?|mp[34]|m4[av]|mov|ogg|wav|webm)$/i

/** First bytes of programs: ELF, Windows, Mach-O (either byte order), and Mach-O for several processors. */
const PROGRAM_HEAD = /^(?:7f454c46|4d5a|feedfac[ef]|c[ef]faedfe|cafebabe)/

export const hasProgramHead = (bytes: Uint8Array): boolean =>
  bytes.includes(0) && PROGRAM_HEAD.test(Buffer.from(bytes.subarray(0, 4)).toString('hex'))

/** Byte order marks of UTF-16. */
const UTF16 = { fffe: 'utf-16le', feff: 'utf-16be' } as const

const findUtf16 = (bytes: Uint8Array): string | undefined => {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex')
  return UTF16[mark as keyof typeof UTF16]
}

/** Whether a shell would run a file: a shell refuses a file with a NUL in its first line. */
const canRun = (bytes: Uint8Array): boolean => {
  const end = bytes.indexOf(10)
  return !bytes.subarray(0, end < 0 ? bytes.length : end).includes(0)
}

/** The kind of a text, by its file name; undefined if the bytes are not text, whatever the name. */
const kindOf = (path: string, bytes: Uint8Array): TextKind | undefined => {
  if (hasProgramHead(bytes)) return undefined
  const known = KINDS.find(([, pattern]) => pattern.test(path))?.[0]
  if (known || findUtf16(bytes) !== undefined) return known ?? 'script'
  if (canRun(bytes) && !MEDIA.test(path)) return 'script'
  if (!isUtf8(bytes)) return undefined
  return bytes.includes(0) ? 'data' : 'script'
}

const decode = (bytes: Uint8Array): string => {
  const utf16 = findUtf16(bytes)
  return utf16 === undefined ? decodeLoosely(bytes) : new TextDecoder(utf16).decode(bytes)
}

/** A part of a text that is not scanned, with its 0-based position. */
interface Unread {
  line: number
  column: number
  text: string
}

export interface TextFile {
  path: string
  names: SkillNames
  kind: TextKind
  /** The text; in a long text, empty lines replace the part between both ends. */
  text: string
  lines: readonly string[]
  /** Whether a backslash or an odd line end continues a line for a shell. */
  isContinued: (line: number) => boolean
  around: (line: number) => Surroundings
  unread: Unread[]
}

/** Which unscanned parts are reported if no command runs the file: in settings, only the ends of long lines. */
export const IS_REPORTED: Readonly<Record<TextKind, (part: Unread) => boolean>> = {
  markdown: () => true,
  script: () => true,
  config: ({ column }) => column > 0,
  data: () => false,
}

/** The region of lines by the kind of text. For Markdown, `surveyMarkdown` finds out more. */
const REGIONS = { markdown: 'prose', script: 'script', config: 'config', data: 'config' } as const

/** The end of a line after which a command goes on: a backslash, a pipe outside a table, or a sign of a Windows shell. */
const GOES_ON = /\\$|\S\s{1,9}[`^]$|^(?!\s*\|)(?:.*[^|])?(?:\||&&)\s{0,9}$/
const GOES_FAR = /[|&]\s{0,9}$/

/** An empty line or a comment, which may stand behind a pipe, and how many of them are read. */
export const NOTHING = /^\s{0,80}(?:#.*)?$/
const NOTHING_LINES = 5

/** Letters and signs that are written as escapes in code and as character references in Markdown. */
const ESCAPES =
  /\\u00([2-7][\da-f])|\\u\{0{0,4}([2-7][\da-f])\}|\\x([2-7][\da-f])|&#x([2-7][\da-f]);|&#(3[2-9]|[4-9]\d|1[01]\d|12[0-6]);|&(?:vert|verbar);/gi

/** The text that a program or a page makes of escapes. Lines remain. */
export const decodeEscapes = (text: string): string =>
  /\\[ux]|&(?:#|ver)/i.test(text)
    ? text.replace(ESCAPES, (_, ...codes: (string | undefined)[]) => {
        const hex = codes.slice(0, 4).find((code) => code !== undefined)
        const code = hex === undefined ? Number(codes[4] ?? 124) : Number.parseInt(hex, 16)
        return String.fromCharCode(code)
      })
    : text

export const cutLine = (line: string): string => line.slice(0, SCANNED_LINE)

/** Lists the parts of lines beyond the scanned columns. */
const listLong = (text: string): Unread[] => {
  const found: Unread[] = []
  for (let start = 0; text.length - start > SCANNED_LINE;) {
    const last = text.lastIndexOf('\n', start + SCANNED_LINE)
    const end = last >= start ? last : text.indexOf('\n', start)
    const next = end < 0 ? text.length : end
    if (next - start > SCANNED_LINE) {
      const line = countNewlines(text.slice(0, start))
      found.push({ line, column: SCANNED_LINE, text: text.slice(start + SCANNED_LINE, next) })
    }
    start = next + 1
  }
  return found
}

/** Opens a file for the scan; undefined if it is not text. */
export const openText = (
  path: string,
  bytes: Uint8Array,
  names: SkillNames,
): TextFile | undefined => {
  const kind = kindOf(path, bytes)
  if (kind === undefined) return undefined
  // A shell ignores NUL.
  const decoded = decode(bytes).replaceAll('\0', '')
  const whole = unifyLineEnds(decoded)
  const head = whole.slice(0, SCANNED_END)
  const middle = whole.slice(SCANNED_END, -SCANNED_END)
  const gap = '\n'.repeat(Math.max(1, countNewlines(middle)))
  const text = middle === '' ? whole : head + gap + whole.slice(-SCANNED_END)
  const skipped = middle === '' ? [] : [{ line: countNewlines(head), column: 0, text: middle }]
  let split: readonly string[] | undefined
  let oddEnds: ReadonlySet<number> | undefined
  let survey: Surroundings[] | undefined
  const readLines = (): readonly string[] => (split ??= text.split('\n').map(cutLine))
  const region = REGIONS[kind]
  return {
    path,
    names,
    kind,
    text,
    get lines() {
      return readLines()
    },
    isContinued: (line) => {
      const all = readLines()
      const behind = kind === 'script' ? NOTHING_LINES : 0
      let end = line
      while (end > line - behind && NOTHING.test(all[end] ?? '')) end -= 1
      const last = all[end] ?? ''
      if (GOES_ON.test(last) && (end === line || GOES_FAR.test(last))) return true
      // The middle of a long text is not in `lines`, but its lines are counted.
      oddEnds ??= whole === decoded ? new Set() : findOddEnds(decoded)
      return oddEnds.has(line)
    },
    around: (line) => {
      if (kind === 'markdown') survey ??= surveyMarkdown(readLines())
      return survey?.[line] ?? { region, headings: '', intro: '' }
    },
    unread: [...skipped, ...listLong(text)],
  }
}
