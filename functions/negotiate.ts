/** One element of an Accept header: `type/subtype` in lower case, with its weight from 0 to 1. */
interface MediaRange {
  range: string
  weight: number
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`

// HTTP white space is only space and tab (RFC 9110 5.6.3); \s matches many more characters.
const ELEMENT = new RegExp(`^[ \\t]*(\\*/\\*|(?!\\*)${TOKEN}/${TOKEN})[ \\t]*(?:;(.*))?$`, 's')
const PARAMETER = new RegExp(`^[ \\t]*(${TOKEN})=(${TOKEN}|${QUOTED})[ \\t]*$`, 's')
const EXTENSION = new RegExp(`^[ \\t]*(?:${TOKEN}[ \\t]*)?$`)

/** A weight: 0 to 1 with at most three decimals (RFC 9110 12.4.2). */
const WEIGHT = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/

/** Match the text between commas, or semicolons, that are outside quoted strings (RFC 9110 5.6.4). */
const BETWEEN_COMMAS = /(?:="(?:[^"\\]|\\.?)*(?:"|$)|[^,])+/gs
const BETWEEN_SEMICOLONS = /(?:="(?:[^"\\]|\\.?)*(?:"|$)|[^;])+/gs

/** Undefined if the element is malformed. The other elements still count. */
const parseElement = (element: string): MediaRange | undefined => {
  const [, range, parameters = ''] = ELEMENT.exec(element) ?? []
  if (range === undefined) return undefined
  let weight: number | undefined
  for (const parameter of parameters.match(BETWEEN_SEMICOLONS) ?? []) {
    const [, name, value = ''] = PARAMETER.exec(parameter) ?? []
    if (name === undefined) {
      // RFC 9110 5.6.6 allows an empty parameter, RFC 7231 5.3.2 a word without a value after the weight.
      if (EXTENSION.test(parameter) && (weight !== undefined || parameter.trim() === '')) continue
      return undefined
    }
    if (name.toLowerCase() !== 'q' || weight !== undefined) continue
    if (!WEIGHT.test(value)) return undefined
    weight = Number(value)
  }
  return { range: range.toLowerCase(), weight: weight ?? 1 }
}

export type Form = 'html' | 'markdown'

/** Ranges that match `text/html`, most specific first (RFC 9110 12.5.1). */
const HTML_RANGES = ['text/html', 'text/*', '*/*'] as const

/** The weight of a range, ignoring parameters: the highest if it occurs more than once. */
const weightOf = (ranges: readonly MediaRange[], name: string): number | undefined => {
  const weights = ranges.filter(({ range }) => range === name).map(({ weight }) => weight)
  return weights.length > 0 ? weights.reduce((a, b) => Math.max(a, b)) : undefined
}

/**
 * Chooses a page's form from the Accept header (RFC 9110 12.5.1): Markdown if the header names `text/markdown` with
 * a weight above 0 that is not lower than the weight of HTML. A wildcard never selects Markdown.
 */
export const chooseForm = (header: string | undefined): Form => {
  if (header === undefined || !/markdown/i.test(header)) return 'html'
  const ranges = (header.match(BETWEEN_COMMAS) ?? [])
    .map(parseElement)
    .filter((range) => range !== undefined)
  const markdown = weightOf(ranges, 'text/markdown') ?? 0
  const html = HTML_RANGES.map((range) => weightOf(ranges, range)).find(
    (weight) => weight !== undefined,
  )
  return markdown > 0 && markdown >= (html ?? 0) ? 'markdown' : 'html'
}
