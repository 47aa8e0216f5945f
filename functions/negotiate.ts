import type { ByteRange } from './store.ts'

/** One element of an Accept header: `type/subtype`, lower-case, with its weight from 0 to 1. */
interface MediaRange {
  range: string
  weight: number
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const RANGE = new RegExp(`^(?:\\*/\\*|(?!\\*)${TOKEN}/${TOKEN})$`)
const PARAMETER = new RegExp(`^(${TOKEN})=(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")$`, 's')
const EXTENSION = new RegExp(`^${TOKEN}$`)

/** A weight: 0 to 1 with at most three decimals (RFC 9110 12.4.2). */
const WEIGHT = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/

/** Blank and tab are the white space of HTTP (RFC 9110 5.6.3); trim() knows many more. */
const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'

const trimBlanks = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text[start])) start += 1
  while (end > start && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

/** Splits at a separator outside quoted strings (RFC 9110 5.6.4), in linear time. */
const splitUnquoted = (text: string, separator: string): string[] => {
  const parts: string[] = []
  let start = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (isQuoted && character === '\\') at += 1
    else if (character === '"' && (isQuoted || text[at - 1] === '=')) isQuoted = !isQuoted
    else if (!isQuoted && character === separator) {
      parts.push(trimBlanks(text.slice(start, at)))
      start = at + 1
    }
  }
  return [...parts, trimBlanks(text.slice(start))]
}

/** Reads one element; undefined where it is malformed, which drops this element and no other. */
const parseElement = (element: string): MediaRange | undefined => {
  const [range = '', ...parameters] = splitUnquoted(element, ';')
  if (!RANGE.test(range)) return undefined
  let weight: number | undefined
  for (const parameter of parameters) {
    // RFC 9110 5.6.6 allows an empty parameter, RFC 7231 5.3.2 a bare word after the weight.
    if (parameter === '' || (weight !== undefined && EXTENSION.test(parameter))) continue
    const [, name = '', value = ''] = PARAMETER.exec(parameter) ?? []
    if (name === '') return undefined
    if (name.toLowerCase() !== 'q' || weight !== undefined) continue
    if (!WEIGHT.test(value)) return undefined
    weight = Number(value)
  }
  return { range: range.toLowerCase(), weight: weight ?? 1 }
}

/** Parses an Accept header (RFC 9110 12.5.1); malformed elements are ignored, never an error. */
const parseAccept = (header: string): MediaRange[] =>
  splitUnquoted(header, ',')
    .map(parseElement)
    .filter((range) => range !== undefined)

/** The two forms of a page. */
export type Form = 'html' | 'markdown'

/** What can match `text/html`, most specific first (RFC 9110 12.5.1). */
const HTML_RANGES = ['text/html', 'text/*', '*/*'] as const

/** The weight of a range, parameters aside: the highest where it is named more than once. */
const weightOf = (ranges: readonly MediaRange[], wanted: string): number | undefined => {
  const weights = ranges.filter(({ range }) => range === wanted).map(({ weight }) => weight)
  return weights.length > 0 ? weights.reduce((a, b) => Math.max(a, b)) : undefined
}

/**
 * Says whether an Accept header chooses Markdown: it is named, not refused, and wanted no less than
 * HTML (decisions, "Markdown"). A wildcard never chooses it.
 */
const choosesMarkdown = (header: string | undefined): boolean => {
  if (header === undefined || !/markdown/i.test(header)) return false
  const ranges = parseAccept(header)
  const markdown = weightOf(ranges, 'text/markdown') ?? 0
  const html = HTML_RANGES.map((range) => weightOf(ranges, range)).find((one) => one !== undefined)
  return markdown > 0 && markdown >= (html ?? 0)
}

/** Gives the form of a page that an Accept header chooses. */
export const chooseForm = (header: string | undefined): Form =>
  choosesMarkdown(header) ? 'markdown' : 'html'

/** Parsed list of entity tags: `*`, or tags as they were written (RFC 9110 8.8.3, 13.1.2). */
const parseTags = (header: string): string[] =>
  header.match(/(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g) ?? []

const opaque = (tag: string): string => tag.replace(/^W\//, '')

/** Makes an entity tag; `isExact` makes it strong (RFC 9110 8.8.1). */
export const makeTag = (text: string, isExact: boolean): string => `${isExact ? '' : 'W/'}"${text}"`

/** Says whether If-None-Match names the tag, compared weakly (RFC 9110 13.1.2). */
export const isUnchanged = (ifNoneMatch: string | undefined, tag: string): boolean => {
  if (ifNoneMatch === undefined) return false
  return (
    ifNoneMatch.trim() === '*' ||
    parseTags(ifNoneMatch).some((given) => opaque(given) === opaque(tag))
  )
}

/** Says whether a Range may be honoured: no If-Range, or exactly this strong tag (RFC 9110 13.1.5). */
export const allowsRange = (ifRange: string | undefined, tag: string): boolean =>
  ifRange === undefined || (!tag.startsWith('W/') && ifRange.trim() === tag)

const rangeFrom = (first: number, last: number, size: number): ByteRange | 'unsatisfiable' =>
  first < size ? { first, last: Math.min(last, size - 1) } : 'unsatisfiable'

/**
 * Parses a Range header against the size of a file (RFC 9110 14.1.2). Undefined where the whole
 * file is the answer: no range, several, another unit, a malformed one, or an empty file.
 */
export const parseRange = (
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined => {
  const [, set] = /^bytes=(.*)$/is.exec(header ?? '') ?? []
  const specs = (set ?? '').split(',').map((spec) => spec.trim())
  const [only = '', ...others] = specs.filter((spec) => spec !== '')
  const [, first, last] = /^([0-9]*)-([0-9]*)$/.exec(only) ?? []
  if (first === undefined || last === undefined || others.length > 0 || size === 0) return undefined
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length > 0 ? { first: size - length, last: size - 1 } : 'unsatisfiable'
  }
  if (last === '') return rangeFrom(Number(first), size - 1, size)
  // A range that ends before it begins is malformed, not unsatisfiable.
  return Number(last) < Number(first) ? undefined : rangeFrom(Number(first), Number(last), size)
}
