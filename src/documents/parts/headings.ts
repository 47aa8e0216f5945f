import { isAscii, remember } from '../../catalog/text.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'

/** Words before a heading that only decorate it. */
const QUALIFIERS =
  /^(?:the|key|core|main|common|known|general|important|standard|recommended|default|basic|overall|primary|typical|detailed|required|expected|suggested|optional|global|critical|high level|quick|my|your|skill) (?=\S)/

/** Words after one. */
const AFTERWORDS = / (?:for|of|with|in) (?:this|the) (?:skill|agent)$/

/**
 * What stands between the words of a heading in ASCII: all but letters, and whatever is in brackets. Those
 * that are far apart are none: to look for the end of each that has none would take the square of the length.
 */
const BETWEEN_ASCII = /(?:\([^)]{0,200}\)|[^a-z(]|\()+/g
const BRACKETS = /\([^)]{0,200}\)|（[^）]{0,200}）/g

const normalize = (text: string): string => {
  const lower = text.toLowerCase()
  // What a letter is of all Unicode is a long question, of ASCII a short one.
  const words = isAscii(lower)
    ? lower.replace(BETWEEN_ASCII, ' ')
    : lower
        .replace(BRACKETS, ' ')
        .replace(/[^\p{L}\s]/gu, ' ')
        .replace(/\s+/g, ' ')
  return words.trim()
}

const PART_OF_HEADING: ReadonlyMap<string, PartName> = new Map(
  PARTS.flatMap(({ name, headings }) =>
    headings.split('|').map((heading) => [heading.replace(/\s+/g, ' ').trim(), name] as const),
  ),
)

const readHeading = remember((text) => {
  const words = normalize(text)
  const plain = words.replace(AFTERWORDS, '')
  const part =
    PART_OF_HEADING.get(words) ??
    PART_OF_HEADING.get(plain) ??
    PART_OF_HEADING.get(plain.replace(QUALIFIERS, ''))
  return { words, part }
})

/** A heading as the table of parts has it. */
export const normalizeHeading = (text: string): string => readHeading(text).words

export const partOfHeading = (text: string): PartName | undefined => readHeading(text).part
