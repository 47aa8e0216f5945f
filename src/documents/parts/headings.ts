import { isAscii, remember } from '../../catalog/text.ts'
import { PARTS } from '../../catalog/parts.ts'
import type { PartName } from '../../catalog/parts.ts'

/** Words before a heading that only decorate it. */
const QUALIFIERS =
  /^(?:the|key|core|main|common|known|general|important|standard|recommended|default|basic|overall|primary|typical|detailed|required|expected|suggested|optional|global|critical|high level|quick|my|your|skill|hard|honest|shared|mandatory|minimum|additional|supported|accepted|generated|specific) (?=\S)/

/** Words after one. */
const AFTERWORDS = / (?:for|of|with|in) (?:this|the) (?:skill|agent|command|workflow)$/

/**
 * What stands between the words of a heading in ASCII: all but letters, and whatever is in brackets. Those
 * that are far apart are none: to look for the end of each that has none would take the square of the length.
 */
const BETWEEN_ASCII = /(?:\([^)]{0,200}\)|[^a-z(]|\()+/g
const BRACKETS = /\([^)]{0,200}\)|（[^）]{0,200}）/g

const normalize = (text: string): string => {
  const lower = text.toLowerCase().replaceAll(' & ', ' and ')
  // What a letter is of all Unicode is a long question, of ASCII a short one.
  const words = isAscii(lower)
    ? lower.replace(BETWEEN_ASCII, ' ')
    : lower
        .replace(BRACKETS, ' ')
        .replace(/[^\p{L}\s]/gu, ' ')
        .replace(/\s+/g, ' ')
  return words.trim()
}

interface PartHeading {
  name: PartName
  /** Place among the headings of its part, the plainest first. */
  rank: number
}

const PART_OF_HEADING: ReadonlyMap<string, PartHeading> = new Map(
  PARTS.flatMap(({ name, headings }) =>
    headings
      .split('|')
      .map((heading, rank) => [heading.replace(/\s+/g, ' ').trim(), { name, rank }] as const),
  ),
)

/** A number's own word before a heading: `Step 2: Output`, `Phase 1 - Prerequisites`. */
const STEP_WORD = /^(?:step|phase|stage|part|section) (?=\S)/

const findPart = (words: string): PartHeading | undefined => {
  const plain = words.replace(AFTERWORDS, '')
  return (
    PART_OF_HEADING.get(words) ??
    PART_OF_HEADING.get(plain) ??
    PART_OF_HEADING.get(plain.replace(STEP_WORD, '').replace(QUALIFIERS, ''))
  )
}

/** `Inputs & Outputs`, `Setup / Install`; a name of one part may have an "and" of its own. */
const JOINED =
  /^(?:\d[\d.]*\W\s*)?([^&+/,]{3,40}?)\s*(?:&|\+|\/|\sand\s|\sund\s|\set\s|\sy\s|\se\s|和|と)\s*([^&+/,]{3,40})$/i

const findHalves = (text: string): PartHeading[] => {
  const [, ...halves] = JOINED.exec(text.trim()) ?? []
  const parts = halves.flatMap((half) => findPart(normalize(half)) ?? [])
  return parts.length === 2 ? parts : []
}

const readHeading = remember((text) => {
  const words = normalize(text)
  const part = findPart(words)
  const halves = part ? [] : findHalves(text)
  const [one, other] = halves
  const isOne = one && one.name === other?.name
  return { words, part: isOne ? one : part, joined: isOne ? [] : halves.map(({ name }) => name) }
})

/** The parts of a heading that carries two: `Inputs & Outputs`. */
export const listJoined = (text: string): readonly PartName[] => readHeading(text).joined

/** A heading as the table of parts has it. */
export const normalizeHeading = (text: string): string => readHeading(text).words

/** The part that a heading carries; `skillName`, normalized, is left out of it: `When to use csv-clean`. */
export const partOfHeading = (text: string, skillName = ''): PartName | undefined => {
  const { words, part } = readHeading(text)
  if (part !== undefined || skillName === '' || !words.includes(skillName)) return part?.name
  const ofSkill = ` ${words} `.replace(` ${skillName} `, ' this skill ').trim()
  return findPart(ofSkill.replace(/^this skill /, ''))?.name
}

/** How plainly a heading says its part: 0 is the plainest. */
export const rankOfHeading = (text: string): number =>
  readHeading(text).part?.rank ?? Number.MAX_SAFE_INTEGER
