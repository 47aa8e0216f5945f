import { isUtf8 } from 'node:buffer'
import { countNewlines, decodeLoosely } from '../text.ts'
import { surveyMarkdown } from './contexts.ts'
import type { Surroundings } from './contexts.ts'
import type { SkillNames } from './rule.ts'

/** Characters of a line that are scanned. */
export const SCANNED_LINE = 20_000

/** Characters at each end of a longer text that are scanned. */
const SCANNED_END = 512 * 1024

/** `config` is settings that programs read, `data` is never run. */
type TextKind = 'markdown' | 'script' | 'config' | 'data'

/** Any other text is a script. */
const KINDS: readonly (readonly [TextKind, RegExp])[] = [
  ['markdown', /\.(?:mdx?|markdown|mdc|txt|rst|adoc)$/i],
  [
    'config',
    /\.(?:jsonc?|json5|ya?ml|toml|ini|cfg|conf|env|plist|service|xml|properties|gradle|tf)$/i,
  ],
  ['data', /\.(?:csv|tsv|jsonl|ndjson|geojson|log|xsd|svg|lock)$/i],
]

/** Pictures, documents, fonts, sound and films. */
const IS_SEEN =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|avif|heic|pdf|docx?|xlsx?|pptx?|od[pst]|epub|[ot]tf|woff2?|mp[34]|m4[av]|mov|ogg|wav|webm)$/i

/** First bytes of programs: ELF, Windows, Mach-O in either order and for several processors. */
const PROGRAM_HEAD = /^(?:7f454c46|4d5a|feedfac[ef]|c[ef]faedfe|cafebabe)/

export const hasProgramHead = (bytes: Uint8Array): boolean =>
  bytes.includes(0) && PROGRAM_HEAD.test(Buffer.from(bytes.subarray(0, 4)).toString('hex'))

/** Marks of a byte order at the beginning of a text. */
const UTF16 = { fffe: 'utf-16le', feff: 'utf-16be' } as const

const findUtf16 = (bytes: Uint8Array): string | undefined => {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex')
  return UTF16[mark as keyof typeof UTF16]
}

/** Whether a shell would run a file: it refuses one with a NUL in its first line. */
const mayRun = (bytes: Uint8Array): boolean => {
  const end = bytes.indexOf(10)
  return !bytes.subarray(0, end < 0 ? bytes.length : end).includes(0)
}

/** The kind of a text: by its name, else a script; undefined if it is not text, whatever its name. */
const kindOf = (path: string, bytes: Uint8Array): TextKind | undefined => {
  if (hasProgramHead(bytes)) return undefined
  const known = KINDS.find(([, pattern]) => pattern.test(path))?.[0]
  if (known || findUtf16(bytes) !== undefined) return known ?? 'script'
  if (mayRun(bytes) && !IS_SEEN.test(path)) return 'script'
  if (!isUtf8(bytes)) return undefined
  return bytes.includes(0) ? 'data' : 'script'
}

const decode = (bytes: Uint8Array): string => {
  const utf16 = findUtf16(bytes)
  return utf16 === undefined ? decodeLoosely(bytes) : new TextDecoder(utf16).decode(bytes)
}

/** A part of a text that is not scanned: where it begins, 0-based, and what it is. */
interface Unread {
  line: number
  column: number
  text: string
}

/** A text of a skill. */
export interface TextFile {
  path: string
  names: SkillNames
  kind: TextKind
  /** All of it, but that a long one has only empty lines between its first and its last part. */
  text: string
  lines: readonly string[]
  /** The surroundings of a line. */
  around: (line: number) => Surroundings
  unread: Unread[]
}

/** Which unscanned parts are reported if no command runs the file: for settings, only long lines. */
export const IS_TOLD: Readonly<Record<TextKind, (left: Unread) => boolean>> = {
  markdown: () => true,
  script: () => true,
  config: ({ column }) => column > 0,
  data: () => false,
}

/** Where lines of a text stand, unless something around them says more. */
const REGIONS = { markdown: 'prose', script: 'script', config: 'config', data: 'config' } as const

/** The part of a line that is scanned. */
export const cutLine = (line: string): string =>
  line.slice(0, Math.min(SCANNED_LINE, line.length - Number(line.endsWith('\r'))))

/** The parts of lines beyond the scanned columns. */
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

/** Reads a text for the scan; undefined if it is not text. */
export const openText = (
  path: string,
  bytes: Uint8Array,
  names: SkillNames,
): TextFile | undefined => {
  const kind = kindOf(path, bytes)
  if (kind === undefined) return undefined
  const whole = decode(bytes)
  const head = whole.slice(0, SCANNED_END)
  const middle = whole.slice(SCANNED_END, -SCANNED_END)
  const gap = '\n'.repeat(Math.max(1, countNewlines(middle)))
  const text = middle === '' ? whole : head + gap + whole.slice(-SCANNED_END)
  const left = middle === '' ? [] : [{ line: countNewlines(head), column: 0, text: middle }]
  let split: readonly string[] | undefined
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
    around: (line) => {
      if (kind === 'markdown') survey ??= surveyMarkdown(readLines())
      return survey?.[line] ?? { region, headings: '', intro: '' }
    },
    unread: [...left, ...listLong(text)],
  }
}
