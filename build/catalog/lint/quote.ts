import { isMap, isScalar, parseDocument } from 'yaml'
import { YAML_OPTIONS } from '../../../src/catalog/front-matter.ts'
import type { Edit } from './rule.ts'

/** Fields whose value is meant as one text, whatever signs it begins with. */
const TEXT_FIELDS = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'argument-hint',
  'when_to_use',
])

/** A value of one line as it stands in a block, its field, and where it lies. */
export interface PlainValue {
  field: string
  value: string
  start: number
  end: number
}

const TOP_LINE = /^([A-Za-z_][\w-]*):[ \t]+(\S[^\n]*)$/gm

// A quoted, tagged, anchored or block value says itself what it is.
const SELF_DELIMITED = /^["'|>!&#]/
const FLOW = /^[[{]/

const isContinued = (block: string, end: number): boolean =>
  /^\r?\n(?:[ \t]*\r?\n)*[ \t]+\S/.test(block.slice(end, end + 2_000))

/** Lists the values of a block that take one line and no quotes. */
const listPlainValues = (block: string): PlainValue[] =>
  [...block.matchAll(TOP_LINE)].flatMap((line) => {
    const [whole, field = '', rest = ''] = line
    const value = rest.trimEnd()
    const start = line.index + whole.length - rest.length
    const end = start + value.length
    const isText = TEXT_FIELDS.has(field) || !FLOW.test(value)
    if (SELF_DELIMITED.test(value) || !isText) return []
    return isContinued(block, start + rest.trimEnd().length) ? [] : [{ field, value, start, end }]
  })

const readOne = (line: string): string | undefined => {
  const { contents, errors, warnings } = parseDocument(line, YAML_OPTIONS)
  if (errors.length > 0 || warnings.length > 0 || !isMap(contents)) return undefined
  const value = contents.items[0]?.value
  return isScalar(value) ? String(value.value) : undefined
}

/** Quotes a text for YAML so that exactly it is read; undefined where no quotes of one line can. */
export const quoteText = (text: string): string | undefined => {
  const quoted =
    text.includes("'") && !/["\\]/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "''")}'`
  return readOne(`key: ${quoted}`) === text ? quoted : undefined
}

const hasFault = (line: string): boolean => {
  const { errors, warnings } = parseDocument(line, YAML_OPTIONS)
  return errors.length > 0 || warnings.length > 0
}

/** A text that begins with a star is read as an alias, which is of use only where an anchor is. */
const isLostAlias = (value: string, block: string): boolean =>
  value.startsWith('*') && !/(?:^|[\s[{,])&\S/.test(block)

/** Finds the values that are no YAML as they stand and are a text in quotes. */
export const findUnquoted = (block: string): { value: PlainValue; edit: Edit }[] =>
  listPlainValues(block).flatMap((value) => {
    const isWrong = isLostAlias(value.value, block) || hasFault(`${value.field}: ${value.value}`)
    if (!isWrong) return []
    const text = quoteText(value.value)
    return text === undefined ? [] : [{ value, edit: { start: value.start, end: value.end, text } }]
  })

/** Finds the texts of which YAML takes a part, after a blank and #, for a comment. */
export const findCutTexts = (block: string): { field: string; at: number }[] =>
  listPlainValues(block).flatMap(({ field, value, start }) => {
    const cut = value.search(/[ \t]#/)
    return TEXT_FIELDS.has(field) && cut > 0 ? [{ field, at: start + cut + 1 }] : []
  })
