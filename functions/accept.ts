/** One element of an Accept header: `type/subtype`, lower-case, with its weight from 0 to 1. */
export interface MediaRange {
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
export const parseAccept = (header: string): MediaRange[] =>
  splitUnquoted(header, ',')
    .map(parseElement)
    .filter((range) => range !== undefined)
